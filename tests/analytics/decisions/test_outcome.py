"""What came of a decision, by hand and by law."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.fakes import make_prices
from tradingagents.analytics.decisions.outcome import Path, earned, excess, path, proved_right, stop_hit, window_end
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import sessions

FIRST, LAST = date(2025, 3, 3), date(2025, 3, 7)


def week(*closes: float) -> Prices:
    """Bars of the five sessions from 3 to 7 March 2025, with these adjusted closes."""
    return replace(make_prices(first=FIRST, last=LAST), adj_close=np.array(closes, dtype=float))


def test_a_window_by_hand():
    # 100 -> 110: +10 %. High 120, then 90: -25 %. Short: 1, 0.8, 1.1, 1.0, 0.9; from 1.1 to 0.9 is -18.18 %, but from
    # 1 to 0.8 is -20 %. Benchmark 50 -> 51: +2 %.
    stock, market = week(100, 120, 90, 100, 110), week(50, 10, 10, 10, 51)
    bought = path("BUY", stock, FIRST, LAST, market)
    assert bought == Path(
        total_return=pytest.approx(0.10),
        benchmark_return=pytest.approx(0.02),
        drawdown=pytest.approx(-0.25),
        position_drawdown=pytest.approx(-0.25),
    )
    assert path("SELL", stock, FIRST, LAST, market).position_drawdown == pytest.approx(-0.20)  # type: ignore[union-attr]
    assert path("HOLD", stock, FIRST, LAST, market).position_drawdown == 0  # type: ignore[union-attr]
    assert earned("BUY", 0.10) == pytest.approx(0.10)
    assert earned("SELL", 0.10) == pytest.approx(-0.10)
    assert earned("HOLD", 0.10) == 0
    assert excess("BUY", 0.10, 0.02) == pytest.approx(0.08)
    assert excess("SELL", 0.10, 0.02) == pytest.approx(-0.08)
    assert excess("SELL", 0.10, None) is None


def test_a_window_from_an_open_by_hand():
    # Adjusted closes 100 and 110 over traded closes of 50 and 55; an open of 48 is 96 adjusted: 110 / 96 - 1.
    # The benchmark opens at 40 of a close of 50, its adjusted close: 51 / 40 - 1 = 27.5 %.
    stock = replace(
        week(100, 120, 90, 100, 110), open=np.array([48.0, 1, 1, 1, 1]), close=np.array([50.0, 60, 45, 50, 55])
    )
    market = replace(
        week(50, 10, 10, 10, 51), open=np.array([40.0, 1, 1, 1, 1]), close=np.array([50.0, 10, 10, 10, 51])
    )
    found = path("BUY", stock, FIRST, LAST, market, from_open=True)
    assert found is not None
    assert found.total_return == pytest.approx(110 / 96 - 1)
    assert found.benchmark_return == pytest.approx(0.275)
    assert found.drawdown == pytest.approx(-0.25)
    falls_at_once = path("BUY", replace(stock, open=np.array([80.0, 1, 1, 1, 1])), FIRST, LAST, from_open=True)
    assert falls_at_once is not None
    assert falls_at_once.drawdown == pytest.approx(90 / 160 - 1), "the open is the first high"


def test_a_window_from_an_open_may_be_one_session_long():
    stock = replace(week(100, 120, 90, 100, 110), open=np.full(5, 105.0), close=np.full(5, 110.0))
    found = path("BUY", stock, LAST, LAST, from_open=True)
    assert found is not None
    assert found.total_return == pytest.approx(110 / 105 - 1)
    assert path("BUY", stock, LAST, LAST) is None


def test_a_short_can_lose_more_than_it_was_worth():
    found = path("SELL", week(100, 150, 200, 250, 300), FIRST, LAST)
    assert found is not None
    assert found.position_drawdown == pytest.approx(-2.0)


@pytest.mark.parametrize(
    ("action", "total", "benchmark", "right"),
    [
        ("BUY", 0.05, 0.02, True),
        ("BUY", 0.05, 0.07, False),
        ("BUY", 0.05, None, True),
        ("BUY", 0.05, 0.05, False),
        ("SELL", 0.05, 0.07, True),
        ("SELL", -0.05, -0.07, False),
        ("SELL", -0.05, None, True),
        ("HOLD", 0.5, 0.0, None),
        ("NO_DECISION", 0.5, 0.0, None),
    ],
)
def test_who_proved_right(action: str, total: float, benchmark: float | None, right: bool | None):
    assert proved_right(action, total, benchmark) is right


def test_only_a_stock_that_traded_on_both_days_has_an_outcome():
    stock = week(100, 120, 90, 100, 110)
    assert path("BUY", stock, FIRST, LAST) is not None
    assert path("BUY", stock, FIRST - timedelta(days=3), LAST) is None
    assert path("BUY", stock, FIRST, LAST + timedelta(days=3)) is None
    assert path("BUY", stock, FIRST, FIRST) is None
    assert path("BUY", week(100, np.nan, 90, 100, 110), FIRST, LAST) is None
    assert path("BUY", week(100, 120, 0, 100, 110), FIRST, LAST) is None


def test_a_benchmark_answers_with_its_last_close_before_a_holiday_but_not_with_an_old_one():
    stock = make_prices(first=FIRST, last=date(2025, 3, 28))
    market = week(50, 50, 50, 50, 51)
    found = path("BUY", stock, FIRST, date(2025, 3, 17), market)
    assert found is not None
    assert found.benchmark_return == pytest.approx(0.02)
    late = path("BUY", stock, FIRST, date(2025, 3, 28), market)
    assert late is not None
    assert late.benchmark_return is None


def test_what_lies_outside_the_window_changes_nothing():
    stock = make_prices(first=date(2025, 1, 2), last=date(2025, 6, 30))
    inside = path("BUY", stock, FIRST, LAST)
    assert inside == path("BUY", stock.since(FIRST).upto(LAST), FIRST, LAST)


@given(
    closes=st.lists(st.floats(1, 1000), min_size=5, max_size=5),
    action=st.sampled_from(["BUY", "SELL", "HOLD"]),
    scale=st.floats(0.01, 100),
)
def test_laws_of_a_path(closes: list[float], action: str, scale: float):
    found = path(action, week(*closes), FIRST, LAST)
    scaled = path(action, week(*(close * scale for close in closes)), FIRST, LAST)
    assert found is not None
    assert scaled is not None
    assert scaled.total_return == pytest.approx(found.total_return, abs=1e-9)
    assert scaled.position_drawdown == pytest.approx(found.position_drawdown, rel=1e-6, abs=1e-9)
    assert -1 < found.drawdown <= 0
    assert found.drawdown <= found.total_return + 1e-12
    assert found.position_drawdown <= 0
    if (kept := earned(action, found.total_return)) > -1:  # a lost short measures itself by its best day, not its first
        assert found.position_drawdown <= kept + 1e-9
    assert earned("BUY", found.total_return) == -earned("SELL", found.total_return)


@given(st.dates(date(2000, 1, 1), date(2025, 12, 31)))
def test_a_window_ends_with_the_first_session_on_or_after_its_day(until: date):
    calendar = sessions()
    end = window_end(calendar, until)
    assert calendar.is_session(end)
    assert end >= until
    assert not calendar.between(until, end - timedelta(days=1))


def bars(low: list[float], high: list[float], close: list[float]) -> Prices:
    """Bars of the week with these lows, highs and closes."""
    made = make_prices(first=FIRST, last=LAST)
    return replace(made, low=np.array(low), high=np.array(high), close=np.array(close))


def test_a_stop_is_hit_by_the_first_low_that_reaches_it_and_a_short_by_a_high():
    # Bought at 100 with a stop at 95: the day of the decision does not count, Wednesday's low of 95 does.
    stock = bars([90, 97, 95, 80, 99], [101, 104, 110, 99, 105], [100, 102, 96, 90, 104])
    asked = (stock, FIRST, LAST)
    assert stop_hit("BUY", *asked, 95.0, as_of_price=100.0) == date(2025, 3, 5)
    assert stop_hit("BUY", *asked, 79.0, as_of_price=100.0) is None
    assert stop_hit("SELL", *asked, 104.0, as_of_price=100.0) == date(2025, 3, 4)
    assert stop_hit("SELL", *asked, 104.0, as_of_price=100.0, sell_means="close") is None
    assert stop_hit("HOLD", *asked, 95.0, as_of_price=100.0) is None
    # From Tuesday's open the position is held on Tuesday, too: its low of 97 counts.
    assert stop_hit("BUY", stock, date(2025, 3, 4), LAST, 97.5, as_of_price=100.0, from_open=True) == date(2025, 3, 4)


def test_a_split_after_the_decision_moves_its_stop():
    # Decided at 200 with a stop at 190, then split 2 for 1: the vendor gives 100 for the day, so the stop is at 95.
    stock = bars([99, 97, 96, 94, 99], [101, 104, 110, 99, 105], [100, 102, 96, 96, 104])
    assert stop_hit("BUY", stock, FIRST, LAST, 190.0, as_of_price=200.0) == date(2025, 3, 6)
