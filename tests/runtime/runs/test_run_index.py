"""The runs of a home by their names: order, filters, abbreviations, deletion that stays inside."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.support.run_store import keep_run, run_id
from tradingagents.errors import UsageError
from tradingagents.files.atomic import UnreadableFile
from tradingagents.runtime.runs.run_folder import NoSuchRun, RunBusy, RunFolder, new_run_id, subject_of
from tradingagents.runtime.runs.run_index import SCAN_SUBJECT, IndexedRun, RunIndex


def test_a_name_tells_when_for_whom_and_for_which_day():
    run = IndexedRun.of(Path("/runs/20250317T101500Z-BRK-B-2025-03-14-0a1b2c"))
    assert run
    assert (run.began, run.subject, run.day) == (
        datetime(2025, 3, 17, 10, 15, tzinfo=UTC),
        "BRK-B",
        date(2025, 3, 14),
    )


@pytest.mark.parametrize(
    "name", ["notes", ".hidden", "20250317T101500Z-VELQ", "20251399T101500Z-VELQ-2025-03-14-0a1b2c"]
)
def test_other_folders_are_no_runs(name: str):
    assert IndexedRun.of(Path("/runs") / name) is None


@pytest.mark.parametrize("symbol", ["VELQ", "BRK-B", "^GSPC", "0700.HK", "EURUSD=X", "scan"])
def test_every_id_that_is_given_can_be_read_back(symbol: str):
    run = IndexedRun.of(Path("/runs") / new_run_id(symbol, "2025-03-14"))
    assert run
    assert run.subject == subject_of(symbol)
    assert subject_of("scan") == SCAN_SUBJECT


def test_runs_come_newest_first_and_may_be_narrowed_down(tmp_path: Path):
    for number, (subject, began) in enumerate(
        [("VELQ", "20250310"), ("OMBZ", "20250311"), ("VELQ", "20250312"), ("SCAN", "20250313")]
    ):
        keep_run(tmp_path, run_id(number, subject, began=began))
    (tmp_path / "runs" / "notes").mkdir()
    runs = RunIndex(tmp_path)

    def subjects(**which: object) -> list[str]:
        return [run.subject for run in runs.newest_first(**which)]  # type: ignore[arg-type]

    assert subjects() == ["SCAN", "VELQ", "OMBZ", "VELQ"]
    assert subjects(subject="VELQ") == ["VELQ", "VELQ"]
    assert subjects(since=date(2025, 3, 12)) == ["SCAN", "VELQ"]
    assert subjects(until=date(2025, 3, 11)) == ["OMBZ", "VELQ"]
    assert subjects(since=date(2025, 3, 11), until=date(2025, 3, 12)) == ["VELQ", "OMBZ"]
    assert subjects(since=date(2025, 3, 14)) == []


def test_a_home_without_runs_has_none(tmp_path: Path):
    assert list(RunIndex(tmp_path / "nowhere").newest_first()) == []


def test_a_run_is_found_by_any_beginning_that_only_it_has(tmp_path: Path):
    one, other = keep_run(tmp_path, run_id(1)), keep_run(tmp_path, run_id(2))
    runs = RunIndex(tmp_path)
    assert runs.find(one.run_id) == one
    assert runs.find("20250317T1002") == other
    with pytest.raises(UsageError, match=f"the beginning of 2 runs: {other.run_id}, {one.run_id}; write more of it"):
        runs.find("20250317T100")
    with pytest.raises(NoSuchRun, match="begins with 2024"):
        runs.find("2024")


@pytest.mark.parametrize("name", ["", "..", "../other", "/etc", "a/b", "*"])
def test_a_beginning_that_could_leave_the_folder_is_refused(tmp_path: Path, name: str):
    keep_run(tmp_path, run_id(1))
    with pytest.raises(UsageError):
        RunIndex(tmp_path).find(name)


def test_a_damaged_card_is_named(tmp_path: Path):
    run = keep_run(tmp_path, run_id(1))
    (run.path / "run.json").write_text("{ half", "utf-8")
    with pytest.raises(UnreadableFile, match=r"run\.json"):
        run.card()
    (run.path / "run.json").unlink()
    assert run.card() is None


def test_deletion_removes_links_and_leaves_what_they_point_to(tmp_path: Path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept.txt").write_text("kept", "utf-8")
    run, other = keep_run(tmp_path, run_id(1)), keep_run(tmp_path, run_id(2))
    (run.path / "link").symlink_to(outside)
    RunIndex(tmp_path).delete(run)
    assert not run.path.exists()
    assert other.path.exists()
    assert (outside / "kept.txt").read_text("utf-8") == "kept"


def test_a_link_in_place_of_a_run_is_no_run(tmp_path: Path):
    elsewhere = keep_run(tmp_path / "elsewhere", run_id(1))
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / elsewhere.run_id).symlink_to(elsewhere.path)
    assert list(RunIndex(tmp_path).newest_first()) == []
    with pytest.raises(NoSuchRun):
        RunIndex(tmp_path).find(elsewhere.run_id)


def test_a_run_under_way_is_not_deleted(tmp_path: Path):
    folder = RunFolder(tmp_path, run_id(1))
    runs = RunIndex(tmp_path)
    run = runs.find(run_id(1))
    assert run.under_way
    with pytest.raises(RunBusy, match="still running"):
        runs.delete(run)
    assert (run.path / "events.jsonl").exists()
    folder.close()
    assert not run.under_way
    runs.delete(run)
    assert not run.path.exists()
