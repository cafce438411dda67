"""Economic series as published by a day: latest value, changes, and the values of a window.

Rates and spreads change in percentage points, levels in their unit and in percent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.market.scanned import NAME_LENGTH, figure_name, table
from tradingagents.analytics.text import cut, one_line
from tradingagents.dataflows.models import MacroObservation, MacroSeries
from tradingagents.dataflows.reference.macro_series import is_final
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.results import Result

MOST_ROWS = 24
"""Maximum number of listed values; a longer series is thinned evenly and keeps its first and last value."""
YEAR = timedelta(days=365)
NEAR = timedelta(days=10)
"""Maximum distance of the value a year ago from its exact date: a week and a holiday."""
POINTS = "points"
_OVERDUE = {"daily": 14, "weekly": 30, "monthly": 130, "quarterly": 320, "annual": 1100}
"""Days after a value's date by which the next one should have been published, by frequency."""
_MILLIONS, _BILLIONS = "Millions of ", "Billions of "


class MacroValue(BaseModel):
    """One value of a series."""

    model_config = ConfigDict(frozen=True)

    day: date
    """First day of the period it measures, or the day itself."""
    value: float


class MacroIndicator(BaseModel):
    """One series up to its latest known value."""

    model_config = ConfigDict(frozen=True)

    series: str
    """The source's id."""
    name: str
    unit: str
    """As given by the source; `%` for rates and for changes in percent."""
    frequency: str
    """daily, weekly, monthly, quarterly or annual; empty if the source does not say."""
    latest: MacroValue
    change: float | None
    """Change from the previous value, in `change_unit`; None for the first value."""
    change_pct: float | None
    """Change from the previous value in percent; None for rates, and if a value is not above zero."""
    year_change: float | None
    """Change from a year ago, in `change_unit`; None if that value is not known."""
    year_change_pct: float | None
    change_unit: str
    """`points` for rates, else `unit`."""
    low: MacroValue
    """Lowest value of the window; `high` is the highest."""
    high: MacroValue
    window_change: float
    """Change from the first to the last value of the window, in `change_unit`."""
    window_change_pct: float | None
    values: tuple[MacroValue, ...]
    """Values of the window, oldest first; at most 24."""
    count: int
    """Number of values in the window, including those not listed."""
    vintages: bool
    """Whether the source records which values were published when."""

    def figures(self) -> tuple[Figure, ...]:
        """Return the newest value, the changes and the range, named after the series."""
        name = figure_name(self.series)
        return (
            Figure(name, self.latest.value, self.unit),
            Figure(f"{name}_change", self.change, self.change_unit),
            *_percent(f"{name}_change_pct", self.change_pct),
            Figure(f"{name}_change_1y", self.year_change, self.change_unit),
            *_percent(f"{name}_change_1y_pct", self.year_change_pct),
            Figure(f"{name}_low", self.low.value, self.unit),
            Figure(f"{name}_high", self.high.value, self.unit),
            Figure(f"{name}_change_window", self.window_change, self.change_unit),
            *_percent(f"{name}_change_window_pct", self.window_change_pct),
        )

    def shown(self) -> str:
        """Return the name of the series and its values as a table."""
        about = ", ".join(part for part in (self.unit, self.frequency) if part)
        heading = f"### {self.series}: {self.name}" + (f" ({about})" if about else "")
        latest, low, high = (self._when(observation.day) for observation in (self.latest, self.low, self.high))
        first = self._when(self.values[0].day)
        head = f"Latest of {latest}; window from {first}: lowest {low}, highest {high}."
        if self.count > len(self.values):
            head += f" {len(self.values)} of {self.count} values."
        rows = ((self._when(observation.day), Figure("", observation.value).text) for observation in self.values)
        return "\n\n".join((heading, head, table("| Date | Value |", rows)))

    def _when(self, day: date) -> str:
        written = {"monthly": f"{day:%Y-%m}", "quarterly": f"{day.year}-Q{(day.month + 2) // 3}", "annual": f"{day:%Y}"}
        return written.get(self.frequency, day.isoformat())


class MacroIndicators(Result):
    """Economic series as published by a day."""

    series: tuple[MacroIndicator, ...]
    """In the order requested."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Economic series: {', '.join(indicator.series for indicator in self.series)}"

    @property
    def subject(self) -> str:
        """The series' ids."""
        return ", ".join(indicator.series for indicator in self.series)

    def figures(self) -> tuple[Figure, ...]:
        """Return the figures of every series."""
        return tuple(figure for indicator in self.series for figure in indicator.figures())

    def body(self) -> str:
        """Return every series with its table."""
        return "\n\n".join(indicator.shown() for indicator in self.series)


