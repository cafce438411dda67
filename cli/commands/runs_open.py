"""`tradingagents runs open`: open the page of an earlier run in the browser."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tradingagents.runtime.runs.run_index import IndexedRun, RunIndex

PAGE = Path("reports") / "report.html"


@with_options(options.LIST, lambda given: {"run_id": given["run"]})
def open_page(
    run: Annotated[
        str | None,
        typer.Argument(
            metavar="[RUN]", help="The run's id, or the first part of it; without one: the newest run with a page."
        ),
    ] = None,
    print_path: Annotated[
        bool, options.RUN.option("--print", "Print the path of the page instead of opening it.")
    ] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Open a run's page in the browser.

    Prints the path instead if there is no browser, or if the output isn't a terminal.
    """
    from tradingagents.runtime.runs.run_index import RunIndex

    settings, _ = read_both(flags)
    found = _with_page(RunIndex(settings.home_dir), run)
    page = found.path.resolve() / PAGE
    opened = not print_path and terminal.out.is_terminal and _open(page, os.environ)
    if terminal.json:
        terminal.print_json({"run_id": found.run_id, "page": str(page), "opened": opened})
    elif opened and not terminal.quiet:
        terminal.print_text(f"Opened {page}")
    else:
        terminal.print_text(str(page))
    return 0


def _with_page(runs: RunIndex, beginning: str | None) -> IndexedRun:
    """Return a run that has a page.

    Raises:
        NoSuchRun: There is no such run, or it has no page.
    """
    from tradingagents.runtime.runs.run_folder import NoSuchRun

    if beginning is None:
        newest = next((run for run in runs.newest_first() if (run.path / PAGE).is_file()), None)
        if newest is None:
            raise NoSuchRun("No run has a page yet; `tradingagents analyze VELQ --offline` makes one.")
        return newest
    found = runs.find(beginning)
    if not (found.path / PAGE).is_file():
        raise NoSuchRun(f"{found.run_id} has no page; `tradingagents runs show {found.run_id}` shows its files.")
    return found


def _open(page: Path, environ: Mapping[str, str]) -> bool:
    """Start a browser on a page without waiting for it; return whether there is a graphical screen.

    A text browser would take over the terminal and keep the command from ending, so none is started.
    """
    has_screen = sys.platform in ("darwin", "win32") or any(
        environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    if not has_screen:
        return False
    browser = subprocess.Popen(  # noqa: S603 - our own interpreter, and a path of ours
        [sys.executable, "-m", "webbrowser", "-t", page.as_uri()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    threading.Thread(target=browser.wait, daemon=True).start()
    return True
