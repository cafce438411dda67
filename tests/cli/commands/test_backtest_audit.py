"""`tradingagents backtest audit`: the verdict, the findings as JSON, and the exit code."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Command

ASKED = ("backtest", "--tickers", "VELQ,OMBZ", "--start", "2024-10-01", "--end", "2024-11-20", "--every", "30")


def test_the_command_convicts_an_edited_ledger_and_no_other(command: Command, tmp_path: Path):
    home = ("--offline", "--home", str(tmp_path))
    folder = Path(json.loads(command(*ASKED, "--json", *home).out)["folder"])
    clean = command("backtest", "audit", folder.name, "--sample", "1", *home)
    assert (clean.code, clean.err) == (0, "")
    assert clean.out.splitlines()[0] == "No fault was found in what was checked."
    assert "Checked futures: 1 of 4 decisions decided again" in " ".join(clean.out.split())

    ledger = folder / "ledger.jsonl"
    ledger.write_text(ledger.read_text().replace('"commission":', '"commission":1', 1))
    written = tmp_path / "audit.md"
    found = command("backtest", "audit", str(folder), "--parts", "accounts", "--json", "--out", str(written), *home)
    assert found.code == 5
    told = json.loads(found.out)
    assert {"ledger_chain", "commission_left_out"} <= {one["kind"] for one in told["findings"]}
    assert told["convicted"]
    assert "| ledger_chain | ledger.jsonl line 2 |" in written.read_text()

    assert command("backtest", "audit", "nowhere", *home).code == 2
    assert command("backtest", "audit", str(folder), "--parts", "everything", *home).code == 2
