"""A symbol at its last session, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from tests.support.builders import KNOWN, wander
from tests.support.fakes import make_prices
from tradingagents.analytics.price.indicators import indicators
from tradingagents.analytics.price.market_snapshot import market_snapshot

AS_OF = date(2025, 3, 14)


def test_changes_levels_and_volume_of_a_steady_rise():
    bars = make_prices(last=AS_OF)
    found = market_snapshot(make_prices(), None, as_of=AS_OF, known_at=bars.fetched_at)
    last = float(bars.close[-1])
    assert found.price == last
    assert found.changes["change_1d"] == pytest.approx(100 * (last / (last - 0.1) - 1))
    assert found.changes["return_252d"] == pytest.approx(100 * (last / (last - 25.2) - 1))
    assert found.sma_50 == pytest.approx(last - 2.45)
    assert found.rsi == 100
    assert (found.volume, found.avg_volume_20d) == (1e6, 1e6)
    assert (found.name, found.end) == ("ACME", AS_OF)


def test_rsi_is_that_of_the_indicators_as_traded_and_shown_after_its_warm_up():
    """Dividend-adjusted closes give another index, which no table shows."""
    bars = wander(200, last=AS_OF)
    paid = replace(bars, adj_close=bars.close * np.linspace(0.9, 1.0, 200))
    (series,) = indicators(paid, ["rsi"], as_of=AS_OF, known_at=KNOWN).series
    assert market_snapshot(paid, None, as_of=AS_OF, known_at=KNOWN).rsi == series.last
    assert market_snapshot(bars, None, as_of=AS_OF, known_at=KNOWN).rsi == series.last
    short = wander(107, last=AS_OF)
    assert market_snapshot(short, None, as_of=AS_OF, known_at=KNOWN).rsi is None
