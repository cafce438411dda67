"""Checks that accounts were paid every dividend that shows in the ratio of adjusted closes to closes.

A close falls by a dividend on its ex-day and an adjusted close does not, so over any span

    value held before x (1 - ratio before / ratio after),    ratio = adjusted close / close

is what a holder got. It is compared with the postings that paid dividends, whatever the list of dividends says: that
of a fund may be empty.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from tradingagents.dataflows.models import Prices
from tradingagents.features.backtest.audit.findings import AuditFinding
from tradingagents.features.backtest.audit.result_folder import LEDGER, RecordedBacktest
from tradingagents.features.backtest.audit.second.book import SecondBook, from_cents

LEAST_MISSING = 0.0003
"""Part of the money held, over the whole period, that must be missing."""
CENT = 0.01
"""What rounding to cents may add to it, as part of a price: half a cent at either end."""
MOST_ROUNDED = 0.05
"""Part of the dividends due that rounding and exchange may hide besides."""


@dataclass
class _Income:
    """What a position should have got, and what it got; amounts in the account's currency."""

    due: float = 0.0
    paid: float = 0.0
    held: float = 0.0
    """The sum of its values at the closes."""
    closes: int = 0

    def is_short_of(self, prices: Prices) -> bool:
        """Tell whether more is missing than rounding explains; of a short position, that more was not paid."""
        missing = abs(self.due) - abs(self.paid)
        slack = LEAST_MISSING + CENT / float(prices.adj_close.min())
        return self.closes > 0 and missing > max(slack * self.held / self.closes, MOST_ROUNDED * abs(self.due))


def check_income(recorded: RecordedBacktest, prices: Mapping[str, Prices]) -> Iterator[AuditFinding]:
    """Compare the dividends that the tested account was paid on each symbol with those that its prices contain.

    Args:
        recorded: The folder.
        prices: By symbol, split-adjusted as vendors give them.
    """
    found = {name: _Income() for name in prices}
    ratios = {name: _ratios(history) for name, history in prices.items()}
    book, last, worth = SecondBook(), dict[str, float](), dict[str, float]()
    for session in recorded.sessions:
        now = last | {name: changes[session.day] for name, changes in ratios.items() if session.day in changes}
        for symbol, value in worth.items():
            found[symbol].due += value * (1 - last[symbol] / now[symbol]) if symbol in last else 0.0
        for posting in session.postings:
            book.apply(posting)
            if "per_share" in posting and posting.get("symbol") in found:
                found[posting["symbol"]].paid += float(from_cents(posting["value"]))
        last, worth = now, _worth(book, session.mark["prices"], found)
        for symbol, value in worth.items():
            found[symbol].held += abs(value)
            found[symbol].closes += 1
    for symbol, own in found.items():
        if own.is_short_of(prices[symbol]):
            yield _missing(LEDGER, symbol, own)


def _worth(book: SecondBook, marks: Mapping[str, float], known: Mapping[str, object]) -> dict[str, float]:
    """Return what each position is worth at a close; negative for a short one."""
    return {
        symbol: float(count) * marks[symbol]
        for symbol, count in book.shares.items()
        if symbol in known and symbol in marks
    }


def check_fund_income(
    recorded: RecordedBacktest, prices: Mapping[str, Prices], funds: Sequence[str]
) -> Iterator[AuditFinding]:
    """Compare the dividends that baselines are paid on a share of each fund with those that its prices contain.

    Args:
        recorded: The folder.
        prices: By symbol, split-adjusted, with the dividends that accounts are paid.
        funds: Those that baselines hold.
    """
    first, last = recorded.record["first_session"], recorded.record["last_session"]
    for symbol in funds:
        if (history := prices.get(symbol)) is None:
            continue
        closes = dict(zip((day.item() for day in history.days), history.close.tolist(), strict=True))
        ratios = {day: ratio for day, ratio in _ratios(history).items() if first <= str(day) <= last}
        due = math.fsum(closes[day] * (1 - ratios[day] / ratios[after]) for day, after in pairwise(ratios))
        paid = sum(each.amount for each in history.dividends if first < str(each.day) <= last)
        own = _Income(due, paid, math.fsum(closes[day] for day in ratios), len(ratios))
        if own.is_short_of(history):
            yield _missing("baselines, a share of the fund", symbol, own)


def _ratios(prices: Prices) -> dict[date, float]:
    """Return adjusted closes over closes, by day; 1 throughout for prices that contain their dividends."""
    sound = prices.close > 0
    found = (prices.adj_close[sound] / prices.close[sound]).tolist()
    return dict(zip((day.item() for day in prices.days[sound]), found, strict=True))


def _missing(where: str, symbol: str, own: _Income) -> AuditFinding:
    expected = f"dividends of {own.due:.4g} by the adjusted closes"
    return AuditFinding("dividends_missing", where, expected, f"{own.paid:.4g} paid", ticker=symbol)
