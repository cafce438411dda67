"""`tradingagents watch`: analyze a list of tickers repeatedly and report what changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tradingagents.errors import UsageError
from tradingagents.runtime.runs.watch_list import WatchList

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..groups import GroupedCommand, command_group, exit_codes
from ..notices import WHERE
from ..request import DateArgument, DateOption, day_asked, one_day, read_day, split_arguments
from .estimate import DryRun, print_estimate

if TYPE_CHECKING:
    from datetime import date

    from tradingagents.graph.estimates.estimate import EstimateRecord
    from tradingagents.settings import Settings

    from ..console import Terminal

CHANGES = options.HelpPanel("Changes")

Tickers = Annotated[list[str], typer.Argument(metavar="TICKER...", help="Symbols.", show_default=False)]

app = command_group("Manage a watch list, analyze it, and see what changed.")


@app.command("add", cls=GroupedCommand)
@with_options(options.LIST, lambda given: {"tickers": given["tickers"]})
def add(tickers: Tickers, *, flags: Flags, terminal: Terminal) -> int:
    """Add tickers to the list."""
    return add_tickers(tickers, read_both(flags)[0].home_dir, terminal)


@app.command("remove", cls=GroupedCommand)
@with_options(options.LIST, lambda given: {"tickers": given["tickers"]})
def remove(tickers: Tickers, *, flags: Flags, terminal: Terminal) -> int:
    """Remove tickers from the list."""
    return remove_tickers(tickers, read_both(flags)[0].home_dir, terminal)


@app.command("list", cls=GroupedCommand)
@with_options(options.LIST)
def show(*, flags: Flags, terminal: Terminal) -> int:
    """Print the list, one ticker per line."""
    return print_list(read_both(flags)[0].home_dir, terminal)


@app.command("falsifiers", cls=GroupedCommand)
@with_options(options.ASK, lambda given: {"tickers": given["tickers"]})
def falsifiers(
    tickers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TICKER ...] [DATE]", help="Symbols, default: the list; then the day.", show_default=False
        ),
    ] = None,
    date_option: DateOption = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Show what would prove the newest deep report on each ticker wrong, and which filing or close has met it."""
    named, day = split_arguments(tickers or [])
    asked = read_day(one_day(day, date_option))

    return print_notices(named, asked, read_both(flags)[0], terminal)


@app.command("run", cls=GroupedCommand, epilog=exit_codes())
@with_options(options.WATCH, lambda given: {"trade_date": day_asked(given)})
def run(
    day: DateArgument = None,
    min_move: Annotated[
        float,
        CHANGES.option(
            "--min-move X", "Minimum difference in confidence, of rules in strength, that counts as a change."
        ),
    ] = 0.05,
    webhook: Annotated[
        str | None,
        CHANGES.option("--webhook WHERE", WHERE),
    ] = None,
    date_option: DateOption = None,
    dry_run: DryRun = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Analyze the list and report what changed.

    Compares each decision with the previous one. A second start on a day adds only what is missing.
    """
    asked = read_day(one_day(day, date_option))
    settings, environ = read_both(flags)

    if dry_run:
        return print_estimate(terminal, lambda: _estimate(settings, asked))

    from ..batch_session import WatchSession

    if not 0 <= min_move <= 1:
        raise UsageError(
            f"--min-move cannot be {min_move:g}; it is a difference in confidence or strength, from 0 to 1."
        )
    receiver = None
    if webhook is not None:
        from tradingagents.service.notices.receivers import receiver_of

        receiver = receiver_of(webhook, environ)
    session = WatchSession(asked, settings, environ, terminal, min_move=min_move, receiver=receiver)
    return session.run()


async def _estimate(settings: Settings, day: date | None) -> EstimateRecord:
    """Estimate the cost of analyzing the list, as if nothing were finished. Raises UsageError for an empty list."""
    from tradingagents.features.batch.watch import watched_tickers
    from tradingagents.graph.estimates.estimate import estimate_analyze

    return await estimate_analyze(settings, watched_tickers(settings.home_dir), day)


def add_tickers(tickers: Sequence[str], home: Path, terminal: Terminal) -> int:
    """Add tickers to the list; return the exit code. Raises as `WatchList.add` does; then none was added."""
    watched = WatchList(home)
    return _tell(watched, "added", watched.add(tickers), terminal)


def remove_tickers(tickers: Sequence[str], home: Path, terminal: Terminal) -> int:
    """Remove tickers from the list; return the exit code. Raises as `WatchList.remove` does; then none was removed."""
    watched = WatchList(home)
    return _tell(watched, "removed", watched.remove(tickers), terminal)


def print_list(home: Path, terminal: Terminal) -> int:
    """Print the list, one ticker per line, so that other commands can read it; return the exit code."""
    tickers = WatchList(home).tickers
    if terminal.json:
        terminal.print_json({"tickers": list(tickers)})
    elif tickers:
        terminal.out.print("\n".join(tickers), markup=False)
    elif not terminal.quiet:
        terminal.err.print("The list is empty; add tickers with: tradingagents watch add AAPL", markup=False)
    return 0


def print_notices(tickers: Sequence[str], day: date | None, settings: Settings, terminal: Terminal) -> int:
    """Print the falsifiers of the newest deep report on each ticker; return the exit code.

    Raises:
        UsageError: No ticker is named, and the list is empty.
    """
    from tradingagents.features.batch.falsifiers import falsifier_notices
    from tradingagents.features.batch.watch import watched_tickers

    from ..session import day_of
    from ..watch_output import print_falsifiers

    wanted = list(tickers) or list(watched_tickers(settings.home_dir))
    with terminal.loading():
        found = falsifier_notices(settings, wanted, day or day_of(settings, None))
    if terminal.json:
        terminal.print_json({"tickers": wanted, "falsifiers": [notice.as_json() for notice in found]})
    elif found:
        print_falsifiers(terminal.out, found)
    elif not terminal.quiet:
        words = f"No deep report on {', '.join(wanted)}; write one with: tradingagents report {wanted[0]}"
        terminal.err.print(words, markup=False, soft_wrap=True)
    return 0


def _tell(watched: WatchList, done: str, changed: Sequence[str], terminal: Terminal) -> int:
    tickers = watched.tickers
    if terminal.json:
        terminal.print_json({"tickers": list(tickers), done: list(changed)})
    elif not terminal.quiet:
        words = ", ".join(changed) or ("nothing new" if done == "added" else "nothing, as none was listed")
        terminal.print_text(f"{done.capitalize()}: {words}. On the list: {len(tickers)}.")
    return 0
