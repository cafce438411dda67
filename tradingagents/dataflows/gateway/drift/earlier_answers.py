"""A vendor's answer against its last good one to the same question: what is over does not change by itself.

A bar of a past session, a statement that was filed and an article that was published stay what they were. Where they
differ, the vendor's units, currency, days or rows have changed, or it has corrected itself, and one answer cannot tell
which of the two is right. What disagrees is withheld, with the field and both values or their ratio; where the answer
as a whole disagrees, none of it is used. A vendor that keeps to its new answer is believed after `SETTLES`
(`gateway.wrappers`): it has corrected itself.

New rows, new filings, splits since, and rows that have left the window are no disagreement. Prices are compared here,
statements in `earlier_statements`, everything else in `earlier_rows`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np

from tradingagents.dataflows.gateway.checks.price_days import with_bars
from tradingagents.dataflows.gateway.drift.earlier_rows import compare_ratios, compare_rows, compare_series
from tradingagents.dataflows.gateway.drift.earlier_statements import compare_statements
from tradingagents.dataflows.models import Dividend, MacroSeries, PriceBreak, Prices, Ratios, Statement

SAME_CLOSE = 0.001
"""Relative difference up to which closes are the same; beyond it, of many sessions, all are in doubt."""
SAME_PRICE = 0.01
"""Relative difference up to which a single bar is the same: sources correct highs and lows of past sessions."""
SAME_VOLUME = 2.0
"""Factor up to which a volume is the same: sources go on counting late trades."""
OTHER_VOLUME = 10.0
"""Factor from which on a single volume is another one."""
MOST_CHANGED = 0.1
"""Share of bars that may have changed one by one; of more, all are in doubt."""
SETTLING = 2
"""Newest bars of the earlier answer that are not compared: the session may not have been over, or just so."""
LEAST_BARS = 3


@dataclass(frozen=True, slots=True)
class Compared:
    """An answer as far as it agrees with the earlier one."""

    answer: Any
    """Without what disagrees."""
    told: tuple[str, ...] = ()
    """What disagrees or is missing, and what became of it, one clause each."""
    unusable: str = ""
    """Why nothing of it can be used, as a clause; empty where it can."""
    late: str = ""
    """How far it falls short of a second vendor's, as a clause; empty where it does not."""


def compare(
    answer: Any,
    earlier: Any,
    window: Sequence[date | datetime],
    *,
    elapsed: timedelta = timedelta(0),
    is_search: bool = False,
) -> Compared:
    """Compare an answer with the last good one to the same question.

    Args:
        answer: What the vendor gives now.
        earlier: What it gave before.
        window: The first and last day, or instant, asked for now; empty where the question has none.
        elapsed: How long ago the earlier answer was given.
        is_search: Whether rows are picked from more by how well they fit, so that others may be there each time.
    """
    if isinstance(answer, Prices) and isinstance(earlier, Prices):
        return compare_prices(answer, earlier, window)
    if isinstance(answer, MacroSeries) and isinstance(earlier, MacroSeries):
        told, unusable = compare_series(answer, earlier, window)
        return Compared(answer, told, unusable)
    if isinstance(answer, Ratios) and isinstance(earlier, Ratios):
        ratios, told = compare_ratios(answer, earlier)
        return Compared(ratios, told)
    if not isinstance(answer, tuple) or not isinstance(earlier, tuple) or not earlier:
        return Compared(answer)
    if isinstance(earlier[0], Statement):
        statements, told = compare_statements(answer, earlier)
        return Compared(statements, told)
    rows, told, unusable = compare_rows(answer, earlier, window, elapsed, is_search=is_search)
    return Compared(rows, told, unusable)


