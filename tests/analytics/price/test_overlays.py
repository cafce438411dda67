from dataclasses import replace

import numpy as np
import pytest

from tests.reports.sample import sample_prices
from tradingagents.analytics.price.indicators import overlays_for


def test_every_series_is_as_long_as_the_bars_and_starts_when_it_can():
    series = overlays_for(sample_prices(210))
    first = {name: int(np.flatnonzero(np.isfinite(values))[0]) for name, values in series.items()}
    assert first == {"close_50_sma": 49, "close_200_sma": 199, "boll_ub": 19, "boll_lb": 19, "rsi": 107}
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
    prices = sample_prices(160)
    holed = np.insert(prices.close, 130, np.nan)[1:]
    series = overlays_for(replace(prices, close=holed))
    assert np.isnan(series["rsi"][129])
    assert np.isfinite(series["rsi"][128])
    np.testing.assert_allclose(series["boll_ub"][-1], overlays_for(prices)["boll_ub"][-1])
