"""Economic releases of a snapshot: which series are releases, and when each value was known.

macro.parquet dates a value by its reference period, not by its publication, so the release day is assumed: `FIGURES`
states how long after its period a figure is published at the latest, by the calendars of its publisher since 2018.

The values are the revision of the day of recording, not the first print: payrolls in particular are revised for months,
and growth for years. A figure shows what was measured, not what the market knew on the day.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Protocol

import numpy as np

from tradingagents.dataflows.gateway.checks.row_checks import FIRST_YEAR, LARGEST
from tradingagents.dataflows.models import EconomicEvent
from tradingagents.dataflows.reference.calendar import NEVER, Sessions, sessions
from tradingagents.dataflows.reference.macro_series import Period, ReleasedFigure, is_final
from tradingagents.dataflows.vendors.snapshot.folder import reading
from tradingagents.files.parquet import days_of, numbers_of, pq, texts_of

Series = Mapping[date, float]
"""Value by reference date, oldest first."""


@dataclass(frozen=True, slots=True)
class DatedFigure(ReleasedFigure[tuple[str, ...]]):
    """An economic figure: its series (if more than one has a period, the first counts), format and release day."""

    lag: int
    """Days after the period's last day by which it is published."""
    read: Callable[[Series], Series]
    """Converts the recorded series to the figure."""
    digits: int = 1
    """Decimals of the published value."""
    federal: bool = True
    """Whether a federal government shutdown delays it."""


def _as_recorded(series: Series) -> Series:
    return series


def _in_thousands(series: Series) -> Series:
    return {day: value / 1000.0 for day, value in series.items()}


def _monthly_difference(series: Series) -> Series:
    return {day: value - before for day, before, value in _with_month_before(series)}


def _monthly_percent(series: Series) -> Series:
    return {day: 100.0 * (value / before - 1.0) for day, before, value in _with_month_before(series) if before > 0}


def _changes(series: Series) -> Series:
    """Keep the days on which the value changed, and the first one as the previous value of the next."""
    kept: dict[date, float] = {}
    last: float | None = None
    for day, value in series.items():
        if value != last:
            kept[day] = last = value
    return kept


def _with_month_before(series: Series) -> Iterator[tuple[date, float, float]]:
    """Pair a month's value with the month before; a month after a gap has no change."""
    for day, value in series.items():
        before = series.get((day - timedelta(days=1)).replace(day=1))
        if before is not None:
            yield day, before, value


_INFLATION = "us_inflation_releases."
FIGURES = (
    # Employment situation: a Friday, normally the third after the week of the 12th, so from the 1st to the 10th.
    DatedFigure(
        "Nonfarm payrolls", ("jobs_monthly.nonfarm_payrolls_k",), "thousand", "month", 10, _monthly_difference, digits=0
    ),
    # The older recording first: it is closer to the published value.
    DatedFigure("Unemployment rate", ("UNRATE", "jobs_monthly.unemployment_rate_pct"), "%", "month", 10, _as_recorded),
    # From the 10th to the 15th.
    DatedFigure("CPI inflation", (f"{_INFLATION}cpi_headline_yoy",), "% y/y", "month", 15, _as_recorded),
    DatedFigure("Core CPI inflation", (f"{_INFLATION}cpi_core_yoy",), "% y/y", "month", 15, _as_recorded),
    # From the 9th to the 16th; January's, with new weights, up to the 19th.
    DatedFigure("PPI inflation", (f"{_INFLATION}ppi_headline_yoy",), "% y/y", "month", 19, _as_recorded),
    # Personal income and outlays: from the 25th to the 1st of the month after.
    DatedFigure("Core PCE inflation", (f"{_INFLATION}core_pce_yoy",), "% y/y", "month", 32, _as_recorded),
    # The advance estimate: from the 13th to the 18th.
    DatedFigure("Retail sales", ("retail.retail_food_services",), "% m/m", "month", 18, _monthly_percent),
    # The advance estimate: from the 25th to the 30th after the quarter.
    DatedFigure(
        "Real GDP growth", ("us_growth_releases.real_gdp_qoq_saar",), "% q/q annualised", "quarter", 31, _as_recorded
    ),
    # The first business day, after New Year the 5th at the latest.
    DatedFigure("ISM manufacturing PMI", ("ism_pmi.ism_pmi",), "index", "month", 5, _as_recorded, federal=False),
    # The Thursday after the Saturday on which the week ends; before a holiday on Wednesday.
    DatedFigure(
        "Initial jobless claims",
        ("claims_weekly.initial_claims_weekly",),
        "thousand",
        "week",
        5,
        _in_thousands,
        digits=0,
    ),
    # Announced the afternoon before it applies, so known by then.
    DatedFigure(
        "Fed funds target, upper bound",
        ("inflation_monetary.fed_funds_target",),
        "%",
        "decision",
        0,
        _changes,
        digits=2,
        federal=False,
    ),
)
"""The releases among the recorded series, with each one's lag and the reason for it. Daily rates, spreads, breadth and
sentiment surveys aren't releases; monthly changes and indices of figures listed here as yearly changes are left out."""

