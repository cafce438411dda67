"""Economic releases from FRED's vintages: each figure as published on the day of a new period."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import pairwise

from tradingagents.dataflows.models import EconomicEvent
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.macro_series import ReleasedFigure
from tradingagents.dataflows.vendors.fred.parse import Vintage

Known = Mapping[date, float]
"""A series as published by one day: value by reference day."""


@dataclass(frozen=True, slots=True)
class FredFigure(ReleasedFigure[str]):
    """An economic figure: its series, and how to compute it."""

    read: Callable[[Known, date], float | None]
    """Computes a period's figure from the series; None if a required value is missing."""
    digits: int = 1
    """Decimals of the published value."""


def _level(known: Known, day: date) -> float | None:
    return known.get(day)


def _in_thousands(known: Known, day: date) -> float | None:
    value = known.get(day)
    return None if value is None else value / 1000.0


def _monthly_difference(known: Known, day: date) -> float | None:
    value, before = known.get(day), known.get((day - timedelta(days=1)).replace(day=1))
    return None if value is None or before is None else value - before


def _monthly_percent(known: Known, day: date) -> float | None:
    return _percent(known.get(day), known.get((day - timedelta(days=1)).replace(day=1)))


def _yearly_percent(known: Known, day: date) -> float | None:
    return _percent(known.get(day), known.get(date(day.year - 1, day.month, 1)))


def _percent(value: float | None, before: float | None) -> float | None:
    return None if value is None or before is None or before <= 0 else 100.0 * (value / before - 1.0)


FIGURES = (
    FredFigure("Nonfarm payrolls", "PAYEMS", "thousand", "month", _monthly_difference, digits=0),
    FredFigure("Unemployment rate", "UNRATE", "%", "month", _level),
    # The Bureau of Labor Statistics publishes yearly changes of the indices that aren't seasonally adjusted.
    FredFigure("CPI inflation", "CPIAUCNS", "% y/y", "month", _yearly_percent),
    FredFigure("Core CPI inflation", "CPILFENS", "% y/y", "month", _yearly_percent),
    FredFigure("PPI inflation", "PPIFID", "% y/y", "month", _yearly_percent),
    FredFigure("Core PCE inflation", "PCEPILFE", "% y/y", "month", _yearly_percent),
    FredFigure("Retail sales", "RSAFS", "% m/m", "month", _monthly_percent),
    FredFigure("Real GDP growth", "A191RL1Q225SBEA", "% q/q annualised", "quarter", _level),
    FredFigure("Initial jobless claims", "ICSA", "thousand", "week", _in_thousands, digits=0),
)
"""Figures with vintages, named as in a snapshot (`snapshot.macro`); FRED lost the right to the ISM's index in 2016."""
TARGET_NAME, TARGET_SERIES = "Fed funds target, upper bound", "DFEDTARU"
"""A decision, and never revised: its days are those on which the target changes."""


def releases(figure: FredFigure, rows: Sequence[Vintage]) -> Iterator[EconomicEvent]:
    """Yield a figure's releases by day, as first published; the previous value is that of the release itself.

    A release is a day on which a newer period first appears. The first day in `rows` is skipped: its values may be
    older. Known from the next session's open, since FRED gives days.
    """
    days = sorted({row.first for row in rows})
    newest = max((row.day for row in rows if row.first == days[0]), default=date.min)
    for day in days[1:]:
        known = {row.day: row.value for row in rows if row.first <= day <= row.last}
        if not known or max(known) <= newest:
            continue
        *_, before, newest = (None, *sorted(known))
        value = _rounded(figure, known, newest)
        if value is not None:
            yield EconomicEvent(
                name=figure.name,
                day=day,
                known_at=sessions().next_open(day),
                period=figure.period_name(newest),
                value=value,
                previous=None if before is None else _rounded(figure, known, before),
                unit=figure.unit,
            )


def scheduled(
    figure: FredFigure, days: Sequence[date], released: Sequence[EconomicEvent], known_at: datetime
) -> Iterator[EconomicEvent]:
    """Yield a figure's scheduled days as future releases, or as the actual release if it has happened.

    Args:
        known_at: When the schedule was known.
    """
    came = {event.day: event for event in released}
    for day in days:
        if event := came.get(day):
            yield replace(event, value=None, previous=None, known_at=known_at)
        else:
            yield EconomicEvent(name=figure.name, day=day, known_at=known_at, unit=figure.unit)


def decisions(rows: Sequence[Vintage]) -> Iterator[EconomicEvent]:
    """Yield the days from which a new target applied; announced the day before, so known by that session's close."""
    calendar = sessions()
    ordered = sorted(rows, key=lambda row: row.day)
    for before, row in pairwise(ordered):
        if row.value != before.value:
            session = calendar.after(row.day - timedelta(days=1))
            yield EconomicEvent(
                name=TARGET_NAME,
                day=session,
                known_at=calendar.close_of(session),
                value=row.value,
                previous=before.value,
                unit="%",
                day_assumed=True,
            )


def _rounded(figure: FredFigure, known: Known, day: date) -> float | None:
    exact = figure.read(known, day)
    return None if exact is None else round(exact, figure.digits) + 0.0  # never -0.0
