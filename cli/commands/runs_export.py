"""`tradingagents runs export`: pack earlier runs into one ZIP file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both

EXPORT = "Export"

Runs = Annotated[
    list[str],
    typer.Argument(metavar="RUN...", help="Ids of runs, or the first part of each.", show_default=False),
]


@with_options(options.LIST, lambda given: {"runs": given["runs"], "file": str(given["to"])})
def export(
    runs: Runs,
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="The ZIP file.", rich_help_panel=EXPORT)],
    force: Annotated[bool, typer.Option("--force", help="Replace the file.", rich_help_panel=EXPORT)] = False,
    checkpoints: Annotated[
        bool,
        typer.Option("--checkpoints", help="Include the checkpoints of unfinished runs.", rich_help_panel=EXPORT),
    ] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Pack the folders of earlier runs into a ZIP file; the same runs give the same bytes.

    The files contain no keys, but prompts, reports, data and the paths on this machine.
    """
    from tradingagents.store.run_export import export_runs
    from tradingagents.store.run_index import RunIndex

    kept = RunIndex(read_both(flags)[0].home_dir)
    found = {run.run_id: run for run in map(kept.find, runs)}
    target = to.expanduser().absolute()
    files = export_runs(list(found.values()), target, force=force, unfinished=checkpoints)
    if terminal.json:
        terminal.print_json({"file": str(target), "runs": list(found), "files": files, "status": "done"})
    elif not terminal.quiet:
        words = f"{len(found)} run{'' if len(found) == 1 else 's'}, {files} files"
        terminal.out.print(f"Packed {words} into {target}", markup=False, soft_wrap=True)
    return 0
