"""The economy, the economic calendar and the economic series of the simulated market.

The market comes first: business follows its moods within months, inflation follows the ten-year yield, the policy rate
the two-year yield. Nothing looks ahead, and the market knows nothing of the economy: prices and news are what they
would be without it. All noise comes from a stream of its own.

Monthly figures come in the month after their own, growth in the month after its quarter; the central bank decides on
its rate eight times a year. A day without trading puts a release off to the next session. The schedule of a year is
public from the first day of the year before. Figures are known when the calendar publishes them, market rates at the
session's close; nothing is ever revised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from tradingagents.dataflows.models import EconomicEvent, Floats, MacroObservation, MacroSeries
from tradingagents.dataflows.vendors.simulated.market import Market, Timeline, decaying_sum, instant, stream
from tradingagents.dataflows.vendors.simulated.world import VOLATILITY, World

_ACTIVITY = np.array([0.7, -0.4, -1.8])
"""Where business is heading in each regime, in standard deviations: on average over the regimes, nowhere."""
_ACTIVITY_KEEP = 0.80  # a month: business follows the mood with a half-life of three
_ACTIVITY_NOISE = 0.10
_SURVEY, _SURVEY_PER_ACTIVITY, _SURVEY_NOISE = 51.0, 3.0, 0.8  # points; 50 is neither growth nor decline
_PAYROLLS, _PAYROLLS_PER_ACTIVITY, _PAYROLLS_NOISE = 150.0, 110.0, 45.0  # thousands a month
_UNEMPLOYMENT, _UNEMPLOYMENT_KEEP = 4.2, 0.92  # percent; a month
_LABOUR_FORCE = 120_000.0  # thousands: a percent of it less on payrolls is a point more of unemployment
_INFLATION, _INFLATION_PER_YIELD, _USUAL_YIELD = 2.4, 0.8, 3.0  # percent a year
_INFLATION_NOISE, _INFLATION_KEEP = 0.12, 0.90
_GROWTH, _GROWTH_PER_ACTIVITY, _GROWTH_NOISE = 2.1, 1.6, 0.5  # percent, annualised
_STEP, _LARGE_STEP = 0.25, 0.50  # percentage points
_TOLERATED, _LARGE_GAP = 0.30, 0.80  # gaps between the two-year yield and the policy rate, percentage points
_WEEK = 5  # sessions


class Reading(NamedTuple):
    """One period's figure as published."""

    value: float
    estimate: float
    """What was expected: the figure without the period's own noise."""


@dataclass(frozen=True, slots=True)
class Economy:
    """The published figures of every month that is over, oldest first."""

    months: tuple[date, ...]
    """First day of each month."""
    survey: tuple[Reading, ...]
    """Purchasing managers, points around 50."""
    payrolls: tuple[Reading, ...]
    """Change over the month, thousands."""
    unemployment: tuple[Reading, ...]
    """Percent."""
    inflation: tuple[Reading, ...]
    """Consumer prices against a year before, percent."""
    growth: tuple[Reading, ...]
    """A value a quarter, percent, annualised. The first quarter is the first three of `months`."""


def simulate_economy(seed: int, market: Market, timeline: Timeline) -> Economy:
    """Work out the figures of every month before the calendar's last; a longer calendar only adds months."""
    months, mood, yields = _by_month(market, timeline)
    noise = stream(seed, "economy").standard_normal((len(months), 5))
    activity = decaying_sum((1.0 - _ACTIVITY_KEEP) * mood + _ACTIVITY_NOISE * noise[:, 0], _ACTIVITY_KEEP)
    miscounted = _PAYROLLS_NOISE * noise[:, 2]
    hired = _PAYROLLS_PER_ACTIVITY * activity + miscounted
    lingering = decaying_sum(_INFLATION_NOISE * noise[:, 3], _INFLATION_KEEP)
    quarters = len(months) // 3
    usual_growth = _GROWTH + _GROWTH_PER_ACTIVITY * activity[: 3 * quarters].reshape(quarters, 3).mean(axis=1)
    return Economy(
        months=months,
        survey=_readings(_SURVEY + _SURVEY_PER_ACTIVITY * activity, _SURVEY_NOISE * noise[:, 1], 1),
        payrolls=_readings(_PAYROLLS + hired - miscounted, miscounted, 0),
        unemployment=_unemployment(hired, miscounted),
        inflation=_readings(
            _INFLATION + _INFLATION_PER_YIELD * (yields - _USUAL_YIELD) + lingering - _INFLATION_NOISE * noise[:, 3],
            _INFLATION_NOISE * noise[:, 3],
            1,
        ),
        growth=_readings(usual_growth, _GROWTH_NOISE * noise[2 : 3 * quarters : 3, 4], 1),
    )


