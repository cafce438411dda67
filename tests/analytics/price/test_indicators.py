"""Indicators: the warm-up, the values against a second implementation, and what they promise."""

from __future__ import annotations

import json
import math
import threading
import warnings
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.builders import AS_OF, KNOWN, bars, wander
from tests.support.figures import parse_figures
from tests.support.tiers import examples
from tradingagents.analytics.price.indicator_values import (
    IndicatorValues,
    exponential_mean,
    moving_deviation,
    moving_mean,
)
from tradingagents.analytics.price.indicators import INDICATORS, compute, indicators, latest
from tradingagents.dataflows.models import Prices
from tradingagents.errors import NoData, UsageError

ALL = tuple(INDICATORS)


def asked(prices, *names: str, look_back_days: int = 30):
    return indicators(prices, names or ALL, as_of=AS_OF, look_back_days=look_back_days, known_at=KNOWN)


def test_a_mean_of_fifty_closes_by_hand():
    values = compute(bars(range(1, 61)), ["close_50_sma"])["close_50_sma"]
    assert np.isnan(values[:49]).all()
    assert values[49] == pytest.approx(25.5)  # mean of 1 … 50
    assert values[-1] == pytest.approx(35.5)  # mean of 11 … 60


def test_bollinger_bands_by_hand():
    values = compute(bars([1.0, 3.0] * 10), ["boll", "boll_ub", "boll_lb"])
    deviation = math.sqrt(20 / 19)  # sample deviation of ten 1s and ten 3s
    assert values["boll"][-1] == pytest.approx(2)
    assert values["boll_ub"][-1] == pytest.approx(2 + 2 * deviation)
    assert values["boll_lb"][-1] == pytest.approx(2 - 2 * deviation)


def test_average_true_range_of_a_steady_market_is_its_range():
    assert compute(bars([100] * 120), ["atr"])["atr"][-1] == pytest.approx(2.0)


def test_rsi_of_a_market_that_only_rises_is_a_hundred_and_of_a_still_one_fifty():
    assert compute(bars(range(1, 121)), ["rsi"])["rsi"][-1] == pytest.approx(100)
    assert compute(bars([5] * 120), ["rsi"])["rsi"][-1] == pytest.approx(50)


def test_money_flow_runs_from_zero_to_a_hundred():
    # of the last 14 moves of the typical price 7 are up, to 12, and 7 down, to 10, on equal volume
    values = compute(bars([10, 12] * 15), ["mfi"])["mfi"]
    assert values[-1] == pytest.approx(100 * 12 / (12 + 10))


def test_on_balance_volume_adds_on_rises_and_subtracts_on_falls():
    values = compute(bars([10, 11, 10.5, 10.5, 12], volume=np.array([1, 2, 4, 8, 16.0])), ["obv"])["obv"]
    assert values[1:].tolist() == [2, -2, -2, 14]


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_shown_before_an_indicator_has_warmed_up(name: str):
    needed = INDICATORS[name].warm_up
    short, enough = asked(wander(needed - 1), name), asked(wander(needed), name)
    assert short.series[0].last is None
    assert parse_figures(short.to_markdown()).keys() == {"close"}
    assert f"{name} needs {needed} sessions, the history has {needed - 1}." in short.notes
    assert enough.series[0].last is not None
    assert enough.notes == ()


RELATIVE = "obv"
"""The one indicator whose level is counted from where its history begins; only its changes mean something."""
MOST_OFF = 0.05
"""Points of an index, or percent of the close, by which the first bar may still move a value after the warm-up."""


def assert_history_does_not_matter(prices: Prices, every: int, names: Sequence[str] = ALL) -> int:
    """Compare each day's value over the whole history with that over later beginnings; return how many there were."""
    whole, compared = compute(prices, names, history=len(prices)), 0
    for start in range(every, len(prices), every):
        later = compute(prices.since(prices.days[start].item()), names, history=len(prices))
        for name in names:
            least = INDICATORS[name].warm_up - 1
            known, long = later[name][least:], whole[name][start + least :]
            if not len(known):
                continue
            if name == RELATIVE:
                known, long = np.diff(known), np.diff(long)
            assert np.array_equal(np.isfinite(known), np.isfinite(long)), (prices.symbol, name, start)
            allowed = MOST_OFF if not INDICATORS[name].unit else MOST_OFF / 100 * prices.close[-len(known) :]
            assert not (np.abs(known - long) > allowed).any(), (prices.symbol, name, start)
            compared += len(known)
    return compared


