"""A proposed plan in an editor: what the file says, what is checked when it returns, and what is asked."""

from __future__ import annotations

import io
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from cli.console import Terminal
from cli.plan_file import InvalidPlan, NothingWritten, PlanEditor, PlanFileError, read_plan
from cli.run_pauses import PlanReview, proposed_text
from tests.cli.conftest import golden
from tests.support.research import plan_of, task
from tradingagents.errors import AwaitingApproval, UsageError
from tradingagents.features.research.agents.schemas import TaskPlan

KEY = "sk-live-0123456789abcdef"
CALL = {"capability": "get_ttm_analysis", "arguments": {"ticker": "VELQ"}, "figures": ["gross_margin"]}
TASKS = ({**task(1, "Margins of VELQ"), "calls": [CALL]}, task(2, 'Weigh: is it "cheap"?', after=[1], reason=True))
PLAN = TaskPlan.model_validate(plan_of(*TASKS)).model_dump(mode="json")


def waiting(plan: dict[str, Any] | None = None) -> AwaitingApproval:
    asked = {"kind": "plan", "question": "The plan has 2 tasks and awaits approval", "plan": plan or PLAN}
    return AwaitingApproval("The plan awaits approval; answer with X.", run_id="RUN-1", asked=asked)


def editor(tmp_path: Path, *steps: str) -> dict[str, str]:
    """Return an environment whose editor does one more step of shell at each call; `$1` is the file."""
    script = tmp_path / "editor.sh"
    cases = "\n".join(f"{number}) {step};;" for number, step in enumerate(steps))
    script.write_text(
        f"#!/bin/sh\nn=$(cat {tmp_path}/count 2>/dev/null || echo 0)\necho $((n + 1)) > {tmp_path}/count\n"
        f'ls -l "$1" >> {tmp_path}/seen\necho "$1" >> {tmp_path}/path\ncase $n in\n{cases}\nesac\n'
    )
    script.chmod(0o700)
    return {"EDITOR": str(script)}


def review(environ: dict[str, str], answers: str, monkeypatch: pytest.MonkeyPatch) -> tuple[PlanReview, io.StringIO]:
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    shown = io.StringIO()
    err = Console(file=shown, width=100, force_terminal=True, color_system=None)
    return PlanReview(Terminal(out=err, err=err), environ, waiting()), shown


def test_the_file_says_what_may_be_changed_and_returns_as_the_same_plan(tmp_path: Path):
    text = proposed_text(waiting(), {"OPENAI_API_KEY": KEY})
    golden("plan.yaml", text)
    path = tmp_path / "plan.yaml"
    path.write_text(text)
    assert read_plan(path).model_dump(mode="json") == PLAN


def test_no_secret_reaches_the_file():
    plan = {**PLAN, "summary": f"Ask with {KEY} and then stop."}
    assert KEY not in proposed_text(waiting(plan), {"OPENAI_API_KEY": KEY})


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("tasks: [", "cannot be read: it is no valid YAML"),
        ("- a\n- b\n", "cannot be read: it holds no fields"),
        ("summary: s\ntasks: []\n", "has no task"),
        ("sumary: s\ntasks: []\n", "field 'sumary', which plans do not have; did you mean summary?"),
        ("summary: s\ntasks: [{id: task_1, description: Look, type: reason}]\n", "did you mean task_type?"),
        ("summary: s\ntasks: [{id: task_1, description: Look, task_type: think}]\n", "tasks.1.task_type"),
        ("summary: s\ntasks: [{id: first, description: Look, task_type: reason}]\n", "tasks.1.id"),
        ("summary: s\ntasks: [{id: task_1, description: Look, task_type: reason, depends_on: [task_2]}]\n",
         "depends on task_2, which is no task"),
        ("summary: s\ntasks: [{id: task_1, description: Look, task_type: reason, depends_on: [task_1]}]\n",
         "in a circle"),
        ("summary: s\ntasks: [{id: task_1, description: Look, task_type: use_tools, calls: [{capability: sell}]}]\n",
         "'sell', which is no capability"),
    ],
)  # fmt: skip
def test_what_cannot_be_carried_out_is_said_in_words(tmp_path: Path, written: str, said: str):
    path = tmp_path / "plan.yaml"
    path.write_text(written)
    with pytest.raises(PlanFileError, match="plan") as raised:
        read_plan(path)
    assert said in str(raised.value)
    assert isinstance(raised.value, UsageError)
    assert "\n" not in str(raised.value)