def policy_rates(market: Market, positions: Sequence[int]) -> tuple[float, tuple[Reading, ...]]:
    """Return the policy rate on the first session, and after the decision of each of these sessions, percent.

    The rate goes where the two-year yield of the evening before points, step by step; the estimate is where that of a
    week earlier did.
    """
    two_year = 100.0 * market.short_rate
    rate = start = _STEP * round(float(two_year[0]) / _STEP)
    decided = []
    for position in positions:
        eve = max(position - 1, 0)
        estimate = rate + _step(float(two_year[max(eve - _WEEK, 0)]) - rate)
        rate += _step(float(two_year[eve]) - rate)
        decided.append(Reading(rate, estimate))
    return start, tuple(decided)


def _step(gap: float) -> float:
    """Return by how much the policy rate changes for its gap to the two-year yield, percentage points."""
    if abs(gap) <= _TOLERATED:
        return 0.0
    step = _LARGE_STEP if abs(gap) > _LARGE_GAP else _STEP
    return step if gap > 0.0 else -step


def _by_month(market: Market, timeline: Timeline) -> tuple[tuple[date, ...], Floats, Floats]:
    """Return the months before the last one, the mood business heads for in each, and its mean ten-year yield."""
    starts = [0, *timeline.first_sessions_of_months()]
    sessions = np.diff(starts)
    mood = np.add.reduceat(_ACTIVITY[market.regime], starts)[:-1] / sessions
    yields = 100.0 * np.add.reduceat(market.long_rate, starts)[:-1] / sessions
    return tuple(timeline.days[start].replace(day=1) for start in starts[:-1]), mood, yields


def _unemployment(hired: Floats, miscounted: Floats) -> tuple[Reading, ...]:
    """Return the rate that payrolls above or below their usual change leave behind; it drifts back over a year."""
    change, miscount = (-100.0 * jobs / _LABOUR_FORCE for jobs in (hired, miscounted))
    return _readings(_UNEMPLOYMENT + decaying_sum(change, _UNEMPLOYMENT_KEEP) - miscount, miscount, 1)


def _readings(expected: Floats, noise: Floats, decimals: int) -> tuple[Reading, ...]:
    """Pair what was expected with what came, both rounded as they are published."""
    published = (np.round(figures, decimals) + 0.0 for figures in (expected + noise, expected))  # + 0.0: no "-0.0"
    return tuple(map(Reading, *(figures.tolist() for figures in published)))


_NEW_YORK = ZoneInfo("America/New_York")
_MORNING, _AFTERNOON = time(8, 30), time(14, 0)
_DECISION_MONTHS = (1, 3, 5, 6, 7, 9, 11, 12)
_WEDNESDAY, _THURSDAY, _FRIDAY = 2, 3, 4


class _Figure(NamedTuple):
    """One figure of the calendar and the rule for its release."""

    name: str
    unit: str
    readings: Callable[[Economy], Sequence[Reading]]
    day: Callable[[date], date]
    """From the first day of the month of release to the day meant."""


def _first_day(month: date) -> date:
    return month


def _first_friday(month: date) -> date:
    return _weekday(month, _FRIDAY)


