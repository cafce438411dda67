"""A symbol at its last session, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from tests.support.fakes import make_prices
from tradingagents.analytics.price.market_snapshot import market_snapshot, relative_strength

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


def test_rsi_by_wilders_averages():
    # 14 changes: seven of +2, seven of -1; then +3: gain (1 x 13 + 3)/14, loss (0.5 x 13)/14
    closes = np.concatenate(([100.0], 100 + np.cumsum([2.0, -1.0] * 7), [110.0]))
    bars = make_prices()._slice(0, len(closes))
    gain, loss = (1 * 13 + 3) / 14, 0.5 * 13 / 14
    assert relative_strength(replace(bars, adj_close=closes)) == pytest.approx(100 - 100 / (1 + gain / loss))
    assert relative_strength(replace(bars, adj_close=closes)._slice(0, 10)) is None
