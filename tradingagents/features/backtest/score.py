"""Scores a backtest: takes accounts through the sessions and measures them against buy and hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date
from pathlib import Path

import numpy as np

from tradingagents.agents.schemas import Decision
from tradingagents.analytics.performance import (
    PairedTest,
    Performance,
    exposure_matched_alpha,
    paired_test,
    performance,
    probabilistic_sharpe,
    track_record_needed,
)
from tradingagents.analytics.performance.regression import BenchmarkRegression, benchmark_regression
from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.dataflows.models import Floats
from tradingagents.features.backtest.advance import AccountRules, Targets, advance
from tradingagents.features.backtest.exits import exit_counts
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.postings import CENTS, Clamp, OrderRest
from tradingagents.features.backtest.strategies import Decisions
from tradingagents.features.backtest.traded_prices import TradedPrices

HALF_A_CENT = 0.005 + 1e-9
"""An account's amounts are whole cents, and sums of them floats."""


@dataclass(frozen=True, slots=True)
class Account:
    """An account over the sessions of a backtest."""

    days: tuple[date, ...]
    equity: Floats
    """At each close, in the account's currency; the first is the deposit."""
    exposure: Floats
    """Invested share at each close."""
    ledger: BookLedger
    bills: Floats | None = None
    """What bills earned over each return, as a fraction; None where that is not known."""
    follows_levels: bool = False
    """Whether stops and targets close its positions."""

    @property
    def returns(self) -> Floats:
        """Daily total returns, one fewer than sessions: nothing is held during the first."""
        found: Floats = self.equity[1:] / self.equity[:-1] - 1
        return found

    @property
    def excess(self) -> Floats:
        """Daily returns beyond bills; the returns themselves where bills are not known.

        What is below half a cent is the rounding of the ledger: an account of cash alone earns exactly bills.
        """
        if self.bills is None:
            return self.returns
        beyond = self.returns - self.bills
        found: Floats = np.where(np.abs(beyond) * self.equity[:-1] <= HALF_A_CENT, 0.0, beyond)
        return found

    def share_of(self, benchmark: Account) -> Floats:
        """Return this account's exposure over a benchmark's for each return.

        The exposures of the close before count; where the benchmark held nothing then, those after its first fills.
        """
        own, other = self.exposure, benchmark.exposure
        held = other[:-1] > 0
        over, under = np.where(held, own[:-1], own[1:]), np.where(held, other[:-1], other[1:])
        return np.divide(over, under, out=np.zeros(len(under)), where=under > 0)

    def matched(self, benchmark: Account) -> Floats:
        """Return the daily returns of a benchmark at this account's exposure, the rest in cash at the bill rate."""
        beyond = self.excess_matched(benchmark)
        return beyond if self.bills is None else beyond + self.bills

    def excess_matched(self, benchmark: Account) -> Floats:
        """Return the same beyond bills."""
        found: Floats = self.share_of(benchmark) * benchmark.excess
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyScore(Performance):
    """What became of an account. Amounts are in its currency, returns are total returns, with dividends and interest.

    Ratios, and what is tested against buy and hold, are of returns beyond bills where the result knows bills, else of
    plain returns.

    Of less than a year, `annual_return` and `calmar` are None; what they would be if the period went on like that is
    `extrapolated_annual_return`.
    """

    extrapolated_annual_return: float | None
    """Compounded return a year from less than 252 sessions; None for a year or more."""
    probabilistic_sharpe: float | None
    """Probability that the true Sharpe ratio is above 0."""
    track_record_needed: int | None
    """Sessions after which such a Sharpe ratio is above 0 with 95 % confidence; None where it is not positive."""
    exposure_matched_alpha: float | None
    """Yearly mean return beyond buy and hold at this account's own exposure; None for buy and hold."""
    ci: PairedTest | None
    """Against buy and hold; None for that itself, else for the reason that `untested_because` says."""
    ci_equal_exposure: PairedTest | None
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
    interest: float = 0.0
    """On cash, less what debts paid."""
    beyond_bills: float | None = None
    """Mean return of a session beyond bills, times 252; None where bills are not known."""
    model_cost: float
    borrow_fees: float
    """For shares that were sold short."""
    clamps: int
    unfilled: Mapping[str, int]
    """Orders that were not filled or not filled whole, by reason."""
    exits: Mapping[str, int] = field(default_factory=dict)
    """Exits by stops and targets, see `exit_counts`; empty for an account that follows none."""
    ledger: str
    """Hash of the ledger's last line."""
    regression: BenchmarkRegression | None = None
    """Of the account's returns on those of the benchmark fund's, both beyond bills; None for that itself, without such
    a fund, and for accounts of one ticker."""
    tickers: Mapping[str, StrategyScore] = field(default_factory=dict)
    """The same strategy on each ticker alone, in an account of its own; empty where it is no strategy of one ticker."""


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
    sessions, bills = tuple(mark.day for mark in marks), rules.bills
    accrued = None if bills is None else bills.accruals(sessions)
    return Account(sessions, equity, invested, ledger, accrued, rules.levels is not None)


