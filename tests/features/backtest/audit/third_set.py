"""A third set of planted faults: in sealed plans, baselines of rules, accounts of other currencies, and paper accounts.

They were written before the checks that find them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from tests.features.backtest.audit.made_backtests import ASKED, EuroVendor, MadeBacktest, edited, made
from tests.features.backtest.audit.made_papers import made_paper
from tests.features.backtest.audit.planted import PLAIN_EXECUTE, Audit, PlantedFault
from tests.features.backtest.market import NO_COSTS
from tradingagents.analytics.price import trading_rules
from tradingagents.dataflows.models import Prices
from tradingagents.features.backtest import advance, strategies
from tradingagents.features.backtest.audit import AuditReport
from tradingagents.features.backtest.financing import currencies
from tradingagents.features.backtest.paper import observations
from tradingagents.features.backtest.traded_prices import SessionBar, TradedPrices
from tradingagents.runtime.fingerprint import digest

THIRD: list[PlantedFault] = []


def third(*kinds: str) -> Callable[[Audit], Audit]:
    """Add a fault, named by its function's docstring, to the third set."""

    def add(audit: Audit) -> Audit:
        THIRD.append(PlantedFault((audit.__doc__ or "").strip().rstrip("."), frozenset(kinds), audit))
        return audit

    return add


# Sealed plans


def with_plan(home: Path, change: Callable[[dict[str, Any]], None], *, sealed: bool) -> AuditReport:
    """Run a planned backtest, and change its plan afterwards; with a seal that fits the change, or the old one."""
    tested = made(home, edge=0.1)
    (path,) = (home / "plans").glob("*.json")
    plan = json.loads(path.read_text())
    change(plan)
    if sealed:
        plan["hash"] = digest({name: value for name, value in plan.items() if name != "hash"})
    path.write_text(json.dumps(plan))
    return tested.audited()


@third("plan_changed")
def _plan_changed(home: Path) -> AuditReport:
    """The edge of a sealed plan is changed."""
    return with_plan(home, lambda plan: plan.update(edge=0.3), sealed=False)


@third("plan_not_of_result")
def _plan_sealed_again(home: Path) -> AuditReport:
    """A plan is changed and sealed again after the backtest."""
    return with_plan(home, lambda plan: plan.update(power=0.99), sealed=True)


@third("plan_not_of_result")
def _other_hash(home: Path) -> AuditReport:
    """The result names the hash of another plan."""
    return edited(made(home, edge=0.1), "result.json", lambda record: record.update(plan_hash="1" * 64)).audited()


@third("plan_not_of_result")
def _promised_more(home: Path) -> AuditReport:
    """The result says that the plan had expected another power."""
    tested = made(home, edge=0.1)
    return edited(tested, "result.json", lambda record: record["planned"].update(power=0.95)).audited()


@third("plan_not_of_result")
def _plan_of_other_weights(home: Path) -> AuditReport:
    """The sealed plan is of other weights than the backtest."""
    return with_plan(home, lambda plan: plan["request"].update(scheme="hrp"), sealed=True)


@third("plan_not_of_result")
def _hash_alone(home: Path) -> AuditReport:
    """The result keeps the hash of its plan and drops what the plan had expected."""
    return edited(made(home, edge=0.1), "result.json", lambda record: record.update(planned=None)).audited()


# Baselines of rules


def with_rule(home: Path, name: str, rule: Callable[[Prices], Any]) -> AuditReport:
    """Run a backtest whose baseline follows another rule than the one it names."""
    return made(home, patches=[(strategies, "RULES", {**trading_rules.RULES, name: rule})]).audited()


@third("baseline_wrong", "benchmark_shifted")
def _macd_of_tomorrow(home: Path) -> AuditReport:
    """The baseline MACD holds by the next session's signal."""
    plain = trading_rules.RULES["macd"]
    return with_rule(home, "macd", lambda prices: np.append(plain(prices)[1:], 0.0))


