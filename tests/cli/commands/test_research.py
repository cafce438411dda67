"""`tradingagents research`: the plan before it runs, tasks, the reason to stop, the answer with its sources."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from cli.research_display import ResearchDisplay
from tests.cli.conftest import Command
from tests.support.golden_files import assert_golden
from tradingagents.events import Event
from tradingagents.features.research.kind import RESEARCH

OFFLINE = ["--offline", "--as-of", "2025-03-14"]


def test_a_piotroski_check_shows_nine_tasks_and_answers(command: Command, tmp_path: Path):
    done = command("research", "Run a Piotroski check on VELQ", *OFFLINE, "--home", str(tmp_path))
    assert done.code == 0
    assert_golden("cli/research_progress.txt", done.err.replace(str(tmp_path), "HOME").partition("Page:")[0])
    assert_golden("cli/research_answer.md", done.out)


def test_json_is_the_whole_record(command: Command, tmp_path: Path):
    done = command("research", "Compare VELQ and MODZ on margins", *OFFLINE, "--json", "--home", str(tmp_path))
    record = json.loads(done.out)
    assert (record["status"], record["written_by"], record["stopped"]) == ("done", "rules", "complete")
    assert [one["task_id"] for one in record["tasks"]] == ["task_1", "task_2", "task_3"]
    assert record["understanding"]["tickers"] == ["VELQ", "MODZ"]


def test_an_unclear_question_waits_and_is_answered(command: Command, tmp_path: Path):
    home = ["--home", str(tmp_path)]
    asked = command("research", "Is it worth its price?", *OFFLINE, *home)
    assert asked.code == 7
    assert "Which company" in asked.err
    (run,) = (tmp_path / "runs").iterdir()
    done = command("research", "--resume", run.name, "--answer", "VELQ", *home)
    assert done.code == 0
    assert "VELQ" in done.out


def test_a_plan_is_approved(command: Command, tmp_path: Path):
    home = ["--home", str(tmp_path)]
    waits = command("research", "Run a Piotroski check on VELQ", "--approve-plan", *OFFLINE, *home)
    assert waits.code == 7
    assert "9 tasks" in waits.err
    (run,) = (tmp_path / "runs").iterdir()
    assert command("research", "--resume", run.name, "--approve", *home).code == 0
    ended = command("research", "--resume", run.name, "--write-plan", str(tmp_path / "late.yaml"), *home)
    assert ended.code == 2
    assert "does not wait for the approval of a plan; it is done." in ended.err


def test_a_plan_is_written_to_a_file_edited_and_carried_out(command: Command, tmp_path: Path):
    home, file = ["--home", str(tmp_path / "home")], tmp_path / "plan.yaml"
    assert command("research", "Compare VELQ and MODZ on margins", "--approve-plan", *OFFLINE, *home).code == 7
    (run,) = (tmp_path / "home" / "runs").iterdir()
    written = command("research", "--resume", run.name, "--write-plan", str(file), *home)
    assert written.code == 0
    assert written.out == f"tradingagents research --resume {run.name} --plan {file}\n"
    assert (
        "exists; name another file" in command("research", "--resume", run.name, "--write-plan", str(file), *home).err
    )
    text = file.read_text()
    file.write_text(text.replace("task_type: reason", "task_type: think"))
    wrong = command("research", "--resume", run.name, "--plan", str(file), *home)
    assert (wrong.code, "tasks.3.task_type" in wrong.err) == (2, True)
    file.write_text(text.replace("Margins of VELQ", "Margins of VELQ, as edited"))
    done = command("research", "--resume", run.name, "--plan", str(file), *home)
    assert done.code == 0
    assert "**Margins of VELQ, as edited**" in done.out
    assert "Plan as edited:" in done.err
    assert "✓ task_1: Margins of VELQ, as edited" in done.err


class Keyboard(io.StringIO):
    """Answers of a person at a terminal."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_the_plan_opens_in_the_editor_and_the_answer_is_printed_once(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\nsed -i "s/Margins of MODZ/Margins of MODZ, edited/" "$1"\n')
    editor.chmod(0o700)
    monkeypatch.setattr("sys.stdin", Keyboard(""))
    done = command("research", "Compare VELQ and MODZ on margins", "--approve-plan", *OFFLINE,
                   "--home", str(tmp_path / "home"), EDITOR=str(editor), TTY_COMPATIBLE="1", COLUMNS="90")  # fmt: skip
    assert done.code == 0
    assert "[2] Margins of MODZ, edited" in done.err
    assert done.out.count("VELQ has the highest") == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Write a question"),
        (["Is VELQ cheap?", "--resume", "x"], "takes neither a question nor --ask"),
        (["--resume", "x", "--approve", "--answer", "y"], "Give one of"),
        (["Is VELQ cheap?", "--as-of", "someday"], "someday"),
    ],
)
def test_wrong_commands_are_refused(command: Command, tmp_path: Path, arguments: list[str], said: str):
    done = command("research", *arguments, "--offline", "--home", str(tmp_path))
    assert done.code == 2
    assert said in done.err


