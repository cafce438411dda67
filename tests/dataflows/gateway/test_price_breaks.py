"""Jumps that no listed action explains are named with their days; moves of the market are not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest

from tradingagents.dataflows.gateway.price_breaks import price_breaks
from tradingagents.dataflows.models import Dividend, Prices, Split

FIRST = date(2024, 1, 1)
NAMES = ("open", "high", "low", "close", "adj_close")


def day(index: int) -> date:
    return FIRST + timedelta(days=index)


def series(*closes: float, symbol: str = "ACMQ", volumes: dict[int, float] | None = None) -> Prices:
    """Bars of consecutive days, a thousand shares traded in each but those given."""
    values = np.array(closes)
    volume = np.full(len(values), 1000.0)
    for index, traded in (volumes or {}).items():
        volume[index] = traded
    days = np.datetime64(FIRST) + np.arange(len(values))
    columns = dict.fromkeys(NAMES, values)
    return Prices(
        symbol,
        days,
        **columns,
        volume=volume,
        currency="USD",
        vendor="made",
        fetched_at=datetime(2025, 1, 1, tzinfo=UTC),
    )


def flat(level: float, count: int = 30) -> list[float]:
    return [level] * count


def test_a_hundredfold_stretch_and_its_way_back_are_one_break():
    (found,) = price_breaks(series(*flat(50), *flat(5000, 3), *flat(51)))
    assert (found.before, found.day, found.until) == (day(29), day(30), day(33))
    assert found.sound_from == day(33)
    assert found.kind == "unit-change"
    assert found.text == (
        "the close went from 50.00 on 2024-01-30 to 5,000.00 on 2024-01-31, and back to 51.00 on 2024-02-03, "
        "like a change of the unit by 100"
    )


@pytest.mark.parametrize(
    ("before", "after", "cause"),
    [
        (400, 101, "like a 4 for 1 split that is not listed"),
        (100, 797, "like a 1 for 8 split that is not listed"),
        (100, 50.9, "like a 2 for 1 split that is not listed"),
        (150, 100, "like a 3 for 2 split that is not listed"),
        (100, 9850, "like a change of the unit by 100"),
        (100, 355, "without an action or the trading that news brings: it cannot be told from an error"),
        (100, 9, "without an action or the trading that news brings: it cannot be told from an error"),
        (100, 58, "without an action or the trading that news brings: it cannot be told from an error"),
        (100, 80, "like a 5 for 4 split that is not listed"),
        (75, 100, "like a 3 for 4 split that is not listed"),
    ],
)
def test_a_jump_on_usual_volume_is_a_break(before: float, after: float, cause: str):
    (found,) = price_breaks(series(*flat(before), *flat(after)))
    assert (found.day, found.until, found.cause) == (day(30), None, cause)


@pytest.mark.parametrize(
    ("before", "after", "volume"),
    [
        (100, 50, 8_000),  # a crash by half: four times the usual money
        (150, 100, 5_000),
        (100, 16, 15_000),  # a failed trial: no split's ratio, fifteen times the usual shares
        (100, 70, 4_500),  # 30 %: three times the usual money
        (100, 80, 2_000),  # 5 for 4 is a common move, on 1.6 times the usual money
        (100, 58, 5_500),
        (100, 83, 1_000),  # less than a fifth is not looked at
    ],
)
def test_a_move_of_the_market_is_none(before: float, after: float, volume: float):
    assert price_breaks(series(*flat(before), *flat(after), volumes={30: volume})) == ()


def test_listed_splits_are_checked_against_the_closes():
    unadjusted = series(*flat(100), *flat(66))
    split = Split(day(30), 1.5)
    (found,) = price_breaks(replace(unadjusted, splits=(split,)))
    assert found.cause == "the listed 3 for 2 split is not applied"
    twice = replace(series(*flat(25), *flat(100)), splits=(Split(day(30), 4.0),))
    assert price_breaks(twice)[0].cause == "the listed 4 for 1 split is applied twice"
    assert price_breaks(replace(series(*flat(100)), splits=(Split(day(10), 4.0),))) == ()


def test_a_special_dividend_explains_a_fall():
    fallen = series(*flat(100), *flat(50))
    assert len(price_breaks(fallen)) == 1
    assert price_breaks(replace(fallen, dividends=(Dividend(day(30), 48.0),))) == ()


@pytest.mark.parametrize("symbol", ["^VIX", "BTC-USD", "EURUSD=X", "GC=F"])
def test_what_has_no_splits_may_double(symbol: str):
    assert price_breaks(series(*flat(20), *flat(40), symbol=symbol)) == ()
    assert len(price_breaks(series(*flat(20), *flat(2000), symbol=symbol))) == 1


def test_the_answer_for_a_day_does_not_depend_on_later_bars():
    whole = series(*flat(50), *flat(5000, 3), *flat(51))
    (known,) = price_breaks(whole.upto(day(31)))
    assert known.until is None
    assert price_breaks(whole.upto(day(29))) == ()


def test_without_volume_only_large_jumps_are_breaks():
    none = dict.fromkeys(range(60), 0.0)
    assert price_breaks(series(*flat(100), *flat(50), volumes=none)) == ()
    assert len(price_breaks(series(*flat(100), *flat(20), volumes=none))) == 1