@third("baseline_wrong")
def _short_averages(home: Path) -> AuditReport:
    """The baseline of averages crosses those of 5 and 20 sessions, not of 50 and 200."""

    def rule(prices: Prices) -> Any:
        closes = prices.adj_close
        short, long = (np.convolve(closes, np.ones(n) / n)[: len(closes)] for n in (5, 20))
        return (short > long).astype(float)

    return with_rule(home, "sma", rule)


@third("baseline_wrong")
def _last_month_too(home: Path) -> AuditReport:
    """The momentum baseline counts the last month, too."""

    def rule(prices: Prices) -> Any:
        closes = prices.adj_close
        return np.concatenate([np.zeros(min(252, len(closes))), (closes[252:] > closes[:-252]).astype(float)])

    return with_rule(home, "momentum", rule)


@third("baseline_wrong")
def _rules_pay_no_costs(home: Path) -> AuditReport:
    """A baseline of a rule never sells."""
    plain = trading_rules.RULES["zmr"]
    return with_rule(home, "zmr", lambda prices: np.maximum.accumulate(plain(prices)))


# Other currencies


FOREIGN = replace(ASKED, tickers=("HEUQ", "VEUQ", "OMBZ"), currency="USD", every=3)


def foreign(home: Path, *patches: Any) -> MadeBacktest:
    return made(home, FOREIGN, vendor=EuroVendor(), patches=patches)


@third("fill_price", "fill_at_close", "costs_left_out")
def _rate_of_the_close(home: Path) -> AuditReport:
    """Prices are converted at the rate of the evening after."""
    plain = currencies.ExchangeRate.at

    def at(self: Any, instants: Any) -> Any:
        return plain(self, [one + timedelta(days=1) for one in instants])

    return foreign(home, (currencies.ExchangeRate, "at", at)).audited()


@third("costs_left_out", "fill_price")
def _free_exchange(home: Path) -> AuditReport:
    """Money is exchanged without cost."""
    return foreign(home, (advance.AccountRules, "costs_of", lambda self, _symbol: self.costs)).audited()


@third("mark_price", "fill_price")
def _first_rate(home: Path) -> AuditReport:
    """Every price is converted at the first rate."""

    def at(self: Any, instants: Any) -> Any:
        return np.full(len(instants), self.rates[0])

    return foreign(home, (currencies.ExchangeRate, "at", at)).audited()


@third("mark_price", "fill_price")
def _inverse_rate(home: Path) -> AuditReport:
    """Prices are divided by the rate."""
    plain = currencies.ExchangeRate.at
    return foreign(home, (currencies.ExchangeRate, "at", lambda self, when: 1 / plain(self, when))).audited()


# Paper accounts


def with_execute(home: Path, execute: Callable[..., Any]) -> AuditReport:
    return made_paper(home, patches=[(advance, "execute", execute)]).audited()


@third("fill_at_close")
def _paper_at_close(home: Path) -> AuditReport:
    """A paper account trades at the close."""

    def execute(symbol: str, shares: int, bar: Any, *rest: Any, **more: Any) -> Any:
        late = bar and SessionBar(bar.close, bar.high, bar.low, bar.close, bar.volume)
        return PLAIN_EXECUTE(symbol, shares, late, *rest, **more)

    return with_execute(home, execute)


@third("costs_left_out", "commission_left_out")
def _paper_for_free(home: Path) -> AuditReport:
    """A paper account pays nothing for its trades."""

    def execute(symbol: str, shares: int, bar: Any, _costs: Any, *rest: Any, **more: Any) -> Any:
        return PLAIN_EXECUTE(symbol, shares, bar, NO_COSTS, *rest, **more)

    return with_execute(home, execute)


class TwiceDividends(TradedPrices):
    def dividend(self, symbol: str, before: date | None, day: date) -> Any:
        paid = super().dividend(symbol, before, day)
        return None if paid is None else replace(paid, per_share=2 * paid.per_share)


