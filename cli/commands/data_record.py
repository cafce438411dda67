"""`tradingagents data record`: record vendor data for offline runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import options
from ..command import report_error, with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import read_day

if TYPE_CHECKING:
    from tradingagents.dataflows.snapshots.record import Recorded, Step

RECORDING = options.HelpPanel("Recording")
FAILED = 4
"""Exit code if vendors failed on some requests: the folder is written, and the next start repeats them."""
_LINES_EVERY = 50
_SHOWN = 5


def _about(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request: what is recorded, and where."""
    return {"tickers": given["tickers"], "folder": str(given["out"])}


@with_options((*options.DATA, *options.LIST), _about)
def record(
    tickers: Annotated[list[str], typer.Argument(metavar="TICKER...", help="Symbols.", show_default=False)],
    out: Annotated[Path, RECORDING.option("--out DIR", "A new folder, or one to continue.")],
    first: Annotated[str | None, RECORDING.option("--from DATE", "First day to run on; default: --to.")] = None,
    last: Annotated[str | None, RECORDING.option("--to DATE", "Last one; default: the last completed session.")] = None,
    universe: Annotated[
        bool,
        RECORDING.option("--universe", "Also every company of every sector, and what a scan of a past --to asks for."),
    ] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Record the data that analyses of tickers on a range of days need, into a snapshot folder.

    If --to is the last completed session, the data for a scan of that day are included. After an interruption or a
    vendor's failure, the same command continues.
    """
    about = _about({"tickers": tickers, "out": out})

    from tradingagents.dataflows.cutoff import utc_now
    from tradingagents.dataflows.reference.calendar import sessions
    from tradingagents.dataflows.snapshots.plan import Request
    from tradingagents.dataflows.snapshots.record import record as record_folder

    settings, _ = read_both(flags)
    end = read_day(last) or sessions().last_closed(utc_now())
    request = Request.of(tickers, read_day(first) or end, end, universe=universe)
    try:
        with _progress(terminal) as tell:
            recorded = record_folder(request, out.absolute(), settings, tell=tell)
    except KeyboardInterrupt:
        from tradingagents.errors import Interrupted

        interrupted = Interrupted("Interrupted; the same command continues the recording.")
        return report_error(terminal, interrupted, about)
    _print(recorded, terminal, {**about, "from": request.first.isoformat(), "to": request.last.isoformat()})
    return FAILED if recorded.failed else 0


@contextmanager
def _progress(terminal: Terminal) -> Iterator[Callable[[Step], None]]:
    """Show the progress: a bar on a terminal, occasional lines in logs, nothing with --quiet."""
    if terminal.quiet:
        yield lambda _: None
    elif terminal.live:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}", markup=False))
        with Progress(*columns, console=terminal.err, transient=True) as bar:
            task = bar.add_task("", total=None)
            yield lambda step: bar.update(task, completed=step.done, total=step.total, description=step.what)
    else:
        yield lambda step: _print_line(step, terminal)


def _print_line(step: Step, terminal: Terminal) -> None:
    if step.done % _LINES_EVERY == 0 or step.done == 1:
        words = f"recording: {step.done} of {step.total} questions so far, last {step.what}"
        terminal.err.print(words, markup=False, soft_wrap=True)


def _print(recorded: Recorded, terminal: Terminal, about: dict[str, Any]) -> None:
    if terminal.json:
        missing = [
            {
                "method": gap.question.method,
                "subject": gap.question.subject,
                "outcome": gap.outcome,
                "why": gap.message,
            }
            for gap in recorded.missing
        ]
        status = "incomplete" if recorded.failed else "done"
        counts = {"outcomes": dict(recorded.outcomes), "asked_now": recorded.asked}
        terminal.print_json({**about, "status": status, **counts, "missing": missing, "doubts": list(recorded.doubts)})
    elif not terminal.quiet:
        first, last, folder = about["from"], about["to"], recorded.folder
        lines = [
            f"Recorded {', '.join(about['tickers'])} for {first} to {last}: {recorded.outcomes['answered']} answers."
        ]
        other = len(recorded.missing) - len(recorded.failed)
        lines += [f"Not available: {other} questions, listed in {folder / 'snapshot.json'}."] if other else []
        lines += recorded.doubts
        lines.append(f"Run on it: tradingagents analyze {about['tickers'][0]} {last} --data-dir {folder}")
        terminal.print_text("\n".join(lines))
    for failure in recorded.failed[:_SHOWN]:
        question = f"{failure.question.method} {failure.question.subject}".strip()
        terminal.print_error(f"{question}: {failure.message}")
    if recorded.failed:
        terminal.print_error(f"{len(recorded.failed)} questions failed; the same command asks them again.")
