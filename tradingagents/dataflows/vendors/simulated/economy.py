"""The economy behind the economic calendar: what each month and quarter was like, and where the policy rate stands.

The market comes first: business follows its moods within months, inflation follows the ten-year yield, the policy rate
the two-year yield. Nothing looks ahead, and the market knows nothing of the economy: prices and news are what they
would be without it. All noise comes from a stream of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

import numpy as np

from tradingagents.dataflows.models import Floats
from tradingagents.dataflows.vendors.simulated.market import Market
from tradingagents.dataflows.vendors.simulated.streams import decaying_sum, stream
from tradingagents.dataflows.vendors.simulated.timeline import Timeline

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
