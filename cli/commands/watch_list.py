"""Changes the watch list and prints it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tradingagents.runtime.runs.watch_list import WatchList

if TYPE_CHECKING:
    from datetime import date

    from tradingagents.settings import Settings

    from ..console import Terminal


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
        terminal.print_json({"tickers": wanted, "falsifiers": found})
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
