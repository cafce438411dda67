"""Days of bars: sorted, one bar a session, holes named or not crossed, shifted days not used."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from tests.dataflows.gateway.checks.test_price_checks import DAYS, LAST, NAMES, prices, said
from tradingagents.analytics.price.returns import annualised_volatility, simple_return
from tradingagents.dataflows.gateway.checks.price_checks import check_prices
from tradingagents.dataflows.models import Prices


def chosen(given: Prices, order: list[int]) -> Prices:
    arrays = {name: getattr(given, name)[order] for name in (*NAMES, "volume")}
    return replace(given, days=given.days[order], **arrays)


def without(given: Prices, *lost: int) -> Prices:
    return chosen(given, [index for index in range(len(given)) if index not in lost])


def moved(given: Prices, first: int, stop: int, by: int) -> Prices:
    days = given.days.copy()
    days[first:stop] += np.timedelta64(by, "D")
    return replace(given, days=days)


def test_unsorted_bars_are_sorted_and_named():
    given = prices()
    order = [*range(100), 150, *range(100, 150), *range(151, len(given))]
    checked = check_prices(chosen(given, order), LAST)
    assert checked.unusable is None
    assert checked.prices.days.tolist() == given.days.tolist()
    (fault,) = checked.faults
    assert (fault.kind, fault.day, fault.done) == ("unsorted-days", DAYS[100], "they are sorted")


def test_unsorted_bars_after_the_last_session_are_not_looked_at():
    given = prices()
    order = [*range(len(given) - 2), len(given) - 1, len(given) - 2]
    assert check_prices(chosen(given, order), DAYS[-3]).faults == ()


def test_unsorted_bars_of_which_two_are_of_one_day_are_not_used():
    given = prices(close={100: 100.04})
    order = [*range(len(given)), 99]
    twice = chosen(given, order)
    twice.days[-1] = given.days[100]
    checked = check_prices(twice, LAST)
    assert checked.unusable == f"{DAYS[100]} has two different bars"
    assert [fault.kind for fault in checked.faults] == ["unsorted-days", "two-bars-of-a-day"]


def test_a_missing_session_is_named_and_nothing_is_withheld():
    checked = check_prices(without(prices(), 100, 150), LAST)
    assert (checked.unusable, checked.prices.withheld) == (None, None)
    assert said(checked) == [f"ACMQ {DAYS[101]}: 2 sessions are missing, the first before {DAYS[101]}"]
    assert (checked.faults[0].kind, checked.faults[0].withholds) == ("missing-days", True)
    assert checked.prices.lost == (DAYS[100], DAYS[150])
    (note,) = checked.prices.notes
    named = f"{checked.prices.vendor} has no sound bar of ACMQ for {DAYS[100]}, {DAYS[150]}"
    assert note.startswith(f"{named} (docs/reference/data-faults.md#missing-")


def test_a_bar_that_is_left_out_is_a_lost_session():
    given = prices()
    high = given.high.copy()
    high[120] = given.low[120] * 0.9
    checked = check_prices(replace(given, high=high), LAST)
    assert checked.prices.lost == (DAYS[120],)
    assert str(DAYS[120]) in checked.prices.notes[0]
    unknown = check_prices(replace(given, high=high, symbol="^MADE"), LAST)  # no calendar: the bar itself says it
    assert unknown.prices.lost == (DAYS[120],)


def test_changes_go_by_sessions_and_are_absent_where_their_first_one_has_no_bar():
    given = prices()
    whole = check_prices(given, LAST).prices
    count = len(given)
    bars = check_prices(without(given, count - 4), LAST).prices
    assert (len(bars), bars.sessions_back(5), bars.sessions_back(3)) == (count - 1, count - 6, None)
    assert simple_return(bars, 5) == simple_return(whole, 5)
    assert simple_return(bars, 3) is None
    assert annualised_volatility(bars) is None
    assert annualised_volatility(whole) is not None
    assert bars.upto(DAYS[count - 5]).sessions_back(3) == count - 8
    assert bars.upto(DAYS[count - 4]).sessions_back(3) is None  # its own session has no bar


def test_no_window_crosses_a_hole_of_more_than_a_week():
    assert check_prices(without(prices(), *range(100, 105)), LAST).prices.withheld is None
    checked = check_prices(without(prices(), *range(100, 106)), LAST)
    assert checked.prices.days[0] == np.datetime64(DAYS[106])
    assert checked.prices.withheld is not None
    (text,) = said(checked)
    assert text == (
        f"ACMQ {DAYS[106]}: 6 sessions are missing between {DAYS[99]} and {DAYS[106]}, more than a window of 20 bars "
        "may lack"
    )
    assert checked.prices.notes[0].endswith("(docs/reference/data-faults.md#missing-days).")
    assert "the close went" not in checked.prices.notes[0]


def test_no_window_crosses_many_short_holes():
    lost = range(100, 124, 4)
    checked = check_prices(without(prices(), *lost), LAST)
    assert checked.prices.days[0] == np.datetime64(DAYS[121])
    assert "6 sessions are missing among the 20 bars up to" in said(checked)[0]


def test_every_other_session_leaves_too_little_for_a_figure_of_a_month():
    checked = check_prices(without(prices(), *range(1, len(DAYS), 2)), LAST)
    assert len(checked.prices) < 21


@pytest.mark.parametrize("symbol", ["GC=F", "^N225"])
def test_where_the_calendar_is_unknown_only_a_gap_longer_than_any_closure_is_a_hole(symbol: str):
    given = prices(symbol)
    assert check_prices(without(given, 100, 101, 102, 103), LAST).faults == ()
    assert check_prices(without(given, *range(100, 112)), LAST).prices.withheld is not None


@pytest.mark.parametrize("by", [-1, 1])
def test_days_that_are_all_shifted_by_one_are_not_used(by: int):
    checked = check_prices(moved(prices(), 0, len(DAYS), by), LAST + timedelta(days=1))
    assert checked.unusable == "its days are shifted"
    fault = checked.faults[0]
    assert (fault.kind, fault.withholds) == ("day-without-session", True)
    assert "the days are shifted against the sessions: " in fault.what


@pytest.mark.parametrize("by", [-1, 1])
def test_bars_after_a_shifted_stretch_are_used(by: int):
    """Ten weeks that begin and end within a week, so that no day is there twice."""
    first = next(index for index in range(80, 90) if DAYS[index].weekday() == 2)
    given = without(moved(prices(), first, first + 48, by), first - 1, first + 48)
    checked = check_prices(given, LAST)
    assert checked.unusable is None
    assert checked.prices.withheld is not None
    assert DAYS[first + 48] <= checked.prices.withheld.sound_from <= DAYS[first + 58]
    assert checked.prices.withheld.kind == "day-without-session"


def test_shifted_days_at_the_end_leave_nothing():
    assert check_prices(moved(prices(), len(DAYS) - 15, len(DAYS), 1), LAST).unusable == "its days are shifted"


def test_stray_bars_on_sundays_are_no_shift():
    given = prices()
    sundays = [date(2024, 6, 2) + timedelta(days=7 * week) for week in range(2)]
    for sunday in sundays:
        at = int(np.searchsorted(given.days, np.datetime64(sunday)))
        arrays = {name: np.insert(getattr(given, name), at, 100.0) for name in (*NAMES, "volume")}
        given = replace(given, days=np.insert(given.days, at, np.datetime64(sunday)), **arrays)
    checked = check_prices(given, LAST)
    assert (checked.unusable, checked.prices.withheld, len(checked.prices)) == (None, None, len(DAYS))
    assert [fault.kind for fault in checked.faults] == ["day-without-session"] * 2


def test_coins_trade_on_sundays():
    days = np.datetime64("2024-03-14") + np.arange(300)
    arrays = {name: np.full(300, 100.0) for name in (*NAMES, "volume")}
    given = replace(prices("BTC-USD"), days=days, **arrays)
    assert check_prices(given, date(2025, 3, 14)).faults == ()
