"""`tradingagents debate`: statements as they are made, the verdict, hints between phases, questions afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.support.golden_files import assert_golden

OFFLINE = ["--offline", "--as-of", "2025-03-14"]


def test_an_offline_debate_shows_its_statements_and_its_verdict(command: Command, tmp_path: Path):
    home = ["--home", str(tmp_path)]
    done = command("debate", "VELQ", "--plain", *OFFLINE, *home)
    assert done.code == 0
    (run,) = (tmp_path / "runs").iterdir()
    assert_golden("cli/debate_progress.txt", done.err.partition("Page:")[0])
    assert_golden("cli/debate_summary.md", done.out.replace(run.name, "RUN"))
    assert run.name in done.err.partition("Ask about it:")[2]

    asked = command("debate", "--ask", run.name, "What would change your mind?", *home)
    assert asked.code == 0
    assert_golden("cli/debate_answer.md", asked.out)
    told = command("debate", "--ask", run.name, "What does the bear say about volatility?", "--json", *home)
    assert "252-day volatility" in json.loads(told.out)["answer"]
    assert command("debate", "--ask", run.name, *home).code == 2
    assert command("debate", "--ask", "2025", "Why?", *home).code == 2


def test_a_deep_debate_as_json_has_figures_with_sources(command: Command, tmp_path: Path):
    done = command("debate", "velq", "--deep", "--json", *OFFLINE, "--home", str(tmp_path))
    record = json.loads(done.out)
    assert (record["status"], record["written_by"], record["rounds"]) == ("done", "rules", 2)
    assert len(record["rebuttals"]) == 4
    assert record["grounding"]["unmatched"] == []
    cited = {one for case in record["cases"].values() for point in case["points"] for one in point["evidence"]}
    assert cited <= {one["id"] for one in record["evidence"]}
    assert [len(case["points"]) >= 3 for case in record["cases"].values()] == [True, True]
    shared = next(one for one in record["evidence"] if one["capability"] == "get_ttm_analysis")
    assert shared["asked_by"] == ["bull", "bear"]
    assert sum(row["method"] == "get_ttm_analysis" for row in record["data_sheet"]) == 1


def test_hints_wait_and_are_given_with_resume(command: Command, tmp_path: Path):
    home = ["--home", str(tmp_path)]
    waits = command("debate", "VELQ", "--hint", "bear=Volatility, that is the risk.", *OFFLINE, *home)
    assert waits.code == 7, "the first hint was given at the first pause, and nobody is there for the second"
    assert "Both cases are stated" in waits.err
    (run,) = (tmp_path / "runs").iterdir()
    done = command("runs", "resume", run.name, "--json", *home)
    assert done.code == 0
    record = json.loads(done.out)
    assert [(one["side"], one["phase"]) for one in record["hints"]] == [("bear", "opening")]
    assert "volatility" in record["cases"]["bear"]["points"][0]["claim"]


def test_a_fund_is_refused_in_words(command: Command, tmp_path: Path):
    done = command("debate", "SPY", *OFFLINE, "--home", str(tmp_path))
    assert done.code == 2
    assert "SPY is an exchange-traded fund, not a company; debate a company" in done.err
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Name a ticker"),
        (["VELQ", "--resume", "x"], "takes neither"),
        (["VELQ MODZ"], "one ticker"),
        (["VELQ", "--hint", "moderator=Decide."], "never to the moderator"),
        (["VELQ", "--hint", "margins"], "names no side"),
        (["VELQ", "--as-of", "someday"], "someday"),
    ],
)
def test_wrong_commands_are_refused(command: Command, tmp_path: Path, arguments: list[str], said: str):
    done = command("debate", *arguments, "--offline", "--home", str(tmp_path))
    assert done.code == 2
    assert said in done.err
