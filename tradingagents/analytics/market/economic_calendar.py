"""Economic releases in a window of days: published ones with their figures, later ones as scheduled or expected.

Expected days are derived from an indicator's last release and the usual gap between releases. They are shown only for
indicators whose releases the source does not schedule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from statistics import median
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.market.earnings_calendar import EarningsCalendar
from tradingagents.analytics.market.scanned import NAME_LENGTH, figure_name, named_ahead, table
from tradingagents.analytics.text import cut, one_line
from tradingagents.dataflows.models import EconomicEvent
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.results import Result

Status = Literal["released", "scheduled", "expected"]

FEWEST = 3
"""Minimum number of known releases to derive the usual gap."""
SHOWN = 60
"""Maximum number of releases shown, those nearest to the day of the request."""
NOT_RECORDED = "not recorded"
"""Shown when only a later revision of the value is available."""
HEADER = "| Date | Release | Region | Period | Actual | Previous | Estimate | Status |"


class EconomicRow(BaseModel):
    """One release of an economic indicator."""

    model_config = ConfigDict(frozen=True)

    day: date
    """Day of release; an assumption if `day_assumed`."""
    name: str
    region: str
    status: Status
    """`released`: the value is known; `scheduled`: the source lists the day; `expected`: derived from past releases."""
    period: str | None
    """The period measured, such as 2025-02; None if expected."""
    value: float | None
    """In `unit`; None if not known at the cut-off."""
    previous: float | None
    estimate: float | None
    unit: str
    day_assumed: bool
    """True if the source has no release day and a conservative one is assumed."""
    withheld: bool = False
    """True if a value was released, but the source has only a later revision of it."""

    def figures(self) -> tuple[Figure, ...]:
        """Return actual, previous and estimate, named by region and release."""
        name = figure_name(f"{self.region} {self.name}")
        return (
            Figure(name, self.value, self.unit),
            Figure(f"{name}_previous", self.previous, self.unit),
            Figure(f"{name}_estimate", self.estimate, self.unit),
        )


class EconomicCalendar(Result):
    """Economic indicators released or due in a window of days."""

    tabulated: ClassVar[bool] = True

    events: tuple[EconomicRow, ...]
    """By day, then name."""

    @property
    def title(self) -> str:
        """Heading."""
        return "Economic calendar"

    def figures(self) -> tuple[Figure, ...]:
        """Return the known figures of every release; for an indicator released more than once, the newest."""
        known = {figure.name: figure for row in self.events for figure in row.figures() if figure.value is not None}
        return tuple(known.values())

    def body(self) -> str:
        """Return the rows as a table."""
        if not self.events:
            return f"No release known for {self.start} to {self.end}."
        return table(HEADER, (_cells(row) for row in self.events))


def economic_calendar(
    events: Sequence[EconomicEvent],
    *,
    as_of: date,
    start: date,
    end: date,
    fetched_at: datetime,
    source: str,
) -> EconomicCalendar:
    """Collect the economic releases of [start, end] that are known or due.

    Args:
        events: Events known at the cut-off; those of the year before `start` are used to derive expected days.
        start: First day of the window.
        end: Last day of the window; may lie after `as_of`.
        fetched_at: When the vendor delivered them.
    """
    rows: list[EconomicRow] = []
    known_at: list[datetime] = []
    for every in _by_figure(events):
        releases = _of_each_day(every)
        for event in (*releases, *_due(every, as_of)):
            if start <= event.day <= end:
                rows.append(_row(event, releases, as_of))
                known_at.append(event.known_at)
    shown = sorted(rows, key=lambda row: (abs(row.day - as_of), row.name, row.region))[:SHOWN]
    return EconomicCalendar(
        as_of=as_of,
        source=source,
        known_at=max(known_at, default=None),
        fetched_at=fetched_at,
        start=start,
        end=end,
        rows=len(shown),
        notes=_notes(shown, len(rows)),
        events=tuple(sorted(shown, key=lambda row: (row.day, row.name, row.region))),
    )


def _by_figure(events: Iterable[EconomicEvent]) -> list[list[EconomicEvent]]:
    """Group the events by indicator."""
    figures: dict[tuple[str, str], list[EconomicEvent]] = {}
    for event in events:
        figures.setdefault((event.region, event.name), []).append(event)
    return list(figures.values())


def _of_each_day(events: Iterable[EconomicEvent]) -> list[EconomicEvent]:
    """Return an indicator's releases by day; for one scheduled and released, the one with a value known last."""
    found: dict[tuple[date, str | None], EconomicEvent] = {}
    for event in sorted(events, key=lambda event: (event.value is not None or event.withheld, event.known_at)):
        found[event.day, event.period] = event
    return sorted(found.values(), key=lambda release: (release.day, release.period or ""))


