"""`tradingagents runs seal`: pack a finished run with all that it rests on into a dossier."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from .runs_show import Run

SEAL = options.HelpPanel("Dossier")


@with_options(options.LIST, lambda given: {"run_id": given["run"]})
def seal(
    run: Run,
    to: Annotated[
        Path | None, SEAL.option("--out FILE", "The file; without one, it is named after the run, in this folder.")
    ] = None,
    with_book: Annotated[bool, SEAL.option("--with-book", "Let it show the book that the run was given.")] = False,
    force: Annotated[bool, SEAL.option("--force", "Replace the file.")] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Write a dossier: a finished run with its data, prompts, replies and evidence in one file.

    The run is repeated from the stored replies and answers before the file is written; no model is called. Any machine
    recomputes the file with `tradingagents runs verify FILE`.
    """
    from tradingagents.features.dossier.archive import root_of
    from tradingagents.features.dossier.seal import seal_run
    from tradingagents.runtime.runs.run_export import check_target, write_export
    from tradingagents.runtime.runs.run_index import RunIndex

    settings, environ = read_both(flags)
    found = RunIndex(settings.home_dir).find(run)
    target = (to or Path(f"{found.run_id}.dossier")).expanduser().absolute()
    check_target(target, force=force)  # before the work
    with terminal.loading():
        content = asyncio.run(seal_run(found, settings, environ, with_book=with_book))
    write_export(target, content, force=force)
    root = root_of(content)
    if terminal.json:
        told = {"file": str(target), "run_id": found.run_id, "root": root, "bytes": len(content), "status": "done"}
        terminal.print_json(told)
    elif not terminal.quiet:
        terminal.print_text(f"Wrote {target}")
        terminal.print_text(f"Root hash {root}")
    return 0
