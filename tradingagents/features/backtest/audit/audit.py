"""`audit`: checks a backtest and its data for knowledge of the future, wrong books, wrong figures and bad data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import pandas as pd
from pydantic import TypeAdapter, ValidationError

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.gateway.router import ask_vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices, StatementKind
from tradingagents.dataflows.reference.calendar import Sessions, exchange_of, sessions
from tradingagents.dataflows.reference.sectors import SECTOR_ETF
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.errors import BadSymbol, DataError, UsageError, VendorNotConfigured
from tradingagents.features.backtest.audit import (
    data_check,
    holding_check,
    paper_check,
    plan_check,
    score_check,
)
from tradingagents.features.backtest.audit.book_check import LedgerCheck
from tradingagents.features.backtest.audit.findings import AuditFinding, AuditReport
from tradingagents.features.backtest.audit.futures import RULES, Decider, FutureAudit, decide_alone
from tradingagents.features.backtest.audit.order_check import OrderCheck
from tradingagents.features.backtest.audit.result_folder import DECISIONS, RecordedBacktest, read_backtest
from tradingagents.features.backtest.audit.second.baselines import BONDS, constant_plans, rule_plans
from tradingagents.features.backtest.audit.second.prices import SymbolHistory, history_of, with_dividends_of_ratio
from tradingagents.features.backtest.audit.second.rates import (
    SecondBills,
    in_account_currency,
    known_rates,
    second_bills,
    second_rates,
)
from tradingagents.features.backtest.decisions.decision_store import DecisionStore
from tradingagents.features.backtest.market import joint_sessions
from tradingagents.features.backtest.pages.report import backtest_report
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.run import backtest_id
from tradingagents.files.atomic import UnreadableFile
from tradingagents.runtime.services import Services

Part = Literal["accounts", "data", "futures"]
PARTS: tuple[Part, ...] = ("accounts", "data", "futures")
SAMPLE = 6
AFTER_END = timedelta(days=30)
"""So far beyond the end prices are read, to tell a delisting from the end."""
_STATEMENTS: Mapping[StatementKind, str] = {
    "income": "get_income_statement",
    "balance": "get_balance_sheet",
    "cashflow": "get_cashflow",
}
"""The question by which each kind of statement is routed to its vendor."""
SERIES = ("CPIAUCSL", "UNRATE", "PAYEMS", "A191RL1Q225SBEA", "DGS10")


async def audit(
    services: Services,
    subject: Path | BacktestRequest,
    *,
    parts: Sequence[Part] = PARTS,
    sample: int = SAMPLE,
    decider: Decider = decide_alone,
    rerun_models: bool = False,
) -> AuditReport:
    """Audit a finished backtest, or the data and decisions of a requested one.

    Args:
        services: Settings, models and vendors as the backtest used them.
        subject: The folder of a backtest or of a paper account, or a request. A paper account is one part: its books,
            and the bars it saw against those of the vendors.
        parts: What to check. `accounts`: books, orders and figures of a folder, from outside. `data`: the prices and
            rows that the vendors give. `futures`: decisions made again with tampered futures.
        sample: Decisions that are made again, evenly over days and tickers; 0 for all.
        decider: Decides on a ticker and a day; by default as a backtest does. Pass your own to audit it.
        rerun_models: Whether language models decide again, too, which costs what three decisions cost, each; without,
            their tools are asked with tampered futures, and rules alone decide.

    Raises:
        NotFound, UsageError: The folder is no backtest, or the request is wrong.
        DataError: Prices are missing.
    """
    if isinstance(subject, Path) and (subject / paper_check.PLAN).is_file():
        return audit_paper(services, subject)
    recorded = read_backtest(subject) if isinstance(subject, Path) else None
    case = _AuditCase(services, recorded, _request(subject, recorded), sample)
    if recorded is not None:
        case.found += recorded.faults
    if "accounts" in parts:
        case.accounts()
    if "data" in parts:
        case.data()
    if "futures" in parts:
        free = all(label.startswith(RULES) for label in services.models.labels.values())
        await case.futures(decider, decides=free or rerun_models or decider is not decide_alone)
    name = str(subject) if isinstance(subject, Path) else f"the request {case.request.start} to {case.request.end}"
    return AuditReport(name, tuple(_in_order(case.found)), case.checked, case.not_checked)


def audit_paper(services: Services, folder: Path) -> AuditReport:
    """Audit a paper account: its ledger, every fill from the bars it saw, and these against what vendors give now.

    Raises:
        UsageError: The folder is no paper account.
    """
    recorded = paper_check.read_paper(folder)
    if not recorded.sessions:
        return AuditReport(str(folder), recorded.faults, {}, {"ledger": "the account has no session yet"})
    found = list(paper_check.check_paper(recorded))
    checked = {"ledger": f"{len(recorded.sessions)} sessions, every fill from the bars that the account saw"}
    first, last = recorded.sessions[0].day, recorded.sessions[-1].day
    request = BacktestRequest(tickers=tuple(sorted(paper_check.symbols_of(recorded))), start=first, end=last)
    case = _AuditCase(services, None, request, 0)
    case.home = recorded.request["currency"]
    histories = case.histories(request.tickers, {ticker: case.calendar_of(ticker) for ticker in request.tickers})
    for symbol, history in histories.items():
        found += paper_check.check_bars(recorded, symbol, history)
    checked["bars"] = f"those of {len(histories)} symbols against the vendors'"
    return AuditReport(str(folder), tuple(_in_order(found)), checked, case.not_checked)


def _request(subject: Path | BacktestRequest, recorded: RecordedBacktest | None) -> BacktestRequest:
    if isinstance(subject, BacktestRequest):
        return subject
    try:
        return TypeAdapter(BacktestRequest).validate_python(dict(recorded.request) if recorded is not None else {})
    except ValidationError as error:
        raise UsageError(f"The request in {subject} cannot be read: {error.errors()[0]['msg']}.") from error


def _in_order(found: Sequence[AuditFinding]) -> list[AuditFinding]:
    """Return the findings by severity, each once."""
    rank = {"error": 0, "warning": 1, "note": 2}
    return sorted(dict.fromkeys(found), key=lambda finding: rank[finding.severity])


@dataclass
class _AuditCase:
    """One audit in progress."""

    services: Services
    recorded: RecordedBacktest | None
    request: BacktestRequest
    sample: int
    found: list[AuditFinding] = field(default_factory=list)
    checked: dict[str, str] = field(default_factory=dict)
    not_checked: dict[str, str] = field(default_factory=dict)
    home: str | None = None
    """The currency of the account; None: that of the prices."""
    foreign: frozenset[str] = frozenset()
    """Tickers and funds whose prices are in another."""
    _prices: dict[str, Prices] = field(default_factory=dict)

    @property
    def calendar(self) -> Sessions:
        """The sessions of the tickers' exchanges."""
        return joint_sessions(map(exchange_of, self.request.tickers))

    # Accounts

    def accounts(self) -> None:
        """Check books, orders and figures of the folder."""
        recorded = self.recorded
        if recorded is None:
            self.not_checked["accounts"] = "a request has no ledger and no result yet"
            return
        self._same_request(recorded)
        self._plan(recorded)
        self.home = recorded.record["currency"]
        histories = self.histories((*recorded.tickers, *recorded.record.get("funds", ())))
        traded_abroad = self.foreign & {*recorded.tickers}
        bills = self._bills(recorded)
        check = LedgerCheck(recorded, histories, self._days(), foreign=traded_abroad, bills=bills)
        self.found += check.run()
        self.checked["ledger"] = f"{len(recorded.sessions)} sessions against the prices of {len(histories)} symbols"
        self._decisions(recorded, check, histories)
        self.found += score_check.check_totals(recorded, check.state.book)
        self.found += score_check.check_metrics(recorded, bills)
        self.found += score_check.check_comparison(recorded)
        funds = tuple(recorded.record.get("funds", ()))
        self.found += holding_check.check_income(recorded, self._prices)
        self.found += holding_check.check_fund_income(recorded, self._prices, funds)
        self.checked["dividends"] = f"those of the account and of {len(funds)} funds against adjusted closes"
        sectors = [fund for fund in funds if fund in SECTOR_ETF.values()]
        baselines = constant_plans(recorded, funds, sectors, histories)
        baselines |= rule_plans(
            recorded, {ticker: self._prices[ticker] for ticker in recorded.tickers if ticker in histories}
        )
        if bills is not None or recorded.record.get("bills") is None:
            self.found += score_check.check_baselines(recorded, histories, baselines, self.foreign, bills)
        self.found += score_check.check_disclosure(recorded)
        self._report(recorded)
        self.checked["figures"] = (
            f"{len(recorded.record['strategies'])} strategies from {len(set(recorded.equity_rows))} closes"
        )

    def _same_request(self, recorded: RecordedBacktest) -> None:
        own = backtest_id(self.services, self.request)
        if recorded.record.get("id") != own:
            expected = f"{own}, from these settings, data and models"
            self.found.append(
                AuditFinding("other_request", "result.json id", expected, str(recorded.record.get("id")), "warning")
            )

    def _plan(self, recorded: RecordedBacktest) -> None:
        """Compare a result with the plan that was sealed before."""
        if recorded.record.get("plan_hash") is None:
            if recorded.record.get("planned"):
                self.found.append(AuditFinding("plan_not_of_result", "result.json plan_hash", "a hash", "none"))
            return
        path = plan_check.find_plan(recorded, self.services.settings.home_dir)
        if path is None:
            self.not_checked["plan"] = "no plan of this hash or request lies under plans/ of the home folder"
            return
        self.found += plan_check.check_plan(recorded, path)
        self.checked["plan"] = f"the seal of plans/{path.name}, and what the result says of it"

    def _bills(self, recorded: RecordedBacktest) -> SecondBills | None:
        """Return the bill rates of a result that counts with them."""
        if recorded.record.get("bills") is None:
            return None
        own = {*self._inside(recorded), *recorded.equity_rows, *(session.day for session in recorded.sessions)}
        days = [day for day in self.calendar.between(min(own), max(own)) if day in own]
        since = days[0] - timedelta(days=150)
        found = second_bills(
            recorded.currency,
            {day: self.calendar.close_of(day) for day in days[:-1]},
            lambda name: self._ask(Vendor.get_macro_indicators, name, since, days[-1]) or None,
            lambda name: self._ask(Vendor.get_stock_data, name, since, days[-1]) or None,
        )
        if found is None:
            self.not_checked["bill rates"] = (
                "no vendor has those that the result counts with, so ratios and baselines are not worked out again"
            )
        return found

    def _report(self, recorded: RecordedBacktest) -> None:
        """Compare the report with what the result gives; another version may word it differently."""
        path = recorded.folder / "report.md"
        if not path.is_file():
            self.not_checked["report"] = "the folder has no report.md"
        elif path.read_text("utf-8") != backtest_report(recorded.record):
            found = "other words or figures"
            self.found.append(AuditFinding("report_edited", "report.md", "the report of result.json", found, "warning"))

    def _decisions(
        self, recorded: RecordedBacktest, check: LedgerCheck, histories: Mapping[str, SymbolHistory]
    ) -> None:
        if recorded.decisions is None:
            self.not_checked["orders and coverage"] = (
                f"the folder has no {DECISIONS}; run the backtest again to write it"
            )
            return
        self.found += self._stored(recorded)
        inside = self._inside(recorded)
        self.found += score_check.check_coverage(recorded, inside)
        self.found += score_check.check_variety(recorded)
        self.found += score_check.check_calls(recorded, histories)
        self.found += score_check.check_costs(recorded, cache(self._dollar))  # many decisions a day
        self.checked["decisions"] = f"{len(recorded.decisions)} against the store, coverage, calls and charges"
        self.found += OrderCheck(recorded, histories, self._sectors(), check.opening).run()
        self.checked["orders"] = f"{len(recorded.by_day)} decision days: weights, limits and orders worked out again"

    def _inside(self, recorded: RecordedBacktest) -> list[date]:
        last = date.fromisoformat(recorded.record["last_session"])
        return [day for day in self.calendar.between(self.request.start, self.request.end) if day <= last]

    def _stored(self, recorded: RecordedBacktest) -> Iterator[AuditFinding]:
        """Compare the decisions of the folder with those of the store."""
        store = DecisionStore(self.services)
        for decision in recorded.decisions or ():
            try:
                stored = store.get(decision.ticker, decision.day)
            except UnreadableFile as error:
                yield AuditFinding("decision_store_edited", "decisions/", "the decision that was tested", str(error),
                                   "error", decision.ticker, str(decision.day))  # fmt: skip
                continue
            if stored is None or not decision.action:
                continue
            levels = tuple((decision.whole["decision"] or {}).get(name) for name in ("stop", "target"))
            tested = (decision.action, decision.confidence, decision.content, *levels)
            own = stored.decision
            if tested != (own.action, own.confidence, stored.content, own.stop, own.target):
                yield AuditFinding(
                    "decision_store_edited", "decisions/", f"{decision.action} {decision.confidence:.3g}",
                    f"{own.action} {own.confidence:.3g}", "error", decision.ticker, str(decision.day),
                )  # fmt: skip

    # Prices

    def _days(self) -> tuple[date, ...]:
        """Return the sessions from before the period to the end of the recorded prices."""
        first = self.request.start - timedelta(days=self.services.settings.price_history_days)
        ends = [history.days[-1].item() for history in self._prices.values() if len(history)]
        inside = self.calendar.between(self.request.start, self.request.end)
        return tuple(self.calendar.between(first, max([*ends, inside[-1]])))

    def histories(
        self, symbols: Sequence[str], calendars: Mapping[str, Sequence[date]] | None = None
    ) -> dict[str, SymbolHistory]:
        """Return prices by session in the account's currency, as far as vendors and rates are there.

        Args:
            symbols: Of the account.
            calendars: The sessions of each; None: those of the request for all.
        """
        self._read(symbols)
        ends = [history.ended for history in self._prices.values() if history.ended is not None]
        merged = {end.into for end in ends if end.into is not None}
        symbols = [*symbols, *sorted(merged - {*symbols})]
        self._read(symbols)
        self._prices |= {
            symbol: with_dividends_of_ratio(self._prices[symbol]) for symbol in symbols if symbol in self._prices
        }
        self._convert(symbols)
        days = () if calendars else self._days()
        found = {symbol: self._prices[symbol] for symbol in symbols if symbol in self._prices}
        return {name: history_of(history, calendars[name] if calendars else days) for name, history in found.items()}

    def calendar_of(self, symbol: str) -> tuple[date, ...]:
        """Return the sessions of a symbol's exchange over the period."""
        return tuple(sessions(exchange_of(symbol)).between(self.request.start, self.request.end))

    def _convert(self, symbols: Sequence[str]) -> None:
        """Put prices of other currencies into that of the account."""
        others = {symbol for symbol in symbols if symbol in self._prices and self._prices[symbol].currency != self.home}
        for symbol in sorted(others) if self.home else ():
            prices = self._prices[symbol]
            rates = second_rates(prices.currency, str(self.home), self._pair)
            if rates is None:
                del self._prices[symbol]
                self.not_checked[f"prices of {symbol}"] = f"no rate from {prices.currency} to {self.home} is known"
                continue
            cost = self.request.costs.conversion
            self._prices[symbol] = in_account_currency(prices, rates, str(self.home), cost)
            self.foreign |= {symbol}

    def _dollar(self, day: date) -> float:
        """Return what a dollar was worth in the account's currency at the close of a day; NaN where it is not known."""
        rates = second_rates("USD", str(self.home), self._pair)
        return (
            math.nan if rates is None else float(known_rates(rates, pd.Series([self.calendar.close_of(day)])).iloc[0])
        )

    def _pair(self, symbol: str) -> Prices | None:
        with suppress(BadSymbol):
            self._read([symbol])
        self.not_checked.pop(f"prices of {symbol}", None)  # the other pair may have the rate
        return self._prices.pop(symbol, None)

    def _read(self, symbols: Sequence[str]) -> None:
        first = self.request.start - timedelta(days=self.services.settings.price_history_days)
        last = min(self.calendar.last_closed(utc_now()), self.request.end + AFTER_END)
        vendors = self.services.vendors
        for symbol in symbols:
            if symbol in self._prices:
                continue

            def ask(name: str, symbol: str = symbol) -> Prices:
                return vendors.answer(name, Vendor.get_stock_data, symbol, first, last)

            try:
                found, _ = ask_vendors(
                    Vendor.get_stock_data, ask, settings=self.services.settings, vendors=vendors, past=last
                )
            except (DataError, VendorNotConfigured) as error:
                self.not_checked[f"prices of {symbol}"] = str(error)
                continue
            self._prices[symbol] = found.upto(last)

    def _sectors(self) -> dict[str, str | None]:
        data = self._market(self.request.end)
        profiles = {ticker: data.known_profile(ticker) for ticker in self.request.tickers}
        return {ticker: profile.sector if profile is not None else None for ticker, profile in profiles.items()}

    def _market(self, day: date) -> MarketData:
        services = self.services
        return MarketData(services.settings, day, vendors=services.vendors, cache=services.cache, memo=services.memo)

    # Data

    def data(self) -> None:
        """Check prices and dated rows of the tickers."""
        funds = tuple(self.recorded.record.get("funds", ())) if self.recorded is not None else ()
        self._prices.clear()  # as they are, not converted
        self._read((*self.request.tickers, *funds))
        first = self.request.start - timedelta(days=self.services.settings.price_history_days)
        ends = [history.days[-1].item() for history in self._prices.values() if len(history)]
        last = max(ends, default=self.request.end)
        days = self.calendar.between(first, last)
        for symbol, history in self._prices.items():
            self.found += data_check.check_bars(history, sessions(exchange_of(symbol)).between(first, last))
        own = {name: history for name, history in self._prices.items() if name in self.request.tickers}
        market = next((fund for fund in funds if fund not in (*BONDS, *SECTOR_ETF.values())), "")
        self.found += data_check.check_together(self._prices, days, market, mixed=self.request.currency is not None)
        self.found += data_check.check_survivors(own, last)
        self.checked["prices"] = f"{sum(map(len, self._prices.values()))} bars of {len(self._prices)} symbols"
        rows = sum(self._rows(ticker) for ticker in self.request.tickers) + self._economy()
        self.checked["rows"] = f"{rows} statements, articles, insider trades and economic values"

    def _rows(self, ticker: str) -> int:
        """Check the dated rows of a ticker and return how many there are."""
        start, end = self.request.start - timedelta(days=400), self.request.end
        since, until = (datetime.combine(day, time(), UTC) for day in (self.request.start, end))
        filings = self._ask(Vendor.get_filings, ticker, start, end)
        count = 0
        for kind, name in _STATEMENTS.items():
            rows = self._ask(Vendor.get_statements.named(name), ticker, kind, "quarterly")
            self.found += data_check.check_statements(ticker, rows, filings)
            count += len(rows)
        news = self._ask(Vendor.get_news, ticker, since, until)
        self.found += data_check.check_news(ticker, news)
        trades = self._ask(Vendor.get_insider_transactions, ticker)
        self.found += data_check.check_insiders(ticker, trades)
        return count + len(news) + len(trades)

    def _economy(self) -> int:
        since, until = (datetime.combine(day, time(), UTC) for day in (self.request.start, self.request.end))
        count = 0
        for name in SERIES:
            series = self._ask(Vendor.get_macro_indicators, name, self.request.start, self.request.end)
            if series:
                self.found += data_check.check_macro(series)
                count += len(series)
        news = self._ask(Vendor.get_global_news, since, until)
        self.found += data_check.check_news("", news)
        return count + len(news)

    def _ask(self, method: VendorMethod[..., Any], *arguments: Any) -> Any:
        """Return what the run's vendor answers, uncut; an empty tuple where it has none."""
        vendors = self.services.vendors

        def ask(name: str) -> Any:
            return vendors.answer(name, method, *arguments)

        with suppress(DataError, VendorNotConfigured):
            return ask_vendors(method, ask, settings=self.services.settings, vendors=vendors, past=self.request.end)[0]
        return ()

    # Futures

    async def futures(self, decider: Decider, *, decides: bool) -> None:
        """Decide again with tampered futures."""
        made = (self.recorded.decisions or ()) if self.recorded is not None else ()
        days = self.calendar.between(self.request.start, self.request.end)[:-1][:: self.request.every]
        last = self.recorded.record["last_session"] if self.recorded is not None else str(self.request.end)
        every = [(ticker, day) for day in days if str(day) < last for ticker in self.request.tickers]
        wanted = spread(every, self.sample)
        with TemporaryDirectory(prefix="tradingagents-audit-") as scratch:
            again = FutureAudit(self.services, Path(scratch), decider, decides)
            self.found += await again.run(wanted, {(decision.ticker, decision.day): decision for decision in made})
        how = "decided again" if decides else "tools asked again"
        self.checked["futures"] = f"{again.done} of {len(every)} decisions {how}, later rows changed and removed"
        if not decides:
            self.not_checked["decisions with tampered futures"] = "language models decide again only if asked to"


def spread(every: Sequence[tuple[str, date]], count: int) -> list[tuple[str, date]]:
    """Return so many tickers and days, evenly over both; all for 0."""
    if count <= 0 or count >= len(every):
        return list(every)
    step = len(every) / count
    return [every[min(len(every) - 1, int((place + 0.5) * step))] for place in range(count)]
