"""`tradingagents data check`: validate a snapshot folder and list what it can answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags
from ..text import one_line

if TYPE_CHECKING:
    from tradingagents.dataflows.snapshots.check import Answers, Checked

UNSOUND = 4


@with_options(options.OUTPUT, lambda given: {"folder": str(given["folder"])})
def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A snapshot folder.", show_default=False)],
    *,
    flags: Flags,  # noqa: ARG001 - every command is given them
    terminal: Terminal,
) -> int:
    """Check a folder of recorded data (files, bars, splits, dates, duplicates) and list what it can answer.

    Ends with 4 if errors make answers wrong or impossible; warnings are allowed.
    """
    from tradingagents.dataflows.snapshots.check import check_folder

    checked = check_folder(folder.absolute())
    if terminal.json:
        terminal.print_json(checked.to_json())
    else:
        _print(checked, terminal)
    return 0 if checked.sound else UNSOUND


def _print(checked: Checked, terminal: Terminal) -> None:
    from rich.text import Text

    styles = {"error": "bold red", "warning": "yellow"}
    for finding in checked.findings:
        if finding.level == "error" or not terminal.quiet:
            line = Text.assemble((finding.level, styles[finding.level]), f": {finding.file}: {one_line(finding.text)}")
            terminal.out.print(line, soft_wrap=True)
    errors = sum(finding.level == "error" for finding in checked.findings)
    warnings = len(checked.findings) - errors
    verdict = "sound" if checked.sound else "not sound"
    if not terminal.quiet:
        for answer in checked.answers:
            terminal.print_text(one_line(_line(answer)))
    counts = f"{errors} errors, {warnings} warnings"
    terminal.print_text(f"{checked.folder} is {verdict}: {counts}; window {checked.first} to {checked.last}.")


def _line(answer: Answers) -> str:
    """Return in one line the folder's data of a kind, and the tools that use it."""
    some = (
        f" of {answer.subjects} ({' '.join(answer.examples[:3])}{' …' if answer.subjects > 3 else ''})"
        if answer.subjects
        else ""
    )
    window = f", {answer.first} to {answer.last}" if answer.first else ""
    return f"{answer.kind}: {answer.rows} rows{some}{window}; for {', '.join(answer.tools)}"
