"""`tradingagents runs delete`: the folders of earlier runs, removed for good."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from cli import options
from cli.command import answer, takes
from cli.commands.runs_export import Runs
from cli.flags import Flags, read_both
from cli.terminal import Terminal
from tradingagents.errors import UsageError

if TYPE_CHECKING:
    from tradingagents.store.run_index import IndexedRun

LESSONS_STAY = "Lessons drawn from them stay; forget those with: tradingagents memory forget."


@takes(options.LIST)
def delete(
    runs: Runs,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.", rich_help_panel="Delete")] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Delete the folders of earlier runs for good; lessons drawn from them stay.

    A run that is under way is refused, and then none is deleted.
    """

    def work() -> int:
        from tradingagents.store.run_index import RunIndex

        kept = RunIndex(read_both(flags)[0].home_dir)
        found = {run.run_id: run for run in map(kept.find, runs)}
        for run in found.values():
            run.refuse_under_way()
        if not (yes or _agreed(list(found.values()), terminal)):
            terminal.err.print("Nothing was deleted.", markup=False)
            return 0
        for run in found.values():
            kept.delete(run)
        _tell(list(found), terminal)
        return 0

    return answer(terminal, {"runs": runs}, work)


def _agreed(runs: Sequence[IndexedRun], terminal: Terminal) -> bool:
    """Ask whether runs shall be deleted.

    Raises:
        UsageError: Nobody can answer.
    """
    if terminal.json or not (sys.stdin.isatty() and terminal.err.is_terminal):
        raise UsageError("Nobody is there to be asked whether to delete; add --yes.")
    for run in runs:
        terminal.err.print(run.run_id, markup=False, soft_wrap=True)
    question = f"Delete {'this run' if len(runs) == 1 else f'these {len(runs)} runs'} for good? [y/N] "
    return terminal.err.input(question, markup=False).strip().lower() in ("y", "yes")


def _tell(deleted: Sequence[str], terminal: Terminal) -> None:
    if terminal.json:
        from cli.session import print_json

        print_json(terminal, {"deleted": list(deleted), "status": "done"})
    elif not terminal.quiet:
        words = deleted[0] if len(deleted) == 1 else f"{len(deleted)} runs"
        terminal.out.print(f"Deleted {words}. {LESSONS_STAY}", markup=False, soft_wrap=True)
