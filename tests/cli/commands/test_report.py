"""`tradingagents report`: a report by rules, hints between its rounds, and evidence that is verified."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Command

OFFLINE = ("2025-03-14", "--offline")


def test_a_report_that_asks_waits_and_takes_hints(command: Command, tmp_path: Path):
    home = ["--home", str(tmp_path)]
    waits = command("report", "VELQ", *OFFLINE, "--ask", "--hint", "Look at debt.", *home)
    assert waits.code == 7
    assert "report --resume" in waits.err
    (run,) = (tmp_path / "runs").iterdir()
    again = command("report", "--resume", run.name, "--hint", "Look at cash.", *home)
    assert again.code == 7
    assert "Iteration 2 has ended" in again.err
    done = command("report", "--resume", run.name, "--json", *home)
    assert done.code == 0, done.err
    record = json.loads(done.out)
    assert [one["text"] for one in record["hints"]] == ["Look at debt.", "Look at cash."]
    assert "below the standard" in (run / "reports" / "complete_report.md").read_text()
    late = command("report", "--resume", run.name, "--hint", "Too late.", *home)
    assert late.code == 2
    assert command("evidence", "verify", "VELQ", *home).code == 0
