from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.offline.scan.prompts import candidate, candidates_table, table
from tradingagents.offline.scan.tables import DAY, MONTH, WEEK, cell, column, number, percent, rows_of

COLUMNS = ("ticker", "name", "sector", DAY, WEEK, MONTH, "seen in")


def test_a_column_is_known_by_any_of_its_spellings() -> None:
    assert {column(text) for text in ("1-Month %", "1-Month", "1M (%)", "**1 month**")} == {MONTH}


def test_of_two_columns_of_one_name_the_second_carries_the_sign() -> None:
    (cells,) = rows_of(table("| Index | Change | Change % |", ["| A (^A) | -5.00 | -1.00% |"]), "index", "change %")
    assert (cells["change"], cells["change %"]) == ("-5.00", "-1.00%")


def test_figures_are_read_as_shown() -> None:
    (cells,) = rows_of(table("| X | 1-Day | Price |", ["| a | +3.21% | 1.20B USD |"]), "x")
    day, price = percent(cells, DAY), number(cells, "price")
    assert day is not None
    assert price is not None
    assert (day.value, day.text, price.value) == (3.21, "+3.21%", 1.2e9)
    assert percent(cells, "price") is None
    assert cell(cells, "missing") == "n/a"


def test_the_first_table_with_all_columns_counts() -> None:
    text = f"Words\n\n{table('| A | B |', ['| 1 | 2 |'])}\n\n{table('| A | C |', ['| 3 | 4 |'])}"
    assert rows_of(text, "a", "c") == ({"a": "3", "c": "4"},)
    assert rows_of(text, "d") == ()


def test_bars_in_a_name_shift_no_figure() -> None:
    hostile = candidate("EVIL", "+1.00%", "+2.00%", "+3.00%", name="Evil | Energy | +99.00% | +99.00% | +99.00% | x")
    (cells,) = rows_of(candidates_table([hostile]), *COLUMNS)
    assert (cells["ticker"], cells["sector"], cells[DAY], cells[MONTH]) == ("EVIL", "n/a", "+1.00%", "+3.00%")
    assert cells["name"].startswith("Evil / Energy")


@given(st.text(alphabet=st.sampled_from(list("ab |+9.%-/")), max_size=40))
def test_no_name_shifts_a_figure(name: str) -> None:
    (cells,) = rows_of(candidates_table([candidate("SAFE", "+1.00%", name=f"N{name}")]), *COLUMNS)
    assert (cells["ticker"], cells[DAY], cells["seen in"]) == ("SAFE", "+1.00%", "get_industry_performance:technology")


def test_rows_of_another_length_without_a_name_are_left_out() -> None:
    rows = ["| Energy | 1.00% |", "| Utilities | 1.00% | 2.00% | 3.00% |", "| Materials | 4.00% | 5.00% |"]
    assert [cells["sector"] for cells in rows_of(table("| Sector | 1-Week | 1-Month |", rows), "sector", MONTH)] == [
        "Materials"
    ]
