"""Intervals of shares, against values of the literature."""

from __future__ import annotations

import pytest

from tradingagents.analytics.performance.proportions import ObservedShare


def test_wilson_s_interval():
    """81 of 263 gives 0.2553 to 0.3662 (Newcombe 1998, table I, method 3)."""
    found = ObservedShare(81, 263)
    assert found.value == pytest.approx(0.3080, abs=1e-4)
    assert (found.low, found.high) == pytest.approx((0.2553, 0.3662), abs=1e-4)


def test_no_case_and_all_cases():
    """0 of 20 gives 0 to 0.1611, 1 of 29 gives 0.0061 to 0.1718 (the same table)."""
    assert (ObservedShare(0, 20).low, ObservedShare(0, 20).high) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert (ObservedShare(1, 29).low, ObservedShare(1, 29).high) == pytest.approx((0.0061, 0.1718), abs=1e-4)
    nothing = ObservedShare(0, 0)
    assert (nothing.value, nothing.low, nothing.high) == (None, 0.0, 1.0)
