"""Indicators of every recorded symbol: one value a day, whoever shows it and however much history was loaded."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from tests.analytics.price.test_indicators import MOST_OFF, assert_history_does_not_matter
from tests.dataflows.gateway.checks.test_recorded_prices import recorded_prices
from tradingagents.analytics.price.indicators import INDICATORS, indicators, momentum_for, overlays_for
from tradingagents.analytics.price.market_snapshot import market_snapshot
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import NEVER

pytestmark = pytest.mark.real_data
LOADED = timedelta(days=800)
"""What a run reads."""


@pytest.fixture(scope="module")
def recorded(test_data: Path) -> tuple[Prices, ...]:
    return tuple(recorded_prices(test_data / "snapshot"))


def test_a_value_does_not_depend_on_how_much_history_was_loaded(recorded: tuple[Prices, ...]):
    assert sum(assert_history_does_not_matter(prices, 250) for prices in recorded) > 2_000_000


def test_the_snapshot_the_tool_and_the_chart_say_the_same_on_each_day(recorded: tuple[Prices, ...]):
    """8,356 of 41,596 pairs of RSI differed by more than a point: one was of adjusted closes, one of traded ones."""
    days_compared = 0
    for prices in (one for one in recorded if one.basis == "split_adjusted"):
        drawn = {**overlays_for(prices), **momentum_for(prices)}
        last = prices.days[-1].item()
        for one in indicators(prices, list(drawn), as_of=last, known_at=NEVER, look_back_days=3650).series:
            said = np.array(one.values)
            allowed = MOST_OFF if one.name == "rsi" else MOST_OFF / 100 * prices.close
            assert np.isfinite(said[-1])
            assert not (np.abs(said - drawn[one.name]) > allowed).any(), (prices.symbol, one.name)
        for at in range(INDICATORS["rsi"].warm_up - 1, len(prices), 20):
            day = prices.days[at].item()
            shown = market_snapshot(prices.upto(day).since(day - LOADED), None, as_of=day, known_at=NEVER).rsi
            assert shown is not None
            assert abs(shown - drawn["rsi"][at]) < MOST_OFF, (prices.symbol, day)
            days_compared += 1
    assert days_compared > 2_000