def macro_indicators(
    found: Sequence[MacroSeries],
    *,
    as_of: date,
    look_back_days: int,
    fetched_at: datetime,
    source: str,
    missing: Mapping[str, str] | None = None,
) -> MacroIndicators:
    """Compute changes and ranges of series.

    Args:
        found: At least one series, none empty; one value for each date, oldest first, as known at the cut-off.
        look_back_days: Calendar days of values shown; the latest value is always shown.
        fetched_at: When the vendor delivered them.
        missing: Unavailable series, each with the reason in a sentence.
    """
    series = tuple({one.series: _indicator(one, as_of - timedelta(days=look_back_days)) for one in found}.values())
    return MacroIndicators(
        as_of=as_of,
        source=source,
        known_at=max(row.known_at for one in found for row in one.observations),
        fetched_at=fetched_at,
        start=min(indicator.values[0].day for indicator in series),
        end=max(indicator.latest.day for indicator in series),
        rows=sum(indicator.count for indicator in series),
        notes=_notes(series, as_of, source, missing or {}),
        series=series,
    )


def _indicator(found: MacroSeries, since: date) -> MacroIndicator:
    unit, values = _spoken(found)
    latest = values[-1]
    before = values[-2] if len(values) > 1 else None
    a_year_ago = _near(values, latest.day - YEAR)
    window = [observation for observation in values if observation.day >= since] or [latest]
    rate = unit.startswith("%") or "percent" in unit.lower()
    return MacroIndicator(
        series=one_line(found.series),
        name=cut(one_line(found.name), 2 * NAME_LENGTH) or MISSING,
        unit=unit,
        frequency=found.frequency,
        latest=latest,
        change=_difference(latest, before),
        change_pct=None if rate else _ratio(latest, before),
        year_change=_difference(latest, a_year_ago),
        year_change_pct=None if rate else _ratio(latest, a_year_ago),
        change_unit=POINTS if rate else unit,
        low=min(window, key=lambda observation: observation.value),
        high=max(window, key=lambda observation: observation.value),
        window_change=latest.value - window[0].value,
        window_change_pct=None if rate else _ratio(latest, window[0]),
        values=_thinned(window),
        count=len(window),
        vintages=found.vintages,
    )


def _spoken(found: MacroSeries) -> tuple[str, tuple[MacroValue, ...]]:
    """Return unit and values; values of many millions are converted to billions."""
    unit, factor = one_line(found.unit), 1.0
    if unit.startswith(_MILLIONS) and max(abs(row.value) for row in found.observations) >= 1e6:
        unit, factor = _BILLIONS + unit.removeprefix(_MILLIONS), 1e-3
    return unit, tuple(_value(row, factor) for row in found.observations)


def _value(row: MacroObservation, factor: float) -> MacroValue:
    return MacroValue(day=row.day, value=row.value * factor)


def _near(values: Sequence[MacroValue], day: date) -> MacroValue | None:
    """Return the last value on or before a day, at most `NEAR` older."""
    found = (observation for observation in values if day - NEAR <= observation.day <= day)
    return max(found, key=lambda one: one.day, default=None)


def _difference(value: MacroValue, before: MacroValue | None) -> float | None:
    return None if before is None else value.value - before.value


def _ratio(value: MacroValue, before: MacroValue | None) -> float | None:
    if before is None or before.value <= 0 or value.value <= 0:
        return None
    return 100.0 * (value.value / before.value - 1.0)


def _thinned(values: Sequence[MacroValue]) -> tuple[MacroValue, ...]:
    if len(values) <= MOST_ROWS:
        return tuple(values)
    step = (len(values) - 1) / (MOST_ROWS - 1)
    return tuple(values[round(number * step)] for number in range(MOST_ROWS))


def _percent(name: str, value: float | None) -> tuple[Figure, ...]:
    return () if value is None else (Figure(name, value, "%"),)


def _notes(series: Sequence[MacroIndicator], as_of: date, source: str, missing: Mapping[str, str]) -> tuple[str, ...]:
    notes = [f"{one_line(name)} is not shown: {one_line(reason)}" for name, reason in missing.items()]
    kept = ", ".join(indicator.series for indicator in series if indicator.vintages)
    final = ", ".join(
        indicator.series
        for indicator in series
        if not indicator.vintages and is_final(indicator.series, indicator.frequency)
    )
    today = ", ".join(
        indicator.series
        for indicator in series
        if not indicator.vintages and not is_final(indicator.series, indicator.frequency)
    )
    if kept:
        notes.append(f"{kept}: as published by {as_of}; since revised figures are not shown.")
    if final:
        notes.append(
            f"{final}: {source} keeps no vintages; its values are not revised. Each is shown from an assumed day of "
            f"publication on."
        )
    if today:
        notes.append(
            f"{today}: {source} keeps no vintages; shown is its latest revision, each value from an assumed day of "
            f"publication on."
        )
    notes += [
        f"{indicator.series} ends with {indicator.latest.day}: newer values are overdue, "
        "the series may have been given up."
        for indicator in series
        if as_of - indicator.latest.day > timedelta(days=_OVERDUE.get(indicator.frequency, _OVERDUE["annual"]))
    ]
    return tuple(notes)