@pytest.mark.parametrize("seed", range(3))
def test_a_value_does_not_depend_on_how_much_history_was_loaded(seed: int):
    assert assert_history_does_not_matter(wander(900, seed), 50) > 50_000
    prices = wander(900, seed)
    for name in (name for name in ALL if name != RELATIVE):
        values = {latest(prices.since(prices.days[-length].item()), name)[name] for length in (250, 400, 800)}
        assert max(values) - min(values) == pytest.approx(0, abs=1e-4), name


def second_opinion() -> dict[str, pd.Series]:
    """The indicators of 500 bars by the `ta` package (simple formulas where it has none)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ta import momentum, trend, volatility, volume

    prices = wander(500)
    close, high, low, traded = (pd.Series(values) for values in (prices.close, prices.high, prices.low, prices.volume))
    macd = trend.MACD(close)
    band = volatility.BollingerBands(close)
    spread = (band.bollinger_hband() - band.bollinger_mavg()) * math.sqrt(20 / 19)  # ta divides by n, we by n - 1
    typical = (high + low + close) / 3
    return {
        "close_50_sma": trend.sma_indicator(close, 50),
        "close_200_sma": trend.sma_indicator(close, 200),
        "close_10_ema": trend.ema_indicator(close, 10),
        "macd": macd.macd(),
        "macds": macd.macd_signal(),
        "macdh": macd.macd_diff(),
        "rsi": momentum.rsi(close),
        "boll": band.bollinger_mavg(),
        "boll_ub": band.bollinger_mavg() + spread,
        "boll_lb": band.bollinger_mavg() - spread,
        "atr": volatility.average_true_range(high, low, close),
        "vwma": (typical * traded).rolling(14).sum() / traded.rolling(14).sum(),
        "mfi": volume.money_flow_index(high, low, close, traded),
        "obv": volume.on_balance_volume(close, traded),
    }


def test_a_second_implementation_agrees_once_warmed_up():
    ours, theirs = compute(wander(500), ALL), second_opinion()
    theirs["obv"] = theirs["obv"] - theirs["obv"].iloc[0]  # ta starts from the first volume, we from zero
    assert ours.keys() == theirs.keys()
    for name, values in theirs.items():
        np.testing.assert_allclose(ours[name][-200:], values.to_numpy()[-200:], rtol=1e-4, atol=2e-4, err_msg=name)


@settings(max_examples=examples(25), deadline=None)
@given(st.floats(0.01, 100), st.integers(0, 40))
def test_scaling_prices_scales_levels_and_leaves_oscillators_alone(scale: float, seed: int):
    prices = wander(250, seed)
    parts = {column: getattr(prices, column) * scale for column in ("open", "high", "low")}
    scaled = bars(prices.close * scale, volume=prices.volume, **parts)
    before, after = compute(prices, ALL), compute(scaled, ALL)
    for name in ALL:
        factor = scale if INDICATORS[name].unit == "price" else 1.0
        np.testing.assert_allclose(after[name], before[name] * factor, rtol=1e-6, atol=1e-6 * factor)


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(1, 620), st.integers(0, 40))
def test_oscillators_stay_between_zero_and_a_hundred(count: int, seed: int):
    found = compute(wander(count, seed), ["rsi", "mfi", "boll_ub", "boll_lb"])
    for name in ("rsi", "mfi"):
        known = found[name][np.isfinite(found[name])]
        assert ((known >= 0) & (known <= 100)).all()
    assert not (found["boll_ub"] < found["boll_lb"]).any()


def test_bars_after_the_day_do_not_matter():
    prices = wander(300, last=date(2024, 7, 31))
    cut = prices.upto(AS_OF)
    assert len(cut) < len(prices)
    assert asked(prices) == asked(cut)


def test_the_prices_given_are_left_as_they_were():
    prices = wander(300)
    before = {column: getattr(prices, column).copy() for column in ("open", "high", "low", "close", "volume")}
    compute(prices, ALL)
    assert all((getattr(prices, column) == values).all() for column, values in before.items())


def test_volume_indicators_of_what_has_no_volume_are_unknown():
    result = asked(bars(range(100, 300), volume=np.zeros(200)), "vwma", "mfi", "obv", "boll")
    assert [one.last is None for one in result.series] == [True, True, True, False]
    assert "vwma is not available: no volume, or a bar is missing." in result.notes


@pytest.mark.parametrize("missing", [("open", "high", "low", "close", "volume"), ("high", "low"), ("volume",)])
@pytest.mark.parametrize("name", ALL)
def test_a_missing_bar_is_left_out_and_not_a_price_of_zero(name: str, missing: tuple[str, ...]):
    whole = wander(300)
    gap = len(whole) - 5
    parts = {column: getattr(whole, column).copy() for column in ("open", "high", "low", "close", "volume")}
    without = {column: np.delete(values, gap) for column, values in parts.items()}
    for column in missing:
        parts[column][gap] = np.nan
    found = compute(replace(whole, **parts), [name])[name]
    left = {"days": np.delete(whole.days, gap), "adj_close": np.delete(whole.adj_close, gap)}
    expected = compute(replace(whole, **without, **left), [name])[name]
    if set(missing).isdisjoint(INDICATORS[name].columns):
        expected = np.delete(compute(whole, [name])[name], gap)
    else:
        assert np.isnan(found[gap])
    np.testing.assert_allclose(np.delete(found, gap), expected, rtol=1e-9)


@pytest.mark.parametrize("gone", ["untraded", "lost"])
def test_a_long_mean_is_of_the_same_sessions_without_those_that_have_no_bar(gone: str):
    whole = bars([1000.0] * 50 + [100.0] * 196 + [102.0] * 4)
    lacking = [80, 120, 121, 247]
    found = compute(without(whole, lacking, gone), ["close_200_sma"])["close_200_sma"]
    assert found[-1] == pytest.approx((193 * 100 + 3 * 102) / 196, abs=1e-12)
    assert latest(without(whole, lacking, gone), "close_200_sma")["close_200_sma"] == found[-1]
    np.testing.assert_array_equal(compute(whole, ["close_200_sma"])["close_200_sma"][-1], 100.04)


def test_a_long_mean_is_unknown_where_the_sessions_without_a_bar_would_move_it_far():
    whole = bars([100.0] * 246 + [200.0] * 4)  # with all bars the mean is 102, without two of the last four 101.01
    assert latest(without(whole, [247, 248], "lost"), "close_200_sma")["close_200_sma"] is None
    assert latest(without(whole, [100, 101], "lost"), "close_200_sma")["close_200_sma"] == pytest.approx(20200 / 198)
    result = asked(without(whole, [247, 248], "lost"), "close_200_sma")
    assert "close_200_sma is not available: no volume, or a bar is missing." in result.notes


def without(whole: Prices, places: list[int], field: str) -> Prices:
    """Return bars without some, whose sessions are named in a field."""
    columns = ("open", "high", "low", "close", "adj_close", "volume")
    arrays = {name: np.delete(getattr(whole, name), places) for name in columns}
    gone = tuple(whole.days[places].tolist())
    return replace(whole, days=np.delete(whole.days, places), **arrays, **{field: gone})


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(UsageError, match="nearest is close_50_sma"):
        asked(wander(60), "close_50sma")
    with pytest.raises(UsageError, match="nearest is rsi"):
        asked(wander(60), "rsi_14")
    with pytest.raises(UsageError, match="at least one"):
        indicators(wander(60), [], as_of=AS_OF, known_at=KNOWN)


def test_names_are_trimmed_lowered_and_counted_once():
    assert [one.name for one in asked(wander(60), " RSI ", "boll", "rsi").series] == ["rsi", "boll"]


def test_no_bars_no_indicators():
    with pytest.raises(NoData):
        asked(bars([]))
    assert asked(bars([10])).close == 10  # one bar: nothing has warmed up, nothing fails


def test_values_are_of_the_days_looked_back_newest_last():
    result = asked(wander(300), "rsi", look_back_days=7)
    assert [day.isoformat() for day in result.series[0].days] == [
        "2024-06-21",
        "2024-06-24",
        "2024-06-25",
        "2024-06-26",
        "2024-06-27",
        "2024-06-28",
    ]
    assert result.body().index("2024-06-21") < result.body().index("2024-06-28")


def test_a_long_look_back_shows_six_values():
    line = asked(wander(300), "rsi", look_back_days=90).body()
    assert line.count("2024-") == 6
    assert "2024-06-28" in line


def test_figures_read_back_and_json_has_null_for_what_is_unknown():
    result = asked(wander(300))
    read = parse_figures(result.to_markdown())
    assert list(read) == [*ALL, "close"]
    assert {name: one.value for name, one in read.items()} == {one.name: one.rounded for one in result.figures()}
    assert (read["rsi"].unit, read["atr"].unit, read["obv"].unit) == ("", "USD", "shares")
    assert json.loads(asked(wander(10), "rsi").model_dump_json())["series"][0]["values"][-1] is None


def test_several_threads_get_what_one_gets():
    alone = {seed: compute(wander(300, seed), ALL) for seed in range(4)}
    together: dict[int, dict[str, np.ndarray]] = {}
    threads = [
        threading.Thread(target=lambda seed=seed: together.update({seed: compute(wander(300, seed), ALL)}))
        for seed in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed, found in alone.items():
        for name in ALL:
            np.testing.assert_array_equal(together[seed][name], found[name])


SHAPES = ("as drawn", "rounded", "often the same", "still", "tiny", "huge", "collapsing")


def shaped(values: np.ndarray, shape: str, seed: int) -> np.ndarray:
    """Return prices or volumes of which sums and deviations are hard to work out."""
    if shape == "rounded":
        return np.round(values)
    if shape == "often the same":
        return np.where(np.random.default_rng(seed).random(len(values)) < 0.7, 7.25, values)
    if shape == "still":
        return np.full_like(values, 7.25)
    factors = {"tiny": 1e-8, "huge": 1e9}
    if shape == "collapsing":
        return np.where(np.arange(len(values)) < len(values) // 2, values, values * 1e-7)
    return values * factors.get(shape, 1.0)


@given(count=st.integers(1, 520), seed=st.integers(0, 10**6), shape=st.sampled_from(SHAPES))
def test_values_are_those_of_stockstats_bit_for_bit(count: int, seed: int, shape: str) -> None:
    from stockstats import StockDataFrame

    prices = wander(count, seed)
    names = ("open", "high", "low", "close", "volume")
    columns = {name: shaped(getattr(prices, name), shape, seed) for name in names}
    frame, values = StockDataFrame(dict(columns)), IndicatorValues(columns)
    for name in INDICATORS:
        np.testing.assert_array_equal(values.of(name), frame[name].to_numpy(dtype=float), err_msg=name)


@given(
    st.lists(st.floats(-1e9, 1e9, allow_subnormal=False), min_size=1, max_size=80),
    st.integers(2, 30),
    st.floats(0, 100),
)
def test_moving_values_of_any_numbers_are_those_of_pandas_bit_for_bit(numbers: list[float], sessions: int, mass: float):
    values = np.array(numbers)
    rolling = pd.Series(values).rolling(sessions, min_periods=1)
    np.testing.assert_array_equal(moving_mean(values, sessions), rolling.mean())
    np.testing.assert_array_equal(moving_deviation(values, sessions), rolling.std())
    np.testing.assert_array_equal(exponential_mean(values, mass), pd.Series(values).ewm(com=mass, adjust=True).mean())


def test_no_bars_have_no_values():
    empty = {name: np.empty(0) for name in ("open", "high", "low", "close", "volume")}
    assert all(IndicatorValues(empty).of(name).shape == (0,) for name in INDICATORS)
