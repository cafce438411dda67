"""What the answers of a scan share: tables that hold, names that are safe, series of one session."""

from __future__ import annotations

from datetime import date

import pytest

from tests.support.builders import AS_OF, bars
from tradingagents.analytics.market.scanned import (
    ScannedCompany,
    SeenStock,
    current,
    figure_name,
    leap_note,
    seen_stock,
    session_note,
    short_name,
    table,
)


def test_a_table_has_a_rule_under_its_header_and_a_line_for_each_row():
    assert table("| A | B |", [("1", "2"), ("3", "4")]).splitlines() == [
        "| A | B |",
        "|---|---|",
        "| 1 | 2 |",
        "| 3 | 4 |",
    ]


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Acme", "Acme"), ("A | B\n# C", "A / B # C"), ("", "n/a"), ("word " * 20, "word " * 11 + "word…")],
)
def test_a_name_from_outside_is_one_safe_cell(name: str, shown: str):
    assert short_name(name) == shown


@pytest.mark.parametrize(
    ("words", "name"), [("Oil & Gas", "oil_gas"), ("US CPI, core", "us_cpi_core"), ("—", "unnamed")]
)
def test_words_become_a_figure_s_name(words: str, name: str):
    assert figure_name(words) == name


def test_a_seen_stock_keeps_the_figures_that_are_known():
    seen = seen_stock(ScannedCompany(name="Acme", sector="energy"), "get_x", {"change_1d": 0.0, "return_1w": None})
    assert seen == SeenStock(name="Acme", sector="energy", tools=["get_x"], figures={"change_1d": 0.0})


def test_a_series_that_ends_before_the_others_is_not_current():
    series = {"A": bars([1, 2]), "B": bars([1, 2], last=date(2024, 6, 27))}
    assert list(current(series)) == ["A"]
    assert current({}) == {}


def test_prices_of_an_earlier_session_are_noted():
    assert session_note(date(2024, 6, 27), AS_OF) == ("The newest prices are of 2024-06-27, not of 2024-06-28.",)
    assert session_note(AS_OF, AS_OF) == ()


def test_leaps_are_named_in_one_note():
    (note,) = leap_note(["A", "B"])
    assert note.startswith("Over 40% in one session")
    assert note.endswith("A, B.")
    assert leap_note([]) == ()
