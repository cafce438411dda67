"""The check on real recorded data: it says what is known to be odd there, and nothing worse."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tradingagents.dataflows.snapshots.check import Checked, check_folder

pytestmark = pytest.mark.real_data


@pytest.fixture(scope="module")
def outcome(test_data: Path) -> Checked:
    began = time.process_time()
    checked = check_folder(test_data / "snapshot", now=lambda: datetime(2026, 11, 1, tzinfo=UTC))
    assert time.process_time() - began < 60
    return checked


def test_the_folder_is_sound(outcome: Checked):
    assert [finding.text for finding in outcome.findings if finding.level == "error"] == []


def test_the_five_bars_that_its_page_names_are_found(outcome: Checked):
    found = {finding.what: finding for finding in outcome.findings if finding.file == "prices.parquet"}
    assert found["bar order (docs/reference/data-faults.md#bar-order)"].count == 5
    named = {what.partition(" (")[0] for what in found if "data-faults" in what}
    assert named == {"bar order", "no trade"}  # the latter of SW, before it was listed


def test_the_three_indices_that_end_early_are_named(outcome: Checked):
    (early,) = [finding for finding in outcome.findings if finding.what.startswith("prices that end more than")]
    assert early.examples == ("^DJI 2025-04-29", "^NDX 2025-04-29", "^RUT 2025-04-29")


@pytest.mark.parametrize(("symbol", "words"), [("AMZN", "AMZN 20 for 1 between 2022-03-31 and 2022-06-30")])
@pytest.mark.nightly
def test_a_split_taken_off_the_list_is_an_error(test_data: Path, tmp_path: Path, symbol: str, words: str):
    recorded = test_data / "snapshot"
    for file in recorded.iterdir():
        if file.name != "actions.csv":
            (tmp_path / file.name).symlink_to(file)
    kept = [line for line in (recorded / "actions.csv").read_text().splitlines() if f"{symbol},2022-06-06" not in line]
    (tmp_path / "actions.csv").write_text("\n".join(kept) + "\n")
    errors = [one for one in check_folder(tmp_path).findings if one.level == "error"]
    assert [(one.file, one.examples) for one in errors] == [("statements.jsonl.gz", (words,))]


def test_placeholders_among_statements_are_named_by_line(outcome: Checked):
    found = {finding.what: finding for finding in outcome.findings if finding.file == "statements.jsonl.gz"}
    assert found["income statements without revenue or net_income"].examples[0].startswith("ABBV 2025-12-31 (line ")


def test_it_says_what_the_folder_answers(outcome: Checked):
    answers = {one.kind: one for one in outcome.answers}
    prices = answers["prices"]
    assert (prices.subjects, prices.rows, prices.first, prices.last) == (540, 365_675, "2022-01-03", "2025-08-15")
    assert (answers["insider trades"].subjects, answers["insider trades"].rows) == (10, 1100)
    assert answers["splits and dividends"].rows == 477
    assert answers["news"].last == "2025-07-30"
