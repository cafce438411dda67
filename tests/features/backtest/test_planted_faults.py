"""Faults of prices and corporate actions, each planted alone, are found when a ledger is counted again."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from fractions import Fraction

import numpy as np
import pytest

from tests.features.backtest.market import days_of
from tests.features.backtest.market_truth import MarketTruth, count_again
from tests.features.backtest.test_accounting import OPEN_LIMITS, run
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.book import BookMismatch
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.limits import ShortRules
from tradingagents.features.backtest.traded_prices import GONE_AFTER, CashDividend, SessionBar, TradedPrices

TESTED = 12


class HaltsTraded(TradedPrices):
    """A halt counts as a session at the last close."""

    def bar(self, symbol: str, day: date) -> SessionBar | None:
        found = super().bar(symbol, day)
        last = self.close(symbol, day)
        return found if found is not None or last is None else SessionBar(last, last, last, last, 1e8)


class EndDelists(TradedPrices):
    """The end of the tested window counts as a delisting."""

    def with_actions(self, symbols: Collection[str], before: date | None, day: date) -> list[str]:
        return sorted(symbols) if day >= self.days[11] else super().with_actions(symbols, before, day)

    def is_gone(self, symbol: str, day: date) -> bool:
        return day >= self.days[11] or super().is_gone(symbol, day)


class DelistingIgnored(TradedPrices):
    """A company that is gone stays at its last close."""

    def is_gone(self, symbol: str, day: date) -> bool:
        return False


class DividendDoubled(TradedPrices):
    """A dividend counts twice, as where prices and cash contain it."""

    def dividend(self, symbol: str, before: date | None, day: date) -> CashDividend | None:
        found = super().dividend(symbol, before, day)
        return None if found is None else CashDividend(2 * found.per_share)


class DividendAgain(TradedPrices):
    """A dividend is paid on its ex-date and on the next session."""

    def with_actions(self, symbols: Collection[str], before: date | None, day: date) -> list[str]:
        return sorted(symbols)

    def dividend(self, symbol: str, before: date | None, day: date) -> CashDividend | None:
        earlier = None if before is None else self.days[max(0, self.days.index(before) - 1)]
        return super().dividend(symbol, earlier, day)


class DividendForgotten(TradedPrices):
    """Prices without dividends."""

    def dividend(self, symbol: str, before: date | None, day: date) -> CashDividend | None:
        return None


class SplitInverted(TradedPrices):
    """A split of 2 for 1 counts as 1 for 2."""

    def split(self, symbol: str, before: date | None, day: date) -> Fraction | None:
        found = super().split(symbol, before, day)
        return None if found is None else 1 / found


class SplitForgotten(TradedPrices):
    """The shares stay as they were."""

    def split(self, symbol: str, before: date | None, day: date) -> Fraction | None:
        return None


class SplitAgain(TradedPrices):
    """A split counts on its day and on the next session."""

    def with_actions(self, symbols: Collection[str], before: date | None, day: date) -> list[str]:
        return sorted(symbols)

    def split(self, symbol: str, before: date | None, day: date) -> Fraction | None:
        earlier = None if before is None else self.days[max(0, self.days.index(before) - 1)]
        return super().split(symbol, earlier, day)


class FilledAtClose(TradedPrices):
    """Orders are filled at the close of the session."""

    def bar(self, symbol: str, day: date) -> SessionBar | None:
        found = super().bar(symbol, day)
        return None if found is None else SessionBar(found.close, found.high, found.low, found.close, found.volume)


class FilledBefore(TradedPrices):
    """Orders are filled at the close that they were decided after."""

    def bar(self, symbol: str, day: date) -> SessionBar | None:
        found, last = super().bar(symbol, day), self.close(symbol, self.days[max(0, self.days.index(day) - 1)])
        return None if found is None or last is None else SessionBar(last, last, last, found.close, found.volume)


class MarkedLate(TradedPrices):
    """Positions are marked at the close of the session before."""

    def close(self, symbol: str, day: date) -> float | None:
        return super().close(symbol, self.days[max(0, self.days.index(day) - 1)])


FAULTS = (
    *(HaltsTraded, EndDelists, DelistingIgnored, DividendDoubled, DividendAgain, DividendForgotten),
    *(SplitInverted, SplitForgotten, SplitAgain, FilledAtClose, FilledBefore, MarkedLate),
)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: type[TradedPrices]):
    with pytest.raises((AssertionError, BookMismatch)):
        trade_and_count(fault)


def test_nothing_is_found_where_no_fault_is_planted():
    kinds = {one.kind for line in trade_and_count(TradedPrices).lines for one in line.postings}
    assert kinds >= {"fill", "short_sale", "short_cover", "split", "dividend", "delisting", "unfilled", "borrow_fee"}


def trade_and_count(prices: type[TradedPrices]) -> BookLedger:
    """Trade a market with every corporate action, long and short, and count the ledger again."""
    days = days_of(TESTED + GONE_AFTER + 2)
    steps = np.arange(len(days))
    halved = np.where(steps >= 5, 2, 1)
    made = (
        ("A", (40 + steps % 5) / halved, 41 / halved + steps % 3, {5: Fraction(2)}, {3: 0.5, 7: 0.25}, {6, 9}),
        ("B", 20.0 + steps % 7, 20.5 + steps % 4, {}, {4: 0.3}, {*range(8, len(days))}),
        ("C", 10.0 + steps % 3, 10.5 + steps % 2, {8: Fraction(1, 4)}, {10: 0.1}, {2}),
    )
    truths = {
        name: MarketTruth(name, days, closes.tolist(), opens.tolist(), 1e8, splits, paid, frozenset(silent))
        for name, closes, opens, splits, paid, silent in made
    }
    table = prices({name: one.prices() for name, one in truths.items()}, days)
    rules = AccountRules(limits=OPEN_LIMITS, shorts=ShortRules(max_short=0.4))
    weights = [{"A": 0.3, "B": 0.2, "C": -0.3}, {"A": 0.1, "B": 0.4, "C": -0.1}]
    orders = {day: weights[n % 2] for n, day in enumerate(days)}
    ledger = BookLedger()
    run(ledger, table, days[:TESTED], rules, lambda day, _held: orders[day])
    count_again(truths, ledger, rules.costs)
    return ledger
