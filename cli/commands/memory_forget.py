"""`tradingagents memory forget`: lessons, removed for good from every run to come."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cli import options
from cli.command import answer, takes
from cli.commands.memory_list import find, print_lessons, store_of
from cli.flags import Flags
from cli.terminal import Terminal
from tradingagents.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tradingagents.memory.lessons import Lesson


@takes(options.LIST)
def forget(
    numbers: Annotated[
        list[int], typer.Argument(metavar="ID...", help="The lessons' numbers; see memory list.", min=1)
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.", rich_help_panel="Forget")] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Forget lessons for good; the outcomes they were drawn from stay on the scoreboard.

    Where one of the numbers names no lesson, none is forgotten.
    """

    def work() -> int:
        store = store_of(flags)
        lessons = find(store, numbers)
        if not (yes or _agreed(lessons, terminal)):
            terminal.err.print("Nothing was forgotten.", markup=False)
            return 0
        gone = [lesson.id for _, lesson in lessons if lesson.id is not None]
        store.forget(gone)
        if terminal.json:
            from cli.session import print_json

            print_json(terminal, {"forgotten": gone, "status": "done"})
        elif not terminal.quiet:
            words = f"lesson {gone[0]}" if len(gone) == 1 else f"{len(gone)} lessons"
            terminal.out.print(f"Forgot {words}.", markup=False, soft_wrap=True)
        return 0

    return answer(terminal, {"ids": numbers}, work)


def _agreed(lessons: Sequence[tuple[str, Lesson]], terminal: Terminal) -> bool:
    """Ask whether lessons shall be forgotten.

    Raises:
        UsageError: Nobody can answer.
    """
    if terminal.json or not (sys.stdin.isatty() and terminal.err.is_terminal):
        raise UsageError("Nobody is there to be asked whether to forget; add --yes.")
    print_lessons(terminal.err, lessons)
    question = f"Forget {'this lesson' if len(lessons) == 1 else f'these {len(lessons)} lessons'} for good? [y/N] "
    return terminal.err.input(question, markup=False).strip().lower() in ("y", "yes")
