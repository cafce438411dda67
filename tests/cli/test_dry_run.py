"""`--dry-run` of the commands that run something: what they would cost, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.support.graph_factory import ANALYSTS, DECIDERS

LOCAL = ("--llm-provider", "openai_compatible", "--backend-url", "http://127.0.0.1:1/v1", "--data-vendor", "simulated")
MODELS = ("--quick-model", "small", "--deep-model", "large")
AGENTS = (
    *ANALYSTS,
    *DECIDERS,
    *("Bull Researcher", "Bear Researcher", "Aggressive Debator", "Conservative Debator", "Neutral Debator"),
)
PRICES = '{"small": [0.25, 0.025, 2.0], "large": [1.75, 0.175, 14.0]}'


@pytest.fixture(autouse=True)
def _priced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRADINGAGENTS_MODEL_PRICES", PRICES)


def test_analyze_tells_what_each_agent_and_tier_would_cost_and_leaves_nothing(command: Command, home: Path):
    outcome = command("analyze", "VELQ", "OMBZ", "2025-03-14", *LOCAL, *MODELS, "--dry-run")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == "One study of a ticker"
    agents = [line for line in lines if line.split("  ")[0] in AGENTS]
    assert len(agents) == len(AGENTS)
    assert all(float(line.rpartition("$")[2]) > 0 for line in agents)
    assert lines[len(AGENTS) + 2].startswith("From a rehearsal of the graph")
    flat = " ".join(outcome.out.split())
    assert "Runs 2 studies of a ticker quick model 28 model calls" in flat
    assert re.search(r"In all 42 model calls .* \$0\.\d{4} \(from \$0\.\d{4} to \$0\.\d{4}\) Nothing was run\.$", flat)
    assert list(home.iterdir()) == []


def test_in_json_it_is_one_object(command: Command, home: Path):
    record = json.loads(command("analyze", "VELQ", "2025-03-14", *LOCAL, *MODELS, "--dry-run", "--json").out)
    assert (record["status"], record["total"]["llm_calls"]) == ("estimated", 21)
    assert set(record["by_tier"]) == {"quick", "mid", "deep"}
    assert record["by_tier"]["mid"]["cost_usd"] > 0
    (part,) = record["parts"]
    assert {agent["model"] for agent in part["agents"]} == {"openai_compatible/small", "openai_compatible/large"}
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "runs"),
    [
        (["scan", "2025-03-14"], [("scan", 1)]),
        (["auto", "2025-03-14", "--picks", "2"], [("scan", 1), ("trading", 2)]),
    ],
)
def test_scan_and_auto_tell_it_too(command: Command, home: Path, arguments: list[str], runs: list[tuple[str, int]]):
    outcome = command(*arguments, *LOCAL, *MODELS, "--dry-run", "--json")
    record = json.loads(outcome.out)
    assert outcome.code == 0
    assert [(part["kind"], part["runs"]["expected"]) for part in record["parts"]] == runs
    assert record["total"]["low_usd"] < record["total"]["cost_usd"] < record["total"]["high_usd"]
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("stored", [False, True])
def test_auto_counts_and_names_what_the_book_holds(command: Command, home: Path, tmp_path: Path, stored: bool):
    file = tmp_path / "positions.csv"
    file.write_text("ticker,quantity,account\nVELQ,5,a\nVELQ,7,b\nOMBZ,1,a\nCash,10,\n")
    if stored:
        assert command("book", "import", str(file), "--day", "2025-03-10").code == 0
    before = sorted(home.rglob("*"))
    asked = (
        "auto",
        "2025-03-14",
        "--picks",
        "2",
        *LOCAL,
        *MODELS,
        "--dry-run",
        "--book",
        *([] if stored else [str(file)]),
    )
    record = json.loads(command(*asked, "--json").out)
    assert record["in_any_case"] == ["OMBZ", "VELQ"]
    assert [part["runs"]["expected"] for part in record["parts"]] == [1, 4]
    assert "Studied besides what the scan picks: OMBZ, VELQ" in command(*asked).out
    assert sorted(home.rglob("*")) == before


def test_watch_run_tells_it_for_the_list(command: Command, home: Path):
    refused = command("watch", "run", "2025-03-14", *LOCAL, *MODELS, "--dry-run")
    assert (refused.code, len(refused.errors)) == (2, 1)
    assert command("watch", "add", "VELQ", "OMBZ").code == 0
    before = sorted(home.rglob("*"))
    record = json.loads(command("watch", "run", "2025-03-14", *LOCAL, *MODELS, "--dry-run", "--json").out)
    assert record["parts"][0]["runs"]["expected"] == 2
    assert sorted(home.rglob("*")) == before


def test_a_wrong_question_is_refused_as_ever(command: Command):
    outcome = command("analyze", "NOSUCHQ", "2025-03-14", *LOCAL, *MODELS, "--dry-run")
    assert (outcome.code, outcome.out, len(outcome.errors)) == (4, "", 1)


def test_no_key_is_needed_for_models_that_need_one(command: Command, home: Path):
    outcome = command("analyze", "NVDA", "--dry-run")
    assert outcome.code == 0
    assert "Nothing was run." in outcome.out
    assert list(home.iterdir()) == []
