"""Backtests to audit: an eventful simulated market, decisions by chance, and the files as a backtest writes them."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import random
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.features.backtest.market import made_prices
from tradingagents.agents.schemas import Decision
from tradingagents.analytics.performance import performance
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.models import ListingEnd, Prices, Split
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.errors import NoData
from tradingagents.features.backtest.audit import AuditReport, audit
from tradingagents.features.backtest.broker import TradingCosts
from tradingagents.features.backtest.decisions.decide import DecisionSet
from tradingagents.features.backtest.decisions.decision_store import StoredDecision
from tradingagents.features.backtest.financing.bills import read_bills
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.limits import RiskLimits, ShortRules
from tradingagents.features.backtest.pages import files
from tradingagents.features.backtest.pages.files import write_backtest
from tradingagents.features.backtest.plan import plan_backtest, write_plan
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.run import backtest
from tradingagents.features.backtest.score import Account
from tradingagents.features.backtest.statistics import active_risk
from tradingagents.features.backtest.variants import decided as decided_variants
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

Patch = tuple[Any, str, Any]
"""Object, attribute and replacement."""
SPLIT_DAY, HALT, ENDS = date(2024, 10, 15), ("2024-10-23", "2024-10-24", "2024-10-25"), date(2024, 11, 6)


class WithRates:
    """Adds two stocks in euro and rates of the euro in dollar, which change each day, to a simulated market."""

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        if symbol == "EURUSD=X":
            days = sessions("24/5").between(start, end)
            closes = [1.1 + 0.1 * math.sin(day.toordinal() / 3) for day in days]
            return made_prices(symbol, days, closes) if days else super().get_stock_data(symbol, start, end)  # type: ignore[misc]
        if symbol not in EURO:
            return super().get_stock_data(symbol, start, end)  # type: ignore[misc,no-any-return]
        return replace(super().get_stock_data(EURO[symbol], start, end), symbol=symbol, currency="EUR")  # type: ignore[misc]


EURO = {"HEUQ": "HELQ", "VEUQ": "VELQ"}
"""Stocks in euro, and whose prices they have."""


class EventfulVendor(SimulatedVendor):
    """The simulated market with a split of HELQ, a halt of OMBZ, and an end of SANQ; dividends it has itself."""

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        found = super().get_stock_data(symbol, start, end)
        if symbol == "HELQ":
            return replace(found, splits=(*found.splits, Split(SPLIT_DAY, 2.0)))
        if symbol == "OMBZ":
            return taken(found, ~np.isin(found.days, np.array(HALT, "datetime64[D]")))
        if symbol == "SANQ":
            return replace(found.upto(ENDS), ended=ListingEnd(ENDS + timedelta(days=1), "delisted"))
        return found


def taken(prices: Prices, which: Any) -> Prices:
    """Return some of the bars, by mask or places."""
    names = ("days", "open", "high", "low", "close", "adj_close", "volume")
    return replace(prices, **{name: getattr(prices, name)[which] for name in names})


class EuroVendor(WithRates, EventfulVendor):
    """The eventful market with stocks in euro."""


ASKED = BacktestRequest(
    tickers=("HELQ", "OMBZ", "SANQ", "VELQ"), start=date(2024, 10, 1), end=date(2024, 12, 13), every=4
)


def services_of(home: Path, vendor: Vendor | None = None, **settings: Any) -> Services:
    """Open services of the offline analysts on a vendor that takes the place of the simulated one."""
    config = {"llm_provider": "offline", "data_vendor": "simulated", "home": str(home), **settings}
    loaded = load_settings(config, environ={})
    given = {"simulated": vendor if vendor is not None else EventfulVendor()}
    return open_services(loaded, {}, vendors=Vendors(loaded, given, environ={}))


def by_chance(tickers: Sequence[str], days: Sequence[date], seed: int) -> DecisionSet:
    """Decide by chance, NO_DECISION and failed runs among them; each decision costs a cent."""
    drawn = random.Random(seed)  # noqa: S311 - no secret
    found: dict[tuple[str, date], StoredDecision] = {}
    missing: dict[tuple[str, date], str] = {}
    for day in days:
        for ticker in tickers:
            action = drawn.choices(("BUY", "SELL", "HOLD", "NO_DECISION", ""), (45, 20, 18, 12, 5))[0]
            if not action:
                missing[ticker, day] = "No model answered."
                continue
            sure = 0.0 if action == "NO_DECISION" else round(drawn.uniform(0.3, 1.0), 2)
            decision = Decision.model_validate({"action": action, "confidence": sure, "rationale": "by chance"})
            found[ticker, day] = StoredDecision(f"{ticker} {day}", ticker, day, decision, "made", 1, 0.01)
    return DecisionSet(found, missing, len(found))


@dataclass(frozen=True)
class MadeBacktest:
    """A backtest in a folder, and the services to audit it with."""

    services: Services
    folder: Path

    def audited(self, *parts: str, **more: Any) -> AuditReport:
        """Audit it: its accounts, unless parts are named."""
        return asyncio.run(audit(self.services, self.folder, parts=parts or ("accounts",), **more))  # type: ignore[arg-type]


def made(
    home: Path,
    asked: BacktestRequest = ASKED,
    *,
    vendor: Vendor | None = None,
    seed: int = 1,
    patches: Iterable[Patch] = (),
    services: Services | None = None,
    decided: bool = False,
    edge: float | None = None,
    **settings: Any,
) -> MadeBacktest:
    """Run a backtest and write its files.

    Args:
        home: Where.
        asked: What to test.
        vendor: In place of the eventful market.
        seed: Of the decisions by chance.
        patches: What is replaced in the library while it runs.
        services: Those to use; None: new ones.
        decided: Whether the offline analysts decide, and not chance.
        edge: That a sealed plan of the backtest is to see; None: there is no plan.
        **settings: Of the services.
    """
    used = services or services_of(home, vendor, **settings)

    async def chance(_services: Any, tickers: Sequence[str], days: Sequence[date], **_more: Any) -> DecisionSet:
        return by_chance(tickers, days, seed)

    with pytest.MonkeyPatch.context() as patched:
        if not decided:
            patched.setattr(decided_variants, "decide", chance)
        patched.setattr(files, "page_files", lambda _found: {})  # no audit reads the page; drawing it takes longest
        patched.setattr(active_risk, "DRAWS", 3)  # of chance, in a plan: no audit depends on how many
        for place, name, value in patches:
            patched.setattr(place, name, value)
        plan = None if edge is None else asyncio.run(plan_backtest(used, asked, edge=edge))
        if plan is not None:
            write_plan(plan, home)
        folder = write_backtest(home, asyncio.run(backtest(used, asked, plan=plan)))
    return MadeBacktest(used, folder)


def clean(home: Path, number: int) -> MadeBacktest:
    """Make a faultless backtest: another market, other tickers, days, costs, limits and weights for each number."""
    drawn = random.Random(number)  # noqa: S311 - no secret
    market = ("HELQ", "OMBZ", "SANQ", "VELQ", "LEDQ", "PIPQ", "MODZ", "GROQZ", "AERQ", "TELQZ", "WATZ")
    start = date(2024, drawn.choice((3, 5, 6, 8, 9, 10)), drawn.randint(1, 20))
    asked = BacktestRequest(
        tickers=tuple(drawn.sample(market, drawn.randint(2, 7))),
        start=start,
        end=date(2024 + (number % 4 == 0), 12, 2 + drawn.randint(0, 20)),
        every=drawn.randint(1, 12),
        scheme=drawn.choice(("confidence", "equal", "inverse_volatility", "hrp")),
        deposit=drawn.choice((5_000.0, 100_000.0, 2_000_000.0)),
        costs=TradingCosts(
            drawn.choice((0.0, 0.005, 0.02)), drawn.choice((0.0, 1.0)), drawn.choice((0.0, 0.0005)),
            drawn.choice((0.0, 0.05)), drawn.choice((0.0001, 0.01, 0.1)),
        ),
        limits=RiskLimits(drawn.randint(2, 15), drawn.choice((0.1, 0.3, 1.0)), drawn.choice((0.35, 1.0)),
                          drawn.choice((0.0, 0.05))),
        shorts=ShortRules() if number % 5 == 3 else None,
    )  # fmt: skip
    return made(home, asked, vendor=EventfulVendor(seed=number), seed=number, simulated_seed=number)


def edited(made_one: MadeBacktest, name: str, change: Any) -> MadeBacktest:
    """Change a JSON file of the folder in place."""
    path = made_one.folder / name
    whole = json.loads(path.read_text())
    change(whole)
    path.write_text(json.dumps(whole))
    return made_one


def rewritten(made_one: MadeBacktest, change: Any) -> MadeBacktest:
    """Change postings of the ledger, and write all that follows from them anew: marks, hashes, equity and figures.

    Args:
        made_one: The backtest.
        change: Given the sessions as JSON, changes their postings.
    """
    path = made_one.folder / "ledger.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    cash, shares, before, totals = (
        0,
        dict[str, float](),
        "0" * 64,
        dict.fromkeys(("commission", "slippage", "dividend", "interest"), 0),
    )
    closes: dict[str, float] = {}
    for line in lines:
        closes |= line["mark"]["prices"]
        for posting in line["postings"]:
            kind, symbol = posting["kind"], posting.get("symbol")
            if kind == "deposit":
                cash += posting["amount"]
            elif kind == "fill":
                shares[symbol] = shares.get(symbol, 0) + posting["shares"]
                cash -= (posting["value"] if posting["shares"] > 0 else -posting["value"]) + posting["commission"]
                totals["commission"] += posting["commission"]
                totals["slippage"] += posting["slippage"]
            elif kind == "dividend":
                cash += posting["value"]
                totals["dividend"] += posting["value"]
            elif kind == "split":
                shares[symbol] = posting["shares"]
                cash += posting["cash"]
            elif kind == "delisting":
                shares[symbol] -= posting["shares"]
                cash += posting["value"]
            elif kind == "charge":
                cash -= posting["value"]
            elif kind == "interest":
                cash += posting["value"]
                totals["interest"] += posting["value"]
        shares = {symbol: count for symbol, count in shares.items() if count}
        worth = cash + sum(round(count * closes[symbol] * 100) for symbol, count in shares.items())
        day = line["mark"]["day"]
        line["mark"] = {
            "day": day,
            "equity": worth,
            "cash": cash,
            "prices": {one: closes[one] for one in sorted(shares)},
        }
        rest = {name: value for name, value in line.items() if name != "hash"}
        text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        before = line["hash"] = hashlib.sha256(f"{before}{text}".encode()).hexdigest()
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    _follow(made_one, [line["mark"] for line in lines], before, totals)
    return made_one


def returns_of(
    made_one: MadeBacktest, currency: str, days: Sequence[date], equity: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the returns of an equity curve, and those beyond bills."""
    bills, calendar = None, sessions()
    with suppress(NoData):
        known = read_bills(made_one.services, currency, calendar, [day for day in days if calendar.is_session(day)])
        # A planted Saturday earns at Friday's rate.
        rates = {day: rate for day in days if (rate := known.rates.get(calendar.on_or_before(day))) is not None}
        bills = replace(known, rates=rates).accruals(days)
    account = Account(tuple(days), equity, equity, BookLedger(), bills)
    return account.returns, account.excess