def test_a_limit_that_was_reached_is_raised_at_the_resumption(command: Command, tmp_path: Path):
    home = ["--home", str(tmp_path)]
    assert command("research", "Compare VELQ and MODZ", "--max-llm-calls", "4", *OFFLINE, *home).code == 6
    (run,) = (tmp_path / "runs").iterdir()
    assert command("research", "--resume", run.name, *home).code == 6
    assert command("research", "--resume", run.name, "--max-llm-calls", "40", *home).code == 0


def test_nothing_found_is_exit_code_5(command: Command, tmp_path: Path):
    done = command("research", "What is ZZZZQ worth?", *OFFLINE, "--home", str(tmp_path))
    assert done.code == 5
    assert "cannot be answered" in done.out or "could not be answered" in done.out


def _event(kind: Any, **data: Any) -> Event:
    return Event(type=kind, message="", run_id="r", seq=0, ts="", data=data)


def test_the_documented_display(capsys: pytest.CaptureFixture[str]):
    from rich.console import Console

    plan = {
        "summary": "s",
        "is_simple_query": False,
        "tasks": [
            {"id": "task_1", "description": "Fetch VELQ 10-K filing", "depends_on": []},
            {"id": "task_2", "description": "Calculate ratios", "depends_on": ["task_1"]},
            {"id": "task_3", "description": "Compare", "depends_on": ["task_1", "task_2"]},
        ],
    }
    with ResearchDisplay(Console(width=80), live=False, words=RESEARCH.progress) as display:
        display(_event("plan", plan=plan, iteration=1))
        for number, status in ((1, "running"), (1, "completed"), (2, "running"), (2, "failed"), (3, "skipped")):
            display(_event("task", task_id=f"task_{number}", status=status, note="" if number == 1 else "why"))
        reflected = {"is_complete": False, "reasoning": "No price.", "guidance": "Look it up."}
        display(_event("reflection", iteration=1, most=5, **reflected))
    rule = "━" * 46
    assert capsys.readouterr().out.splitlines() == [
        "Planning research...",
        rule,
        "Tasks:",
        "  [1] Fetch VELQ 10-K filing",
        "  [2] Calculate ratios (depends: 1)",
        "  [3] Compare (depends: 1, 2)",
        rule,
        "Executing tasks...",
        rule,
        "  ✓ task_1: Fetch VELQ 10-K filing",
        "  ✗ task_2: Calculate ratios (why)",
        "  - task_3: Compare (why)",
        rule,
        "Reflecting on results...",
        rule,
        "Status: Incomplete",
        "Reason: No price.",
        "Guidance: Look it up.",
        rule,
        "Replanning (iteration 2/5)...",
    ]


def test_the_report_is_written_to_a_file_and_the_file_that_a_question_asks_for_is_named(
    command: Command, tmp_path: Path
):
    target, home = tmp_path / "velq.pdf", ["--home", str(tmp_path / "home")]
    question = "Give me an overview of VELQ as an Excel workbook"

    done = command("research", question, *OFFLINE, *home, "--export", str(target))

    assert done.code == 0
    assert target.read_bytes().startswith(b"%PDF-")
    assert f"Wrote {target}" in done.err
    (book,) = (tmp_path / "home" / "runs").glob("*/reports/report.xlsx")
    assert f"File: {book}" in done.err
    again = command("research", question, *OFFLINE, *home, "--export", str(target))
    assert (again.code, again.out) == (2, "")
    assert len(list((tmp_path / "home" / "runs").iterdir())) == 1  # refused before the work
