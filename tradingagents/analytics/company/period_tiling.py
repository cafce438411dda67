"""Which periods tile twelve months: laid end to end they leave no gap and count no day twice.

Four quarters do, two half-years, a quarter and nine months; so does a fiscal year with what came after it, less the
same part of the year before: FY + YTD - YTD a year before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from tradingagents.dataflows.reference.fiscal_periods import LENGTHS, days_of

DAY = timedelta(days=1)
YEAR = timedelta(days=364)
TOLERANCE = 15
"""Days by which neighbouring periods may seem to overlap or leave a gap: first days that no source gives are estimated,
and a year may have 53 weeks. The shortest period is more than five times as long."""


class Span(NamedTuple):
    """First and last day of a period."""

    start: date
    end: date


@dataclass(frozen=True, slots=True)
class Tiling:
    """Periods that make twelve months, by their numbers in the list they were chosen from."""

    added: tuple[int, ...]
    """Newest first, without the year."""
    year: int | None = None
    """A fiscal year to be added, less `less`; None where `added` alone makes twelve months."""
    less: tuple[int, ...] = ()


def tiling_to(spans: Sequence[Span], end: date) -> Tiling | None:
    """Return the tiling of the twelve months to a day; None if there is none.

    The shortest periods are preferred, and those that need no subtraction.
    """
    first = end - YEAR + DAY
    plain = _filled(spans, first, end)
    if plain is not None:
        return Tiling(plain)
    for number, year in enumerate(spans):
        if not _is_year(year) or not year.start < first < year.end < end:
            continue
        after = _filled(spans, year.end + DAY, end)
        before = _filled(spans, year.start, first - DAY)
        if after and before:
            return Tiling(after, number, before)
    return None


def _is_year(span: Span) -> bool:
    low, high = LENGTHS["year"]
    return low <= days_of(*span) <= high


def _filled(spans: Sequence[Span], first: date, last: date) -> tuple[int, ...] | None:
    """Return the periods that fill the days from `first` to `last`, newest first; None where they cannot."""
    if abs((first - last).days - 1) <= TOLERANCE:
        return ()
    able = [
        number
        for number, span in enumerate(spans)
        if abs((span.end - last).days) <= TOLERANCE and (first - span.start).days <= TOLERANCE
    ]
    for number in sorted(able, key=lambda one: days_of(*spans[one])):
        rest = _filled(spans, first, spans[number].start - DAY)
        if rest is not None:
            return (number, *rest)
    return None