def _follow(made_one: MadeBacktest, marks: Sequence[Any], head: str, totals: dict[str, int]) -> None:
    equity = np.array([mark["equity"] / 100 for mark in marks])
    path = made_one.folder / "equity.csv"
    rows = [row.split(",") for row in path.read_text().splitlines()]
    place = rows[0].index("decisions")
    for row, value in zip(rows[1:], equity, strict=True):
        row[place] = f"{value:.2f}"
    path.write_text("".join(f"{','.join(row)}\n" for row in rows))

    def figures(record: Any) -> None:
        own = record["strategies"]["decisions"]
        days = [date.fromisoformat(mark["day"]) for mark in marks]
        returns, excess = returns_of(made_one, record["currency"], days, equity)
        found = performance(returns, risk_free=returns - excess)
        if record["bills"] is not None:
            own |= {"beyond_bills": float(excess.mean()) * 252, "interest": totals["interest"] / 100}
        names = ("total_return", "annual_volatility", "sharpe", "sortino", "max_drawdown", "value_at_risk")
        own |= {name: getattr(found, name) for name in names}
        own["extrapolated_annual_return"] = (1 + found.total_return) ** (252 / len(equity[1:])) - 1
        own |= {"commissions": totals["commission"] / 100, "slippage": totals["slippage"] / 100}
        own |= {"dividends": totals["dividend"] / 100, "final_equity": equity[-1], "ledger": head}
        own["exposure"] = float(np.mean([1 - mark["cash"] / mark["equity"] for mark in marks]))
        own["ci"] = own["ci_equal_exposure"] = None

    edited(made_one, "result.json", figures)
