"""`tradingagents runs resume` and `approve`, `revise`, `reject`: resume an unfinished run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, limits_of, read_both

RunId = Annotated[
    str,
    typer.Argument(metavar="RUN", help="The run's id, or enough of its beginning to tell it from the others."),
]


def _about(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the requested run, for JSON errors."""
    return {"run_id": given["run"]}


_REVIEW = options.HelpPanel("Review")
_WHY, _AGAIN = "Why, for the record.", "What the risk manager should reconsider."


@with_options(options.RESUME, _about)
def resume(run: RunId, *, flags: Flags, terminal: Terminal) -> int:
    """Resume a run that was killed, stopped or failed, without repeating finished steps.

    It uses the settings it was started with; limits may be raised.
    """
    return go_on(run, flags, terminal)


@with_options(options.RESUME, _about)
def approve(
    run: RunId,
    note: Annotated[str, _REVIEW.option("--note TEXT", _WHY)] = "",
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Approve the decision proposed by a run with --approve: it becomes final."""
    return go_on(run, flags, terminal, {"verdict": "approve", "note": note})


@with_options(options.RESUME, _about)
def revise(
    run: RunId,
    note: Annotated[str, _REVIEW.option("--note TEXT", _AGAIN)],
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Send a proposed decision back to the risk manager with a note; the new one awaits approval again."""
    return go_on(run, flags, terminal, {"verdict": "revise", "note": note})


@with_options(options.RESUME, _about)
def reject(
    run: RunId,
    note: Annotated[str, _REVIEW.option("--note TEXT", _WHY)] = "",
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Reject a proposed decision: the run ends without one."""
    return go_on(run, flags, terminal, {"verdict": "reject", "note": note})


def go_on(run: str, flags: Flags, terminal: Terminal, review: dict[str, Any] | None = None) -> int:
    """Resume a run and show its progress as at its start; return the exit code.

    Args:
        run: Its id, or the beginning of it.
        flags: What may change.
        review: A person's verdict on the proposed decision, for a run that awaits one.
    """
    from ..run_session import resume_run

    settings, environ = read_both(flags)
    return resume_run(run, settings, environ, terminal, said=review, limits=limits_of(flags))
