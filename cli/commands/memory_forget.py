"""`tradingagents memory forget`: delete lessons permanently."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags
from .memory_list import find, print_lessons, store_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tradingagents.memory.lessons import Lesson


@with_options(options.LIST, lambda given: {"ids": given["numbers"]})
def forget(
    numbers: Annotated[
        list[int], typer.Argument(metavar="ID...", help="The lessons' numbers; see memory list.", min=1)
    ],
    yes: Annotated[bool, options.HelpPanel("Forget").option("--yes, -y", "Do not ask.")] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Delete lessons permanently; the outcomes behind them stay on the scoreboard.

    If any number is unknown, no lesson is deleted.
    """
    store = store_of(flags)
    lessons = find(store, numbers)
    if not (yes or _confirmed(lessons, terminal)):
        terminal.err.print("Nothing was forgotten.", markup=False)
        return 0
    gone = [lesson.id for _, lesson in lessons if lesson.id is not None]
    store.forget(gone)
    if terminal.json:
        terminal.print_json({"forgotten": gone, "status": "done"})
    elif not terminal.quiet:
        words = f"lesson {gone[0]}" if len(gone) == 1 else f"{len(gone)} lessons"
        terminal.print_text(f"Forgot {words}.")
    return 0


def _confirmed(lessons: Sequence[tuple[str, Lesson]], terminal: Terminal) -> bool:
    which = "this lesson" if len(lessons) == 1 else f"these {len(lessons)} lessons"
    return terminal.confirm("forget", lambda: print_lessons(terminal.err, lessons), f"Forget {which} for good?")
