"""A sector from within: who leads, who stands at the ends, and what industries come to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.builders import AS_OF, KNOWN, bars
from tradingagents.analytics.market.industry_performance import (
    COMPANIES_HEADER,
    INDUSTRIES_HEADER,
    IndustryPerformance,
    industry_performance,
)
from tradingagents.analytics.market.scanned import TODAY_S_EDITION
from tradingagents.dataflows.models import Prices, SectorMember
from tradingagents.dataflows.reference.sectors import heaviest
from tradingagents.errors import NoData


def member(symbol: str, industry: str | None = "Widgets", **more) -> SectorMember:
    return SectorMember(symbol, f"{symbol} Inc", industry, **more)


def grown(symbol: str, percent: float, volume: float = 1000.0, last: date = AS_OF) -> Prices:
    """Closes that rose by `percent` in the last session, and stood still for 24 before."""
    closes = [100.0] * 24 + [100.0 + percent]
    return bars(closes, symbol, last, volume=np.full(25, volume))


def asked(
    members: Sequence[SectorMember], series: Sequence[Prices], *, live: bool = True, session: date = AS_OF
) -> IndustryPerformance:
    return industry_performance(
        members,
        {one.symbol: one for one in series},
        as_of=AS_OF,
        sector="technology",
        session=session,
        live=live,
        known_at=KNOWN,
    )


def market(count: int) -> tuple[list[SectorMember], list[Prices]]:
    """Companies S00, S01 …: each trades less than the one before, and rose by one percent more."""
    names = [f"S{number:02}" for number in range(count)]
    return [member(name) for name in names], [
        grown(name, float(number), volume=1000.0 * (count - number)) for number, name in enumerate(names)
    ]


def symbols(result: IndustryPerformance) -> list[str]:
    return [row.symbol for row in result.companies]


def test_leaders_by_value_traded_then_the_strongest_then_the_weakest_of_the_others():
    result = asked(*market(30))
    assert symbols(result)[:10] == [f"S{number:02}" for number in range(10)]
    assert symbols(result)[10:15] == ["S29", "S28", "S27", "S26", "S25"]
    assert symbols(result)[15:] == ["S14", "S13", "S12", "S11", "S10"]
    assert [row.leader for row in result.companies] == [True] * 10 + [False] * 10
    assert "strongest and weakest of the others" in result.notes[0]


@pytest.mark.parametrize("count", [1, 10, 13, 20])
def test_every_company_stands_once_however_few_there_are(count: int):
    result = asked(*market(count))
    assert sorted(symbols(result)) == [f"S{number:02}" for number in range(count)]


def test_value_traded_is_price_times_volume_of_the_last_twenty_sessions():
    busy_once = bars([10.0] * 25, "ONCE", volume=np.r_[np.full(5, 1e9), np.full(20, 1.0)])
    dear = bars([1000.0] * 25, "DEAR", volume=np.full(25, 2.0))
    many = bars([1.0] * 25, "MANY", volume=np.full(25, 1500.0))
    assert symbols(asked([member("ONCE"), member("MANY"), member("DEAR")], [busy_once, dear, many])) == [
        "DEAR",
        "MANY",
        "ONCE",
    ]


def test_where_weights_are_known_the_heaviest_lead():
    members = [member("SMAL", weight=1.0, rating="Hold"), member("BIGG", weight=22.5, rating="Strong\nBuy |")]
    result = asked(members, [grown("SMAL", 3.0, volume=1e9), grown("BIGG", -2.0)])
    assert result.body().splitlines()[:4] == [
        COMPANIES_HEADER,
        "|---|---|---|---|---|---|---|",
        "| BIGG Inc | BIGG | Strong Buy / | 22.50% | -2.00% | -2.00% | -2.00% |",
        "| SMAL Inc | SMAL | Hold | 1.00% | 3.00% | 3.00% | 3.00% |",
    ]


def test_the_heaviest_are_ten_and_none_where_no_weight_is_known():
    weighed = [member(f"S{number:02}", weight=float(number)) for number in range(12)] + [member("NONE")]
    assert [one.symbol for one in heaviest(weighed)] == [f"S{number:02}" for number in range(11, 1, -1)]
    assert heaviest([member("NONE")]) == ()


def test_industries_are_equal_weighted_means_of_the_returns_known():
    members = [member("AAAA", "Chips"), member("BBBB", "Chips"), member("CCCC", "Chips"), member("DDDD", None)]
    young = bars([100.0] * 10 + [104.0], "CCCC")  # no month of history
    result = asked(members, [grown("AAAA", 10.0), grown("BBBB", -4.0), young, grown("DDDD", 50.0)])
    table = result.body().split("\n\n")[1].splitlines()
    assert table == [INDUSTRIES_HEADER, "|---|---|---|---|---|", "| Chips | 3 | 3.33% | 3.33% | 3.00% |"]
    assert {figure.name: figure.rounded for figure in result.figures() if figure.name.startswith("chips")} == {
        "chips_companies": 3.0,
        "chips_1d": 3.33,
        "chips_1w": 3.33,
        "chips_1m": 3.0,
    }


def test_the_eight_industries_of_most_companies_are_shown():
    members = [member(f"S{number:02}", f"Industry {number % 9}") for number in range(17)]
    result = asked(members, [grown(one.symbol, 1.0) for one in members])
    assert [row.industry for row in result.industries] == [f"Industry {number}" for number in range(8)]
    assert {row.companies for row in result.industries} == {2}


def test_an_industry_without_any_return_is_not_shown():
    result = asked([member("AAAA", "Old"), member("NEWW", "New")], [grown("AAAA", 1.0), bars([5.0], "NEWW")])
    assert [row.industry for row in result.industries] == ["Old"]


def test_without_industries_there_is_one_table():
    assert INDUSTRIES_HEADER not in asked([member("AAAA", None)], [grown("AAAA", 1.0)]).body()


def test_companies_without_prices_of_the_day_are_left_out_and_those_with_some_counted():
    members = [member("GOOD"), member("LATE"), member("NONE"), member("VOID")]
    series = [grown("GOOD", 1.0), grown("LATE", 9.0, last=date(2024, 6, 27)), bars([], "VOID")]
    result = asked(members, series)
    assert symbols(result) == ["GOOD"]
    assert result.notes == ("Companies with prices of 2024-06-28: 1.",)
    assert (result.inputs, result.rows, result.end) == (("GOOD",), 25, AS_OF)


def test_a_company_listed_twice_counts_once():
    result = asked([member("GOOD"), member("GOOD")], [grown("GOOD", 1.0)])
    assert (symbols(result), result.industries[0].companies) == (["GOOD"], 1)


def test_a_leap_within_the_month_may_be_a_corporate_action():
    split = bars([100.0] * 10 + [50.0] * 15, "SPLT")
    long_ago = bars([100.0] * 3 + [50.0] * 22, "PAST")
    notes = asked([member("SPLT"), member("PAST")], [split, long_ago]).notes
    assert next(note for note in notes if "corporate action" in note).endswith(": SPLT.")


def test_of_a_past_session_the_membership_is_today_s():
    assert asked([member("GOOD")], [grown("GOOD", 1.0)], live=False).notes[-1] == TODAY_S_EDITION


def test_prices_that_end_before_the_session_say_so():
    notes = asked([member("GOOD")], [grown("GOOD", 1.0)], session=date(2024, 7, 1)).notes
    assert notes == (
        "The newest prices are of 2024-06-28, not of 2024-07-01.",
        "Companies with prices of 2024-06-28: 1.",
    )


def test_the_stocks_shown_are_kept_as_seen():
    result = asked([member("GOOD"), member("YUNG")], [grown("GOOD", 2.0), bars([100.0, 103.0], "YUNG")])
    assert result.kept()["seen"]["YUNG"].as_json() == {
        "name": "YUNG Inc",
        "sector": "technology",
        "tools": ["get_industry_performance:technology"],
        "figures": {"change_1d": pytest.approx(3.0)},
    }
    assert set(result.kept()["seen"]["GOOD"]["figures"]) == {"change_1d", "return_1w", "return_1m"}
    assert (result.title, result.subject) == ("Industry performance: Information Technology", "technology")


def test_without_any_prices_there_is_no_answer():
    with pytest.raises(NoData, match="choose another sector or vendor"):
        asked([member("NONE")], [])


@settings(deadline=None)
@given(st.lists(st.integers(-40, 40), min_size=11, max_size=40))
def test_no_other_company_beats_the_strongest_or_trails_the_weakest(moves: list[int]):
    names = [f"S{number:02}" for number in range(len(moves))]
    result = asked(
        [member(name) for name in names],
        [
            grown(name, float(move), volume=1e6 if number < 10 else 1.0)
            for number, (name, move) in enumerate(zip(names, moves, strict=True))
        ],
    )
    others = dict(zip(names, moves, strict=True))
    for row in result.companies[:10]:
        others.pop(row.symbol)
    shown = [others[row.symbol] for row in result.companies[10:]]
    ranked = sorted(others.values(), reverse=True)
    assert shown == (ranked if len(ranked) <= 10 else ranked[:5] + ranked[-5:])
