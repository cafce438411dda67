"""`tradingagents runs delete`: delete the folders of earlier runs permanently."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from .runs_export import Runs

if TYPE_CHECKING:
    from tradingagents.runtime.runs.run_index import IndexedRun

LESSONS_STAY = "Lessons drawn from them stay; forget those with: tradingagents memory forget."


@with_options(options.LIST, lambda given: {"runs": given["runs"]})
def delete(
    runs: Runs,
    yes: Annotated[bool, options.HelpPanel("Delete").option("--yes, -y", "Do not ask.")] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Delete the folders of earlier runs permanently; lessons drawn from them stay.

    If one of the runs is in progress, none is deleted.
    """
    from tradingagents.runtime.runs.run_index import RunIndex

    index = RunIndex(read_both(flags)[0].home_dir)
    found = {run.run_id: run for run in map(index.find, runs)}
    for run in found.values():
        run.refuse_under_way()
    if not (yes or _confirmed(list(found.values()), terminal)):
        terminal.err.print("Nothing was deleted.", markup=False)
        return 0
    for run in found.values():
        index.delete(run)
    _tell(list(found), terminal)
    return 0


def _confirmed(runs: Sequence[IndexedRun], terminal: Terminal) -> bool:
    def show() -> None:
        for run in runs:
            terminal.err.print(run.run_id, markup=False, soft_wrap=True)

    return terminal.confirm(
        "delete", show, f"Delete {'this run' if len(runs) == 1 else f'these {len(runs)} runs'} for good?"
    )


def _tell(deleted: Sequence[str], terminal: Terminal) -> None:
    if terminal.json:
        terminal.print_json({"deleted": list(deleted), "status": "done"})
    elif not terminal.quiet:
        words = deleted[0] if len(deleted) == 1 else f"{len(deleted)} runs"
        terminal.print_text(f"Deleted {words}. {LESSONS_STAY}")
