"""`tradingagents backtest contamination` prints what the library finds."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Command
from tests.features.backtest.contamination.test_input_dependency import TICKERS


def test_the_command_prints_what_the_library_finds(command: Command, tmp_path: Path):
    words = ["backtest", "contamination", "--tickers", ",".join(TICKERS[:4]), "--start", "2025-01-03"]
    words += ["--end", "2025-06-30", "--cases", "4", "--offline", "--home", str(tmp_path)]
    told = command(*words)
    assert told.code == 0, told.err
    assert "offline/rules: decides by rules and remembers nothing" in told.out
    assert "May be remembered  0 of 1 days" in told.out
    found = json.loads(command(*words, "--json").out)
    assert found["input_dependency"]["cases"] + found["input_dependency"]["missing"] >= 4
    assert found["verdict"] in " ".join(told.out.split())  # the terminal breaks lines
    assert found["recall"] == []
    assert found["plan"]["mix"] == [0.6, 0.2, 0.2]


def test_the_plan_says_how_many_cases_and_decides_nothing(command: Command, tmp_path: Path):
    words = ["backtest", "contamination", "--tickers", ",".join(TICKERS), "--start", "2025-01-03"]
    words += ["--end", "2025-06-30", "--plan", "--mix", "34,33,33", "--offline", "--home", str(tmp_path)]
    found = json.loads(command(*words, "--json").out)
    assert found["cases"] % len(TICKERS) == 0
    assert 3 * found["cases"] < found["decisions"] <= 4 * found["cases"]
    assert f"asks for {found['cases']} cases" in command(*words).out
    assert not any(tmp_path.rglob("*.json"))
    refused = command(*words, "--mix", "1,2")
    assert refused.code == 2
    assert "three shares" in refused.err
