"""The main indices at their last close."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from tests.support.builders import AS_OF, KNOWN, bars
from tradingagents.analytics.market.market_movers import INDEX_HEADER, MarketIndices, market_indices
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.sectors import INDICES
from tradingagents.errors import NoData


def index(symbol: str, *closes: float, last: date = AS_OF) -> Prices:
    """Bars with a year before them at the first close."""
    return bars([*closes[:1] * 260, *closes], symbol, last, basis="index")


def asked(*series: Prices, session: date = AS_OF) -> MarketIndices:
    return market_indices({one.symbol: one for one in series}, as_of=AS_OF, session=session, known_at=KNOWN)


ALL = tuple(index(symbol, 100.0, 110.0, 99.0) for symbol in reversed(INDICES))


def test_every_index_shows_level_change_and_the_year_s_range():
    result = asked(*ALL)
    assert result.body().splitlines()[:3] == [
        INDEX_HEADER,
        "|---|---|---|---|---|---|",
        "| S&P 500 (^GSPC) | 99.00 | -11.00 | -10.00% | 111.00 | 98.00 |",
    ]
    assert [row.symbol for row in result.indices] == list(INDICES)
    assert (result.rows, result.inputs, result.end, result.notes) == (5 * 263, tuple(INDICES), AS_OF, ())


def test_the_range_is_that_of_the_last_365_days():
    closes = np.r_[500.0, 1.0, np.full(260, 50.0)]  # the first two bars lie more than a year back
    row = asked(index("^GSPC", *closes)).indices[0]
    assert (row.high_52w, row.low_52w) == (51.0, 49.0)


def test_figures_carry_the_symbol():
    figures = {figure.name: figure.rounded for figure in asked(index("^VIX", 20.0, 25.0)).figures()}
    assert figures == {
        "^VIX_last": 25.0,
        "^VIX_change": 5.0,
        "^VIX_change_pct": 25.0,
        "^VIX_high_52w": 26.0,
        "^VIX_low_52w": 19.0,
    }


def test_the_record_has_the_numbers_unrounded():
    (record,) = asked(index("^VIX", 3.0, 4.0)).kept()["indices"]
    assert record == {
        "symbol": "^VIX",
        "name": "CBOE Volatility Index",
        "last": 4.0,
        "change": 1.0,
        "change_pct": pytest.approx(100 / 3, rel=1e-12),
        "high_52w": 5.0,
        "low_52w": 2.0,
    }


@pytest.mark.parametrize(
    "stale",
    [
        index("^DJI", 1.0, 2.0, last=date(2024, 6, 27)),
        bars([1.0], "^DJI", basis="index"),
        index("^DJI"),
        index("^DJI", 0.0, 1.0),
        index("^DJI", np.nan, 1.0),
    ],
    ids=["a day behind", "one bar", "no bar", "from nothing", "no number"],
)
def test_an_index_without_a_change_on_the_day_is_left_out_and_named(stale: Prices):
    result = asked(*(one for one in ALL if one.symbol != "^DJI"), stale)
    assert "^DJI" not in {row.symbol for row in result.indices}
    assert result.notes == ("Left out for want of prices of 2024-06-28: Dow Jones Industrial Average (^DJI).",)


def test_an_index_of_less_than_a_year_has_no_range_of_52_weeks():
    result = asked(bars([100.0, 110.0, 99.0], "^GSPC", basis="index"))
    row = result.indices[0]
    assert (row.last, row.change_pct, row.high_52w, row.low_52w) == (99.0, pytest.approx(-10.0), None, None)
    assert any("^GSPC has 3 sessions from 2024-06-26" in note for note in result.notes)
    assert "| n/a | n/a |" in result.body()


def test_prices_that_end_before_the_session_say_so():
    assert "The newest prices are of 2024-06-28, not of 2024-07-01." in asked(*ALL, session=date(2024, 7, 1)).notes


def test_without_any_index_there_is_no_answer():
    with pytest.raises(NoData, match="choose a vendor that has"):
        asked()
