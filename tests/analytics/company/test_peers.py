"""A company among its peers, and against its sector fund."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.builders import AS_OF, KNOWN, bars, wander
from tests.support.figures import parse_figures
from tradingagents.analytics.company.peers import PeerComparison, peer_comparison
from tradingagents.analytics.market.sectors import SectorRelative, sector_relative
from tradingagents.dataflows.models import Prices
from tradingagents.errors import NoData


def grown(percent: float, symbol: str, sessions: int = 63, count: int = 200, last: date = AS_OF) -> Prices:
    """A series that stood at 100 until `sessions` sessions before its last bar and is `percent` higher since."""
    return bars([100.0] * (count - sessions) + [100.0 + percent] * sessions, symbol, last)


def compared(stock, peers, etf=None, sector: str | None = "technology") -> PeerComparison:
    return peer_comparison(stock, {one.symbol: one for one in peers}, etf, as_of=AS_OF, sector=sector, known_at=KNOWN)


def against(stock, etf) -> SectorRelative:
    return sector_relative(stock, etf, as_of=AS_OF, sector="technology", known_at=KNOWN)


STOCK = grown(10, "OURS")
PEERS = (grown(20, "BEST"), grown(5, "NEXT"), grown(-5, "LAST"))
FUND = grown(4, "XLK")


def test_companies_are_ranked_by_three_months():
    result = compared(STOCK, PEERS, FUND)
    assert (result.rank_3m, result.ranked) == (2, 4)
    assert [row.symbol for row in result.members] == ["BEST", "OURS", "NEXT", "LAST", "XLK"]


def test_the_fund_is_neither_ranked_nor_counted():
    result = compared(STOCK, PEERS, grown(50, "XLK"))
    assert (result.rank_3m, result.ranked) == (2, 4)


def test_target_and_benchmark_are_marked():
    body = compared(STOCK, PEERS, FUND).body()
    assert "| OURS | target | 0.00% | 0.00% | 10.00% | 10.00% | 10.00% |" in body
    assert "| BEST | peer |" in body
    assert "| XLK | benchmark |" in body
    assert "Rank by 3-month return: 2 of 4." in body


def test_alpha_is_the_difference_to_the_fund_in_points():
    result = compared(STOCK, PEERS, FUND)
    assert result.alpha == pytest.approx({"1m": 0.0, "3m": 6.0, "6m": 6.0})
    assert "Alpha against the sector fund: 1-Month 0.00%, 3-Month 6.00%, 6-Month 6.00%." in result.body()


def test_equals_share_a_rank():
    assert compared(STOCK, (grown(10, "SAME"), grown(20, "BEST"))).rank_3m == 2


def test_a_peer_that_stopped_trading_is_left_out_and_named():
    gone = grown(90, "GONE", last=date(2024, 6, 20))  # 6 sessions before the stock's last
    late = grown(90, "LATE", sessions=40, last=date(2024, 6, 21))  # 5 sessions
    result = compared(STOCK, (gone, late, *PEERS))
    assert "GONE" not in {row.symbol for row in result.members}
    assert (result.rank_3m, result.ranked) == (3, 5)
    assert "Left out for want of recent prices: GONE." in result.notes
    assert "GONE" not in result.inputs


def test_a_peer_without_bars_is_left_out():
    assert compared(STOCK, (bars([], "NONE"), *PEERS)).ranked == 4


def test_a_young_peer_is_shown_but_not_ranked():
    result = compared(STOCK, (*PEERS, bars([100.0] * 30, "YOUNG")))
    assert result.ranked == 4
    assert "| YOUNG | peer | 0.00% | 0.00% | n/a | n/a | n/a |" in result.body()
    assert result.members[-1].symbol == "YOUNG"


def test_a_young_target_has_no_rank():
    result = compared(bars([100.0] * 30, "OURS"), PEERS, FUND)
    assert result.rank_3m is None
    assert result.ranked == 0  # horizons are its own sessions: without them there is nothing to rank by
    assert any(
        "too short for 3-Month, 6-Month, YTD: " in note and ", 6-Month needs 127." in note for note in result.notes
    )
    assert result.alpha["3m"] is None


def test_without_fund_peers_or_sector_there_is_still_an_answer():
    result = compared(STOCK, (), None, sector=None)
    assert (result.rank_3m, result.ranked) == (1, 1)
    assert result.alpha == {"1m": None, "3m": None, "6m": None}
    assert "Sector: unknown." in result.body()
    assert "No sector fund to compare with." in result.notes


def test_the_target_is_not_its_own_peer():
    assert compared(STOCK, (STOCK, *PEERS)).ranked == 4


def test_no_bars_no_comparison():
    with pytest.raises(NoData):
        compared(bars([], "OURS"), PEERS)
    with pytest.raises(NoData):
        against(bars([], "OURS"), FUND)


def test_figures_of_the_comparison_read_back():
    result = compared(STOCK, PEERS, FUND)
    read = parse_figures(result.to_markdown())
    expected = [f"return_{period}" for period in ("1w", "1m", "3m", "6m", "ytd")]
    assert [one.name for one in result.figures()] == [*expected, "rank_3m", "peers", "alpha_1m", "alpha_3m", "alpha_6m"]
    assert (read["rank_3m"].value, read["peers"].value, read["return_3m"].value) == (2, 4, 10)


def test_stock_fund_and_alpha_of_every_period():
    result = against(STOCK, FUND)
    read = parse_figures(result.to_markdown())
    periods = ("1w", "1m", "3m", "6m", "ytd")
    assert [one.name for one in result.figures()] == [f"{k}_{p}" for p in periods for k in ("stock", "etf", "alpha")]
    assert (read["stock_3m"].value, read["etf_3m"].value, read["alpha_3m"].value) == (10, 4, 6)
    assert read["alpha_ytd"].value == 6
    assert "| 3-Month | 10.00% | 4.00% | 6.00% |" in result.body()
    assert result.inputs == ("XLK",)


def test_without_a_fund_the_stock_stands_alone():
    result = against(STOCK, None)
    assert result.stock_returns["3m"] == pytest.approx(10)
    assert result.alpha["3m"] is None
    assert result.etf == "XLK"
    assert any("XLK is not available" in note for note in result.notes)


@given(st.integers(0, 200))
def test_bars_after_the_day_do_not_matter(seed: int):
    names = ("OURS", "PEER", "XLK")
    later = [wander(260, seed + index, date(2024, 7, 31), name) for index, name in enumerate(names)]
    cut = [prices.upto(AS_OF) for prices in later]
    assert compared(later[0], later[1:2], later[2]) == compared(cut[0], cut[1:2], cut[2])
    assert against(later[0], later[2]) == against(cut[0], cut[2])


@given(st.integers(0, 200))
def test_a_stock_has_no_alpha_over_itself(seed: int):
    prices = wander(200, seed)
    assert against(prices, prices).alpha == pytest.approx(dict.fromkeys(("1w", "1m", "3m", "6m", "ytd"), 0.0))


@given(st.integers(0, 200), st.integers(1, 8))
def test_ranks_of_all_members_are_the_places_they_are_listed_in(seed: int, count: int):
    peers = [wander(130, seed + index, symbol=f"P{index}") for index in range(1, count + 1)]
    result = compared(wander(130, seed, symbol="OURS"), peers)
    assert result.members[(result.rank_3m or 0) - 1].symbol == "OURS"
    assert result.ranked == count + 1