def score_account(
    account: Account,
    benchmark: Account | None,
    tickers: Mapping[str, StrategyScore] | None = None,
    *,
    fund: Account | None = None,
) -> StrategyScore:
    """Measure an account.

    Args:
        account: Over the sessions of the backtest.
        benchmark: Buy and hold over the same sessions; None for that itself.
        tickers: Scores of the same strategy on each ticker alone.
        fund: The benchmark fund's account over the same sessions; None where there is none.
    """
    excess, book = account.excess, account.ledger.book
    postings = [posting for line in account.ledger.lines for posting in line.postings]
    reasons = [posting.reason for posting in postings if isinstance(posting, OrderRest)]
    years = max(len(excess), 1) / SESSIONS_PER_YEAR
    plain = performance(account.returns, risk_free=account.returns - excess)
    measured = {figure.name: getattr(plain, figure.name) for figure in fields(plain)}
    if plain.under_a_year:
        measured |= {"annual_return": None, "calmar": None}
    return StrategyScore(
        **measured,
        extrapolated_annual_return=plain.annual_return if plain.under_a_year else None,
        probabilistic_sharpe=probabilistic_sharpe(excess),
        track_record_needed=track_record_needed(excess),
        exposure_matched_alpha=None
        if benchmark is None
        else exposure_matched_alpha(excess, benchmark.excess, account.share_of(benchmark)),
        ci=None if benchmark is None else paired_test(excess, benchmark.excess),
        ci_equal_exposure=None if benchmark is None else paired_test(excess, account.excess_matched(benchmark)),
        final_equity=float(account.equity[-1]),
        exposure=float(account.exposure.mean()),
        turnover=book.traded / CENTS / years / float(account.equity.mean()),
        commissions=book.commissions / CENTS,
        slippage=book.slippage / CENTS,
        dividends=book.dividends / CENTS,
        interest=book.interest / CENTS,
        beyond_bills=None if account.bills is None else float(excess.mean()) * SESSIONS_PER_YEAR,
        model_cost=book.charges / CENTS,
        borrow_fees=book.borrow_fees / CENTS,
        clamps=sum(isinstance(posting, Clamp) for posting in postings),
        unfilled={reason: reasons.count(reason) for reason in sorted(set(reasons))},
        exits=exit_counts(postings) if account.follows_levels else {},
        ledger=account.ledger.head,
        regression=None if fund is None else benchmark_regression(excess, fund.excess),
        tickers=tickers or {},
    )


def by_day(found: Mapping[tuple[str, date], Decision]) -> Decisions:
    """Return decisions by day and ticker."""
    arranged: dict[date, dict[str, Decision]] = {}
    for (ticker, day), decision in found.items():
        arranged.setdefault(day, {})[ticker] = decision
    return arranged