def _second_wednesday(month: date) -> date:
    return _weekday(month, _WEDNESDAY) + timedelta(weeks=1)


def _third_wednesday(month: date) -> date:
    return _weekday(month, _WEDNESDAY) + timedelta(weeks=2)


def _fourth_thursday(month: date) -> date:
    return _weekday(month, _THURSDAY) + timedelta(weeks=3)


_MONTHLY = (
    _Figure("Purchasing managers' index", "points", lambda economy: economy.survey, _first_day),
    _Figure("Nonfarm payrolls", "thousand", lambda economy: economy.payrolls, _first_friday),
    _Figure("Unemployment rate", "%", lambda economy: economy.unemployment, _first_friday),
    _Figure("Consumer price inflation", "%", lambda economy: economy.inflation, _second_wednesday),
)
_QUARTERLY = _Figure("Economic growth", "%", lambda economy: economy.growth, _fourth_thursday)
_DECISION = "Interest rate decision"


def economic_events(world: World) -> tuple[EconomicEvent, ...]:
    """Return every release of the calendar's sessions by day, each twice: as scheduled, then as published."""
    economy = simulate_economy(world.seed, world.market, world.timeline)
    months = economy.months
    quarters = [f"{month.year}-Q{month.month // 3}" for month in months[2::3]]
    published = [*_decisions(world)]
    for figure in _MONTHLY:
        published += _releases(figure, economy, [f"{month:%Y-%m}" for month in months], months, world.timeline)
    published += _releases(_QUARTERLY, economy, quarters, months[2::3], world.timeline)
    events = (*map(_scheduled, published), *published)
    return tuple(sorted(events, key=lambda event: (event.day, event.name, event.known_at)))


def _scheduled(event: EconomicEvent) -> EconomicEvent:
    """Return a release as its year's schedule names it."""
    known_at = datetime(event.day.year - 1, 1, 1, tzinfo=UTC)
    return replace(event, known_at=known_at, value=None, previous=None, estimate=None)


def _releases(
    figure: _Figure, economy: Economy, periods: Sequence[str], last_months: Iterable[date], timeline: Timeline
) -> Iterator[EconomicEvent]:
    """Yield a figure's releases; `last_months` are the last months of its periods."""
    previous: float | None = None
    for period, month, reading in zip(periods, last_months, figure.readings(economy), strict=True):
        position = timeline.position(figure.day(_next_month(month)))
        if position < len(timeline):
            yield _event(figure.name, timeline.days[position], _MORNING, period, reading, previous, figure.unit)
        previous = reading.value


def _decisions(world: World) -> Iterator[EconomicEvent]:
    timeline = world.timeline
    positions = [timeline.position(_third_wednesday(month)) for month in _decision_months(timeline)]
    positions = [position for position in positions if position < len(timeline)]
    previous, decided = policy_rates(world.market, positions)
    for position, reading in zip(positions, decided, strict=True):
        day = timeline.days[position]
        yield _event(_DECISION, day, _AFTERNOON, f"{day:%Y-%m}", reading, previous, "%")
        previous = reading.value


def _decision_months(timeline: Timeline) -> Iterator[date]:
    for year in range(timeline.days[0].year, timeline.days[-1].year + 1):
        yield from (date(year, month, 1) for month in _DECISION_MONTHS)


def _event(
    name: str, day: date, at: time, period: str, reading: Reading, previous: float | None, unit: str
) -> EconomicEvent:
    return EconomicEvent(
        name=name,
        day=day,
        known_at=datetime.combine(day, at, tzinfo=_NEW_YORK).astimezone(UTC),
        period=period,
        value=reading.value,
        previous=previous,
        estimate=reading.estimate,
        unit=unit,
    )


def _weekday(month: date, weekday: int) -> date:
    """Return the first such weekday of a month, Monday being 0; `month` is its first day."""
    return month + timedelta(days=(weekday - month.weekday()) % 7)


def _next_month(month: date) -> date:
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


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
