"""`tradingagents memory …` from end to end, on runs of the offline analysts."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from datetime import date
from pathlib import Path

import pytest

from tests.cli.conftest import Command, environment
from tests.graph.evaluation.settled_runs import FIRST, LATER, holding, learning_graph, model_that_learns
from tests.memory.test_outcome_store import OUTCOME, lessons
from tests.support.graph_factory import COMPANY
from tests.support.warm import WarmProcess
from tradingagents.memory.lesson_store import LessonStore
from tradingagents.memory.outcomes import OutcomeStore
from tradingagents.memory.situations import MEMORY_NAMES


@pytest.fixture
def taught(home: Path) -> Path:
    """A home with one settled decision and its five lessons."""
    OutcomeStore(home / "memory.sqlite").keep(OUTCOME, lessons("let \x1b[31mit run"))
    return home


@pytest.fixture
def due(home: Path) -> Path:
    """A home with a decision of the simulated market that is due, and one that is not."""
    graph = learning_graph(home, model_that_learns(holding(30)), auto_settle=False, analysts=("market",))
    graph.propagate(COMPANY, FIRST)
    graph.propagate(COMPANY, LATER)
    return home


# settle


def test_settling_says_what_came_of_each_decision(command: Command, due: Path):
    outcome = command("memory", "settle", "--offline", "--as-of", LATER, "--json")
    assert outcome.code == 0
    found = json.loads(outcome.out)
    (settled,) = found["settled"]
    assert (settled["ticker"], settled["trade_date"], settled["end"]) == (COMPANY, FIRST, "2025-04-14")
    assert settled["right"] is (settled["excess"] > 0)
    assert settled["excess"] == pytest.approx(settled["total_return"] - settled["benchmark_return"])
    assert (found["status"], found["unsettled"], found["pending"]) == ("done", {}, 1)
    assert found["usage"]["llm_calls"] == 5
    again = command("memory", "settle", "--offline", "--as-of", LATER)
    assert (again.code, again.out) == (0, "")
    assert again.err.strip() == "0 decisions settled, 1 pending."


def test_settling_for_people_names_the_run(command: Command, due: Path):
    outcome = command("memory", "settle", "--offline", "--as-of", LATER)
    assert outcome.code == 0
    assert f"-{COMPANY}-{FIRST}-" in outcome.out
    assert "BUY" in outcome.out
    assert "1 decision settled, 1 pending." in outcome.err


def test_a_decision_that_cannot_be_settled_is_named_and_stays(command: Command, due: Path):
    (path,) = due.glob(f"runs/*-{FIRST}-*/run.json")
    card = json.loads(path.read_text("utf-8"))
    card["judged_by"]["as_of_price"] = 1.0
    path.write_text(json.dumps(card), encoding="utf-8")
    outcome = command("memory", "settle", "--offline", "--as-of", LATER)
    assert outcome.code == 4
    assert "warning: The decision of" in outcome.err
    assert "settle it with the data vendor of the run." in outcome.err
    assert "0 decisions settled, 2 pending." in outcome.err
    json_outcome = command("memory", "settle", "--offline", "--as-of", LATER, "--json")
    assert (json_outcome.code, json.loads(json_outcome.out)["status"]) == (4, "partial")


def test_a_limit_ends_the_settling_and_keeps_no_half(command: Command, due: Path):
    outcome = command("memory", "settle", "--offline", "--max-llm-calls", "3")
    assert outcome.code == 6
    assert "raise --max-llm-calls and run again" in outcome.err
    assert LessonStore(due / "memory.sqlite").list() == []


def test_a_day_to_come_is_refused_in_one_line(command: Command, home: Path):
    outcome = command("memory", "settle", "--offline", "--as-of", "2999-01-01")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == "error: 2999-01-01 is in the future; name a past day or today.\n"


def test_only_decisions_on_a_ticker_are_settled(command: Command, due: Path):
    other = json.loads(command("memory", "settle", "--offline", "--ticker", "OMBZ", "--json").out)
    assert (other["settled"], other["pending"]) == ([], 0)


# list, show, forget


def listed(command: Command, *arguments: str) -> list[dict[str, object]]:
    outcome = command("memory", "list", "--json", *arguments)
    assert outcome.code == 0
    return json.loads(outcome.out)["lessons"]  # type: ignore[no-any-return]


def test_the_list_is_newest_first_and_can_be_narrowed_down(command: Command, taught: Path):
    assert [one["memory"] for one in listed(command)] == list(reversed(MEMORY_NAMES))
    assert [one["id"] for one in listed(command, "--memory", "bull")] == [1]
    assert [one["id"] for one in listed(command, "--memory", "Bear_Memory")] == [2]
    assert len(listed(command, "--limit", "2")) == 2
    assert len(listed(command, "--limit", "0", "--ticker", "acme")) == 5
    assert listed(command, "--as-of", "2025-04-13") == []
    assert listed(command, "--ticker", "OMBZ") == []


def test_a_lesson_cannot_colour_the_terminal(command: Command, taught: Path):
    for arguments in (("list",), ("show", "1")):
        outcome = command("memory", *arguments)
        assert outcome.code == 0
        assert "let it run" in outcome.out
        assert "\x1b[31m" not in outcome.out


def test_a_lesson_is_shown_whole(command: Command, taught: Path):
    found = json.loads(command("memory", "show", "3", "--json").out)
    assert (found["id"], found["memory"], found["situation"]) == (3, MEMORY_NAMES[2], f"{MEMORY_NAMES[2]} rising")
    assert (found["run_id"], found["settled_on"]) == (OUTCOME.run_id, date(2025, 4, 14).isoformat())


@pytest.mark.parametrize("arguments", [("show", "9"), ("forget", "1", "9", "--yes")])
def test_a_lesson_that_is_not_there_is_named(command: Command, taught: Path, arguments: tuple[str, ...]):
    outcome = command("memory", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == "error: There is no lesson 9; `tradingagents memory list` shows those there are.\n"
    assert len(listed(command)) == 5


def test_what_is_forgotten_is_gone_and_its_outcome_stays(command: Command, taught: Path):
    outcome = command("memory", "forget", "1", "2", "1", "--yes", "--json")
    assert (outcome.code, json.loads(outcome.out)) == (0, {"forgotten": [1, 2], "status": "done"})
    assert [one["id"] for one in listed(command)] == [5, 4, 3]
    assert len(OutcomeStore(taught / "memory.sqlite").list()) == 1


def test_nobody_is_asked_where_nobody_can_answer(command: Command, taught: Path):
    outcome = command("memory", "forget", "1")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == "error: Confirmation is needed to forget, but this terminal is not interactive; add --yes.\n"
    assert len(listed(command)) == 5


@pytest.mark.parametrize(("said", "left"), [("y\n", 4), ("n\n", 5), ("\n", 5)])
def test_on_a_terminal_forget_asks_first(command: Command, taught: Path, said: str, left: int):
    master, terminal = pty.openpty()
    os.write(master, said.encode())
    with WarmProcess(
        ["-m", "cli.main", "memory", "forget", "1"],
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=terminal,
        env=environment(TERM="xterm", COLUMNS="120"),
    ) as process:
        process.communicate(60)
    shown = os.read(master, 10_000).decode()
    os.close(terminal)
    os.close(master)
    assert process.returncode == 0
    assert "let it run" in shown
    assert "[y/N]" in shown
    assert len(listed(command)) == left


def test_a_memory_nobody_has_is_refused(command: Command, taught: Path):
    outcome = command("memory", "list", "--memory", "goldfish")
    assert outcome.code == 2
    assert "it is one of bull, bear, trader, invest_judge, risk_manager." in outcome.err


def test_an_empty_home_has_no_lessons_and_gets_no_database(command: Command, home: Path):
    assert command("memory", "list").code == 0
    assert command("memory", "scoreboard").code == 0
    assert command("memory", "show", "1").code == 2
    assert not (home / "memory.sqlite").exists()


# scoreboard


def test_the_scoreboard_for_people(command: Command, taught: Path):
    outcome = command("memory", "scoreboard")
    assert outcome.code == 0
    for words in ("Risk Manager", "Final decisions", "100%", "+10.00%", "60% to 80%", "0 decisions pending."):
        assert words in outcome.out
    assert "no interval: no call has a benchmark" in outcome.out


@pytest.mark.parametrize(
    ("by", "name"),
    [("agent", "Risk Manager"), ("ticker", "ACME"), ("model", "offline/rules"), ("vintage", "0.1.0-abcdef")],
)
def test_the_scoreboard_for_programs(command: Command, taught: Path, by: str, name: str):
    found = json.loads(command("memory", "scoreboard", "--by", by, "--json").out)
    (board,) = found["scoreboards"]
    assert (board["market"], board["decided_by"]) == ("real", "rules")
    row = next(row for row in board["groups"] if row["name"] == name)
    assert (board["by"], row["score"]["calls"], row["score"]["hit_rate"]) == (by, 1, 1.0)
    assert row["score"]["brier"] == pytest.approx(0.09)


def test_the_scoreboard_says_what_is_pending(command: Command, due: Path):
    outcome = command("memory", "scoreboard")
    assert "No decision is settled yet." in outcome.out
    assert "2 decisions pending, 2 of them due: tradingagents memory settle" in " ".join(outcome.out.split())


def test_without_a_command_the_group_shows_its_help(command: Command):
    outcome = command("memory")
    assert (outcome.code, outcome.out) == (2, "")
    for name in ("settle", "list", "show", "forget", "scoreboard"):
        assert name in outcome.err