CLOSURES = ((date(2018, 12, 22), date(2019, 1, 25)), (date(2025, 10, 1), date(2025, 11, 12)))
"""First and last day of government shutdowns long enough to delay releases."""
_CATCHING_UP = timedelta(days=120)
"""Days after a shutdown in which releases were still late: in 2019 until the end of April."""
_PUT_OFF = timedelta(days=60)
"""More than any release was late: growth of 2025-Q3 by 53 days, producer prices of October 2025 by 56."""


def load_macro(path: Path, exchange: str, read_at: datetime = NEVER) -> tuple[EconomicEvent, ...]:
    """Read the releases in macro.parquet, by day; () if the file doesn't exist or has none.

    Args:
        exchange: A release counts from the first session on or after its assumed day, and is known at its close.
        read_at: When the values were recorded; `NEVER` if unknown.

    Raises:
        VendorDown: The file is corrupt or lacks a column.
    """
    if not path.is_file():
        return ()
    with reading(path):
        recorded = read_series(path, [name for figure in FIGURES for name in figure.series])
        calendar = sessions(exchange)
        events = [event for figure in FIGURES for event in _events(figure, recorded, calendar, read_at)]
    return tuple(sorted(events, key=lambda event: (event.day, event.name, event.period or "")))


def read_series(path: Path, names: Iterable[str]) -> dict[str, Series]:
    """Return recorded series by name; of two values for one date the later row counts.

    Rows without a value and invalid rows (infinite, outside the calendars) are dropped: `data check` reports them.
    """
    wanted = frozenset(names)
    with pq.ParquetFile(path, read_dictionary=["series"]) as file:
        table = file.read(columns=["series", "date", "value"], use_threads=False).drop_null().unify_dictionaries()
    codes, known = texts_of(table["series"].combine_chunks())
    rows = np.flatnonzero(np.isin(codes, [code for code, name in enumerate(known) if name in wanted]))
    days = days_of(table["date"].combine_chunks())[rows].tolist()
    values = numbers_of(table["value"].combine_chunks(), "value")[rows].tolist()
    found: dict[str, dict[date, float]] = defaultdict(dict)
    for code, day, value in zip(codes[rows].tolist(), days, values, strict=True):
        if -LARGEST <= value <= LARGEST and FIRST_YEAR <= day.year < NEVER.year:  # NaN is no value
            found[known[code]][day] = float(value)
    return {name: dict(sorted(rows.items())) for name, rows in found.items()}


def _events(
    figure: DatedFigure, recorded: Mapping[str, Series], calendar: Sessions, read_at: datetime
) -> Iterator[EconomicEvent]:
    """Yield a figure's releases, oldest first; none is released before that of the preceding period.

    Releases outside the calendar are left out: no requestable day can know them.
    """
    merged = {day: value for name in reversed(figure.series) for day, value in recorded.get(name, {}).items()}
    values = figure.read(dict(sorted(merged.items())))
    previous: float | None = None
    out = date.min
    for number, (day, exact) in enumerate(values.items()):
        value = round(exact, figure.digits) + 0.0  # never -0.0
        out = max(out, release_day(figure, day))
        if out > calendar.days[-1]:
            return
        if figure.period != "decision" or number:
            session = calendar.after(out - timedelta(days=1))
            yield EconomicEvent(
                name=figure.name,
                day=session,
                known_at=calendar.close_of(session),
                period=figure.period_name(day),
                value=value,
                previous=previous,
                unit=figure.unit,
                day_assumed=True,
                read_at=None if is_final(figure.name) else read_at,
            )
        previous = value


class Lagging(Protocol):
    """Something published some time after its period."""

    @property
    def period(self) -> Period:
        """The period of a row."""

    @property
    def lag(self) -> int:
        """Days after the period's last day by which it is published."""

    @property
    def federal(self) -> bool:
        """Whether a federal government shutdown delays it."""


def release_day(figure: Lagging, reference: date) -> date:
    """Return the day by which the figure for a reference date's period is published."""
    day = _period_end(figure.period, reference) + timedelta(days=figure.lag)
    late = figure.federal and any(first <= day <= last + _CATCHING_UP for first, last in CLOSURES)
    return day + _PUT_OFF if late else day


def _period_end(period: Period, reference: date) -> date:
    """Return the last day of the period that a recorded date denotes."""
    months: Mapping[Period, int] = {"month": 1, "quarter": 3}
    if period not in months:
        return reference
    month = reference.month - 1 + months[period]
    return date(reference.year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
