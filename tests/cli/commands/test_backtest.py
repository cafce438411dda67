"""`tradingagents backtest`: the verdict on the terminal, the record as JSON, and the files."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Command


def test_the_command_prints_the_verdict_and_leaves_its_files(command: Command, tmp_path: Path):
    asked = ("backtest", "--tickers", "VELQ,OMBZ", "--start", "2024-10-01", "--end", "2024-11-20", "--every", "30")
    home = ("--offline", "--home", str(tmp_path))
    shown = command(*asked, *home)
    assert shown.code == 0, shown.err
    assert "The smallest edge that this test could have seen" in " ".join(shown.out.split())
    assert "4 of 4 decisions" in shown.err
    told = json.loads(command(*asked, "--json", *home).out)
    assert (told["status"], told["costs"]["decided_now"]) == ("done", 0)
    assert sorted(path.name for path in Path(told["folder"]).iterdir()) == [
        "equity.csv", "ledger.jsonl", "report.md", "result.json"
    ]  # fmt: skip
    assert command(*asked[:-1], "0", *home).code == 2
    assert command(*asked, "--weights", "kelly", *home).code == 2
    wrong = command("backtest", "--tickers", "VELQ", "--start", "2024-10-01", "--end", "2024-09-01", *home)
    assert wrong.code == 2