def _is_released(event: EconomicEvent, as_of: date) -> bool:
    return event.day <= as_of and (event.value is not None or event.withheld)


def _due(events: Sequence[EconomicEvent], as_of: date) -> list[EconomicEvent]:
    """Return the next expected release; [] if days are listed ahead or too few releases are known."""
    released = _of_each_day(event for event in events if _is_released(event, as_of))
    days = sorted({event.day for event in released})
    if len(days) < FEWEST or any(named_ahead(event.day, event.known_at) for event in events):
        return []
    gap = median((later - earlier).days for earlier, later in pairwise(days))
    day, last = _working_day(days[-1] + timedelta(days=round(gap))), released[-1]
    return (
        [replace(last, day=day, period=None, value=None, previous=last.value, estimate=None, withheld=False)]
        if day > as_of
        else []
    )


def _working_day(day: date) -> date:
    """Return the day, or the following Monday if it falls on a weekend."""
    return day + timedelta(days=7 - day.weekday()) if day.weekday() > 4 else day


def _row(event: EconomicEvent, releases: Sequence[EconomicEvent], as_of: date) -> EconomicRow:
    released = _is_released(event, as_of)
    return EconomicRow(
        day=event.day,
        name=cut(one_line(event.name), NAME_LENGTH) or MISSING,
        region=one_line(event.region),
        status="released" if released else "scheduled" if event in releases else "expected",
        period=one_line(event.period or "") or None,
        value=event.value if released else None,
        previous=event.previous if event.previous is not None else _before(event, releases, as_of),
        estimate=event.estimate,
        unit=one_line(event.unit),
        day_assumed=event.day_assumed,
        withheld=released and event.withheld,
    )


def _before(event: EconomicEvent, releases: Sequence[EconomicEvent], as_of: date) -> float | None:
    """Return the value released last before an event; None if none is known."""
    earlier = [release.value for release in releases if release.day < event.day and _is_released(release, as_of)]
    return earlier[-1] if earlier else None


def _notes(shown: Sequence[EconomicRow], found: int) -> tuple[str, ...]:
    notes = []
    if any(row.status == "expected" for row in shown):
        notes.append("Expected days are the last release plus the usual gap between releases; none was scheduled.")
    if any(row.day_assumed for row in shown):
        notes.append("Days marked assumed are cautious guesses: the source knows the period, not the day of release.")
    if any(row.withheld for row in shown):
        notes.append(
            f"An actual value that is {NOT_RECORDED} was published, but the source holds a later revision of it alone, "
            f"which nobody knew then. It is withheld, and so is the previous value."
        )
    if len(shown) < found:
        notes.append(f"The {len(shown)} nearest to the day of the question, of {found}, are shown.")
    return tuple(notes)


def _cells(row: EconomicRow) -> tuple[str, ...]:
    day = f"{row.day} (assumed)" if row.day_assumed else f"{row.day}"
    actual, *others = (figure.text for figure in row.figures())
    actual = NOT_RECORDED if row.withheld else actual
    return (day, row.name, row.region, row.period or MISSING, actual, *others, row.status)


class CalendarEvents(Result):
    """Both calendars over one window."""

    tabulated: ClassVar[bool] = True

    earnings: EarningsCalendar
    economic: EconomicCalendar

    @property
    def title(self) -> str:
        """Heading."""
        return "Calendar of events"

    def figures(self) -> tuple[Figure, ...]:
        """Return the figures of both calendars, after their numbers of events."""
        return (
            Figure("calendar_results", len(self.earnings.events)),
            Figure("calendar_releases", len(self.economic.events)),
            *self.earnings.figures(),
            *self.economic.figures(),
        )

    def body(self) -> str:
        """Return both tables."""
        counts = f"{len(self.earnings.events)} results, {len(self.economic.events)} economic releases."
        return f"{counts}\n\n### Results\n\n{self.earnings.body()}\n\n### Economic releases\n\n{self.economic.body()}"


def calendar_events(
    earnings: EarningsCalendar, economic: EconomicCalendar, *, as_of: date, fetched_at: datetime
) -> CalendarEvents:
    """Put both calendars of one window together."""
    known = [calendar.known_at for calendar in (earnings, economic) if calendar.known_at is not None]
    return CalendarEvents(
        as_of=as_of,
        source="+".join(dict.fromkeys((earnings.source, economic.source))),
        known_at=max(known, default=None),
        fetched_at=fetched_at,
        start=earnings.start,
        end=earnings.end,
        rows=earnings.rows + economic.rows,
        notes=tuple(dict.fromkeys((*earnings.notes, *economic.notes))),
        earnings=earnings,
        economic=economic,
    )
