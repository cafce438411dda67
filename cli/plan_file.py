"""Research plans as YAML files that a person edits: written with what may be changed, and checked when they return."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradingagents.errors import UsageError
from tradingagents.files.plain_text import clean, one_line

if TYPE_CHECKING:
    from tradingagents.features.research.agents.schemas import TaskPlan
    from tradingagents.files.redaction import Redactor

PLAN_FIELDS = ("summary", "selected_frameworks", "tasks")
TASK_FIELDS = ("id", "description", "task_type", "depends_on", "rationale", "calls")
CALL_FIELDS = ("capability", "arguments", "figures")
EDITORS = ("VISUAL", "EDITOR")
"""Variables that name the editor, the first that is set."""
NO_EDITOR = "No editor is set; name one in VISUAL or EDITOR, such as EDITOR=nano."
HEADING = """\
# The plan of run {run}. Change what you like:
#   summary               the approach, one or two sentences
#   selected_frameworks   names of frameworks, or []
#   tasks                 1 to 10; change, add, remove or reorder them
#     id                  task_1, task_2, ...; each once
#     description         what to find out, in one sentence
#     task_type           use_tools gathers data; reason thinks about what other tasks found
#     depends_on          ids of the tasks whose results it needs; no circles
#     rationale           why, or leave it out
#     calls               tool calls, where fixed rules plan; a language model chooses its tools itself
# Lines that begin with # are ignored.
"""
IN_EDITOR = """\
# Save and close: a changed plan is carried out, about an unchanged one you are asked.
# Remove everything: the run keeps waiting.
"""


_PROBLEM = "# TO CORRECT: "


class PlanFileError(UsageError):
    """A plan that a person wrote cannot be carried out; the message says what to correct."""


class NothingWritten(PlanFileError):
    """The file is empty: the person does not want to answer now."""


class InvalidPlan(PlanFileError):
    """What was written in the editor is no plan that can be carried out.

    Attributes:
        written: The text, so that it can be corrected.
    """

    def __init__(self, message: str, written: str) -> None:
        super().__init__(message)
        self.written = written


def plan_text(plan: Mapping[str, Any], run_id: str, redactor: Redactor, *, note: str = "") -> str:
    """Return a plan as YAML with comments that say what may be changed; secrets are removed.

    Args:
        plan: A `TaskPlan` as JSON.
        run_id: The run that waits.
        redactor: Knows the secrets of this process.
        note: Further comment lines.
    """
    import yaml

    tasks = [{name: task[name] for name in TASK_FIELDS if task.get(name) or name == "depends_on"}
             for task in plan["tasks"]]  # fmt: skip
    fields = {"summary": plan["summary"], "selected_frameworks": plan["selected_frameworks"], "tasks": tasks}
    text = yaml.safe_dump(fields, allow_unicode=True, sort_keys=False, width=100, default_flow_style=None)
    return redactor.outside_text(f"{HEADING.format(run=run_id)}{note}\n{clean(text)}")


def read_plan(path: Path) -> TaskPlan:
    """Return the plan in a file.

    Raises:
        NothingWritten: It holds comments only.
        PlanFileError: It is no plan, or one that cannot be carried out.
    """
    from pydantic import ValidationError

    from tradingagents.features.research.agents.plan_rules import plan_problems
    from tradingagents.features.research.agents.schemas import TaskPlan
    from tradingagents.files.yaml_file import UnreadableYaml, read_yaml

    if _is_empty(path):
        raise NothingWritten(f"{path.name} is empty; the run keeps waiting.")
    try:
        given = read_yaml(path)
    except UnreadableYaml as error:
        raise PlanFileError(f"The plan cannot be read: {error}.") from None
    _check_fields(given)
    try:
        plan = TaskPlan.model_validate({"selected_frameworks": [], **given})
    except ValidationError as error:
        raise PlanFileError(f"The plan cannot be carried out: {_said(error)}") from None
    if problems := [*plan_problems(plan), *_unknown_calls(plan)]:
        raise PlanFileError(f"The plan cannot be carried out: {' '.join(problems)}")
    return plan


class PlanEditor:
    """Has a person change a plan in an editor, in a private folder that is removed afterwards."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        """Find the editor.

        Args:
            environ: Names it in `VISUAL` or `EDITOR`.
        """
        self._words = next((shlex.split(environ[name]) for name in EDITORS if environ.get(name, "").strip()), [])

    @property
    def available(self) -> bool:
        """Whether an editor is named."""
        return bool(self._words)

    def edit(self, text: str, proposed: str) -> TaskPlan | None:
        """Open a text in the editor; return the plan that was saved, None where it is the proposed one.

        Args:
            text: What to open.
            proposed: The text of the proposed plan, which may be another one when a mistake is corrected.

        Raises:
            NothingWritten: Everything was removed.
            InvalidPlan: What was saved cannot be carried out.
            PlanFileError: There is no such editor, or it failed.
        """
        if not self._words:
            raise PlanFileError(NO_EDITOR)
        with tempfile.TemporaryDirectory(prefix="tradingagents-plan-") as folder:  # readable by this user only
            path = Path(folder) / "plan.yaml"
            _write_private(path, text)
            self._run(path)
            if not path.is_file():
                raise NothingWritten("The file was removed; the run keeps waiting.")
            written = path.read_text("utf-8", errors="replace")
            if written == proposed:
                return None
            try:
                return read_plan(path)
            except NothingWritten:
                raise
            except PlanFileError as error:
                raise InvalidPlan(str(error), written) from None

    def _run(self, path: Path) -> None:
        """Wait for the editor; Ctrl-C is the editor's while it is open."""
        before = signal.signal(signal.SIGINT, lambda *_: None)
        try:
            done = subprocess.run([*self._words, str(path)], check=False)  # noqa: S603 - the user's own editor
        except OSError as error:
            raise PlanFileError(
                f"The editor {one_line(self._words[0])} cannot be started ({error.strerror}); set VISUAL or EDITOR."
            ) from None
        finally:
            signal.signal(signal.SIGINT, before)
        if done.returncode != 0:
            raise PlanFileError(f"The editor ended with code {done.returncode}; the plan was not changed.")


