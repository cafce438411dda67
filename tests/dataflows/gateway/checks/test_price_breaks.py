"""Jumps that no listed action explains are named with their days; moves of the market are not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest

from tradingagents.dataflows.gateway.checks.price_breaks import in_doubt, price_breaks
from tradingagents.dataflows.models import Dividend, Prices, Split

FIRST = date(2024, 1, 1)
CURRENCY = "with as many shares traded as before, like a change of the currency"
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
        (400, 101, CURRENCY),
        (100, 797, CURRENCY),
        (100, 50.9, CURRENCY),
        (150, 100, CURRENCY),
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


def walk(count: int = 300, spread: float = 0.012, symbol: str = "ACMQ", volume: float = 1_000_000) -> Prices:
    """Bars that move like those of a large company, each opening at the close before."""
    rng = np.random.default_rng(5)
    close = 100 * np.exp(np.cumsum(rng.normal(0, spread, count)))
    opened = np.concatenate((close[:1], close[:-1]))
    days = np.datetime64(FIRST) + np.arange(count)
    return Prices(
        symbol,
        days,
        open=opened,
        high=np.maximum(opened, close) * 1.002,
        low=np.minimum(opened, close) * 0.998,
        close=close,
        adj_close=close,
        volume=volume * np.exp(rng.normal(0, 0.15, count)),
        currency="USD",
        vendor="made",
        fetched_at=datetime(2025, 1, 1, tzinfo=UTC),
    )


def scaled(given: Prices, first: int, stop: int, factor: float, *, volume: bool = False) -> Prices:
    """The same with the prices of [first, stop) times a factor, and their volume over it if told."""
    values = np.ones(len(given))
    values[first:stop] = factor
    levels = {name: getattr(given, name) * values for name in NAMES}
    return replace(given, **levels, volume=given.volume / values if volume else given.volume)


RATIOS = (1.1, 1.196, 1.25, 4 / 3, 1.5, 2.0, 3.0, 7.0, 20.0, 0.5, 1 / 3, 0.2, 0.1, 1 / 25)


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("volume", [False, True])
def test_a_listed_split_of_any_ratio_that_is_not_applied_is_found(ratio: float, volume: bool):
    given = replace(scaled(walk(), 0, 200, ratio, volume=volume), splits=(Split(day(200), ratio),))
    (found,) = price_breaks(given)
    assert (found.kind, found.day) == ("split-not-applied", day(200))
    assert found.cause.endswith(" split is not applied")


@pytest.mark.parametrize("ratio", RATIOS)
def test_a_listed_split_that_is_applied_twice_or_upside_down_is_found(ratio: float):
    twice = replace(scaled(walk(), 0, 200, 1 / ratio), splits=(Split(day(200), ratio),))
    (found,) = price_breaks(twice)
    assert (found.kind, found.day) == ("split-applied-twice", day(200))
    inverse = replace(scaled(walk(), 0, 200, ratio**2), splits=(Split(day(200), 1 / ratio),))
    (found,) = price_breaks(inverse)
    assert (found.kind, found.day) == ("split-not-applied", day(200))
    assert found.cause.endswith("split is applied with its inverse ratio")


@pytest.mark.parametrize("ratio", RATIOS)
def test_a_listed_split_that_is_applied_is_none(ratio: float):
    given = walk()
    for listed in (Split(day(200), ratio), Split(day(0), ratio), Split(day(400), ratio)):
        assert price_breaks(replace(given, splits=(listed,))) == ()


@pytest.mark.parametrize("off", [-2, -1, 1, 2])
@pytest.mark.parametrize("ratio", [1.25, 1.5, 4.0, 0.1])
def test_a_split_that_is_listed_some_sessions_off_is_found_on_its_day(ratio: float, off: int):
    given = replace(scaled(walk(), 0, 200, ratio, volume=True), splits=(Split(day(200 + off), ratio),))
    (found,) = price_breaks(given)
    assert (found.kind, found.day) == ("split-not-applied", day(200))
    assert found.cause.endswith(f"split of {day(200 + off)} is not applied")


@pytest.mark.parametrize("ratio", [1.25, 1.5, 4.0, 0.1])
def test_sessions_that_a_split_was_applied_to_a_day_too_late_are_a_stretch(ratio: float):
    given = replace(scaled(walk(), 198, 200, 1 / ratio, volume=True), splits=(Split(day(200), ratio),))
    assert max(one.sound_from for one in price_breaks(given)) == day(200)


def test_each_of_several_splits_is_judged_by_itself():
    first, second = Split(day(100), 2.0), Split(day(200), 1.5)
    neither = scaled(scaled(walk(), 0, 100, 2.0), 0, 200, 1.5)
    found = price_breaks(replace(neither, splits=(first, second)))
    assert [(one.kind, one.day) for one in found] == [("split-not-applied", day(100)), ("split-not-applied", day(200))]
    only_second = price_breaks(replace(scaled(walk(), 0, 200, 1.5), splits=(first, second)))
    assert [one.day for one in only_second] == [day(200)]
    both = scaled(walk(), 0, 200, 3.0)
    assert price_breaks(replace(both, splits=(Split(day(200), 2.0), Split(day(200), 1.5))))[0].day == day(200)


@pytest.mark.parametrize("ratio", [1.25, 4 / 3, 1.5, 2.0, 10.0, 0.5, 0.1])
@pytest.mark.parametrize("volume", [False, True])
def test_an_unlisted_split_is_found_by_what_is_traded(ratio: float, volume: bool):
    (found,) = price_breaks(scaled(walk(), 0, 200, ratio, volume=volume))
    kind = "split-not-listed" if volume or 1 < ratio < 1.5 else "unit-change"  # as many shares as before: no split
    assert (found.kind, found.day) == (kind, day(200))


@pytest.mark.parametrize("factor", [1.36, 0.79, 7.8, 83.0, 150.0])
def test_a_level_that_may_be_another_currency_never_settles(factor: float):
    given = scaled(walk(), 100, 300, factor)
    (found,) = price_breaks(given)
    assert (found.day, in_doubt(found, given)) == (day(100), True)


@pytest.mark.parametrize("ratio", [2.0, 4.0, 8.0, 1 / 8])
def test_the_level_since_a_split_settles_where_the_shares_traded_are_those_of_a_split(ratio: float):
    given = scaled(walk(), 0, 200, ratio, volume=True)
    (found,) = price_breaks(given)
    assert (found.kind, in_doubt(found, given)) == ("split-not-listed", False)


@pytest.mark.parametrize("factor", [0.79, 1.27, 0.73, 1.37, 0.85, 1.18, 7.2, 1 / 7.2, 150.0])
@pytest.mark.parametrize("count", [1, 4, 40])
def test_a_stretch_in_another_currency_is_withheld_up_to_its_end(factor: float, count: int):
    (found,) = price_breaks(scaled(walk(), 200, 200 + count, factor))
    assert (found.day, found.until) == (day(200), day(200 + count))


@pytest.mark.parametrize("factor", [100.0, 0.01, 1000.0, 0.79, 1.27])
def test_a_wrong_level_at_the_beginning_or_the_end_is_found(factor: float):
    assert price_breaks(scaled(walk(), 0, 4, factor))[-1].sound_from == day(4)
    (found,) = price_breaks(scaled(walk(), 296, 300, factor))
    assert (found.day, found.until) == (day(296), None)


@pytest.mark.parametrize("symbol", ["^VIX", "BTC-USD", "EURUSD=X", "GC=F"])
def test_what_has_no_shares_may_move_far_on_any_volume(symbol: str):
    for factor in (0.75, 1.3, 0.5):
        assert price_breaks(scaled(walk(symbol=symbol), 200, 300, factor)) == ()
        assert price_breaks(scaled(walk(symbol=symbol), 200, 203, factor)) == ()


@pytest.mark.parametrize("symbol", ["7203.T", "005930.KS", "600519.SS"])
def test_at_a_daily_limit_a_share_may_move_far_without_any_trading(symbol: str):
    assert price_breaks(scaled(walk(symbol=symbol), 200, 300, 1.3)) == ()
    assert len(price_breaks(scaled(walk(symbol=symbol), 200, 300, 0.5))) == 1
    assert len(price_breaks(scaled(walk(symbol="VOD.L"), 200, 300, 1.3))) == 1


def test_a_penny_stock_and_one_that_is_hardly_traded_may_move_by_a_third():
    assert price_breaks(scaled(walk(spread=0.07), 200, 300, 1.3)) == ()
    assert price_breaks(scaled(walk(volume=200), 200, 300, 1.3)) == ()


@pytest.mark.parametrize("change", [0.8, 0.7, 0.5, 0.3, 1.25, 1.6])
def test_a_crash_or_a_jump_on_news_is_none(change: float):
    given = scaled(walk(), 200, 300, change)
    given.volume[200:203] *= 12 / min(change, 1.0)
    assert price_breaks(given) == ()
    assert price_breaks(given.upto(day(200))) == ()


def test_a_spin_off_in_the_adjusted_close_is_none():
    given = scaled(walk(), 200, 300, 0.78)
    assert len(price_breaks(given)) == 1
    assert price_breaks(replace(given, adj_close=walk().close)) == ()


def test_a_move_of_the_market_is_no_way_back_from_a_small_jump():
    """Two months after bars came to be in pounds, the market falls by more, and rises again by a part."""
    (found,) = price_breaks(series(*flat(100), *flat(79), 66.0, *flat(75), volumes={60: 9_000.0, 61: 9_000.0}))
    assert (found.day, found.until) == (day(30), None)


@pytest.mark.parametrize(("shares", "breaks"), [(1_900, 1), (3_200, 0)])
def test_a_quiet_share_that_moves_a_quarter_without_three_times_the_usual_trading_breaks(shares: float, breaks: int):
    assert len(price_breaks(series(*flat(100), *flat(136), volumes={30: shares}))) == breaks
