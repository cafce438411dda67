"""The bubble fit finds the parameters a series was made with, and finds no bubble in a random walk."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from tests.support.fakes import make_prices
from tradingagents.analytics.price.lppl import LPPLPoint, best_fit, fitted, lppl_analysis
from tradingagents.dataflows.models import Prices
from tradingagents.errors import NoData

AS_OF = date(2025, 3, 14)
KNOWN = make_prices().fetched_at
LENGTH = len(make_prices(last=AS_OF))


def priced(logs: np.ndarray) -> Prices:
    bars = make_prices(last=AS_OF)
    closes = np.exp(logs[-len(bars) :])
    return replace(bars, close=closes, adj_close=closes, open=closes, high=closes, low=closes)


def bubble(ahead: float = 25.0, sign: float = -1.0) -> np.ndarray:
    linear = np.array([6.0, sign * 0.02, 0.0006, -0.0004])
    return fitted(LPPLPoint(LENGTH - 1 + ahead, 0.6, 8.0, linear, 0.0), LENGTH)


def test_the_fit_recovers_the_parameters_of_its_own_formula():
    point = best_fit(bubble())
    assert point.squares < 1e-3
    assert point.critical - (LENGTH - 1) == pytest.approx(25, abs=10)
    assert point.frequency == pytest.approx(8, abs=0.7)
    assert np.abs(fitted(point, LENGTH) - bubble()).max() < 0.01


def test_linear_parameters_are_those_of_least_squares():
    rng = np.random.default_rng(2)
    logs = bubble() + rng.normal(0, 0.02, LENGTH)
    point = best_fit(logs)
    left = point.critical - np.arange(LENGTH)
    power, phase = left**point.exponent, point.frequency * np.log(left)
    columns = np.column_stack((np.ones(LENGTH), power, power * np.cos(phase), power * np.sin(phase)))
    solved, squares, *_ = np.linalg.lstsq(columns, logs, rcond=None)
    assert point.squares == pytest.approx(float(squares[0]), rel=1e-4)
    assert columns @ point.linear == pytest.approx(columns @ solved, abs=1e-4)


def test_a_bubble_has_a_confidence_and_a_fall_its_mirror():
    rising = lppl_analysis(priced(bubble()), as_of=AS_OF, known_at=KNOWN)
    assert rising.positive_confidence_pct > 50
    assert rising.negative_confidence_pct == 0
    assert rising.critical_low is not None
    assert AS_OF < rising.critical_low <= rising.critical_high
    assert rising.median_r_squared > 0.99
    falling = lppl_analysis(priced(bubble(sign=1.0)), as_of=AS_OF, known_at=KNOWN)
    assert falling.positive_confidence_pct == 0
    assert falling.negative_confidence_pct > 50


def test_a_random_walk_has_no_confidence_to_speak_of():
    walk = np.cumsum(np.random.default_rng(9).normal(0, 0.02, LENGTH))
    found = lppl_analysis(priced(4 + walk), as_of=AS_OF, known_at=KNOWN)
    assert found.positive_confidence_pct < 30
    assert all(bool(one.failed) != one.qualified for one in found.fits)
    assert "no probability of a crash" in found.to_markdown()


def test_a_short_history_is_refused():
    with pytest.raises(NoData, match="needs 126 or more"):
        lppl_analysis(make_prices(first=date(2025, 1, 2), last=AS_OF), as_of=AS_OF, known_at=KNOWN)
