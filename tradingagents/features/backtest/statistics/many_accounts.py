"""Takes many accounts through the same sessions at once: what `advance` does with one, in arrays.

It serves comparisons that need a thousand accounts, for which a ledger each would take minutes. It trades whole shares
at the next open with the same weights, limits, costs, interest, splits, dividends and delistings, and differs from a
ledger in four things: amounts are not rounded to cents; where cash runs short the last purchase may miss it by its
least commission; volatilities are each ticker's own, also where others did not trade; and shares of a company that is
no ticker, got in a merger, are sold at once. There are no short positions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tradingagents.analytics.holdings.limits import UNKNOWN
from tradingagents.analytics.holdings.weights import LEAST_RETURNS
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.broker import TradingCosts
from tradingagents.features.backtest.limits import RiskLimits
from tradingagents.features.backtest.postings import CENTS
from tradingagents.features.backtest.strategies import RETURNS
from tradingagents.features.backtest.traded_prices import TradedPrices

Array = NDArray[np.float64]
PlainScheme = Literal["confidence", "equal", "inverse_volatility"]
"""The weightings that are a formula of arrays; hierarchical risk parity needs a tree of its own for each account."""
BUY, SELL, STAY = 1, -1, 0


@dataclass(frozen=True, slots=True)
class DayDecisions:
    """What each account decides after one close; both of shape (accounts, tickers)."""

    action: NDArray[np.int8]
    """BUY, SELL, or STAY for HOLD, NO_DECISION and no decision."""
    confidence: Array


@dataclass(frozen=True, slots=True)
class ManyAccounts:
    """What became of the accounts; arrays of shape (accounts,), amounts in the accounts' currency."""

    final: Array
    """Value at the last close."""
    turnover: Array
    """Value traded over the mean value at the closes decided on, purchases and sales counted."""
    exposure: Array
    """Mean invested share at the closes decided on."""


def run_accounts(
    table: TradedPrices,
    days: Sequence[date],
    tickers: Sequence[str],
    decided: Mapping[date, Callable[[], DayDecisions]],
    rules: AccountRules,
    scheme: PlainScheme,
) -> ManyAccounts:
    """Take accounts through sessions.

    Args:
        table: Prices.
        days: The sessions, in order.
        tickers: In alphabetical order, the order in which cash is spent.
        decided: By session, gives the decisions after its close; one session at least, all of as many accounts.
        rules: Costs and limits; charges and short positions are not taken from it.
        scheme: How weights are computed.
    """
    found: _Accounts | None = None
    for place, day in enumerate(days):
        if found is not None:
            found.open(days[place - 1], day)
        if day in decided:
            made = decided[day]()
            found = found or _Accounts(len(made.action), table, tuple(tickers), rules, scheme)
            found.decide(day, made)
    if found is None:
        raise ValueError("Nothing was decided in these sessions.")
    return found.result(days[-1])


