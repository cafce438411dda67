"""Quarterly results in a window of days: published ones with their figures, later ones as announced or expected.

Expected days are derived from the past: results of a quarter usually follow those of the same quarter a year earlier
by 52 weeks, on the same weekday. They are shown only for companies whose future dates the source does not list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.market.scanned import ScannedCompany, named_ahead, seen_stock, short_name, table
from tradingagents.analytics.text import one_line
from tradingagents.dataflows.models import EarningsEvent
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.results import Result

Status = Literal["reported", "announced", "expected"]

YEAR = timedelta(weeks=52)
SAME_QUARTER = timedelta(days=45)
"""A result within half a quarter of an expected day is taken as the expected one."""
SHOWN = 60
"""Maximum number of results shown, those nearest to the day of the request."""
HEADER = "| Date | Symbol | Company | Quarter | EPS | EPS Estimate | Revenue | Status |"


class EarningsRow(BaseModel):
    """The result of one company's quarter."""

    model_config = ConfigDict(frozen=True)

    day: date
    """Day of publication; if expected, 52 weeks after the previous year's."""
    symbol: str
    name: str
    sector: str | None
    """Sector key; None if unknown."""
    status: Status
    """`reported`: the figures are known; `announced`: the source lists the day; `expected`: derived from last year."""
    period_end: date | None
    fiscal_period: str | None
    eps: float | None
    """Diluted, per share, in `currency`; None if not known at the cut-off."""
    eps_estimate: float | None
    revenue: float | None
    """In `currency`, unscaled."""
    currency: str

    def figures(self) -> tuple[Figure, ...]:
        """Return earnings, estimate and revenue, named by the symbol; None for expected rows."""
        return (
            Figure(f"{self.symbol}_eps", self.eps, self.currency),
            Figure(f"{self.symbol}_eps_estimate", self.eps_estimate, self.currency),
            Figure(f"{self.symbol}_revenue", self.revenue, self.currency),
        )


class EarningsCalendar(Result):
    """Results published or due in a window of days."""

    tabulated: ClassVar[bool] = True

    events: tuple[EarningsRow, ...]
    """By day, then symbol."""

    @property
    def title(self) -> str:
        """Heading."""
        return "Earnings calendar"

    def figures(self) -> tuple[Figure, ...]:
        """Return earnings, estimate and revenue of every row that has them; for each company, the newest."""
        known = {figure.name: figure for row in self.events for figure in row.figures() if figure.value is not None}
        return tuple(known.values())

    def body(self) -> str:
        """Return the rows as a table."""
        if not self.events:
            return f"No results known for {self.start} to {self.end}."
        return table(HEADER, (_cells(row) for row in self.events))

    def kept(self) -> dict[str, Any]:
        """Return the stocks seen."""
        companies = {row.symbol: ScannedCompany(name=row.name, sector=row.sector) for row in self.events}
        return {
            "seen": {symbol: seen_stock(company, "get_earnings_calendar", {}) for symbol, company in companies.items()}
        }


def earnings_calendar(
    events: Sequence[EarningsEvent],
    *,
    as_of: date,
    start: date,
    end: date,
    sectors: Mapping[str, str],
    fetched_at: datetime,
    source: str,
) -> EarningsCalendar:
    """Collect the results of [start, end] that are known or due.

    Args:
        events: Events known at the cut-off; those of the year before `start` are used to derive expected days.
        start: First day of the window.
        end: Last day of the window; may lie after `as_of`.
        sectors: Known sector keys by symbol.
        fetched_at: When the vendor delivered them.
    """
    known = [event for event in _of_each_day(events) if start <= event.day <= end]
    due = [event for event in _due(events, as_of) if start <= event.day <= end]
    rows = [_row(event, _status(event, as_of), sectors) for event in known]
    rows += [_row(event, "expected", sectors) for event in due]
    shown = sorted(rows, key=lambda row: (abs(row.day - as_of), row.symbol))[:SHOWN]
    return EarningsCalendar(
        as_of=as_of,
        source=source,
        known_at=max((event.known_at for event in (*known, *due)), default=None),
        fetched_at=fetched_at,
        start=start,
        end=end,
        rows=len(shown),
        notes=_notes(shown, len(rows)),
        events=tuple(sorted(shown, key=lambda row: (row.day, row.symbol))),
    )


def _of_each_day(events: Iterable[EarningsEvent]) -> tuple[EarningsEvent, ...]:
    """Return one event for each company and day; a reported one replaces an announced one."""
    found: dict[tuple[str, date], EarningsEvent] = {}
    for event in sorted(events, key=lambda event: (_is_reported(event), event.known_at)):
        found[event.symbol, event.day] = event
    return tuple(found.values())


def _is_reported(event: EarningsEvent) -> bool:
    return event.eps is not None or event.revenue is not None


def _status(event: EarningsEvent, as_of: date) -> Status:
    return "reported" if event.day <= as_of and _is_reported(event) else "announced"


def _due(known: Sequence[EarningsEvent], as_of: date) -> list[EarningsEvent]:
    """Return the results expected after the day from last year's, for quarters of which nothing is known yet."""
    companies: dict[str, list[EarningsEvent]] = {}
    for event in known:
        companies.setdefault(event.symbol, []).append(event)
    return [
        _a_year_on(event)
        for events in companies.values()
        if not any(named_ahead(event.day, event.known_at) for event in events)
        for event in events
        if event.day <= as_of < event.day + YEAR
        and all(abs(event.day + YEAR - other.day) > SAME_QUARTER for other in events)
    ]


def _a_year_on(event: EarningsEvent) -> EarningsEvent:
    """Return the event of the same quarter a year later, with its day and quarter and without figures."""
    return EarningsEvent(
        symbol=event.symbol,
        name=event.name,
        day=event.day + YEAR,
        known_at=event.known_at,
        fiscal_period=event.fiscal_period,
        currency=event.currency,
    )


def _row(event: EarningsEvent, status: Status, sectors: Mapping[str, str]) -> EarningsRow:
    reported = status == "reported"
    return EarningsRow(
        day=event.day,
        symbol=one_line(event.symbol),
        name=short_name(event.name),
        sector=sectors.get(event.symbol),
        status=status,
        period_end=event.period_end,
        fiscal_period=event.fiscal_period,
        eps=event.eps if reported else None,
        eps_estimate=event.eps_estimate,
        revenue=event.revenue if reported else None,
        currency=event.currency,
    )


def _notes(shown: Sequence[EarningsRow], found: int) -> tuple[str, ...]:
    notes = []
    if any(row.status == "expected" for row in shown):
        notes.append("Expected days are those of the same quarter a year before plus 52 weeks; none was announced.")
    if len(shown) < found:
        notes.append(f"The {len(shown)} nearest to the day of the question, of {found}, are shown.")
    return tuple(notes)


def _cells(row: EarningsRow) -> tuple[str, ...]:
    quarter = " to ".join(part for part in (row.fiscal_period, row.period_end and row.period_end.isoformat()) if part)
    numbers = (figure.text for figure in row.figures())
    return (row.day.isoformat(), row.symbol, row.name, one_line(quarter) or MISSING, *numbers, row.status)