@third("dividend_wrong")
def _paper_dividend(home: Path) -> AuditReport:
    """A paper account is paid twice what it saw as the dividend."""
    plain = advance._corporate_actions

    def actions(draft: Any, table: Any, *rest: Any) -> Any:
        table.__class__ = TwiceDividends
        found = plain(draft, table, *rest)
        table.__class__ = TradedPrices
        return found

    return made_paper(home, patches=[(advance, "_corporate_actions", actions)], until=date(2024, 12, 20)).audited()


@third("split_wrong")
def _paper_split(home: Path) -> AuditReport:
    """A paper account leaves out a split that it saw."""
    plain = TradedPrices.split
    seen = observations._seen

    def noted(table: Any, *rest: Any) -> Any:
        with_split = TradedPrices.split
        TradedPrices.split = plain  # type: ignore[method-assign]
        found = list(seen(table, *rest))
        TradedPrices.split = with_split  # type: ignore[method-assign]
        return found

    return made_paper(
        home, patches=[(TradedPrices, "split", lambda *_: None), (observations, "_seen", noted)]
    ).audited()


@third("model_cost_left_out")
def _paper_models_free(home: Path) -> AuditReport:
    """A paper account does not pay for its models."""
    from tradingagents.features.backtest.paper.prices import PaperMarket

    return made_paper(home, patches=[(PaperMarket, "cost", lambda *_: 0.0)]).audited()


@third("ledger_chain")
def _paper_line(home: Path) -> AuditReport:
    """A line of a paper account's ledger is changed."""
    account = made_paper(home)
    path = account.folder / "ledger.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    lines[4] = lines[4].replace('"confidence":0.', '"confidence":0.1', 1).replace('"open":', '"open":1', 1)
    path.write_text("".join(lines))
    return account.audited()


def first_posting(lines: list[Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for line in lines for one in line["postings"] if one["kind"] == kind)
    return found


@third("bar_not_of_vendor", "fill_price", "costs_left_out")
def _paper_bar(home: Path) -> AuditReport:
    """A paper account's recorded open is lowered, and the fill with it."""

    def cheaper(lines: list[Any]) -> None:
        fill = first_posting(lines, "fill")
        line = next(one for one in lines if fill in one["postings"])
        bar = next(one for one in line["postings"] if one["kind"] == "bar" and one["symbol"] == fill["symbol"])
        saved = fill["value"] - round(fill["value"] * 0.9)
        bar["open"] *= 0.9
        bar["low"] = min(bar["low"], bar["open"])
        fill.update(price=fill["price"] * 0.9, value=fill["value"] - saved, slippage=round(fill["slippage"] * 0.9))
        for after in lines[lines.index(line) :]:
            after["mark"]["cash"] += saved
            after["mark"]["equity"] += saved

    return made_paper(home).rewritten(cheaper).audited()


@third("order_without_decision")
def _paper_order(home: Path) -> AuditReport:
    """A paper account trades on a day without a decision."""

    def undecided(lines: list[Any]) -> None:
        ordered = next(line for line in lines if any(one["kind"] == "order" for one in line["postings"]))
        ordered["postings"] = [one for one in ordered["postings"] if one["kind"] not in ("decision", "charge")]
        paid = 4 * 1
        for after in lines[lines.index(ordered) :]:
            after["mark"]["cash"] += paid
            after["mark"]["equity"] += paid

    return made_paper(home).rewritten(undecided).audited()


@third("sessions_wrong")
def _paper_gap(home: Path) -> AuditReport:
    """A paper account leaves out a session."""

    def shorter(lines: list[Any]) -> None:
        quiet = next(
            place
            for place, line in enumerate(lines)
            if place and {one["kind"] for one in line["postings"]} <= {"bar", "interest"}
        )
        interest = sum(one["value"] for one in lines[quiet]["postings"] if one["kind"] == "interest")
        del lines[quiet]
        for after in lines[quiet:]:
            after["mark"]["cash"] -= interest
            after["mark"]["equity"] -= interest

    return made_paper(home).rewritten(shorter).audited()


CLEAN_PLANS: Mapping[str, Callable[[Path], MadeBacktest]] = {
    "with a plan": lambda home: made(home, edge=0.1),
    "in euro and dollar": foreign,
}
"""Faultless backtests of what this set is about."""
