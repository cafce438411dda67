from __future__ import annotations

from datetime import UTC, date, datetime

import numpy as np
import pytest

from tradingagents.analytics.price.stock_data import daily_range, entry_band
from tradingagents.dataflows.models import Prices


def bars(closes: list[float], width: float) -> Prices:
    close = np.array(closes)
    days = np.array([np.datetime64(date(2025, 1, 1), "D") + n for n in range(len(closes))])
    return Prices(
        "AAA", days, close, close + width, close - width, close, close, close, "USD", "test", datetime.now(UTC)
    )


def test_the_daily_range_is_the_mean_true_range_of_fourteen_sessions():
    assert daily_range(bars([100.0] * 15, 1.5)) == pytest.approx(3.0)
    # The last session opens a gap of 14 over the close before: its true range is 14 + 1.5.
    assert daily_range(bars([100.0] * 14 + [114.0], 1.5)) == pytest.approx((13 * 3.0 + 15.5) / 14)


def test_the_daily_range_is_not_known_from_fourteen_bars_or_from_prices_that_are_no_numbers():
    assert daily_range(bars([100.0] * 14, 1.0)) is None
    assert daily_range(bars([100.0] * 14 + [float("nan")], 1.0)) is None


@pytest.mark.parametrize(
    ("span", "low", "high"),
    [
        (None, 95.0, 105.0),
        (0.5, 95.0, 105.0),  # the floor of 5 % holds
        (3.0, 85.0, 115.0),  # five daily ranges
        (40.0, 50.0, 150.0),  # no more than half the last close
    ],
)
def test_an_entry_lies_within_five_daily_ranges_of_the_last_close(span: float | None, low: float, high: float):
    assert entry_band(100.0, span) == pytest.approx((low, high))
