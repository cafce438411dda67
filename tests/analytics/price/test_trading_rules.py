"""Classic trading rules equal plain pandas, by the session, and know nothing of later sessions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.support.builders import AS_OF, bars, wander
from tradingagents.analytics.least_history import LEAST_HISTORY
from tradingagents.analytics.price.trading_rules import RULES, stochastic_k
from tradingagents.dataflows.models import Prices


def held_between(buys: pd.Series, sells: pd.Series) -> pd.Series:
    """1 from a buy to the session before a sale, in pandas: the last mark counts."""
    marks = pd.Series(np.nan, index=buys.index).mask(buys, 1.0).mask(sells, 0.0)
    return marks.ffill().fillna(0.0)


def frame_of(prices: Prices) -> pd.DataFrame:
    scale = prices.adj_close / prices.close
    return pd.DataFrame({"high": prices.high * scale, "low": prices.low * scale, "close": prices.adj_close})


def by_pandas(frame: pd.DataFrame) -> dict[str, pd.Series]:
    close = frame["close"]
    line = close.ewm(span=12, adjust=True).mean() - close.ewm(span=26, adjust=True).mean()
    macd = (line > line.ewm(span=9, adjust=True).mean()).astype(float)
    macd[: LEAST_HISTORY["macds"] - 1] = 0.0
    lowest, highest = frame["low"].rolling(9).min(), frame["high"].rolling(9).max()
    raw = 100 * (close - lowest) / (highest - lowest)
    first = raw.first_valid_index()
    begun = pd.concat([pd.Series([50.0]), raw[first:]]).ewm(alpha=1 / 3, adjust=False).mean()
    k = pd.Series(np.nan, index=close.index)
    k[first:] = begun.to_numpy()[1:]
    change = close.diff().fillna(0.0)
    gain = change.clip(lower=0).ewm(alpha=1 / 14, adjust=True).mean()
    loss = (-change.clip(upper=0)).ewm(alpha=1 / 14, adjust=True).mean()
    rsi = 100 - 100 / (1 + gain / loss)
    rsi[: LEAST_HISTORY["rsi"] - 1] = np.nan
    distance = (close - close.rolling(20).mean()) / close.rolling(20).std()
    return {
        "buy_and_hold": pd.Series(1.0, index=close.index),
        "macd": macd,
        "kdj_rsi": held_between((k <= 20) & (rsi <= 30), (k >= 80) & (rsi >= 70)),
        "zmr": held_between(distance <= -1, distance >= 0),
        "sma": (close.rolling(50).mean() > close.rolling(200).mean()).astype(float),
        "momentum": (close.shift(21) > close.shift(252)).astype(float),
    }


@pytest.mark.parametrize("seed", range(4))
def test_positions_equal_pandas(seed: int):
    prices = wander(700, seed)
    for name, expected in by_pandas(frame_of(prices)).items():
        found = RULES[name](prices)
        assert found.tolist() == expected.tolist(), name
        assert name == "buy_and_hold" or 0 < found.sum() < len(found), f"{name} does not trade"


@pytest.mark.real_data
@pytest.mark.parametrize("symbol", ["AAPL", "NVDA", "JPM", "KO"])
def test_positions_on_recorded_prices_equal_pandas(symbol: str, test_data: Path):
    table = pd.read_parquet(test_data / "snapshot" / "prices.parquet")
    rows = table[table.symbol == symbol].sort_values("date")
    columns = {name: rows[name].to_numpy(float) for name in ("open", "high", "low", "close", "adj_close", "volume")}
    prices = bars(columns["close"][-800:], symbol, **{name: values[-800:] for name, values in columns.items()})
    for name, expected in by_pandas(frame_of(prices)).items():
        assert RULES[name](prices).tolist() == expected.tolist(), name


@pytest.mark.parametrize("name", RULES)
def test_a_position_uses_nothing_later(name: str):
    whole = wander(400, 2)
    for count in (30, 260, 333):
        earlier = whole.upto(whole.days[count - 1].astype(object))
        assert RULES[name](earlier).tolist() == RULES[name](whole)[:count].tolist()


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("count", [0, 1, 8, 9, 15, 20])
def test_short_and_still_series_are_no_trouble(name: str, count: int):
    still = bars([100.0] * count, last=AS_OF)
    expected = 1.0 if name == "buy_and_hold" else 0.0
    assert RULES[name](still).tolist() == [expected] * count


def test_k_by_hand():
    rising: Callable[[int], Prices] = lambda count: bars([100.0 + one for one in range(count)])  # noqa: E731
    # Nine sessions: lows 99 to 107, highs 101 to 109; the close of 108 stands at (108 - 99) / (109 - 99) = 90.
    assert stochastic_k(rising(9))[-1] == pytest.approx((2 * 50 + 90) / 3)
