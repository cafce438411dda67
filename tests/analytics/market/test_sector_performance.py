"""Sectors by their funds: returns worked out by hand, and the largest moves."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.builders import AS_OF, KNOWN, bars
from tradingagents.analytics.market.sectors import (
    HEADER,
    SectorPerformance,
    SectorReturns,
    largest_moves,
    sector_performance,
)
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTOR_ETF, SECTORS
from tradingagents.errors import NoData


def fund(symbol: str, *closes: float, last: date = AS_OF) -> Prices:
    return bars(closes, symbol, last)


def asked(*funds: Prices, session: date = AS_OF) -> SectorPerformance:
    return sector_performance({one.symbol: one for one in funds}, as_of=AS_OF, session=session, known_at=KNOWN)


def every(*closes: float) -> list[Prices]:
    return [fund(symbol, *closes) for symbol in SECTOR_ETF.values()]


def of(result: SectorPerformance, sector: str) -> SectorReturns:
    return next(row for row in result.sectors if row.sector == sector)


def test_returns_count_sessions_of_the_dividend_adjusted_close():
    # 130 sessions up to 2024-06-28 begin in December: flat at 80, then the last 22 closes
    closes = np.r_[np.full(108, 80.0), 100.0, np.full(15, 90.0), 96.0, np.full(3, 95.0), 110.0, 121.0]
    assert len(closes) == 130
    row = of(asked(fund("XLK", *(closes * 2))), "technology")
    expected = {"1d": 10.0, "1w": 100 * (121 / 96 - 1), "1m": 21.0, "ytd": 100 * (121 / 80 - 1)}
    assert row.returns == pytest.approx(expected)
    assert row.etf == "XLK"


def test_dividends_count():
    paying = bars([100.0, 100.0], "XLU", adj_close=np.array([98.0, 100.0]))
    assert of(asked(paying), "utilities").returns["1d"] == pytest.approx(100 * (100 / 98 - 1))


def test_all_eleven_stand_in_order_by_their_display_names():
    result = asked(*every(100.0, 97.69))
    lines = result.body().splitlines()
    assert lines[:3] == [
        HEADER,
        "|---|---|---|---|---|",
        "| Information Technology | -2.31% | n/a | n/a | n/a |",
    ]
    assert [line.split(" | ")[0].strip("| ") for line in lines[2:]] == [DISPLAY[sector] for sector in SECTORS]
    assert result.notes == ()


def test_a_figure_for_every_sector_and_period():
    names = [figure.name for figure in asked(*every(100.0, 101.0)).figures()]
    assert names[0] == "technology_1d"
    assert names[-1] == "communication-services_ytd"
    assert len(set(names)) == 44


@pytest.mark.parametrize("missing", [None, fund("XLE", 100.0, 50.0, last=date(2024, 6, 27)), fund("XLE")])
def test_a_sector_whose_fund_has_no_price_of_the_day_has_no_returns_and_is_named(missing: Prices | None):
    funds = [one for one in every(100.0, 101.0) if one.symbol != "XLE"]
    result = asked(*funds, *([missing] if missing is not None else []))
    assert of(result, "energy").returns == dict.fromkeys(("1d", "1w", "1m", "ytd"))
    assert result.notes == ("No prices of 2024-06-28 for Energy (XLE).",)
    assert "XLE" not in result.inputs


def test_without_any_fund_there_is_no_answer():
    with pytest.raises(NoData, match="choose another vendor"):
        asked()


def test_prices_that_end_before_the_session_say_so():
    notes = asked(*every(100.0, 101.0), session=date(2024, 7, 1)).notes
    assert "The newest prices are of 2024-06-28, not of 2024-07-01." in notes


def test_the_record_has_every_sector_unrounded():
    records = asked(*every(3.0, 4.0)).kept()["sectors"]
    assert [record["sector"] for record in records] == list(SECTORS)
    assert records[0]["etf"] == "XLK"
    assert records[0]["returns"]["1d"] == pytest.approx(100 / 3, rel=1e-12)
    assert records[0]["returns"]["ytd"] is None


def test_the_top_sectors_moved_most_either_way():
    moves = {"XLK": 5.0, "XLE": -9.0, "XLU": 7.0, "XLV": 1.0}
    result = asked(*(fund(symbol, 100.0, *[100.0 + move] * 21) for symbol, move in moves.items()))
    ranked = {row.sector: row.returns["1m"] for row in result.sectors}
    assert largest_moves(ranked, 3) == ("energy", "utilities", "technology")
    assert largest_moves(ranked, 1) == ("energy",)
    assert largest_moves(ranked, 11) == ("energy", "utilities", "technology", "healthcare")


def test_equal_moves_stand_in_the_order_of_the_sectors():
    assert largest_moves({"utilities": 2.0, "technology": -2.0, "energy": None, "materials": 3.0}, 3) == (
        "materials",
        "technology",
        "utilities",
    )


@given(st.dictionaries(st.sampled_from(SECTORS), st.none() | st.floats(-99, 500)), st.integers(0, 11))
def test_no_sector_left_out_moved_more_than_one_named(moves: dict[str, float | None], count: int):
    named = largest_moves(moves, count)
    known = {sector: abs(move) for sector, move in moves.items() if move is not None}
    assert len(named) == min(count, len(known))
    assert len(set(named)) == len(named)
    sizes = [known[sector] for sector in named]
    assert sizes == sorted(known.values(), reverse=True)[:count]
