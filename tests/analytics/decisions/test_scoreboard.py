"""The scoreboard's figures, by hand, against published tables and by law."""

from __future__ import annotations

import math
from datetime import date, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.analytics.decisions.bootstrap import block_interval
from tradingagents.analytics.decisions.scoreboard import (
    Bin,
    Interval,
    ScoredDecision,
    mean_interval,
    overlapping,
    score,
    student_t,
)

DAY = date(2025, 1, 1)


def call(
    confidence: float = 0.6,
    right: bool = True,
    excess: float | None = 0.01,
    *,
    ticker: str = "ACME",
    start: int = 0,
    days: int = 10,
) -> ScoredDecision:
    begin = DAY + timedelta(days=start)
    return ScoredDecision(ticker, begin, begin + timedelta(days=days), confidence, right, excess or 0.0, excess)


def test_a_score_by_hand():
    calls = [
        call(0.9, True, 0.04, start=0),
        call(0.8, False, -0.02, start=10),
        call(0.5, True, 0.01, start=20),
        call(0.55, False, None, start=30),
    ]
    found = score(calls)
    assert (found.calls, found.hit_rate) == (4, 0.5)
    assert found.mean_return == pytest.approx(0.0075)
    # Of 0.04, -0.02, 0.01: mean 0.01, deviation 0.03, t(0.975, 2) = 4.3027: 0.01 +- 4.3027 * 0.03 / sqrt(3) = 0.0745
    assert found.excess == Interval(
        pytest.approx(0.01), pytest.approx(0.01 - 0.07452, abs=1e-5), pytest.approx(0.01 + 0.07452, abs=1e-5)
    )
    # (0.1^2 + 0.8^2 + 0.5^2 + 0.55^2) / 4 = (0.01 + 0.64 + 0.25 + 0.3025) / 4
    assert found.brier == pytest.approx(0.300625)
    assert found.calibration == (
        Bin(0.4, 0.6, 2, pytest.approx(0.525), 0.5),
        Bin(0.8, 1.0, 2, pytest.approx(0.85), 0.5),
    )
    assert found.overlapping == 0


def test_nothing_has_no_score():
    found = score([])
    assert (found.calls, found.hit_rate, found.mean_return, found.excess, found.brier) == (0, None, None, None, None)
    assert (found.calibration, found.overlapping) == ((), 0)


def test_one_observation_has_a_mean_and_no_interval():
    assert mean_interval([0.02]) == Interval(0.02, None, None)
    assert score([call(excess=None)]).excess is None


def test_certainty_falls_into_the_last_bin():
    (only,) = score([call(1.0)]).calibration
    assert (only.low, only.high, only.confidence, only.hit_rate) == (0.8, 1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [
        *((1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (9, 2.2622), (10, 2.2281)),
        *((19, 2.0930), (30, 2.0423), (60, 2.0003), (100, 1.9840), (120, 1.9799), (1000, 1.9623)),
    ],
)
def test_student_s_quantiles_are_those_of_the_printed_tables(freedom: int, quantile: float):
    assert student_t(0.975, freedom) == pytest.approx(quantile, abs=5e-5)


def test_the_two_ways_to_reckon_a_quantile_meet():
    from tradingagents.analytics.decisions import scoreboard

    exact = student_t(0.975, scoreboard.EXACT_UP_TO)
    assert student_t(0.975, scoreboard.EXACT_UP_TO + 1) == pytest.approx(exact, abs=5e-4)
    assert student_t(0.975, scoreboard.EXACT_UP_TO + 1) < exact


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=40))
def test_laws_of_an_interval(values: list[float]):
    found = mean_interval(values)
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.mean <= found.high
    assert math.isclose(found.high - found.mean, found.mean - found.low, abs_tol=1e-9)
    twice = mean_interval([*values, *values])
    assert twice.mean == pytest.approx(found.mean, abs=1e-9)
    assert twice.high - twice.low <= found.high - found.low + 1e-9  # type: ignore[operator]


WINDOWS = st.lists(st.tuples(st.sampled_from("AB"), st.integers(0, 30), st.integers(1, 15)), max_size=12)


@given(WINDOWS)
def test_overlaps_are_those_that_a_look_at_every_pair_finds(windows: list[tuple[str, int, int]]):
    calls = [call(ticker=ticker, start=start, days=days) for ticker, start, days in windows]
    found = sum(
        any(one is not other and one.start < other.end and other.start < one.end for other in calls) for one in calls
    )
    assert overlapping(calls) == found


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30))
def test_laws_of_calibration(said: list[tuple[float, bool]]):
    found = score([call(confidence, right) for confidence, right in said])
    assert sum(one.calls for one in found.calibration) == len(said)
    assert all(one.low <= one.confidence + 1e-9 and one.confidence <= one.high + 1e-9 for one in found.calibration)
    assert 0 <= found.brier <= 1  # type: ignore[operator]
    weighted = sum(one.hit_rate * one.calls for one in found.calibration) / len(said)
    assert weighted == pytest.approx(found.hit_rate)


def test_overlapping_windows_get_a_block_bootstrap_and_lone_ones_student_s_t():
    weekly = [call(excess=0.01 * (week % 5 - 2), start=7 * week, days=28) for week in range(40)]
    found = score(weekly)
    assert (found.overlapping, found.block_weeks) == (40, 4)
    starts, values = [one.start for one in weekly], [0.01 * (week % 5 - 2) for week in range(40)]
    assert found.excess == Interval(pytest.approx(0.0, abs=1e-12), *(block_interval(values, starts, 4) or ()))
    assert score(weekly[:10]).excess == Interval(pytest.approx(0.0, abs=1e-12), None, None)
    assert score(weekly[::5]).block_weeks is None


def test_calls_of_one_week_on_different_tickers_are_not_taken_for_independent():
    """A week that is good for one stock is good for others: the interval must hold the truth about as often as said."""
    rng, held = Random(5), 0  # noqa: S311 - repeatable, not secret
    for _ in range(100):
        calls = []
        for week in range(26):
            common = rng.gauss(0, 0.03)
            excesses = [common + rng.gauss(0, 0.05) for _ in range(10)]
            calls += [
                call(excess=excess, ticker=f"T{week}-{number}", start=28 * week, days=27)
                for number, excess in enumerate(excesses)
            ]
        found = score(calls)
        assert found.overlapping == 260
        assert found.excess is not None
        held += (found.excess.low or 0) <= 0 <= (found.excess.high or 0)
    assert held >= 86  # of 100; intervals for independent calls held it 70 times