def with_problem(written: str, problem: str) -> str:
    """Return a text for the editor that begins with what is wrong in it."""
    own_lines = [line for line in written.splitlines(keepends=True) if not line.startswith(_PROBLEM)]
    return f"{_PROBLEM}{one_line(problem)}\n{''.join(own_lines)}"


def write_plan(path: Path, text: str) -> None:
    """Write a plan to a new file that only this user can read.

    Raises:
        UsageError: The file exists or cannot be written.
    """
    try:
        _write_private(path, text)
    except FileExistsError:
        raise UsageError(f"{path} exists; name another file, or remove it.") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror}); name another file.") from None


def _write_private(path: Path, text: str) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def _is_empty(path: Path) -> bool:
    from tradingagents.files.regular_files import read_regular

    try:
        lines = read_regular(path).decode("utf-8", errors="replace").splitlines()
    except OSError as error:
        raise PlanFileError(f"{path} cannot be read ({error.strerror}); name the file of a plan.") from None
    return all(not line.strip() or line.lstrip().startswith("#") for line in lines)


def _check_fields(given: Mapping[str, Any]) -> None:
    """Refuse fields that a plan does not have: they would be ignored in silence."""
    _check_names(given, PLAN_FIELDS, "The plan")
    for task in given.get("tasks") or ():
        if isinstance(task, dict):
            _check_names(task, TASK_FIELDS, str(task.get("id", "A task")))
            for call in task.get("calls") or ():
                if isinstance(call, dict):
                    _check_names(call, CALL_FIELDS, f"A call of {task.get('id', 'a task')}")


def _check_names(given: Mapping[str, Any], known: tuple[str, ...], whose: str) -> None:
    for name in given:
        if name not in known:
            from tradingagents.settings import nearest

            near = nearest(str(name), known)
            raise PlanFileError(
                f"{one_line(whose)} has a field {one_line(str(name))!r}, which plans do not have; "
                + (f"did you mean {near}?" if near else f"it has {', '.join(known)}.")
            )


def _unknown_calls(plan: TaskPlan) -> list[str]:
    from tradingagents.capabilities.registry import registry

    known = registry()
    return [
        f"{task.id} calls {one_line(call.capability)!r}, which is no capability; `tradingagents ask` lists them."
        for task in plan.tasks
        for call in task.calls
        if call.capability not in known
    ]


def _said(error: Any) -> str:
    """Return what is wrong with the fields, a few at most, in words."""
    told = []
    for fault in error.errors(include_url=False, include_input=False)[:3]:
        where = ".".join(str(part + 1 if isinstance(part, int) else part) for part in fault["loc"])
        told.append(f"{where}: {fault['msg']}.")
    return " ".join(told)
