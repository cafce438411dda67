"""The economic calendar: which figure is published on which day, by fixed rules.

Monthly figures come in the month after their own, growth in the month after its quarter; the central bank decides on
its rate eight times a year. A day without trading puts a release off to the next session. The schedule of a year is
public from the first day of the year before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from tradingagents.dataflows.models import EconomicEvent
from tradingagents.dataflows.vendors.simulated.economy import Economy, Reading, policy_rates, simulate_economy
from tradingagents.dataflows.vendors.simulated.timeline import Timeline
from tradingagents.dataflows.vendors.simulated.world import World

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
