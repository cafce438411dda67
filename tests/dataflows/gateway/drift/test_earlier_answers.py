"""A vendor's answer against its last good one, worked out by hand: what is over stays, or the difference is told."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from tradingagents.dataflows.gateway.drift.earlier_answers import Compared, compare
from tradingagents.dataflows.models import (
    Dividend,
    EarningsEvent,
    EconomicEvent,
    InsiderTransaction,
    MacroObservation,
    MacroSeries,
    Mover,
    NewsItem,
    Prices,
    Ratios,
    SectorMember,
    SocialPost,
    Split,
    Statement,
)

NOON = datetime(2025, 6, 13, 12, tzinfo=UTC)
FIRST = np.datetime64("2025-03-03")


def bars(count: int = 40, *, factor: float = 1.0, start: int = 0, volume: float = 1e6, **more: Any) -> Prices:
    """Bars on weekdays whose close rises by 1 a day from 100."""
    days = np.busday_offset(FIRST, np.arange(start, start + count))
    close = (100.0 + np.arange(start, start + count)) * factor
    return Prices(
        symbol="ACMQ",
        days=days.astype("datetime64[D]"),
        open=close - 0.5 * factor,
        high=close + factor,
        low=close - factor,
        close=close,
        adj_close=close,
        volume=np.full(count, volume),
        currency=more.pop("currency", "USD"),
        vendor="made_up",
        fetched_at=NOON,
        **more,
    )


WINDOW = (date(2025, 3, 3), date(2025, 6, 13))


def is_untouched(found: Compared, answer: Any) -> bool:
    same = found.answer is answer or (isinstance(answer, tuple) and found.answer == answer)
    return same and not found.told and not found.unusable


def test_a_day_later_the_same_bars_and_one_more_are_no_difference():
    answer = bars(41)
    assert is_untouched(compare(answer, bars(40), WINDOW), answer)


def test_bars_that_have_left_the_window_are_no_difference():
    answer = bars(40, start=1)
    assert is_untouched(compare(answer, bars(40), (answer.days[0].item(), WINDOW[1])), answer)


def test_a_split_since_is_no_difference():
    day = bars(42).days[41].item()
    answer = bars(42, factor=0.25, volume=4e6, splits=(Split(day, 4.0),))
    assert is_untouched(compare(answer, bars(40), WINDOW), answer)


def test_the_newest_bars_may_still_change():
    earlier = bars(40)
    close = earlier.close.copy()
    close[-1] = 150.0
    answer = bars(41)
    assert is_untouched(compare(answer, replace(earlier, close=close), WINDOW), answer)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (bars(40, factor=100.0), "close is 100 times that"),
        (bars(40, factor=0.92), "close is 0.92 times that"),
        (replace(bars(40), close=np.roll(bars(40).close, 1)), "of 38 of 38 past sessions differ"),
        (bars(40, volume=1e12), "volume is 1e+06 times what it was"),
        (bars(40, currency="EUR"), "currency is EUR and was USD"),
        (bars(37), "bars end on 2025-04-22 and went to 2025-04-25"),
    ],
    ids=["unit", "currency not said", "one day off", "volume", "currency said", "newest bars missing"],
)
def test_prices_that_disagree_as_a_whole_are_not_used(answer: Prices, why: str):
    assert why in compare(answer, bars(40), WINDOW).unusable


def test_a_single_bar_that_changed_is_left_out_and_named():
    answer = bars(40)
    answer.close[10] *= 1.03
    found = compare(answer, bars(40), WINDOW)
    assert len(found.answer) == 39
    assert found.told == ("bars of 2025-03-17 have other prices or volumes and are left out",)


def test_bars_missing_at_the_front_are_a_place_that_no_figure_crosses():
    answer = bars(30, start=10)
    found = compare(answer, bars(40), WINDOW)
    assert found.answer.withheld is not None
    assert found.answer.withheld.day == date(2025, 3, 17)
    assert found.told == ("bars before 2025-03-17 are missing, which went back to 2025-03-03",)


def test_a_dividend_of_another_amount_is_taken_as_before():
    day = bars(40).days[20].item()
    answer = bars(40, dividends=(Dividend(day, 0.00025),))
    found = compare(answer, bars(40, dividends=(Dividend(day, 0.25),)), WINDOW)
    assert found.answer.dividends == (Dividend(day, 0.25),)
    assert found.told == ("the dividend of 2025-03-31 is gone or has another amount, and is taken as before",)


def test_a_split_that_is_no_longer_listed_makes_prices_unusable():
    split = Split(bars(40).days[20].item(), 4.0)
    found = compare(bars(40), bars(40, splits=(split,)), WINDOW)
    assert found.unusable == "the split of 2025-03-31 is no longer listed"


ENDS = (date(2024, 3, 31), date(2024, 6, 30), date(2024, 9, 30), date(2024, 12, 31))


def income(end: date, size: float, **more: Any) -> Statement:
    items = {"revenue": size, "cost_of_revenue": size * 0.6, "net_income": size * 0.1, "eps_diluted": size / 1e9}
    quarter = (end.month - 1) // 3 + 1
    known_at = datetime(end.year, end.month, end.day, tzinfo=UTC) + timedelta(days=45)
    return Statement(
        symbol="ACMQ",
        kind="income",
        frequency="quarterly",
        fiscal_year=end.year,
        fiscal_period=f"Q{quarter}",
        period_end=end,
        known_at=more.pop("known_at", known_at),
        currency=more.pop("currency", "USD"),
        source="made_up",
        items={**items, **more.pop("items", {})},
        known_by=more.pop("known_by", "assumed"),
    )


def year(factor: float = 1.0, ends: tuple[date, ...] = ENDS, **more: Any) -> tuple[Statement, ...]:
    return tuple(income(end, (1 + ENDS.index(end) / 7) * 1e9 * factor, **more) for end in ends)


def test_a_new_quarter_and_one_that_left_are_no_difference():
    new = income(date(2025, 3, 31), 1.6e9)
    answer = (*year()[1:], new)
    assert is_untouched(compare(answer, year(), ()), answer)


def test_a_later_filing_may_restate_a_quarter():
    later = income(ENDS[0], 1.3e9, known_at=datetime(2025, 3, 1, tzinfo=UTC), known_by="accepted")
    earlier = year(known_by="accepted")
    answer = (*earlier, later)
    assert is_untouched(compare(answer, earlier, ()), answer)


def test_all_amounts_by_one_factor_are_withheld_also_of_the_new_quarter():
    new = income(date(2025, 3, 31), 1.6e6)
    found = compare((*year(0.001), new), year(), ())
    assert all("revenue" not in row.items and "revenue" in row.withheld for row in found.answer)
    assert found.told == (
        "all amounts of 2024-12-31, 2024-09-30, 2024-06-30 and 1 more are 0.001 times what they were and are withheld",
    )


def test_items_of_another_quarter_are_withheld():
    sizes = [row.items["revenue"] for row in year()]
    answer = tuple(income(end, size) for end, size in zip(ENDS, (*sizes[1:], sizes[0]), strict=True))
    found = compare(answer, year(), ())
    assert not any(row.items for row in found.answer)
    assert "are those of other periods" in found.told[0]


def test_one_item_that_changed_without_a_filing_is_withheld_with_both_values():
    answer = (*year()[:3], replace(year()[3], items={**year()[3].items, "cost_of_revenue": 8.57e6}))
    found = compare(answer, year(), ())
    assert "cost_of_revenue" not in found.answer[3].items
    assert found.told == ("cost_of_revenue of 2024-12-31 is 8.57e+06 and was 8.57143e+08, and is withheld",)


def test_an_item_that_is_gone_says_so():
    answer = tuple(
        replace(row, items={name: value for name, value in row.items.items() if name != "net_income"}) for row in year()
    )
    found = compare(answer, year(), ())
    assert all("no longer given" in row.withheld["net_income"] for row in found.answer)


def test_a_quarter_missing_in_the_middle_or_at_the_end_stands_there_withheld():
    found = compare((year()[0], year()[2]), year(), ())
    withheld = {row.period_end for row in found.answer if not row.items}
    assert withheld == {ENDS[1], ENDS[3]}
    assert found.told == ("periods 2024-12-31, 2024-06-30 are missing and withheld",)


def test_a_stated_change_of_currency_is_told_and_used():
    answer = year(0.92, currency="EUR")
    found = compare(answer, year(), ())
    assert [row.items for row in found.answer] == [row.items for row in answer]
    assert "the currency of 2024-12-31 is EUR and was USD" in found.told


def article(number: int, hours: float = 0.0) -> NewsItem:
    at = NOON - timedelta(hours=3 * number) + timedelta(hours=hours)
    return NewsItem(f"Title {number}", at, at, source="Made up", url=f"https://example.com/{number}")


DAYS = (NOON - timedelta(days=7), NOON + timedelta(days=1))
TEN = tuple(article(number) for number in range(10))


def test_newer_articles_push_out_the_oldest():
    answer = (article(-2), article(-1), *TEN[:8])
    assert is_untouched(compare(answer, TEN, ()), answer)


def test_articles_that_are_missing_are_counted():
    assert compare((*TEN[:4], *TEN[7:]), TEN, DAYS).told == ("3 of 10 articles of before are missing",)
    assert compare(TEN[:6], TEN, DAYS).told == ("4 of 10 articles of before are missing",)
    assert compare((), TEN, DAYS).told == ("10 of 10 articles of before are missing",)


def test_what_a_source_of_the_last_months_lets_go_is_not_missing():
    elapsed = timedelta(hours=7)  # the three oldest, of 27, 24 and 21 hours ago, have left its window
    assert compare(TEN[:7], TEN, (), elapsed=elapsed).told == ()
    assert compare(TEN[:5], TEN, (), elapsed=elapsed).told == ("2 of 7 articles of before are missing",)


def test_articles_outside_of_the_window_are_not_missed():
    window = (NOON - timedelta(hours=13), NOON + timedelta(hours=1))
    assert is_untouched(compare(TEN[:5], TEN, window), TEN[:5])


def test_a_search_may_find_others():
    assert compare(TEN[:2], TEN, DAYS, is_search=True).told == ()


def test_times_that_have_all_moved_make_the_answer_unusable():
    moved = tuple(article(number, hours=9) for number in range(10))
    assert compare(moved, TEN, ()).unusable == "published_at of 10 of 10 rows has moved by +9 hours"


def test_a_field_that_no_post_has_any_more_is_named():
    posts = tuple(
        SocialPost("ACMQ", f"Text {number}", NOON, NOON, "made_up", author="a", sentiment="bullish")
        for number in range(4)
    )
    answer = tuple(replace(post, sentiment=None) for post in posts)
    assert compare(answer, posts, ()).told == ("sentiment is given for no post any more",)


def trade(shares: float, value: float, day: int = 2) -> InsiderTransaction:
    return InsiderTransaction("ACMQ", "A. Person", "Officer", "sell", shares, value, date(2025, 6, day), NOON)


def test_a_trade_in_another_unit_is_in_no_sum():
    found = compare((trade(100, 5_000_000), trade(300, 15_000)), (trade(100, 5_000), trade(300, 15_000)), ())
    assert found.answer[0].value is None
    assert found.answer[0].withheld.startswith("value differ")
    assert not found.answer[1].withheld
    assert found.told == ("value of 1 of 2 insider trades is another one and is withheld",)


@pytest.mark.parametrize("office", ["", "Director"])
def test_an_office_at_a_past_trade_that_is_another_one_is_told(office: str):
    before = (trade(100, 5_000), trade(300, 15_000))
    found = compare((replace(before[0], relation=office), before[1]), before, ())
    assert found.told == ("relation of 1 of 2 insider trades is another one",)
    assert is_untouched(compare(before, (replace(before[0], relation=""), before[1]), ()), before)


def test_trades_in_another_order_are_the_same():
    one, other = trade(100, 5_000), trade(300, 15_000)
    assert is_untouched(compare((other, one), (one, other), ()), (other, one))


def series(factor: float = 1.0, shift: int = 0) -> MacroSeries:
    values = [4.0, 4.1, 4.3, 4.2, 4.6, 4.4, 4.9, 5.0]
    days = [date(2024, month, 1) for month in range(1, 9)]
    turned = values[-shift:] + values[:-shift] if shift else values
    rows = tuple(MacroObservation(day, value * factor, NOON) for day, value in zip(days, turned, strict=True))
    return MacroSeries("UNRATE", "Unemployment rate", rows, unit="%")


def test_an_economic_series_by_another_factor_or_at_other_days_is_not_used():
    assert compare(series(0.01), series(), ()).unusable == "values are 0.01 times what they were"
    assert compare(series(shift=1), series(), ()).unusable == "values stand at other days than before"
    assert is_untouched(compare(whole := series(), series(), ()), whole)


def test_a_series_that_lost_its_newest_values_says_so():
    cut = replace(series(), observations=series().observations[:5])
    assert compare(cut, series(), ()).told == ("values of 3 of 8 periods are missing",)


def test_ratios_in_another_unit_are_withheld_and_missing_ones_told():
    before = Ratios("ACMQ", {"market_cap": 2e12, "dividend_yield": 0.5, "beta": 1.1}, "made_up", NOON)
    now = Ratios("ACMQ", {"market_cap": 2.02e12, "dividend_yield": 0.005}, "made_up", NOON)
    found = compare(now, before, ())
    assert dict(found.answer.values) == {"market_cap": 2.02e12}
    assert found.told == (
        "dividend_yield is 0.005 and was 0.5, in another unit, and is withheld",
        "beta is no longer given",
    )


def test_a_mover_or_a_result_in_another_unit_is_withheld():
    mover = Mover("ACMQ", "Acme", 20.0, 5.0, 1e6, NOON, market_cap=1e9)
    found = compare((replace(mover, market_cap=1e15),), (mover,), ())
    assert found.answer[0].market_cap is None
    assert compare((replace(mover, price=2000.0),), (mover,), ()).answer == ()
    event = EarningsEvent("ACMQ", "Acme", date(2025, 5, 1), NOON, fiscal_period="2025-Q1", eps=1.2, revenue=1e9)
    found = compare((replace(event, revenue=1e6),), (event,), ())
    assert (found.answer[0].revenue, found.answer[0].eps) == (None, 1.2)


@pytest.mark.parametrize(("factor", "kept"), [(0.92, 0), (149.6, 0), (1.0, 4), (0.5, 4)])
def test_results_that_all_changed_by_one_factor_are_in_another_currency(factor: float, kept: int):
    events = tuple(
        EarningsEvent(f"ACM{number}", "Acme", date(2025, 5, 1), NOON, eps=1.2 + number) for number in range(4)
    )
    changed = tuple(replace(event, eps=factor * (event.eps or 0)) for event in events)
    found = compare(changed, events, ())
    assert sum(event.eps is not None for event in found.answer) == kept  # halves are a split's


def test_companies_that_a_shorter_list_lacks_are_told():
    listed = tuple(SectorMember(f"ACM{number}", "Acme", weight=5.0 - number) for number in range(4))
    assert "1 of 4 companies of before are missing" in str(compare(listed[1:], listed, ()))
    other = (*listed[:3], SectorMember("NEWQ", "New", weight=1.0))
    assert "missing" not in str(compare(other, listed, ()))


def released(month: int, value: float, previous: float, *, read_at: datetime | None = None) -> EconomicEvent:
    day = date(2025, month, 7)
    return EconomicEvent("Unemployment rate", day, NOON, f"2025-{month:02}", value, previous, 4.5, "%", read_at=read_at)


BEFORE = (released(3, 4.3, 4.1), released(4, 4.2, 4.3))


def test_a_release_as_published_never_changes_and_a_new_one_of_the_figure_is_in_doubt_too():
    moved = (
        released(3, 4.1, 4.0),
        released(4, 4.3, 4.1),
        released(5, 4.2, 4.3),
        replace(released(5, 1.0, 0.9), name="GDP"),
    )
    found = compare(moved, BEFORE, ())
    assert [(event.value, event.previous) for event in found.answer] == [(None, None)] * 3 + [(1.0, 0.9)]
    assert [event.estimate for event in found.answer] == [4.5] * 4
    assert found.told == (
        "value of 3 of 4 events is another one and is withheld",
        "previous of 3 of 4 events is another one and is withheld",
    )
    one = (released(3, 4.3, 4.1), released(4, 4.2, 4.2), released(5, 4.4, 4.2))
    assert compare(one, BEFORE, ()).told == ("previous of 1 of 3 events is another one and is withheld",)


def test_a_release_that_its_source_revises_may_change():
    before = tuple(replace(event, read_at=NOON) for event in BEFORE)
    revised = (released(3, 4.2, 4.1, read_at=NOON), released(4, 4.3, 4.2, read_at=NOON))
    assert is_untouched(compare(revised, before, ()), revised)
    assert is_untouched(compare(BEFORE, BEFORE, ()), BEFORE)