def compare_prices(prices: Prices, earlier: Prices, window: Sequence[date | datetime]) -> Compared:
    """Compare bars, volumes, dividends and the days that both answers cover."""
    if not len(prices) or not len(earlier):
        return Compared(prices)
    last: date = earlier.days[-1].item()
    if prices.currency != earlier.currency:
        return Compared(prices, unusable=f"currency is {prices.currency} and was {earlier.currency}")
    if prices.days[-1] < earlier.days[-1] and _asked_for(last, window):
        return Compared(prices, unusable=f"bars end on {prices.days[-1]} and went to {last}")
    since = math.prod(split.ratio for split in prices.splits if split.day > last)
    _, here, there = np.intersect1d(prices.days, earlier.days[:-SETTLING], return_indices=True)
    if len(here) < LEAST_BARS:
        return Compared(prices)
    if (gone := _gone_split(prices, earlier)) is not None:
        return Compared(prices, unusable=f"the split of {gone} is no longer listed")
    changed = np.zeros(len(here), dtype=np.bool_)
    for name in ("open", "high", "low", "close"):
        ratio = getattr(prices, name)[here] * since / getattr(earlier, name)[there]
        changed |= np.abs(ratio - 1) > SAME_PRICE
    ratios = prices.close[here] * since / earlier.close[there]
    other = changed | (np.abs(ratios - 1) > SAME_CLOSE)
    if other.mean() > MOST_CHANGED:
        usual = float(np.median(ratios))
        size = f"; close is {usual:.4g} times that" if abs(usual - 1) > SAME_PRICE else ""
        return Compared(
            prices, unusable=f"open, high, low or close of {other.sum()} of {len(here)} past sessions differ{size}"
        )
    volumes, other = _other_volumes(prices, earlier, (here, there), since)
    if not 1 / SAME_VOLUME <= volumes <= SAME_VOLUME:
        return Compared(prices, unusable=f"volume is {volumes:.4g} times what it was")
    changed |= other
    told: list[str] = []
    prices = _with_known_dividends(prices, earlier, since, told)
    prices = _cut_at_the_front(prices, earlier, window, told)
    lost = np.setdiff1d(earlier.days, prices.days)
    if count := int(((lost > prices.days[0]) & (lost < prices.days[-1])).sum()):
        told.append(f"bars of {count} sessions are missing")
    if changed.any():
        days = prices.days[here[changed]]
        told.append(f"bars of {named_days(days)} have other prices or volumes and are left out")
        prices = with_bars(prices, ~np.isin(prices.days, days))
    return Compared(prices, tuple(told))


def _asked_for(day: date, window: Sequence[date | datetime]) -> bool:
    return len(window) != 2 or day <= _day(window[1])


def _day(when: date | datetime) -> date:
    return when.date() if isinstance(when, datetime) else when


def _gone_split(prices: Prices, earlier: Prices) -> date | None:
    """Return the day of a split that the earlier answer lists and this one does not; None if there is none."""
    first: date = max(prices.days[0], earlier.days[0]).item()
    last: date = prices.days[-1].item()  # the earlier answer may be of a later day, with splits since
    listed = [split.day for split in prices.splits]
    return next(
        (
            split.day
            for split in earlier.splits
            if first < split.day <= last and all(abs(split.day - day).days > 5 for day in listed)
        ),
        None,
    )


def _other_volumes(prices: Prices, earlier: Prices, both: tuple[Any, Any], since: float) -> tuple[float, Any]:
    """Return the usual ratio of volumes to those before, and which bars have another one by far."""
    here, there = both
    with np.errstate(all="ignore"):
        ratio = prices.volume[here] / since / earlier.volume[there]
    known = np.isfinite(ratio) & (ratio > 0)
    if known.sum() < LEAST_BARS:
        return 1.0, np.zeros(len(here), dtype=np.bool_)
    return float(np.median(ratio[known])), known & ((ratio > OTHER_VOLUME) | (ratio < 1 / OTHER_VOLUME))


def _with_known_dividends(prices: Prices, earlier: Prices, since: float, told: list[str]) -> Prices:
    """Return the bars with dividends that are gone or have another amount as they were.

    Where adjusted closes do not agree with them, returns across them are withheld as of any bars (`price_dividends`).
    """
    first, last = max(prices.days[0], earlier.days[0]).item(), min(prices.days[-1], earlier.days[-1]).item()
    now = {paid.day: paid for paid in prices.dividends}
    odd = [
        paid.scaled(1 / since)
        for paid in earlier.dividends
        if first < paid.day <= last and not _is_paid(now.get(paid.day), paid.amount / since)
    ]
    if not odd:
        return prices
    days = named_days([paid.day for paid in odd])
    told.append(f"the dividend of {days} is gone or has another amount, and is taken as before")
    known = now | {paid.day: paid for paid in odd}
    return replace(prices, dividends=tuple(known[day] for day in sorted(known)))


def _is_paid(paid: Dividend | None, amount: float) -> bool:
    return paid is not None and math.isclose(paid.amount, amount, rel_tol=SAME_PRICE)


def _cut_at_the_front(prices: Prices, earlier: Prices, window: Sequence[date | datetime], told: list[str]) -> Prices:
    """Return the bars with what came before the first one withheld, where the earlier answer had it."""
    began = earlier.days[0].item()
    before = earlier.days[earlier.days < prices.days[0]]
    if not len(before) or (window and began < _day(window[0])):
        return prices
    first: date = prices.days[0].item()
    told.append(f"bars before {first} are missing, which went back to {began}")
    cause = f"bars before {first} are missing, which {earlier.vendor} gave before"
    gap = PriceBreak(
        before=before[-1].item(),
        day=first,
        close_before=float(earlier.close[len(before) - 1]),
        close=float(prices.close[0]),
        until=None,
        close_after=None,
        cause=cause,
        kind="missing-days",
    )
    return replace(prices, withheld=gap)


def named_days(days: Any) -> str:
    """Return the first days in words, and how many more there are."""
    named = ", ".join(str(day) for day in days[:3])
    return named if len(days) <= 3 else f"{named} and {len(days) - 3} more days"