class _Accounts:
    """The accounts on one day: cash, shares, and the orders for the next open."""

    def __init__(
        self, count: int, table: TradedPrices, tickers: tuple[str, ...], rules: AccountRules, scheme: PlainScheme
    ) -> None:
        self._table, self._tickers, self._rules, self._scheme = table, tickers, rules, scheme
        self._listed = set(tickers)
        self._columns = {ticker: column for column, ticker in enumerate(tickers)}
        self._limits = _Limits(rules.limits, [rules.sectors.get(ticker) or UNKNOWN for ticker in tickers])
        self._costs = _Costs(rules, tickers)
        self._cash = np.full(count, rules.deposit)
        self._shares = np.zeros((count, len(tickers)))
        self._orders: Array | None = None
        self._traded, self._values, self._invested, self._decided = np.zeros(count), np.zeros(count), np.zeros(count), 0

    def open(self, before: date, day: date) -> None:
        """Pay interest, apply corporate actions, and fill the orders of the session before."""
        if self._rules.bills is not None:
            self._cash *= 1 + (self._rules.bills.accrual(before, day) or 0.0)
        for ticker in self._table.with_actions(self._tickers, before, day):
            self._act(ticker, before, day)
        for ticker in [
            ticker for ticker in self._tickers if ticker in self._listed and self._table.is_gone(ticker, day)
        ]:
            self._end(ticker, day)
        if self._orders is not None:
            self._fill(day, self._orders)
            self._orders = None

    def decide(self, day: date, made: DayDecisions) -> None:
        """Give the orders that lead to the weights of the decisions."""
        closes = self._closes(day)
        values = self._shares * np.where(np.isnan(closes), 0.0, closes)
        equity = self._cash + values.sum(axis=1)
        held = values / equity[:, None]
        self._decided += 1
        self._values += equity
        self._invested += held.sum(axis=1)
        allowed = self._limits.apply(self._wanted(day, made, held))
        tradable = ~np.isnan(closes) & [not self._table.is_gone(ticker, day) for ticker in self._tickers]
        price = np.where(tradable, closes, 1.0)
        goal = np.trunc((allowed * equity[:, None] + 0.5 / CENTS) / price)  # half a cent more, as the ledger's orders
        change = goal - self._shares
        small = (np.abs(change * price) < self._rules.least_trade * equity[:, None]) & (goal > 0)
        self._orders = np.where(small | ~tradable, 0.0, change)

    def result(self, day: date) -> ManyAccounts:
        """Return what became of the accounts after a close."""
        closes = self._closes(day)
        final = self._cash + (self._shares * np.where(np.isnan(closes), 0.0, closes)).sum(axis=1)
        mean = self._values / self._decided
        return ManyAccounts(final, self._traded / mean, self._invested / self._decided)

    def _closes(self, day: date) -> Array:
        found = [self._table.close(ticker, day) for ticker in self._tickers]
        return np.array([np.nan if close is None else close for close in found])

    def _act(self, ticker: str, before: date, day: date) -> None:
        """Apply split and dividend of a ticker, in this order."""
        column, table = self._columns[ticker], self._table
        held = self._shares[:, column]
        ratio = table.split(ticker, before, day)
        if ratio is not None:
            price = self._open(ticker, day)
            after = held * ratio.numerator / ratio.denominator
            whole = np.trunc(after)
            self._cash += (after - whole) * price
            self._shares[:, column] = held = whole
            if self._orders is not None:
                self._orders[:, column] = np.trunc(self._orders[:, column] * ratio.numerator / ratio.denominator)
        if (paid := table.dividend(ticker, before, day)) is not None:
            self._cash += held * paid.per_share

    def _end(self, ticker: str, day: date) -> None:
        """Pay out a ticker whose listing ended: what holders get, or its last close where that is not known."""
        self._listed.discard(ticker)
        column, end = self._columns[ticker], self._table.end_of(ticker)
        held = self._shares[:, column].copy()
        self._shares[:, column] = 0.0
        if self._orders is not None:
            self._orders[:, column] = 0.0
        if end is None or end.into is None or end.shares is None:
            last = self._table.close(ticker, day) or 0.0
            self._cash += held * (last if end is None or end.cash is None else end.cash)
            return
        got = held * end.shares
        whole = np.trunc(got) if end.into in self._columns else np.zeros_like(got)
        if end.into in self._columns:
            self._shares[:, self._columns[end.into]] += whole
        self._cash += held * (end.cash or 0.0) + (got - whole) * self._open(end.into, day)

    def _open(self, ticker: str, day: date) -> float:
        """Return the open of a session; of a halt the last close."""
        bar = self._table.bar(ticker, day)
        return bar.open if bar is not None else self._table.close(ticker, day) or 0.0

    def _fill(self, day: date, orders: Array) -> None:
        """Sell, then buy in alphabetical order as far as the cash goes."""
        bars = [self._table.bar(ticker, day) for ticker in self._tickers]
        opens = np.array([1.0 if bar is None else bar.open for bar in bars])
        volumes = np.array([0.0 if bar is None else bar.volume for bar in bars])
        most = np.floor(volumes * self._rules.costs.max_participation)
        count = np.minimum(np.abs(orders), most)
        sold, bought = np.where(orders < 0, count, 0.0), np.where(orders > 0, count, 0.0)
        value, commission = self._costs.of(-1, sold, opens, volumes)
        self._cash += (value - commission).sum(axis=1)
        self._traded += value.sum(axis=1)
        value, commission = self._costs.of(1, bought, opens, volumes)
        cost = value + commission
        spent = cost.cumsum(axis=1)
        if (spent[:, -1] > self._cash).any():
            left = self._cash[:, None] - (spent - cost)
            part = np.clip(np.divide(left, cost, out=np.ones_like(cost), where=cost > 0), 0.0, 1.0)
            bought = np.floor(bought * part)
            value, commission = self._costs.of(1, bought, opens, volumes)
        self._cash -= (value + commission).sum(axis=1)
        self._traded += value.sum(axis=1)
        self._shares += bought - sold

    def _wanted(self, day: date, made: DayDecisions, held: Array) -> Array:
        """Return the target weights, as `strategies.decision_targets` gives them."""
        bought = made.action == BUY
        stay = np.where(made.action == STAY, held, 0.0)
        left = np.maximum(0.0, 1 - self._rules.limits.min_cash - stay.sum(axis=1))
        found = self._weights(day, bought, made.confidence)
        if self._scheme == "confidence":
            total = found.sum(axis=1)
            factor = np.minimum(1.0, np.divide(left, total, out=np.ones_like(left), where=total > 0))
        else:
            factor = left
        wanted: Array = stay + found * factor[:, None]
        return wanted

    def _weights(self, day: date, bought: NDArray[np.bool_], confidence: Array) -> Array:
        """Return the weights of what is bought, as `weights.scheme_weights` gives them."""
        if self._scheme == "confidence":
            scaled: Array = np.where(bought, self._rules.limits.max_position * confidence, 0.0)
            scaled /= np.maximum(1.0, scaled.sum(axis=1))[:, None]
            return scaled
        parts = bought.astype(float)
        if self._scheme == "inverse_volatility":
            deviations = self._deviations(day)
            known = ~np.any(bought & np.isnan(deviations), axis=1, keepdims=True)
            moving = deviations[deviations > 0]
            widest = moving.max() if len(moving) else 1.0
            inverse = 1 / np.where(deviations > 0, deviations, widest)
            parts = np.where(known, bought * inverse, parts)
        total = parts.sum(axis=1)[:, None]
        found: Array = np.divide(parts, total, out=np.zeros_like(parts), where=total > 0)
        return found

    def _deviations(self, day: date) -> Array:
        """Return each ticker's standard deviation of daily returns; NaN for too few."""
        found = [self._table.returns((ticker,), day, RETURNS) for ticker in self._tickers]
        return np.array([returns.std(ddof=1) if len(returns) >= LEAST_RETURNS else np.nan for returns in found])


