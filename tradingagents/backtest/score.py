"""Scores a backtest: takes accounts through the sessions and measures them against baselines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from tradingagents.agents.schemas import Decision
from tradingagents.analytics.decisions.outcome import SIDE
from tradingagents.analytics.performance import (
    PairedTest,
    Performance,
    paired_test,
    performance,
    rank_ic,
)
from tradingagents.backtest.advance import AccountRules, Targets, advance
from tradingagents.backtest.ledger import BookLedger
from tradingagents.backtest.postings import CENTS, Clamp, OrderRest
from tradingagents.backtest.strategies import Decisions
from tradingagents.backtest.traded_prices import TradedPrices
from tradingagents.dataflows.models import Floats


@dataclass(frozen=True, slots=True)
class Account:
    """An account over the sessions of a backtest."""

    days: tuple[date, ...]
    equity: Floats
    """At each close, in the account's currency; the first is the deposit."""
    exposure: Floats
    """Invested share at each close."""
    ledger: BookLedger

    @property
    def returns(self) -> Floats:
        """Daily returns, one fewer than sessions: nothing is held during the first."""
        found: Floats = self.equity[1:] / self.equity[:-1] - 1
        return found


@dataclass(frozen=True, slots=True)
class StrategyScore:
    """What became of an account. Amounts are in its currency."""

    performance: Performance
    paired: PairedTest | None
    """Against buy and hold; None for that itself, and for fewer than 20 sessions."""
    matched: PairedTest | None
    """The same against buy and hold at this account's own exposure, the rest in cash: what is left when a fuller or
    emptier account is no merit."""
    final_equity: float
    exposure: float
    """Mean invested share."""
    turnover: float
    """Value traded a year over mean equity, purchases and sales counted."""
    commissions: float
    slippage: float
    dividends: float
    model_cost: float
    clamps: int
    unfilled: Mapping[str, int]
    """Orders that were not filled or not filled whole, by reason."""
    ledger: str
    """Hash of the ledger's last line."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        own = {name: value for name, value in asdict(self).items() if name not in _NESTED}
        paired, matched = (None if one is None else asdict(one) for one in (self.paired, self.matched))
        return {**asdict(self.performance), **own, "ci": paired, "ci_equal_exposure": matched}


_NESTED = ("performance", "paired", "matched")


@dataclass(frozen=True, slots=True)
class CallQuality:
    """How good decisions were, apart from weights and costs, over the sessions to the next decision."""

    actions: Mapping[str, int]
    """Decisions by action."""
    calls: int
    """BUY and SELL with a known outcome."""
    hit_rate: float | None
    """Share of them that the stock's total return proved right."""
    brier: float | None
    """Mean squared difference between confidence and outcome (0 best, 0.25 for always saying 50 %)."""
    rank_ic: float | None
    """Mean over days of the rank correlation of signed confidence and later return."""
    ic_days: int


def run_account(
    table: TradedPrices, days: Sequence[date], rules: AccountRules, targets: Targets, path: Path | None = None
) -> Account:
    """Take an account through sessions; a ledger on disk is continued.

    Args:
        table: Prices.
        days: The sessions, in order.
        rules: Costs and limits.
        targets: What to hold.
        path: Of the ledger; None: in memory.

    Raises:
        BookMismatch, UnreadableFile: The ledger that is there is not of this account.
    """
    ledger = BookLedger(path)
    for day in days:
        if ledger.last_day is None or day > ledger.last_day:
            advance(ledger, table, day, rules, targets)
    marks = [line.mark for line in ledger.lines]
    equity = np.array([mark.equity / CENTS for mark in marks])
    invested = np.array([1 - mark.cash / mark.equity for mark in marks])
    return Account(tuple(mark.day for mark in marks), equity, invested, ledger)


def score_account(account: Account, benchmark: Account | None) -> StrategyScore:
    """Measure an account.

    Args:
        account: Over the sessions of the backtest.
        benchmark: Buy and hold over the same sessions; None for that itself.
    """
    returns, book = account.returns, account.ledger.book
    postings = [one for line in account.ledger.lines for one in line.postings]
    reasons = [one.reason for one in postings if isinstance(one, OrderRest)]
    before = account.exposure[:-1]
    years = max(len(returns), 1) / 252
    return StrategyScore(
        performance=performance(returns),
        paired=paired_test(returns, benchmark.returns) if benchmark is not None else None,
        matched=paired_test(returns, before * benchmark.returns) if benchmark is not None else None,
        final_equity=float(account.equity[-1]),
        exposure=float(account.exposure.mean()),
        turnover=book.traded / CENTS / years / float(account.equity.mean()),
        commissions=book.commissions / CENTS,
        slippage=book.slippage / CENTS,
        dividends=book.dividends / CENTS,
        model_cost=book.charges / CENTS,
        clamps=sum(isinstance(one, Clamp) for one in postings),
        unfilled={reason: reasons.count(reason) for reason in sorted(set(reasons))},
        ledger=account.ledger.head,
    )


def call_quality(decisions: Decisions, table: TradedPrices, last: date) -> CallQuality:
    """Measure decisions from the session after each to the session after the next, by closes.

    Args:
        decisions: By day and ticker.
        table: Prices.
        last: Last session of the backtest; outcomes after it do not count.
    """
    days = sorted(decisions)
    counts: dict[str, int] = {}
    hits, squares, correlations = list[bool](), list[float](), list[float]()
    for day, until in zip(days, [*days[1:], last], strict=True):
        signals, outcomes = list[float](), list[float]()
        for ticker, decision in decisions[day].items():
            counts[decision.action] = counts.get(decision.action, 0) + 1
            change = _change(table, ticker, day, until, last)
            if change is None or decision.action not in SIDE:
                continue
            side = SIDE[decision.action]
            signals.append(side * decision.confidence)
            outcomes.append(change)
            if side:
                hits.append(side * change > 0)
                squares.append((decision.confidence - hits[-1]) ** 2)
        if (found := rank_ic(np.array(signals), np.array(outcomes))) is not None:
            correlations.append(found)
    return CallQuality(
        actions=dict(sorted(counts.items())),
        calls=len(hits),
        hit_rate=float(np.mean(hits)) if hits else None,
        brier=float(np.mean(squares)) if squares else None,
        rank_ic=float(np.mean(correlations)) if correlations else None,
        ic_days=len(correlations),
    )


def by_day(found: Mapping[tuple[str, date], Decision]) -> Decisions:
    """Return decisions by day and ticker."""
    arranged: dict[date, dict[str, Decision]] = {}
    for (ticker, day), decision in found.items():
        arranged.setdefault(day, {})[ticker] = decision
    return arranged


def _change(table: TradedPrices, ticker: str, day: date, until: date, last: date) -> float | None:
    """Return the total return from the close after one decision to that after the next, or to the last."""
    first, end = table.after(day), table.after(until)
    if first is None or first > last:
        return None
    end = last if end is None or end > last else end
    return table.total_return(ticker, first, end) if first < end else None
