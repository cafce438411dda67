from hypothesis import given
from hypothesis import strategies as st

from tests.reports.rendered import scan_of
from tests.reports.scan_sample import sample_scan
from tradingagents.reports.charts.heat_map import STEPS, HeatMapCell, heat_map, step
from tradingagents.schemas.records import SectorRecord

RETURNS = st.floats(-100, 100)


def sector(key, *returns):
    return SectorRecord(sector=key, etf="ETF", returns=dict(zip(("1d", "1w", "1m", "ytd"), returns, strict=True)))


def sample_map():
    record = scan_of(sample_scan())
    return heat_map(record.sectors, record.top_sectors)


def test_rows_go_from_the_months_largest_gain_to_its_largest_loss_and_unknown_months_stand_last():
    assert [row.name for row in sample_map().rows] == [
        *("Utilities", "Energy", "Health Care", "Consumer Staples", "Materials", "Financials", "Industrials"),
        *("Communication Services", "Consumer Discretionary", "Information Technology", "Real Estate"),
    ]


def test_equal_months_keep_the_order_given():
    rows = heat_map([sector("energy", 1, 1, 2.0, 1), sector("technology", 3, 3, 2.0, 3)], []).rows
    assert [row.name for row in rows] == ["Energy", "Information Technology"]


def test_the_sectors_of_the_deep_dive_are_marked_in_its_order():
    marks = {row.name: row.deep_dive for row in sample_map().rows if row.deep_dive}
    assert marks == {"Information Technology": 1, "Utilities": 2, "Energy": 3}


def test_each_column_reaches_as_far_as_its_largest_absolute_return():
    assert [(column.name, column.reach) for column in sample_map().columns] == [
        *(("1 day", 1.35), ("1 week", 4.15), ("1 month", 7.31), ("YTD", 11.32))
    ]


def test_cells_carry_the_number_with_its_sign_and_its_place_on_the_scale():
    cells = {row.name: row.cells for row in sample_map().rows}
    # -1.12 / 1.35 = 0.83 -> 4; -3.08 / 4.15 = 0.74 -> 4; -7.31 is the reach; -9.45 / 11.32 = 0.83 -> 4
    assert cells["Information Technology"] == (
        *(HeatMapCell("-1.12%", -4), HeatMapCell("-3.08%", -4), HeatMapCell("-7.31%", -5), HeatMapCell("-9.45%", -4)),
    )
    assert cells["Industrials"][0] == HeatMapCell("0.00%", 0)
    assert cells["Real Estate"][2:] == (HeatMapCell("n/a", None), HeatMapCell("n/a", None))


def test_a_return_that_is_no_number_is_unknown():
    heat = heat_map([sector("energy", float("nan"), float("inf"), None, 2.0)], [])
    assert heat.rows[0].cells == (
        HeatMapCell("n/a", None),
        HeatMapCell("n/a", None),
        HeatMapCell("n/a", None),
        HeatMapCell("+2.00%", 5),
    )
    assert [column.reach for column in heat.columns] == [None, None, None, 2.0]


def test_a_column_of_zeros_is_neutral():
    assert heat_map([sector("energy", 0.0, 0.0, 0.0, 0.0)], []).rows[0].cells == (HeatMapCell("0.00%", 0),) * 4


def test_without_sectors_there_are_no_rows():
    assert heat_map([], ["energy"]).rows == ()


def test_a_sector_that_is_none_of_the_eleven_is_shown_by_its_key():
    assert heat_map([sector("crypto", 1, 1, 1, 1)], []).rows[0].name == "crypto"


@given(RETURNS, st.floats(0, 100))
def test_equal_moves_up_and_down_are_equally_far_from_neutral(value, reach):
    assert step(-value, reach) == -step(value, reach)
    assert abs(step(value, reach)) <= STEPS


@given(RETURNS, RETURNS, st.floats(0.01, 100))
def test_a_larger_return_is_never_a_colder_colour(one, other, reach):
    low, high = sorted((one, other))
    assert step(low, reach) <= step(high, reach)


@given(st.floats(0.01, 100))
def test_the_largest_move_has_the_strongest_colour(reach):
    assert (step(reach, reach), step(-reach, reach)) == (STEPS, -STEPS)