class _Limits:
    """`RiskLimits.apply` for long positions of many accounts."""

    def __init__(self, limits: RiskLimits, sectors: Sequence[str]) -> None:
        self._limits = limits
        names = sorted(set(sectors))
        self._sector = np.array([names.index(sector) for sector in sectors])
        self._by_sector = np.argsort(self._sector, kind="stable")
        self._begins = np.searchsorted(self._sector[self._by_sector], np.arange(len(names)))

    def apply(self, weights: Array) -> Array:
        """Return weights within the limits, in the order of the rules."""
        limits, found = self._limits, weights
        many = np.flatnonzero(np.count_nonzero(found, axis=1) > limits.max_positions)
        if len(many):
            found = found.copy()
            order = np.argsort(-found[many], axis=1, kind="stable")
            found[many[:, None], order[:, limits.max_positions :]] = 0.0
        found = np.minimum(found, limits.max_position)
        totals = np.add.reduceat(found[:, self._by_sector], self._begins, axis=1)
        found = found * _factor(totals, limits.max_sector)[:, self._sector]
        limited: Array = found * _factor(found.sum(axis=1), 1 - limits.min_cash)[:, None]
        return limited


def _factor(totals: Array, most: float) -> Array:
    """Return what sums are multiplied by to be `most` at most."""
    found: Array = np.divide(most, totals, out=np.ones_like(totals), where=totals > most * (1 + 1e-12))
    return found


class _Costs:
    """What trades of many accounts are worth, with spread, impact and commission."""

    def __init__(self, rules: AccountRules, tickers: Sequence[str]) -> None:
        self._costs: TradingCosts = rules.costs
        self._spread = np.array([rules.costs_of(ticker).half_spread for ticker in tickers])

    def of(self, side: int, count: Array, opens: Array, volumes: Array) -> tuple[Array, Array]:
        """Return value and commission of trades of `count` shares; side 1 buys, -1 sells."""
        costs = self._costs
        impact = costs.impact * np.sqrt(count / np.maximum(volumes, 1.0))
        price = np.maximum(opens * (1 + side * (self._spread + impact)), 1 / CENTS)
        commission = np.maximum(count * costs.commission_per_share, costs.min_commission)
        return count * price, np.where(count > 0, commission, 0.0)
