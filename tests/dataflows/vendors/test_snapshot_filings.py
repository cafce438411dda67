"""Filings of a snapshot folder: as recorded, in their window, and only where the folder has any."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.support.snapshot_folder import filing_row, write_lines, write_manifest
from tradingagents.dataflows.models import Filing
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.errors import NoData

START, END = date(2025, 3, 3), date(2025, 3, 14)
DAY = date(2025, 3, 12)


def vendor(folder: Path, *rows: dict) -> SnapshotVendor:
    write_manifest(folder, date(2025, 1, 2), date(2025, 3, 14))
    if rows:
        write_lines(folder / "filings.jsonl.gz", rows)
    return SnapshotVendor(folder)


def test_every_field_of_a_filing(tmp_path: Path):
    told = filing_row(
        "BRK.B",
        DAY,
        " 8-K ",
        accepted_at="2025-03-12T21:05:00Z",
        accession="0-25-1",
        url="https://filings.invalid/1",
        title=" Results ",
        period_end="2025-03-11",
        items=["2.02", "9.01"],
    )
    assert vendor(tmp_path, told).get_filings("BRK-B", START, END) == (
        Filing(
            symbol="BRK-B",
            form="8-K",
            known_at=datetime(2025, 3, 12, 21, 5, tzinfo=UTC),
            filed_on=DAY,
            accession="0-25-1",
            url="https://filings.invalid/1",
            title="Results",
            period_end=date(2025, 3, 11),
            items=("2.02", "9.01"),
        ),
    )


def test_a_filing_dated_by_day_only_is_known_at_the_next_open_and_goes_by_its_form(tmp_path: Path):
    (filing,) = vendor(tmp_path, filing_row("ACMQ", DAY, "10-Q")).get_filings("ACMQ", START, END)
    assert filing.known_at == datetime(2025, 3, 13, 13, 30, tzinfo=UTC)
    assert (filing.title, filing.items, filing.period_end) == ("10-Q", (), None)


def test_newest_first_within_the_window(tmp_path: Path):
    days = [date(2025, 3, day) for day in (2, 3, 14, 15)]
    found = vendor(tmp_path, *(filing_row("ACMQ", day, "4") for day in days)).get_filings("ACMQ", START, END)
    assert [filing.filed_on.day for filing in found] == [14, 3]


def test_filing_nothing_is_an_answer_and_silence_before_the_first_is_none(tmp_path: Path):
    quiet = vendor(tmp_path, filing_row("ACMQ", date(2025, 2, 14), "4"))
    assert quiet.get_filings("ACMQ", START, END) == ()
    for symbol, end in (("ELMQ", END), ("ACMQ", date(2025, 2, 13))):
        with pytest.raises(NoData, match=f"no filings of {symbol} up to"):
            quiet.get_filings(symbol, date(2025, 2, 1), end)


def test_it_can_be_asked_where_the_folder_has_the_file(tmp_path: Path):
    for name in ("without", "with"):
        (tmp_path / name).mkdir()
    assert not vendor(tmp_path / "without").supports(Vendor.get_filings)
    assert vendor(tmp_path / "with", filing_row("ACMQ", DAY, "4")).supports(Vendor.get_filings)


@pytest.mark.parametrize("wrong", [{"form": None}, {"filed_on": "soon"}, {"accession": ...}, {"url": 7}])
def test_a_corrupt_row_is_left_out_and_named_by_file_and_line(tmp_path: Path, wrong: dict):
    good = filing_row("ACMQ", DAY, "4")
    bad = {key: value for key, value in {**good, **wrong}.items() if value is not ...}
    folder = vendor(tmp_path, good, bad)
    assert len(folder.get_filings("ACMQ", START, END)) == 1
    (gap,) = folder.unreadable(Vendor.get_filings, "ACMQ")
    assert gap.startswith("filings.jsonl.gz line 2 cannot be read")
