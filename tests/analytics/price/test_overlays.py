from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.sample import sample_prices
from tradingagents.analytics.price.overlays import overlays_for, rolling_mean, wilder_rsi


def test_an_average_is_unknown_until_its_window_is_full():
    mean = rolling_mean(np.array([1.0, 2.0, 3.0, 7.0]), 3)
    np.testing.assert_allclose(mean, [np.nan, np.nan, 2.0, 4.0])


def test_rsi_after_wilder_by_hand():
    close = np.array([10.0, 11.0, 10.0, 12.0])  # changes +1, -1, +2
    # two days: gain 0.5, loss 0.5 -> 50; then gain (0.5 + 2) / 2 = 1.25, loss 0.25 -> 100 * 1.25 / 1.5
    np.testing.assert_allclose(wilder_rsi(close, days=2), [np.nan, np.nan, 50.0, 83.333333], rtol=1e-6)


def test_rsi_is_100_when_nothing_falls_0_when_nothing_rises_50_when_nothing_moves():
    steps = np.arange(1.0, 31.0)
    assert wilder_rsi(steps)[-1] == 100
    assert wilder_rsi(steps[::-1].copy())[-1] == 0
    assert wilder_rsi(np.full(30, 7.0))[-1] == 50


@given(st.lists(st.floats(0.01, 1e5), min_size=15, max_size=60))
def test_rsi_lies_between_0_and_100(closes):
    rsi = wilder_rsi(np.array(closes))
    assert np.isnan(rsi[:14]).all()
    assert ((rsi[14:] >= 0) & (rsi[14:] <= 100)).all()


def test_every_series_is_as_long_as_the_bars_and_starts_when_it_can():
    series = overlays_for(sample_prices(210))
    first = {name: int(np.flatnonzero(np.isfinite(values))[0]) for name, values in series.items()}
    assert first == {"close_50_sma": 49, "close_200_sma": 199, "boll_ub": 19, "boll_lb": 19, "rsi": 14}
    assert {len(values) for values in series.values()} == {210}


def test_bands_lie_two_sample_deviations_around_the_average():
    prices = sample_prices(20)
    series = overlays_for(prices)
    width = 2 * np.std(prices.close, ddof=1)
    assert series["boll_ub"][-1] == pytest.approx(prices.close.mean() + width)
    assert series["boll_lb"][-1] == pytest.approx(prices.close.mean() - width)


def test_short_histories_have_no_overlays():
    assert all(np.isnan(values).all() for values in overlays_for(sample_prices(5)).values())
    assert all(
        len(values) == 0 for values in overlays_for(sample_prices(5).upto(sample_prices(320).days[0].item())).values()
    )


def test_a_day_without_a_close_is_skipped():
    prices = sample_prices(60)
    holed = np.insert(prices.close, 30, np.nan)[1:]
    series = overlays_for(replace(prices, close=holed))
    assert np.isnan(series["rsi"][29])
    np.testing.assert_allclose(series["boll_ub"][-1], overlays_for(prices)["boll_ub"][-1])
