"""Delistings and mergers in actions.csv: imported, written, read, checked, and cached as they are."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tests.dataflows.snapshots.test_importing import BARS, WINDOW, problems, taken
from tests.features.backtest.market import days_of, made_prices
from tradingagents.dataflows.gateway.cache import decode, encode
from tradingagents.dataflows.models import Dividend, ListingEnd, Split
from tradingagents.dataflows.snapshots.check import check_folder
from tradingagents.dataflows.snapshots.writing import _action_file
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.dataflows.vendors.snapshot.prices import load_actions
from tradingagents.errors import VendorDown

END = date(2025, 3, 17)


def ended(folder: Path) -> ListingEnd | None:
    return SnapshotVendor(folder).get_stock_data("BRK-B", *WINDOW).ended


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("BRK-B,2025-03-17,Delisted,,,", ListingEnd(END, "delisted")),
        ("BRK-B,2025-03-17,delisted,0,,", ListingEnd(END, "delisted", 0.0)),
        ("BRK-B,2025-03-17,merged,81.5,,", ListingEnd(END, "merged", 81.5)),
        ("BRK-B,2025-03-17,merged,,ACMQ,0.75", ListingEnd(END, "merged", None, "ACMQ", 0.75)),
        ("BRK-B,2025-03-17,merged,2,ACMQ,0.75", ListingEnd(END, "merged", 2.0, "ACMQ", 0.75)),
    ],
)
def test_an_end_is_imported_beside_splits_and_dividends(tmp_path: Path, line: str, wanted: ListingEnd):
    taken(tmp_path, BARS, "prices")
    taken(tmp_path, "symbol,date,action,value\nBRK-B,2025-03-14,dividend,0.25\n", "actions")
    taken(tmp_path, f"symbol,date,action,value,into,into_shares\n{line}\n", "actions")
    assert ended(tmp_path / "f") == wanted
    taken(tmp_path, "symbol,date,action,value\nBRK-B,2025-03-13,split,2\n", "actions")
    found = SnapshotVendor(tmp_path / "f").get_stock_data("BRK-B", *WINDOW)
    assert found.ended == wanted
    assert found.dividends == (Dividend(date(2025, 3, 14), 0.25),)
    assert found.splits == (Split(date(2025, 3, 13), 2.0),)


def test_a_file_without_ends_keeps_its_four_columns(tmp_path: Path):
    taken(tmp_path, BARS, "prices")
    taken(tmp_path, "symbol,date,action,value\nBRK-B,2025-03-14,dividend,0.25\n", "actions")
    text = (tmp_path / "f" / "actions.csv").read_text(encoding="utf-8")
    assert text == "symbol,date,action,value\nBRK-B,2025-03-14,dividend,0.25\n"


def test_terms_that_cannot_be_are_refused(tmp_path: Path):
    lines = ("merged,,,", "merged,0,,", "merged,,ELMQ,", "merged,,,2", "delisted,,ELMQ,2", "delisted,-1,,")
    text = "symbol,date,action,value,into,into_shares\n" + "".join(f"ACMQ,2025-03-14,{one}\n" for one in lines)
    terms = "a merger gives cash (value), or shares of another symbol (into and into_shares), or both."
    assert problems(tmp_path, text, "actions") == (
        *(f"line {number}: {terms}" for number in (2, 3, 4, 5)),
        "line 6: a delisting has no other symbol; one with shares of another is 'merged'.",
        "line 7: -1.0 is no amount per share.",
    )


def test_a_line_that_cannot_be_read_is_an_error_with_its_place(tmp_path: Path):
    (tmp_path / "actions.csv").write_text("symbol,date,action,value\nACMQ,2025-03-14,merged,\n")
    with pytest.raises(VendorDown, match="a merger gives cash"):
        load_actions(tmp_path / "actions.csv")


def test_a_recording_writes_what_it_read(tmp_path: Path):
    days = days_of(5)
    made = [
        made_prices("A", days, [1.0] * 5, ended=ListingEnd(END, "merged", 2.0, "B", 0.75), dividends=[(days[2], 0.1)]),
        made_prices("C", days, [1.0] * 5, ended=ListingEnd(END, "delisted"), splits=[Split(days[2], 2.0)]),
    ]
    (tmp_path / "actions.csv").write_bytes(_action_file(made))
    found = load_actions(tmp_path / "actions.csv")
    assert [found[one.symbol].ended for one in made] == [one.ended for one in made]
    assert [found[one.symbol].splits for one in made] == [one.splits for one in made]
    assert [found[one.symbol].dividends for one in made] == [one.dividends for one in made]


def test_the_cache_keeps_an_end_and_other_answers_stay_as_they_were():
    prices = made_prices("A", days_of(5), [1.0] * 5)
    assert "ended" not in encode(Vendor.get_stock_data, prices)
    whole = replace(prices, ended=ListingEnd(END, "merged", 2.0, "B", 0.75))
    assert decode(Vendor.get_stock_data, encode(Vendor.get_stock_data, whole)).ended == whole.ended


def test_an_end_is_not_known_before_its_day():
    prices = made_prices("A", days_of(5), [1.0] * 5, ended=ListingEnd(END, "delisted"))
    assert prices.as_traded(date(2025, 3, 16)).ended is None
    assert prices.as_traded(END).ended == prices.ended


def test_a_check_finds_bars_after_an_end_and_a_company_without_prices(tmp_path: Path):
    taken(tmp_path, BARS, "prices")
    head = "symbol,date,action,value,into,into_shares\n"
    taken(tmp_path, f"{head}BRK-B,2025-03-14,merged,,NOPEX,2\n", "actions")
    told = [str(one) for one in check_folder(tmp_path / "f").findings]
    assert [one for one in told if "bars after the end of a listing" in one]
    assert [one for one in told if "mergers into symbols without prices" in one]
