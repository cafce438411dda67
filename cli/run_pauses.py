"""Asks the person at the terminal what a run waits for: an answer in a sentence, hints, or a verdict on a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tradingagents.errors import AwaitingApproval, Interrupted, UsageError
from tradingagents.runtime.presentation import HintsPause, Pause, PlanPause, QuestionPause, pause_of

from .plan_file import (
    IN_EDITOR,
    NO_EDITOR,
    InvalidPlan,
    NothingWritten,
    PlanEditor,
    PlanFileError,
    plan_text,
    with_problem,
)
from .text import clean

if TYPE_CHECKING:
    from tradingagents.files.redaction import Redactor

    from .console import Terminal


def person_says(
    terminal: Terminal, environ: Mapping[str, str], pauses: Sequence[Pause], waiting: AwaitingApproval
) -> Mapping[str, Any]:
    """Ask the person at the terminal what a run asks, and return the answer.

    Args:
        terminal: Where to ask.
        environ: Names the editor of a plan.
        pauses: The forms in which runs of the kind ask.
        waiting: What the run said when it began to wait.

    Raises:
        AwaitingApproval: The run asks in no form that can be answered here, or the person wants it to wait.
        Interrupted: Ctrl-C; the run waits, too.
    """
    if waiting.asked.get("kind") == "plan" and pause_of(pauses, PlanPause):
        return PlanReview(terminal, environ, waiting).decide()
    if hints := pause_of(pauses, HintsPause):
        return _hints(terminal, hints, waiting)
    if pause_of(pauses, QuestionPause):
        return _sentence(terminal, waiting)
    raise waiting


def _hints(terminal: Terminal, pause: HintsPause, waiting: AwaitingApproval) -> Mapping[str, Any]:
    """Return the hints of a person, of whom an empty line is the last; what cannot be used is asked for again."""
    _show_question(terminal, str(waiting).partition(";")[0])
    hints: list[Any] = []
    while line := terminal.err.input(pause.prompt, markup=False).strip():
        if line == pause.end_word:
            return {"verdict": "reject"}
        try:
            hints.append(pause.read(line))
        except UsageError as error:
            terminal.print_error(str(error))
    return {"hints": hints}


def _sentence(terminal: Terminal, waiting: AwaitingApproval) -> Mapping[str, Any]:
    """Return what a person answers to a question of the run."""
    _show_question(terminal, str(waiting.asked.get("question") or str(waiting).partition(";")[0]))
    try:
        return {"text": terminal.err.input("> ", markup=False)}
    except EOFError:
        raise waiting from None
    except KeyboardInterrupt:
        raise Interrupted(f"Interrupted. {waiting}") from None


def _show_question(terminal: Terminal, question: str) -> None:
    terminal.err.print(clean(question), markup=False, soft_wrap=True)


QUESTION = "Carry it out? [Y/n, e to edit, or what to change] "
APPROVED: Mapping[str, Any] = {"verdict": "approve"}
YES, NO, EDIT = ("", "y", "yes"), ("n", "no"), ("e", "edit")


class PlanReview:
    """One proposed plan, and the person who decides on it."""

    def __init__(self, terminal: Terminal, environ: Mapping[str, str], waiting: AwaitingApproval) -> None:
        """Set who is asked, and what.

        Args:
            terminal: Where to ask.
            environ: Names the editor, and the secrets that never reach its file.
            waiting: What the run said when it began to wait.
        """
        self._terminal, self._waiting = terminal, waiting
        self._editor = PlanEditor(environ)
        self._proposed = proposed_text(waiting, environ)

    def decide(self) -> Mapping[str, Any]:
        """Return the person's answer, for the run.

        The plan opens in the editor where one is set; without one, and where nothing was changed in it, the person is
        asked.

        Raises:
            AwaitingApproval: The person wants the run to wait.
            Interrupted: Ctrl-C; the run waits too.
        """
        self._say(str(self._waiting.asked["question"]))
        try:
            answer = self._edit() if self._editor.available else None
            while answer is None:
                answer = self._ask()
        except EOFError:
            raise self._waiting from None
        except KeyboardInterrupt:
            raise Interrupted(f"Interrupted. {self._waiting}") from None
        return answer

    def _ask(self) -> Mapping[str, Any] | None:
        """Ask; return None where the person edits and nothing came of it."""
        said = self._terminal.err.input(QUESTION, markup=False).strip()
        if said.lower() in YES:
            return APPROVED
        if said.lower() in NO:
            raise self._waiting
        if said.lower() not in EDIT:
            return {"verdict": "revise", "note": said}
        if not self._editor.available:
            self._say(NO_EDITOR)
            return None
        return self._edit()

    def _edit(self) -> Mapping[str, Any] | None:
        """Open the plan in the editor until what returns can be carried out; None where it was not changed."""
        text = self._proposed
        while True:
            try:
                plan = self._editor.edit(text, self._proposed)
            except InvalidPlan as problem:
                self._terminal.print_error(str(problem))
                if self._terminal.err.input("Correct it in the editor? [Y/n] ", markup=False).strip().lower() in NO:
                    return None
                text = with_problem(problem.written, str(problem))
                continue
            except NothingWritten:
                raise self._waiting from None
            except PlanFileError as error:
                self._terminal.print_error(str(error))
                return None
            if plan is None:
                self._say("The plan was not changed.")
                return None
            return {**APPROVED, "plan": plan.model_dump(mode="json")}

    def _say(self, text: str) -> None:
        self._terminal.err.print(clean(text), markup=False, soft_wrap=True)


def proposed_text(waiting: AwaitingApproval, environ: Mapping[str, str], note: str = IN_EDITOR) -> str:
    """Return the plan that a run proposes as the text of a file.

    Args:
        waiting: What the run said when it began to wait.
        environ: Variables whose secrets are removed.
        note: Comment lines that say what happens next.
    """
    return plan_text(waiting.asked["plan"], waiting.run_id, _redactor(environ), note=note)


def _redactor(environ: Mapping[str, str]) -> Redactor:
    from tradingagents.files.redaction import Redactor

    return Redactor(environ)
