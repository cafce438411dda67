"""`tradingagents runs export`: write the report of a run as a file, or pack earlier runs into one ZIP file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tradingagents.errors import UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tradingagents.runtime.runs.run_index import IndexedRun

EXPORT = options.HelpPanel("Export")
ZIP = "zip"

Runs = Annotated[
    list[str],
    typer.Argument(metavar="RUN...", help="Ids of runs, or the first part of each.", show_default=False),
]


@with_options(options.LIST, lambda given: {"runs": given["runs"], "file": str(given["to"] or "")})
def export(
    runs: Runs,
    to: Annotated[
        Path | None,
        EXPORT.option("--out, --to FILE", "The file; without one, a report is named after its run, in this folder."),
    ] = None,
    form: Annotated[
        str | None,
        EXPORT.option(
            "--format FORMAT",
            "md, html, pdf or xlsx for the report of one run, zip for folders; default: by the file's ending.",
        ),
    ] = None,
    force: Annotated[bool, EXPORT.option("--force", "Replace the file.")] = False,
    checkpoints: Annotated[bool, EXPORT.option("--checkpoints", "Include the checkpoints of unfinished runs.")] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Write a run's report as Markdown, HTML, PDF or XLSX, or pack runs into a ZIP file.

    The same runs give the same bytes. A ZIP file holds the folders of the runs: no keys, but prompts, reports, data and
    the paths on this machine.
    """
    from tradingagents.runtime.runs.run_export import export_runs
    from tradingagents.runtime.runs.run_index import RunIndex

    chosen = _format(form, to)
    index = RunIndex(read_both(flags)[0].home_dir)
    found = {run.run_id: run for run in map(index.find, runs)}
    if chosen != ZIP:
        return _export_report(list(found.values()), to, chosen, force=force, terminal=terminal)
    if to is None:
        raise UsageError("Name the ZIP file with --out FILE, or a format of one report with --format.")
    target = to.expanduser().absolute()
    files = export_runs(list(found.values()), target, force=force, unfinished=checkpoints)
    if terminal.json:
        terminal.print_json({"file": str(target), "runs": list(found), "files": files, "status": "done"})
    elif not terminal.quiet:
        words = f"{len(found)} run{'' if len(found) == 1 else 's'}, {files} files"
        terminal.print_text(f"Packed {words} into {target}")
    return 0


def _format(named: str | None, to: Path | None) -> str:
    """Return the format: as named, else by the file's ending; a ZIP for any other ending."""
    from tradingagents.runtime.records.export import FORMATS, checked_format

    ending = to.suffix.lower().removeprefix(".") if to is not None else ""
    if named is None:
        return ending if ending in FORMATS else ZIP
    return ZIP if named.lower() == ZIP else checked_format(named.lower())


def _export_report(runs: Sequence[IndexedRun], to: Path | None, chosen: str, *, force: bool, terminal: Terminal) -> int:
    from tradingagents.runtime.records.export import checked_format, export_run
    from tradingagents.runtime.runs.run_export import check_target, write_export

    if len(runs) != 1:
        raise UsageError(f"A {chosen} file holds the report of one run; name one, or write a ZIP file.")
    run = runs[0]
    target = (to or Path(f"{run.run_id}.{chosen}")).expanduser().absolute()
    check_target(target, force=force)  # before the work
    with terminal.loading():
        content = export_run(run, checked_format(chosen))
    write_export(target, content, force=force)
    if terminal.json:
        terminal.print_json({"file": str(target), "run_id": run.run_id, "format": chosen, "status": "done"})
    elif not terminal.quiet:
        terminal.print_text(f"Wrote {target}")
    return 0
