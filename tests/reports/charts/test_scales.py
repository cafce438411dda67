import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.reports.charts.scales import Scale, decimals_of, keep_apart, month_starts, price_range, round_ticks


def test_a_scale_puts_high_on_top_and_low_at_the_bottom():
    scale = Scale(100, 200, top=40, bottom=340)
    assert [scale(200), scale(150), scale(100)] == [40, 190, 340]


def test_a_value_off_the_scale_is_pinned_to_its_edge():
    scale = Scale(100, 200, top=40, bottom=340)
    assert (scale.pinned(500), scale.pinned(1)) == (40, 340)
    assert not scale.holds(500)
    assert scale.holds(200)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (97.3, 136.0, [100, 105, 110, 115, 120, 125, 130, 135]),
        (0.0123, 0.0187, [0.013, 0.014, 0.015, 0.016, 0.017, 0.018]),
        (1_000, 250_000, [50_000, 100_000, 150_000, 200_000, 250_000]),
        (-3.2, 4.1, [-3, -2, -1, 0, 1, 2, 3, 4]),
    ],
)
def test_ticks_are_round(low, high, ticks):
    assert round_ticks(low, high) == pytest.approx(ticks)


@given(st.floats(1e-4, 1e6), st.floats(1e-3, 1e6))
def test_ticks_lie_on_the_axis_and_are_few(low, span):
    ticks = round_ticks(low, low + span)
    assert 1 <= len(ticks) <= 9
    slack = span * 1e-6 + low * 1e-6
    assert all(low - slack <= tick <= low + span + slack for tick in ticks)


@pytest.mark.parametrize(("step", "places"), [(20, 0), (2.5, 1), (0.5, 1), (0.25, 2), (0.001, 3)])
def test_tick_labels_have_the_decimals_their_step_needs(step, places):
    assert decimals_of(step) == places


def test_the_price_axis_makes_room_for_near_levels_and_leaves_far_ones_out():
    low, high = price_range(100, 110, [115, 400])
    assert low == pytest.approx(100 - 0.04 * 15)
    assert high == pytest.approx(115 + 0.04 * 15)


def test_equal_prices_get_an_axis_around_them():
    low, high = price_range(50, 50, [])
    assert low < 50 < high
    assert high - low < 2
    assert price_range(0, 0, []) == (0.0, pytest.approx(0.54))


@given(st.floats(0, 1e6), st.floats(0, 1e6), st.lists(st.floats(0, 1e6), max_size=5))
def test_an_axis_of_positive_prices_holds_them_and_never_goes_below_zero(low, span, wished):
    bottom, top = price_range(low, low + span, wished)
    assert 0 <= bottom <= low
    assert low + span <= top
    assert top > bottom


def test_months_start_at_their_first_session():
    days = np.array(["2025-01-30", "2025-01-31", "2025-02-03", "2025-02-04", "2025-03-03"], dtype="datetime64[D]")
    assert month_starts(days) == [2, 4]


def test_labels_that_would_overlap_move_down():
    assert keep_apart([10, 11, 12, 90], gap=14, top=0, bottom=100) == [10, 24, 38, 90]


def test_labels_at_the_bottom_edge_move_up():
    assert keep_apart([96, 95], gap=14, top=0, bottom=100) == [100, 86]


@given(st.lists(st.floats(0, 300), max_size=6))
def test_labels_keep_apart_inside_the_plot_in_the_order_of_their_levels(wanted):
    placed = keep_apart(wanted, gap=15, top=0, bottom=300)
    ordered = [place for _, place in sorted(zip(wanted, placed, strict=True))]
    assert ordered == sorted(ordered)
    assert all(after - before >= 15 - 1e-6 for before, after in pairwise(ordered))
    assert all(-1e-6 <= place <= 300 + 1e-6 for place in placed)
    assert not any(math.isnan(place) for place in placed)
