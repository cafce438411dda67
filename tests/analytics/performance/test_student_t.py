"""Student's t: printed tables, SciPy over the whole range, closed forms, laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtr, stdtrit

from tradingagents.analytics.performance.student_t import student_t, student_tail

FREEDOMS = (*range(1, 31), 59, 60, 61, 100, 250, 1000)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [
        *((1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (9, 2.2622), (10, 2.2281)),
        *((19, 2.0930), (30, 2.0423), (60, 2.0003), (100, 1.9840), (120, 1.9799), (1000, 1.9623)),
    ],
)
def test_student_s_quantiles_are_those_of_the_printed_tables(freedom: int, quantile: float):
    assert student_t(0.975, freedom) == pytest.approx(quantile, abs=5e-5)
    assert student_tail(quantile, freedom) == pytest.approx(0.025, abs=4e-6)
    assert student_tail(-quantile, freedom) == pytest.approx(0.975, abs=4e-6)


def test_tails_are_scipy_s():
    for freedom in FREEDOMS:
        for t in (0.0, 1e-3, 0.1, 0.5, 0.9, 1.0, 1.3, 1.5, 2.0, 3.0, 5.0, 8.0, 20.0, 100.0, 1e4):
            for value in (t, -t):
                expected = float(stdtr(freedom, -value))
                assert student_tail(value, freedom) == pytest.approx(expected, rel=0, abs=1e-12), (freedom, value)


def test_quantiles_are_scipy_s():
    for freedom in FREEDOMS:
        for probability in (0.001, 0.025, 0.05, 0.2, 0.45, 0.5, 0.6, 0.95, 0.975, 0.999):
            expected = float(stdtrit(freedom, probability))
            found = student_t(probability, freedom)
            assert found == pytest.approx(expected, rel=1e-10, abs=1e-11), (freedom, probability)


def test_one_and_two_degrees_of_freedom_have_closed_forms():
    for t in (1e-8, 0.3, 1.0, 7.0, 1e6):
        assert student_tail(t, 1) == pytest.approx(math.atan2(1, t) / math.pi, rel=0, abs=1e-12)  # Cauchy's
        root = math.hypot(t, math.sqrt(2))
        assert student_tail(t, 2) == pytest.approx(1 / (root * (root + t)), rel=0, abs=1e-12)


@given(st.floats(1e-6, 1 - 1e-6), st.integers(1, 2000))
def test_a_quantile_is_exceeded_as_often_as_was_asked_for(probability: float, freedom: int):
    quantile = student_t(probability, freedom)
    assert student_tail(-quantile, freedom) == pytest.approx(probability, rel=0, abs=1e-11)
    assert student_tail(quantile, freedom) == pytest.approx(1 - probability, rel=0, abs=1e-11)


@given(st.floats(-1e200, 1e200), st.floats(-1e200, 1e200), st.integers(1, 2000))
def test_a_larger_value_is_exceeded_no_more_often(one: float, other: float, freedom: int):
    low, high = sorted((one, other))
    assert 0 <= student_tail(high, freedom) <= student_tail(low, freedom) + 1e-12 <= 1 + 1e-12


def test_many_degrees_of_freedom_are_the_normal_distribution():
    assert student_t(0.975, 10**4) == pytest.approx(1.959963985, abs=3e-4)


def test_what_has_no_answer_is_said():
    assert math.isnan(student_tail(math.nan, 3))
    assert student_tail(math.inf, 3) == 0.0
    assert student_tail(-math.inf, 3) == 1.0
    assert student_tail(np.float64(1e300), 3) == 0.0
    for probability in (0.0, 1.0, -0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="no probability"):
            student_t(probability, 3)
    with pytest.raises(ValueError, match="1 degree of freedom"):
        student_tail(1.0, 0)
    with pytest.raises(ValueError, match="1 degree of freedom"):
        student_t(0.9, 0)
