"""`tradingagents runs compare`: two deep reports of one company side by side."""

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
    from tradingagents.features.deep_report.schemas.report_changes import ReportChanges

COMPARISON = options.HelpPanel("Comparison")


@with_options(options.LIST, lambda given: {"runs": [given["first"], given["other"]]})
def compare(
    first: Annotated[str, typer.Argument(metavar="RUN1", help="Id of a deep report, or the first part of it.")],
    other: Annotated[str, typer.Argument(metavar="RUN2", help="The other report on the same company.")],
    out: Annotated[
        Path | None, COMPARISON.option("--out FILE", "Write it to a file: .md, .html, .pdf or .json.")
    ] = None,
    force: Annotated[bool, COMPARISON.option("--force", "Replace the file.")] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Compare two deep reports of one company: what changed and why.

    Rating, value and its parts, drivers, scenarios, hypotheses, evidence that is new, gone or changed, and what became
    known between the two days. The earlier day comes first.
    """
    from tradingagents.features.deep_report.changes import changes_file, checked_changes_format, compare_reports
    from tradingagents.runtime.runs.run_export import check_target, write_export

    home = read_both(flags)[0].home_dir
    if out is None:
        with terminal.loading():
            found = compare_reports(home, first, other)
        if terminal.json:
            terminal.print_json(found.as_json())
        else:
            _print(found, terminal)
        return 0
    target = out.expanduser().absolute()
    ending = target.suffix.lower().removeprefix(".")
    if not ending:
        raise UsageError("Name the file with its ending: .md, .html, .pdf or .json.")
    form = checked_changes_format(ending)
    check_target(target, force=force)
    with terminal.loading():
        content = changes_file(compare_reports(home, first, other), form)
    write_export(target, content, force=force)
    if terminal.json:
        terminal.print_json({"file": str(target), "format": form, "status": "done"})
    elif not terminal.quiet:
        terminal.print_text(f"Wrote {target}")
    return 0


def _print(found: ReportChanges, terminal: Terminal) -> None:
    """Print the sentences, then what differs in lines."""
    from ..text import one_line

    def say(line: str) -> None:
        terminal.print_text(one_line(line))

    say(f"{found.name} ({found.ticker}): {found.before.as_of} and {found.after.as_of}")
    for line in found.why:
        say(line)
    for hypothesis in found.hypotheses:
        before, after = hypothesis.status_before or "not stated", hypothesis.status_after or "not stated"
        if before != after:
            say(f"Hypothesis: {hypothesis.title}: {before}, now {after}")
    for item in found.evidence:
        was = f" (before: {item.before})" if item.before else ""
        say(f"Evidence {item.change}: [{item.label}] {item.claim}{was}")
    say(f"Evidence unchanged: {found.unchanged_evidence}")
    for event in found.events:
        say(f"{event.day}: {event.text}")
