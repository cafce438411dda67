"""Fiscal quarters: when each ends, when it is filed, and how far its earnings surprise."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from tradingagents.dataflows.vendors.simulated.companies import Company
from tradingagents.dataflows.vendors.simulated.streams import stream
from tradingagents.dataflows.vendors.simulated.timeline import Timeline
from tradingagents.dataflows.vendors.simulated.traits import Traits

_FIRST_QUARTER_END = date(2015, 2, 1)
_QUARTER_LAG = (29, 44)
"""Days from period end to filing, both ends included; a holiday pulls the filing up to four days forward."""
_ANNUAL_LAG = (50, 74)
_LATEST_CLOSE = time(20, 0, tzinfo=UTC)  # half-days close earlier, but nobody files before the usual close of summer


@dataclass(frozen=True, slots=True)
class Quarter:
    """One fiscal quarter that has been filed."""

    fiscal_year: int
    """Named for the calendar year it ends in."""
    number: int
    """1 to 4."""
    start: date
    end: date
    filed_at: datetime
    """UTC, within the hour after the close of a session."""
    surprise: float
    """Earnings against their trend, in standard deviations."""
    revenue_noise: float
    """Standard normal: what revenue does beside the surprise."""

    @property
    def label(self) -> str:
        """Q1 … Q4."""
        return f"Q{self.number}"


def quarters_of(company: Company, traits: Traits, seed: int, timeline: Timeline) -> tuple[Quarter, ...]:
    """Return the quarters filed within the calendar, oldest first, from the first whole fiscal year after January 2015.

    Empty for a company that files nothing.
    """
    if not company.files:
        return ()
    ends = _quarter_ends(company.year_end, timeline.days[-1])
    draws = stream(seed, company.symbol, "quarters")
    normals = draws.standard_normal((len(ends), 2)).tolist()
    chances = stream(seed, company.symbol, "filings").random((len(ends), 2)).tolist()
    quarters = []
    for index, end in enumerate(ends):
        number = index % 4 + 1
        filed_at = _filing(end, number, chances[index], timeline)
        if filed_at is None:
            break
        surprise = min(max(0.3 * traits.quality + normals[index][0], -2.8), 2.8)
        start = _month_end(end.year, end.month - 3) + timedelta(days=1)
        year = end.year if end.month <= company.year_end else end.year + 1
        quarters.append(Quarter(year, number, start, end, filed_at, surprise, normals[index][1]))
    return tuple(quarters)


def _quarter_ends(year_end: int, last: date) -> tuple[date, ...]:
    """Return the ends of fiscal quarters before `last`, beginning with a first quarter of a fiscal year."""
    first_month = (year_end + 2) % 12 + 1
    year = 2015
    while _month_end(year, first_month) < _FIRST_QUARTER_END:
        year += 1
    ends, months = [], 0
    while (end := _month_end(year, first_month + months)) <= last:
        ends.append(end)
        months += 3
    return tuple(ends)


def _filing(end: date, number: int, chances: list[float], timeline: Timeline) -> datetime | None:
    """Return the instant of filing; None where it lies beyond the calendar."""
    shortest, longest = _ANNUAL_LAG if number == 4 else _QUARTER_LAG
    day = end + timedelta(days=shortest + int(chances[0] * (longest - shortest + 1)))
    if day > timeline.days[-1]:
        return None
    session = timeline.calendar.on_or_before(day)
    close = max(timeline.calendar.close_of(session), datetime.combine(session, _LATEST_CLOSE))
    return close + timedelta(minutes=5 + int(chances[1] * 55))


def _month_end(year: int, month: int) -> date:
    """Return the last day of a month; `month` may lie outside 1 to 12 and then counts into other years."""
    years, index = divmod(month, 12)
    return date(year + years, index + 1, 1) - timedelta(days=1)
