"""`runs show` for every kind of run: its answer, use and page, with an undamaged card and with a damaged log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command

DAY = "2025-03-14"
RUNS = (
    ("research", "What was the revenue of VELQ in fiscal year 2024?", "--date", DAY),
    ("debate", "VELQ", "--date", DAY),
    ("compare", "VELQ", "OMBZ", "--on", "margins", "--date", DAY),
    ("report", "VELQ", "--date", DAY, "--min-iterations", "1", "--max-iterations", "1"),
    ("analyze", "VELQ", "--date", DAY, "--analysts", "market"),
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


def test_every_kind_of_run_is_shown(command: Command, home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRADINGAGENTS_HOME", str(home))
    monkeypatch.setenv("TRADINGAGENTS_DATA_VENDOR", "simulated")
    kinds = set()
    for line in RUNS:
        done = command(*line, "--offline", "--json")
        assert done.code == 0, (line, done.err)
        card = json.loads(done.out)
        if line[0] == "debate":
            asked = command("debate", "--ask", card["run_id"], "What would change your mind?", "--offline", "--json")
            assert asked.code == 0, asked.err
    for folder in sorted((home / "runs").iterdir()):
        card = json.loads((folder / "run.json").read_text("utf-8"))
        assert card["session"] == DAY
        shown = command("runs", "show", folder.name)
        assert shown.code == 0, (card["kind"], shown.err)
        assert f"Run {folder.name}" in shown.out
        said = card.get("answer") or (card.get("verdict") or {}).get("reasoning") or card.get("ticker") or "VELQ"
        assert said.splitlines()[0][:30] in shown.out, card["kind"]
        assert json.loads(command("runs", "show", folder.name, "--json").out)["kind"] == card["kind"]
        kinds.add(card["kind"])
    assert kinds == {"research", "debate", "debate_question", "company_comparison", "deep_report", "trading"}
