"""Runs in a ZIP file: what is in it, what is not, and that the same runs give the same bytes."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from tests.support.run_store import keep_run, run_id
from tradingagents.errors import UsageError
from tradingagents.runtime.runs.run_export import export_runs
from tradingagents.runtime.runs.run_folder import UNFINISHED
from tradingagents.runtime.runs.run_index import IndexedRun


def packed(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def with_report(home: Path, number: int) -> IndexedRun:
    run = keep_run(home, run_id(number))
    (run.path / "reports").mkdir()
    (run.path / "reports" / "complete_report.md").write_text("# Report\n", "utf-8")
    return run


def test_every_file_is_packed_as_it_is_but_no_lock_link_draft_or_checkpoint(tmp_path: Path):
    run, secret = with_report(tmp_path, 1), tmp_path / "secret.txt"
    secret.write_text("elsewhere", "utf-8")
    (run.path / "link.txt").symlink_to(secret)
    (run.path / ".run.json.a1b2c3").write_text("half", "utf-8")
    (run.path / UNFINISHED).mkdir()
    (run.path / UNFINISHED / "sheet.jsonl").write_text("{}\n", "utf-8")
    files = export_runs([run], tmp_path / "out.zip")
    names = [f"{run.run_id}/{name}" for name in ("events.jsonl", "reports/complete_report.md", "run.json")]
    assert list(packed(tmp_path / "out.zip")) == names
    assert files == 3
    assert packed(tmp_path / "out.zip")[names[2]] == (run.path / "run.json").read_bytes()
    export_runs([run], tmp_path / "whole.zip", unfinished=True)
    assert f"{run.run_id}/{UNFINISHED}/sheet.jsonl" in packed(tmp_path / "whole.zip")


def test_the_same_runs_give_the_same_bytes_whenever_and_in_whatever_order(tmp_path: Path):
    one, other = with_report(tmp_path, 1), with_report(tmp_path, 2)
    export_runs([one, other], tmp_path / "first.zip")
    for path in one.path.rglob("*"):
        os.utime(path, (1, 1))
    (one.path / "run.json").chmod(0o600)
    export_runs([other, one], tmp_path / "second.zip")
    assert (tmp_path / "first.zip").read_bytes() == (tmp_path / "second.zip").read_bytes()


def test_a_file_that_is_there_stays_unless_forced(tmp_path: Path):
    run, target = with_report(tmp_path, 1), tmp_path / "out.zip"
    target.write_text("mine", "utf-8")
    with pytest.raises(UsageError, match="force=True"):
        export_runs([run], target)
    assert target.read_text("utf-8") == "mine"
    export_runs([run], target, force=True)
    assert packed(target)
    with pytest.raises(UsageError, match="no folder"):
        export_runs([run], tmp_path / "nowhere" / "out.zip")
