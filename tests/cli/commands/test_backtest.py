"""`tradingagents backtest`: the verdict on the terminal, the record as JSON, and the files."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

from tests.cli.conftest import Command
from tests.support.warm import WarmProcess


def test_the_command_prints_the_verdict_and_leaves_its_files(command: Command, tmp_path: Path):
    asked = ("backtest", "--tickers", "VELQ,OMBZ", "--start", "2024-10-01", "--end", "2024-11-20", "--every", "30")
    home = ("--offline", "--home", str(tmp_path))
    shown = command(*asked, *home)
    assert shown.code == 0, shown.err
    assert "The smallest edge that this test could have seen" in " ".join(shown.out.split())
    assert "Stops and targets of the decisions are not followed (exits=none)" in " ".join(shown.out.split())
    assert "4 of 4 decisions" in shown.err
    told = json.loads(command(*asked, "--json", *home).out)
    assert (told["status"], told["costs"]["decided_now"]) == ("done", 0)
    written = {path.name for path in Path(told["folder"]).iterdir()}
    assert {"decisions.jsonl", "equity.csv", "ledger.jsonl", "report.md", "result.json"} <= written
    assert command(*asked[:-1], "0", *home).code == 2
    assert command(*asked, "--weights", "kelly", *home).code == 2
    wrong = command("backtest", "--tickers", "VELQ", "--start", "2024-10-01", "--end", "2024-09-01", *home)
    assert wrong.code == 2


def test_stops_and_targets_are_followed_if_asked(command: Command, tmp_path: Path):
    asked = ("backtest", "--tickers", "VELQ,OMBZ", "--start", "2024-06-03", "--end", "2024-12-20", "--every", "10")
    home = ("--offline", "--home", str(tmp_path), "--json")
    plain = json.loads(command(*asked, *home).out)
    followed = json.loads(command(*asked, "--exits", "plan", *home).out)
    assert "exits" not in plain["request"]
    assert followed["request"]["exits"] == "plan"
    assert followed["costs"]["decided_now"] == 0  # the same decisions
    own = followed["strategies"]["decisions"]["exits"]
    assert own["stop"] + own["target"] + own["both"] > 0
    for name in ("buy_and_hold", "always_buy", "macd"):
        assert followed["strategies"][name] == plain["strategies"][name]
    report = (Path(followed["folder"]) / "report.md").read_text()
    assert f"{own['stop']} at the stop, {own['target']} at the target" in report
    assert "(exits=none)" in (Path(plain["folder"]) / "report.md").read_text()
    audited = command(
        "backtest", "audit", followed["folder"], "--offline", "--home", str(tmp_path), "--parts", "accounts"
    )
    assert audited.code == 0, audited.out + audited.err
    assert command(*asked, "--exits", "trailing", *home).code == 2


def test_a_stopped_backtest_says_so_and_leaves_its_decisions(tmp_path: Path):
    asked = ("--tickers", "VELQ,OMBZ", "--start", "2024-10-01", "--end", "2024-11-20", "--every", "1")
    line = ["-m", "tradingagents", "backtest", *asked, "--offline", "--home", str(tmp_path)]
    with WarmProcess(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while not list((tmp_path / "decisions").glob("*/*.json")):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.terminate()
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    stored = len(list((tmp_path / "decisions").glob("*/*.json")))
    assert 0 < stored < 72
    assert f"Interrupted; {stored} of 72 decisions are stored" in " ".join(err.split())
    assert "Traceback" not in err
    assert not (tmp_path / "backtests").exists()
