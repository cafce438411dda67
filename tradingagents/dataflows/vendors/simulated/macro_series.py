"""Economic series of the simulated market: its published figures, its Treasury yields and its volatility index.

Figures are known when the calendar publishes them, market rates at the session's close; nothing is ever revised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Literal, NamedTuple

import numpy as np

from tradingagents.dataflows.models import EconomicEvent, Floats, MacroObservation, MacroSeries
from tradingagents.dataflows.vendors.simulated.funds import VOLATILITY
from tradingagents.dataflows.vendors.simulated.timeline import instant
from tradingagents.dataflows.vendors.simulated.world import World


class _Published(NamedTuple):
    """A figure of the calendar as a series."""

    series: str
    """Its own id where FRED's series of that name is something else: a level, of which this is the change."""
    figure: str
    """Its name in the calendar."""
    title: str
    unit: str
    frequency: Literal["monthly", "quarterly", ""] = "monthly"
    """Empty for decisions, which are dated by their own day."""


class _Traded(NamedTuple):
    """A rate of the market, one value a session."""

    title: str
    unit: str
    values: Callable[[World], Floats]


_PUBLISHED: Mapping[str, _Published] = {
    "CPIAUCSL": _Published("CPI_YOY", "Consumer price inflation", "Consumer prices against a year before", "%"),
    "UNRATE": _Published("UNRATE", "Unemployment rate", "Unemployment rate", "%"),
    "PAYEMS": _Published("PAYROLLS", "Nonfarm payrolls", "Nonfarm payrolls, change over the month", "thousand"),
    "A191RL1Q225SBEA": _Published("A191RL1Q225SBEA", "Economic growth", "Real growth, annualised", "%", "quarterly"),
    "DFEDTARU": _Published("DFEDTARU", "Interest rate decision", "Policy rate after each decision", "%", ""),
}
_TRADED: Mapping[str, _Traded] = {
    # The simulated yield curve is flat up to two years.
    "DGS3MO": _Traded("Treasury yield, 3 months", "%", lambda world: 100.0 * world.market.short_rate),
    "DGS2": _Traded("Treasury yield, 2 years", "%", lambda world: 100.0 * world.market.short_rate),
    "DGS10": _Traded("Treasury yield, 10 years", "%", lambda world: 100.0 * world.market.long_rate),
    "T10Y2Y": _Traded(
        "Treasury yields, 10 years less 2 years",
        "%",
        lambda world: 100.0 * (world.market.long_rate - world.market.short_rate),
    ),
    "VIXCLS": _Traded("Volatility index", "index", lambda world: world.series[VOLATILITY].close),
}
MACRO_SERIES = (*_PUBLISHED, *_TRADED)
"""The ids that are answered."""


def macro_series(
    world: World, events: Iterable[EconomicEvent], series: str, start: date, end: date
) -> MacroSeries | None:
    """Return the values of a series for [start, end], by day; None where it is none of `MACRO_SERIES`.

    Args:
        world: The market.
        events: Every release of its calendar.
        series: FRED's id of what it stands for.
        start: First day that values are about.
        end: Last day that values are about.
    """
    if published := _PUBLISHED.get(series):
        return _of_releases(published, events, start, end)
    if traded := _TRADED.get(series):
        return _of_sessions(series, traded, world, start, end)
    return None


def _of_releases(about: _Published, events: Iterable[EconomicEvent], start: date, end: date) -> MacroSeries:
    rows = (
        MacroObservation(_day(event, about.frequency), event.value, event.known_at)
        for event in events
        if event.name == about.figure and event.value is not None
    )
    within = tuple(row for row in rows if start <= row.day <= end)
    return MacroSeries(about.series, about.title, within, about.unit, about.frequency)


def _of_sessions(series: str, about: _Traded, world: World, start: date, end: date) -> MacroSeries:
    timeline = world.timeline
    first, last = timeline.position(start), int(np.searchsorted(timeline.dates, np.datetime64(end, "D"), side="right"))
    values = np.round(about.values(world)[first:last], 2).tolist()
    closes = (instant(int(close)) for close in timeline.closes[first:last])
    rows = map(MacroObservation, timeline.days[first:last], values, closes)
    return MacroSeries(series, about.title, tuple(rows), about.unit, "daily")


def _day(event: EconomicEvent, frequency: str) -> date:
    """Return the first day of the period that a release is about, or the day of a decision."""
    if not frequency or event.period is None:
        return event.day
    year, _, part = event.period.partition("-")
    return date(int(year), 3 * int(part[1:]) - 2 if frequency == "quarterly" else int(part), 1)
