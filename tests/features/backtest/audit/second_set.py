"""A second set of planted faults, written after the checks and without them: how many are found the first time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from tests.features.backtest.audit.made_backtests import ASKED, edited, made, rewritten
from tests.features.backtest.audit.planted import (
    PLAIN_EXECUTE,
    Audit,
    PlantedFault,
    figures_again,
    future_of,
    with_table,
)
from tests.features.backtest.market import NO_COSTS
from tradingagents.dataflows.models import Prices, SocialPost
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.features.backtest import advance, run
from tradingagents.features.backtest.audit import AuditReport
from tradingagents.features.backtest.limits import RiskLimits
from tradingagents.features.backtest.postings import OrderRest
from tradingagents.features.backtest.strategies import OPEN, decision_targets
from tradingagents.features.backtest.traded_prices import TradedPrices
from tradingagents.features.backtest.variants import accounts

SECOND: list[PlantedFault] = []


def second(*kinds: str) -> Callable[[Audit], Audit]:
    """Add a fault, named by its function's docstring, to the second set."""

    def add(audit: Audit) -> Audit:
        SECOND.append(PlantedFault((audit.__doc__ or "").strip().rstrip("."), frozenset(kinds), audit))
        return audit

    return add


class FutureHigh(SimulatedVendor):
    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        found = super().get_stock_data(symbol, start, end + timedelta(days=30))
        highs = [float(found.high[place : place + 20].max()) for place in range(len(found))]
        return replace(found, high=np.array(highs)).upto(end)


@second("leak_prices")
def _future_high(home: Path) -> AuditReport:
    """The high of a bar is that of the month to come."""
    return future_of(home, FutureHigh())


class TomorrowsCrowd(SimulatedVendor):
    def get_social_posts(self, symbol: str, start: datetime, end: datetime) -> tuple[SocialPost, ...]:
        early = timedelta(days=5)
        found = super().get_social_posts(symbol, start + early, end + early)
        return tuple(replace(one, posted_at=one.posted_at - early, known_at=one.known_at - early) for one in found)


@second("leak_social")
def _crowd(home: Path) -> AuditReport:
    """Posts are dated five days early."""
    return future_of(home, TomorrowsCrowd())


@second("unexpected_posting")
def _second_deposit(home: Path) -> AuditReport:
    """Money is paid in along the way."""
    return rewritten(
        made(home), lambda lines: lines[20]["postings"].insert(0, {"kind": "deposit", "amount": 50_000})
    ).audited()


@second("halt_as_zero_return", "sessions_wrong")
def _saturdays(home: Path) -> AuditReport:
    """Saturdays count as days without a return."""
    tested = made(home)
    path = tested.folder / "equity.csv"
    head, *rows = path.read_text().splitlines()
    written = [head]
    for row in rows:
        day = date.fromisoformat(row.partition(",")[0])
        written.append(row)
        if day.weekday() == 4:
            written.append(f"{day + timedelta(days=1)},{row.partition(',')[2]}")
    path.write_text("".join(f"{row}\n" for row in written))
    for name in head.split(",")[1:]:
        figures_again(tested, name)
    return edited(tested, "result.json", lambda record: record.update(sessions=len(written) - 1)).audited()


@second("order_lost", "orders_not_from_decisions")
def _dropped_sales(home: Path) -> AuditReport:
    """Sales at a loss are dropped as if the volume did not allow them."""

    def execute(symbol: str, shares: int, bar: Any, *rest: Any, **more: Any) -> Any:
        if shares < 0 and bar is not None and bar.open < bar.close:
            return [OrderRest(symbol, shares, "volume")]
        return PLAIN_EXECUTE(symbol, shares, bar, *rest, **more)

    return made(home, replace(ASKED, every=1), patches=[(advance, "execute", execute)]).audited()


@second("coverage_wrong")
def _failures_dropped(home: Path) -> AuditReport:
    """Failed runs are left out of what was wanted."""

    def drop(record: Any) -> None:
        coverage = record["coverage"]
        coverage["wanted"] -= coverage["failed"]
        coverage["failed"], coverage["reasons"] = 0, {}
        coverage["share"] = coverage["made"] / coverage["wanted"]

    return edited(made(home), "result.json", drop).audited()


@second("orders_not_from_decisions")
def _other_weights(home: Path) -> AuditReport:
    """Weights are equal where hierarchical risk parity is stated."""

    def targets(decisions: Any, _scheme: Any, *rest: Any, **more: Any) -> Any:
        return decision_targets(decisions, "equal", *rest, **more)

    return made(
        home,
        replace(ASKED, scheme="hrp", limits=RiskLimits(15, 1.0, 1.0, 0.05)),
        patches=[(accounts, "decision_targets", targets)],
    ).audited()


@second("call_quality_wrong")
def _hits_too_early(home: Path) -> AuditReport:
    """Hits are counted from the close before the decision's own."""
    plain = run.call_quality

    def early(decisions: Any, table: TradedPrices, last: date, *more: Any) -> Any:
        moved = {table.days[table.days.index(day) - 2]: made_then for day, made_then in decisions.items()}
        return plain(moved, table, last, *more)

    return made(home, patches=[(run, "call_quality", early)]).audited()


@second("baseline_wrong")
def _free_baselines(home: Path) -> AuditReport:
    """Baselines trade without costs."""
    plain = accounts._run

    def free(market: Any, targets: Any, rules: Any) -> Any:
        return plain(market, targets, replace(rules, costs=NO_COSTS) if rules.limits is OPEN else rules)

    return made(home, patches=[(accounts, "_run", free)]).audited()


class ValuedAtOpen(TradedPrices):
    def close(self, symbol: str, day: date) -> float | None:
        bar = self.bar(symbol, day)
        return bar.open if bar is not None else super().close(symbol, day)


@second("mark_price")
def _valued_at_open(home: Path) -> AuditReport:
    """Positions are valued at the open."""
    return with_table(home, ValuedAtOpen)
