"""`tradingagents record` from end to end: begun, run, shown, published, and checked by the script alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import Command


def test_a_record_is_run_published_and_checked(command: Command, tmp_path: Path):
    begun = command("record", "start", "alpha", "--tickers", "VELQ", "--json")
    assert (begun.code, json.loads(begun.out)["number"]) == (0, 1)
    first = command("record", "run", "alpha", "--offline", "--date", "2024-10-01")
    assert first.out == "Committed: 2024-10-01. Revealed: none.\n"
    assert "1 of them after the next session had opened: they prove nothing" in first.err
    second = command("record", "run", "alpha", "--offline", "--date", "2024-10-02", "--json")
    assert json.loads(second.out) == {
        "record": "alpha",
        "committed": ["2024-10-02"],
        "late": ["2024-10-02"],
        "revealed": ["2024-10-01"],
    }
    assert command("record", "reveal", "alpha").out == "Revealed: 2024-10-02.\n"
    listed = command("record", "list").out
    assert listed.startswith("alpha: 2024-10-01 to 2024-10-02, 2 committed, 2 too late, 2 revealed; ")
    anchors = tmp_path / "anchors.txt"
    anchors.write_text(command("record", "anchor").out, "utf-8")
    folder = tmp_path / "published"
    assert command("record", "publish", "--out", str(folder)).code == 0
    assert command("record", "publish", "--out", str(folder)).code == 0
    asked = [sys.executable, "-I", str(folder / "check_forward_record.py"), str(folder), str(anchors)]
    checked = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout.splitlines()[-1]) == (0, "All fits.")
    changed = folder / "alpha.jsonl"
    changed.write_text(changed.read_text("utf-8").replace("BUY", "SELL", 1).replace("HOLD", "BUY", 1), "utf-8")
    found = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert "alpha.jsonl: line" in found.stdout


def test_what_cannot_be_is_said_in_a_line(command: Command):
    missing = command("record", "run", "alpha", "--offline")
    assert (missing.code, missing.out) == (2, "")
    assert "There is no record alpha; there are: none" in missing.errors[0]
    assert command("record", "start", "registry").code == 2
    assert command("record", "list").out == ""
    nowhere = command("record", "publish", "--out", "/nonexistent/x")
    assert (nowhere.code, "No record was begun" in nowhere.errors[0]) == (2, True)
