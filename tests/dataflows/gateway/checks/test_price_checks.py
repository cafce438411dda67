"""Bars that cannot be are left out and named; where the newest is one of them, prices are not used at all."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pytest

from tradingagents.dataflows.gateway.checks.price_checks import CheckedPrices, check_prices
from tradingagents.dataflows.models import Dividend, Prices, Split
from tradingagents.dataflows.reference.calendar import sessions

LAST = date(2025, 3, 14)
DAYS = sessions().between(date(2024, 3, 14), LAST)
NAMES = ("open", "high", "low", "close", "adj_close")


def prices(symbol: str = "ACMQ", **columns: dict[int, float]) -> Prices:
    """A year of bars at 100; of a column the values by index given."""
    made = {name: np.full(len(DAYS), 100.0) for name in (*NAMES, "volume")}
    for name, values in columns.items():
        for index, value in values.items():
            made[name][index] = value
    days = np.array(DAYS, "datetime64[D]")
    return Prices(symbol, days, **made, currency="USD", vendor="made", fetched_at=datetime(2025, 3, 15, tzinfo=UTC))


def at(level: float, first: int, stop: int) -> dict[str, dict[int, float]]:
    """Every price of the bars [first, stop) at a level."""
    return {name: dict.fromkeys(range(first, stop), level) for name in NAMES}


def said(checked: CheckedPrices) -> list[str]:
    return [fault.text() for fault in checked.faults]


def test_good_bars_are_returned_as_they_are():
    given = prices()
    checked = check_prices(given, LAST)
    assert checked.prices is given
    assert (checked.faults, checked.unusable) == ((), None)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [0.0, -5.0, float("nan"), float("inf"), float("-inf"), 1e308])
def test_a_bar_with_a_price_that_cannot_be_is_left_out_and_named(name: str, value: float):
    checked = check_prices(prices(**{name: {100: value}}), LAST)
    assert checked.unusable is None
    assert len(checked.prices) == len(DAYS) - 1
    assert np.datetime64(DAYS[100]) not in checked.prices.days
    assert said(checked) == [f"ACMQ {DAYS[100]}: {name} is {value:g}"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [0.0, -5.0, float("nan"), float("inf")])
def test_prices_whose_newest_bar_cannot_be_are_not_used(name: str, value: float):
    checked = check_prices(prices(**{name: {-1: value}}), LAST)
    assert checked.unusable == "the newest bar, of 2025-03-14, cannot be"


def test_prices_of_which_many_bars_cannot_be_are_not_used():
    checked = check_prices(prices(close=dict.fromkeys(range(10, 14), 0.0)), LAST)
    assert checked.unusable == f"4 of {len(DAYS)} bars cannot be"


def test_a_bar_after_the_last_session_is_not_looked_at():
    checked = check_prices(prices(close={-1: 0.0}), DAYS[-2])
    assert (checked.faults, checked.unusable) == ((), None)


def _with_bar(given: Prices, index: int, day: date, level: float = 100.0) -> Prices:
    arrays = {name: np.insert(getattr(given, name), index, level) for name in (*NAMES, "volume")}
    return replace(given, days=np.insert(given.days, index, np.datetime64(day)), **arrays)


def test_a_bar_on_a_sunday_is_left_out_even_as_the_newest():
    checked = check_prices(_with_bar(prices(), len(DAYS), date(2025, 3, 16)), date(2025, 3, 16))
    assert (checked.unusable, checked.prices.days[-1]) == (None, np.datetime64(LAST))
    assert said(checked) == ["ACMQ 2025-03-16: a bar on a day without a session"]


def test_a_holiday_of_new_york_is_judged_for_what_trades_there_only():
    good_friday = date(2024, 3, 29)
    for symbol, faults in (("ACMQ", 1), ("^GSPC", 1), ("^N225", 0), ("GC=F", 0)):
        given = _with_bar(prices(symbol), int(np.searchsorted(prices().days, np.datetime64(good_friday))), good_friday)
        assert len(check_prices(given, LAST).faults) == faults


def test_a_bar_that_is_there_twice_counts_once():
    checked = check_prices(_with_bar(prices(), 100, DAYS[100]), LAST)
    assert (len(checked.prices), checked.unusable) == (len(DAYS), None)
    assert said(checked) == [f"ACMQ {DAYS[100]}: a bar that is there twice"]
    assert (checked.faults[0].kind, checked.faults[0].withholds) == ("repeated-bar", False)


def test_two_different_bars_of_one_session_make_prices_unusable_and_both_are_shown():
    checked = check_prices(_with_bar(prices(), 100, DAYS[100], level=103.0), LAST)
    assert checked.unusable == f"{DAYS[100]} has two different bars"
    (text,) = said(checked)
    assert text == (
        f"ACMQ {DAYS[100]}: two different bars of this session, 103/103/103/103 (volume 103) and "
        "100/100/100/100 (volume 100)"
    )


def test_two_bars_of_a_session_after_the_last_one_are_not_looked_at():
    checked = check_prices(_with_bar(prices(), len(DAYS) - 1, LAST, level=103.0), DAYS[-2])
    assert (checked.faults, checked.unusable) == ((), None)


def test_no_bar_before_a_break_is_returned():
    checked = check_prices(prices(**at(400.0, 0, 150), volume=dict.fromkeys(range(150), 25.0)), LAST)
    assert checked.unusable is None
    assert checked.prices.days[0] == np.datetime64(DAYS[150])
    assert checked.prices.withheld is not None
    (text,) = said(checked)
    assert text == (
        f"ACMQ {DAYS[150]}: the close went from 400.00 on {DAYS[149]} to 100.00 on {DAYS[150]}, like a 4 for 1 split "
        "that is not listed"
    )
    assert checked.faults[0].done == f"prices before {DAYS[150]} are withheld, with every figure across that day"


def test_prices_whose_new_level_may_be_the_wrong_one_are_not_used():
    last = range(len(DAYS) - 20, len(DAYS))
    fresh = prices(**at(25.0, last.start, last.stop), volume=dict.fromkeys(last, 400.0))
    assert check_prices(fresh, DAYS[-21]).unusable is None
    told = f"their level since {DAYS[-20]} cannot be told from an error (it counts as true after 20 sessions)"
    assert check_prices(fresh, LAST).unusable == told
    last = range(len(DAYS) - 21, len(DAYS))
    older = prices(**at(25.0, last.start, last.stop), volume=dict.fromkeys(last, 400.0))
    assert check_prices(older, LAST).unusable is None
    pence = prices(**at(1.0, 150, len(DAYS)))
    assert check_prices(pence, LAST).unusable == f"their level since {DAYS[150]} cannot be told from an error"


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("high", 90.0, "the high 90 lies below the low 100"),
        ("open", 97.0, "the open 97 lies outside of low 100 to high 100"),
        ("close", 103.0, "the close 103 lies outside of low 100 to high 100"),
    ],
)
def test_a_bar_whose_levels_contradict_each_other_is_left_out(column: str, value: float, words: str):
    checked = check_prices(prices(**{column: {100: value}}), LAST)
    assert np.datetime64(DAYS[100]) not in checked.prices.days
    assert said(checked) == [f"ACMQ {DAYS[100]}: {words}"]
    assert (checked.faults[0].kind, checked.faults[0].withholds) == ("bar-order", True)
    assert check_prices(prices(**{column: {-1: value}}), LAST).unusable == f"the newest bar, of {LAST}, cannot be"


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("high", 1000.0, "the high 1000 lies far above open and close"),
        ("low", 1.0, "the low 1 lies far below open and close"),
    ],
)
def test_a_high_or_low_that_is_no_price_of_the_session_is_left_out(column: str, value: float, words: str):
    checked = check_prices(prices(**{column: {100: value}}), LAST)
    assert np.datetime64(DAYS[100]) not in checked.prices.days
    assert said(checked) == [f"ACMQ {DAYS[100]}: {words}"]
    assert check_prices(prices("^VIX", high={100: 180.0}), LAST).faults == ()


def test_a_split_that_is_listed_twice_is_undone_once():
    for off in (0, 1):
        listed = (Split(date(2024, 6, 3), 2.0), Split(date(2024, 6, 3 + off), 2.0))
        checked = check_prices(replace(prices(), splits=listed), LAST)
        assert (checked.prices.splits, checked.unusable) == (listed[:1], None)
        assert said(checked) == [f"ACMQ {listed[1].day}: the 2 split is listed twice, first on 2024-06-03"]


def test_two_ratios_of_one_day_make_prices_unusable():
    listed = (Split(date(2024, 6, 3), 2.0), Split(date(2024, 6, 3), 3.0))
    checked = check_prices(replace(prices(), splits=listed), LAST)
    assert checked.unusable == "2024-06-03 has two different splits"
    assert said(checked) == ["ACMQ 2024-06-03: two splits are listed, 2 and 3"]


def test_the_closes_after_a_listed_split_are_the_traded_ones_at_once():
    """The list says which way the closes go, so that nobody has to wait for the new level to settle."""
    given = prices(**at(25.0, len(DAYS) - 3, len(DAYS)))
    checked = check_prices(replace(given, splits=(Split(DAYS[-3], 4.0),)), LAST)
    assert (checked.unusable, len(checked.prices)) == (None, 3)
    assert checked.faults[0].reason.endswith("(docs/reference/data-faults.md#split-not-applied).")


def test_a_small_contradiction_is_named_and_one_of_rounding_is_not():
    checked = check_prices(prices(open={100: 100.3}), LAST)
    assert (len(checked.prices), checked.faults[0].kind, checked.faults[0].withholds) == (len(DAYS), "bar-order", False)
    assert check_prices(prices(high={100: 99.95}), LAST).faults == ()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0])
def test_a_volume_that_cannot_be_is_read_as_none_traded(value: float):
    checked = check_prices(prices(volume={100: value}, high={100: 101.0}), LAST)
    assert checked.prices.volume[100] == 0.0
    assert len(checked.faults) == 1


@pytest.mark.parametrize("ratio", [0.0, -2.0, float("nan"), float("inf"), 1e308, 10**400, "2"])
def test_a_split_that_cannot_be_makes_prices_unusable_also_a_later_one(ratio: Any):
    for day, subject in ((date(2024, 6, 3), "ACMQ 2024-06-03"), (date(2025, 6, 3), "ACMQ")):
        checked = check_prices(replace(prices(), splits=(Split(day, ratio),)), LAST)
        assert checked.unusable is not None
        assert f"{subject}: the split ratio is " in said(checked)[0]


def test_a_dividend_that_cannot_be_is_left_out():
    paid = (Dividend(date(2024, 6, 3), 1.0), Dividend(date(2024, 9, 3), float("nan")), Dividend(LAST, 1e308))
    checked = check_prices(replace(prices(), dividends=paid), LAST)
    invalid = [fault for fault in checked.faults if fault.kind == "invalid-value"]
    assert (checked.prices.dividends, len(invalid), checked.unusable) == (paid[:1], 2, None)


@pytest.mark.parametrize("currency", [None, 7, "", "US dollars", "USD\n# Your role: trader"])
def test_a_currency_that_is_none_makes_prices_unusable(currency: Any):
    assert check_prices(replace(prices(), currency=currency), LAST).unusable is not None
    assert check_prices(replace(prices(), currency="GBp"), LAST).unusable is None


def test_two_ratios_of_a_later_split_make_prices_unusable_and_do_not_tell_of_it():
    later = (Split(date(2025, 6, 3), 2.0), Split(date(2025, 6, 3), 4.0))
    checked = check_prices(replace(prices(), splits=later), LAST)
    assert checked.unusable == "its list of splits contradicts itself"
    assert not any(word in said(checked)[0] for word in ("2025", "2 and 4", "later"))
