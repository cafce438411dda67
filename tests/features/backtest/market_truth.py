"""What happened in a made market, and a count of a ledger against it that uses nothing of the tested code."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from tests.features.backtest.market import made_prices
from tradingagents.dataflows.models import ListingEnd, Prices, Split
from tradingagents.features.backtest.broker import TradingCosts
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.postings import Delisting, DividendPosting, OrderFill, SplitPosting

SILENT = 10
"""Sessions without a bar up to the end of the data that end a symbol, as the documentation says."""


@dataclass(frozen=True)
class MarketTruth:
    """One symbol as it traded, by place of the session."""

    symbol: str
    days: Sequence[date]
    closes: Sequence[float]
    opens: Sequence[float]
    volume: float
    splits: Mapping[int, Fraction]
    dividends: Mapping[int, float]
    silent: frozenset[int]
    """Sessions without a bar."""

    def prices(self) -> Prices:
        """Return it as vendors give it."""
        return made_prices(
            self.symbol,
            self.days,
            self.closes,
            opens=self.opens,
            volume=self.volume,
            splits=[Split(self.days[place], float(ratio)) for place, ratio in self.splits.items()],
            dividends=[(self.days[place], amount) for place, amount in self.dividends.items()],
            missing=[self.days[place] for place in self.silent],
            ended=None if self.gone is None else ListingEnd(self.days[self.gone], "delisted"),
        )

    @property
    def gone(self) -> int | None:
        """The first session without the symbol for ever; None where its data go on to the end, or nearly."""
        last = max((place for place in range(len(self.days)) if place not in self.silent), default=-1)
        return last + 1 if len(self.days) - 1 - last >= SILENT else None

    def close(self, place: int) -> float:
        """Return the last close on or before a session, in shares of that session."""
        last = max(one for one in range(place + 1) if one not in self.silent)
        return self.closes[last] / float(math.prod(r for one, r in self.splits.items() if last < one <= place))


def count_again(truths: Mapping[str, MarketTruth], ledger: BookLedger, costs: TradingCosts) -> None:
    """Check every fill, split, dividend, delisting and mark of a ledger against what happened; nothing may be left out.

    Raises:
        AssertionError: The ledger says something else.
    """
    held: dict[str, int] = {}
    for place, line in enumerate(ledger.lines):
        opening, done, traded = dict(held), set[tuple[str, str]](), dict[tuple[str, bool], int]()
        for posting in line.postings:
            if isinstance(posting, OrderFill):
                truth, side = truths[posting.symbol], 1 if posting.shares > 0 else -1
                assert place not in truth.silent, "a halt was traded on"
                key = (posting.symbol, side > 0)
                traded[key] = traded.get(key, 0) + abs(posting.shares)
                moved = costs.half_spread + costs.impact * math.sqrt(traded[key] / truth.volume)
                price = max(0.01, truth.opens[place] * (1 + side * moved))
                assert math.isclose(posting.price, price, rel_tol=1e-9), "not filled at the open"
                held[posting.symbol] = held.get(posting.symbol, 0) + posting.shares
            elif isinstance(posting, SplitPosting | DividendPosting | Delisting):
                truth = truths[posting.symbol]
                assert (posting.kind, posting.symbol) not in done, "twice on a day"
                done.add((posting.kind, posting.symbol))
                if isinstance(posting, SplitPosting):
                    assert place in truth.splits, "there was no split"
                    assert Fraction(posting.numerator, posting.denominator) == truth.splits[place]
                    assert posting.shares == math.trunc(held[posting.symbol] * truth.splits[place])
                    held[posting.symbol] = posting.shares
                elif isinstance(posting, DividendPosting):
                    assert place in truth.dividends, "there was no dividend"
                    assert math.isclose(posting.per_share, truth.dividends[place], rel_tol=1e-9)
                    assert posting.shares == held[posting.symbol]
                    assert abs(posting.value - 100 * posting.shares * truth.dividends[place]) <= 0.5 + 1e-6
                else:
                    assert truth.gone is not None
                    assert place >= truth.gone, "the end of the window is no delisting"
                    assert math.isclose(posting.price, truth.close(place), rel_tol=1e-9)
                    assert posting.shares == held.pop(posting.symbol)
        _nothing_left_out(truths, place, opening, done)
        for symbol, price in line.mark.prices.items():
            assert math.isclose(price, truths[symbol].close(place), rel_tol=1e-9), "not marked at the last close"


def _nothing_left_out(
    truths: Mapping[str, MarketTruth], place: int, opening: Mapping[str, int], done: set[tuple[str, str]]
) -> None:
    for symbol, count in opening.items():
        truth, shares = truths[symbol], count
        if shares and place in truth.splits:
            assert ("split", symbol) in done, "a split was left out"
            shares = math.trunc(shares * truth.splits[place])
        if shares and place in truth.dividends:
            assert ("dividend", symbol) in done, "a dividend was left out"
        if shares and truth.gone is not None and place >= truth.gone:
            assert ("delisting", symbol) in done, "a delisting was left out"
