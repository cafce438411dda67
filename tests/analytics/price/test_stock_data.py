"""What a window of bars amounts to."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.builders import AS_OF, KNOWN, bars, wander
from tests.support.figures import parse_figures
from tradingagents.analytics.price.stock_data import StockData, stock_data
from tradingagents.dataflows.gateway.checks.price_days import with_bars
from tradingagents.dataflows.models import PriceBreak
from tradingagents.errors import NoData


def asked(prices, start=date(2024, 6, 1), end=AS_OF, as_of=AS_OF) -> StockData:
    return stock_data(prices, as_of=as_of, start=start, end=end, known_at=KNOWN)


def rows_of(result: StockData) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(result.body())))


def test_both_ends_of_the_window_belong_to_it():
    result = asked(bars(range(100, 120)), start=date(2024, 6, 25), end=date(2024, 6, 27))
    assert [row["Date"] for row in rows_of(result)] == ["2024-06-25", "2024-06-26", "2024-06-27"]
    assert (result.start, result.end, result.rows) == (date(2024, 6, 25), date(2024, 6, 27), 3)


def test_figures_stand_at_the_end_of_the_window_not_of_the_history():
    result = asked(bars([100, 110, 121, 500]), end=date(2024, 6, 27))
    assert result.last_close == 121
    assert result.change_1d == pytest.approx(10.0)


def test_nothing_after_the_day_matters():
    prices = bars([100, 110, 121, 500])
    day = date(2024, 6, 27)
    assert asked(prices, as_of=day, end=AS_OF).figures() == asked(prices.upto(day), as_of=day, end=AS_OF).figures()


def test_bars_before_the_window_serve_the_longer_figures():
    result = asked(bars([100] * 240 + [50] + [100] * 20 + [80]), start=AS_OF)
    assert result.rows == 1
    assert result.change_1m == pytest.approx(60.0)  # 80 against 50, 21 sessions before
    assert result.change_1w == pytest.approx(-20.0)
    assert result.change_3m == pytest.approx(-20.0)
    assert result.high_52w == 101
    assert result.low_52w == 49
    assert result.max_drawdown_1y == pytest.approx(-50.0)


def test_the_year_of_the_range_is_365_days():
    highs = np.full(300, 11.0)
    highs[10] = 99  # over a year before the last bar
    result = asked(bars([10.0] * 300, high=highs))
    assert result.high_52w == 11


def test_average_volume_is_of_twenty_sessions_and_unknown_where_nothing_is_counted():
    assert asked(bars([10] * 25, volume=np.arange(25.0))).avg_volume_20d == pytest.approx(14.5)
    assert asked(bars([10] * 19)).avg_volume_20d is None
    assert asked(bars([10] * 25, volume=np.zeros(25))).avg_volume_20d is None


def test_a_day_that_is_no_session_is_answered_by_the_last_one_and_said():
    result = asked(bars([10] * 5), end=date(2024, 6, 30), as_of=date(2024, 6, 30))
    assert result.end == AS_OF
    assert "No bar on 2024-06-30: the last session is 2024-06-28." in result.notes


def test_levels_of_a_dividend_adjusted_source_are_doubted():
    assert any("levels run low" in note for note in asked(bars([10] * 5, basis="fully_adjusted")).notes)
    assert not any("levels run low" in note for note in asked(bars([10] * 5)).notes)


def test_a_history_that_begins_inside_the_window_is_said():
    result = asked(bars([10] * 5), start=date(2024, 1, 2))
    assert "made gives no bars before 2024-06-24, though asked from 2024-01-02." in result.notes
    assert any("MADE has 5 sessions from 2024-06-24" in note for note in result.notes)


def test_a_window_without_a_session_has_no_answer():
    with pytest.raises(NoData, match="widen the window"):
        asked(bars([10] * 30), start=date(2024, 6, 22), end=date(2024, 6, 23))
    with pytest.raises(NoData):
        asked(bars([]))


def test_sixty_sessions_are_shown_one_by_one():
    result = asked(bars(range(100, 160)), start=date(2024, 1, 2))
    assert len(rows_of(result)) == 60
    assert not any("weekly" in note for note in result.notes)


def test_an_older_part_is_merged_into_weeks():
    prices = wander(120)
    result = asked(prices, start=date(2000, 1, 3))
    rows = rows_of(result)
    assert [row["Date"] for row in rows[-20:]] == [str(day) for day in prices.days[-20:]]
    assert any("weekly" in note for note in result.notes)
    week = rows[2]  # the week to 2024-01-26, which had no holiday
    stop = int(np.searchsorted(prices.days, np.datetime64(week["Date"]))) + 1
    part = slice(stop - 5, stop)
    assert week["Date"] == "2024-01-26"
    assert float(week["Open"]) == pytest.approx(prices.open[part][0], abs=0.005)
    assert float(week["High"]) == pytest.approx(prices.high[part].max(), abs=0.005)
    assert float(week["Low"]) == pytest.approx(prices.low[part].min(), abs=0.005)
    assert float(week["Close"]) == pytest.approx(prices.close[part][-1], abs=0.005)


@given(st.integers(1, 900))
def test_merging_loses_no_volume_and_keeps_the_table_short(count: int):
    prices = wander(count)
    rows = rows_of(asked(prices, start=date(2000, 1, 3)))
    assert sum(float(row["Volume"]) for row in rows) == pytest.approx(prices.volume.sum())
    assert len(rows) <= 68
    assert [row["Date"] for row in rows] == sorted({row["Date"] for row in rows})
    assert rows[-1]["Date"] == "2024-06-28"


def test_prices_below_one_keep_their_digits():
    assert (
        rows_of(asked(bars([0.00012345], high=np.array([0.0002]), low=np.array([0.0001]))))[0]["Close"] == "0.00012345"
    )


def test_the_figures_read_back_from_the_markdown():
    result = asked(wander(300))
    read = parse_figures(result.to_markdown())
    assert {name: one.value for name, one in read.items()} == {one.name: one.rounded for one in result.figures()}
    assert [one.name for one in result.figures()] == [
        "last_close",
        "change_1d",
        "change_1w",
        "change_1m",
        "change_3m",
        "high_52w",
        "low_52w",
        "avg_volume_20d",
        "volatility_20d",
        "max_drawdown_1y",
    ]
    assert read["last_close"].unit == "USD"


def test_an_index_is_in_points():
    assert parse_figures(asked(bars([10] * 5, basis="index")).to_markdown())["last_close"].unit == ""


def test_the_first_merged_period_is_left_out_where_bars_before_it_are_withheld():
    prices = wander(120)
    whole = rows_of(asked(prices, start=date(2000, 1, 3)))
    cut = replace(
        prices,
        withheld=PriceBreak(
            before=date(2024, 1, 5),
            day=prices.days[0].item(),
            close_before=1.0,
            close=2.0,
            until=None,
            close_after=None,
            cause="bars are missing",
            kind="missing-days",
        ),
    )
    assert rows_of(asked(cut, start=date(2000, 1, 3))) == whole[1:]


def test_a_merged_period_is_left_out_and_counted_where_a_session_of_it_has_no_bar():
    prices = wander(120)
    day = np.datetime64("2024-01-24")
    lacking = replace(with_bars(prices, prices.days != day), lost=(day.item(),))
    whole, result = asked(prices, start=date(2000, 1, 3)), asked(lacking, start=date(2000, 1, 3))
    gone = [row["Date"] for row in rows_of(whole) if row not in rows_of(result)]
    assert gone == ["2024-01-26"]
    assert any(note.endswith("volume summed; 1 with a session without a bar is left out.") for note in result.notes)
    assert any(note.endswith("volume summed.") for note in whole.notes)