def test_the_file_is_private_and_removed(tmp_path: Path):
    environ = editor(tmp_path, "sed -i 's/Margins of VELQ/Gross margin of VELQ/' \"$1\"")
    text = proposed_text(waiting(), {})
    plan = PlanEditor(environ).edit(text, text)
    assert plan is not None
    assert plan.tasks[0].description == "Gross margin of VELQ"
    assert plan.tasks[0].calls[0].capability == "get_ttm_analysis"
    assert (tmp_path / "seen").read_text().startswith("-rw-------")
    path = Path((tmp_path / "path").read_text().strip())
    assert not path.exists()
    assert not path.parent.exists()


def test_unchanged_empty_failed_and_missing_editors(tmp_path: Path):
    text = proposed_text(waiting(), {})
    steps = editor(tmp_path, "true", ': > "$1"', "exit 3", "echo 'tasks: [' > \"$1\"", 'rm "$1"')
    assert PlanEditor(steps).edit(text, text) is None
    with pytest.raises(NothingWritten):
        PlanEditor(steps).edit(text, text)
    with pytest.raises(PlanFileError, match="ended with code 3"):
        PlanEditor(steps).edit(text, text)
    with pytest.raises(InvalidPlan) as raised:
        PlanEditor(steps).edit(text, text)
    assert raised.value.written == "tasks: [\n"
    with pytest.raises(NothingWritten, match="removed"):
        PlanEditor(steps).edit(text, text)
    with pytest.raises(PlanFileError, match="cannot be started"):
        PlanEditor({"VISUAL": "/no/such/editor"}).edit(text, text)
    assert not PlanEditor({"VISUAL": " "}).available


def test_a_mistake_is_corrected_in_the_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    spoil = "sed -i 's/task_type: reason/task_type: think/' \"$1\""
    correct = "sed -i 's/task_type: think/task_type: reason/; s/VELQ/MODZ/' \"$1\""
    environ = editor(tmp_path, spoil, f'cp "$1" {tmp_path}/again; {correct}')
    asked, shown = review(environ, "\n", monkeypatch)
    answer = asked.decide()
    assert answer["verdict"] == "approve"
    assert answer["plan"]["tasks"][0]["description"] == "Margins of MODZ"
    assert "error: The plan cannot be carried out: tasks.2.task_type" in shown.getvalue()
    again = (tmp_path / "again").read_text()
    assert again.startswith("# TO CORRECT: The plan cannot be carried out: tasks.2.task_type")


@pytest.mark.parametrize(
    ("answers", "answer"),
    [
        ("y\n", {"verdict": "approve"}),
        ("\n", {"verdict": "approve"}),
        ("look at debt too\n", {"verdict": "revise", "note": "look at debt too"}),
    ],
)
def test_an_unchanged_plan_is_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: str, answer: dict[str, str]
):
    asked, shown = review(editor(tmp_path, "true"), answers, monkeypatch)
    assert asked.decide() == answer
    assert "The plan was not changed." in shown.getvalue()


@pytest.mark.parametrize("answers", ["n\n", ""])
def test_no_and_the_end_of_input_leave_the_run_waiting(monkeypatch: pytest.MonkeyPatch, answers: str):
    asked, _ = review({}, answers, monkeypatch)
    with pytest.raises(AwaitingApproval, match="answer with X"):
        asked.decide()


def test_without_an_editor_edit_says_which_variable_names_one(monkeypatch: pytest.MonkeyPatch):
    asked, shown = review({}, "e\ny\n", monkeypatch)
    assert asked.decide() == {"verdict": "approve"}
    assert "name one in VISUAL or EDITOR" in shown.getvalue()


def test_private_files_are_private_whatever_the_mask(tmp_path: Path):
    from cli.plan_file import write_plan

    before = os.umask(0)
    try:
        write_plan(tmp_path / "plan.yaml", "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "plan.yaml").stat().st_mode) == 0o600
    with pytest.raises(UsageError, match="exists"):
        write_plan(tmp_path / "plan.yaml", "y")
