"""Asks the person at the terminal what a run waits for: an answer in a sentence, hints, or a verdict on a plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from tradingagents.errors import AwaitingApproval, Interrupted, UsageError
from tradingagents.runtime.presentation import HintsPause, Pause, PlanPause, QuestionPause

from .plan_review import PlanReview
from .text import clean

if TYPE_CHECKING:
    from .console import Terminal

P = TypeVar("P", HintsPause, PlanPause, QuestionPause)


def pause_of(pauses: Iterable[Pause], form: type[P]) -> P | None:
    """Return the pause of a form, where a kind has one."""
    return next((pause for pause in pauses if isinstance(pause, form)), None)


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
