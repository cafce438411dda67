"""`tradingagents filings add`: reads filings from the SEC, files of a folder, or recorded calls into the store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tradingagents.errors import UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import read_day
from ..text import one_line
from .filings_documents import SHORT_KEY, as_json

if TYPE_CHECKING:
    from tradingagents.retrieval.ingest import Outcome
    from tradingagents.retrieval.store import DocumentStore
    from tradingagents.settings import Settings

SOURCE = options.HelpPanel("Source")
UNREADABLE = 4


@with_options(options.FILINGS_STORE, lambda given: {"symbols": given["symbols"] or []})
def add(
    symbols: Annotated[
        list[str] | None, typer.Argument(metavar="[TICKER ...]", help="Companies whose filings are fetched.")
    ] = None,
    forms: Annotated[str, SOURCE.option("--forms LIST", "Forms to fetch.")] = "10-K,10-Q,8-K",
    years: Annotated[int, SOURCE.option("--years", "How many years back.", min=1, max=30)] = 3,
    folder: Annotated[Path | None, SOURCE.option("--from FOLDER", "HTML, PDF and text files instead.")] = None,
    transcripts: Annotated[Path | None, SOURCE.option("--transcripts FILE", "Recorded earnings calls instead.")] = None,
    known_at: Annotated[
        str | None,
        SOURCE.option(
            "--known-at DATE", "Day on which files became public; default: what they or the index.csv tell, else now."
        ),
    ] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Read filings or calls into the store; what is there already is not read again."""
    if sum((bool(symbols), folder is not None, transcripts is not None)) != 1:
        raise UsageError("Name tickers, or --from FOLDER, or --transcripts FILE: one of the three.")
    day = read_day(known_at)
    from tradingagents.retrieval.ingest import add_calls, add_folder, end_of_day
    from tradingagents.retrieval.store import open_store

    settings, _ = read_both(flags)
    instant = min(end_of_day(day), datetime.now(UTC)) if day else None
    with open_store(settings) as store:
        if folder is not None:
            return _tell(add_folder(store, folder, known_at=instant), terminal)
        if transcripts is not None:
            return _tell(add_calls(store, transcripts, known_at=instant), terminal)
        chosen = forms.split(",")
        return _tell(_fetched(store, symbols or [], chosen, years, settings), terminal)


def _fetched(
    store: DocumentStore, symbols: list[str], forms: list[str], years: int, settings: Settings
) -> Iterator[Outcome]:
    from tradingagents.capabilities.standalone import open_market
    from tradingagents.retrieval.ingest import add_filings

    data = open_market({"ticker": symbols[0]}, settings=settings)
    return add_filings(store, data, symbols, forms=forms, years=years)


def _tell(outcomes: Iterator[Outcome], terminal: Terminal) -> int:
    """Print each document as it is read; return the exit code."""
    from tradingagents.retrieval.ingest import Added

    added: list[dict[str, Any]] = []
    refused: list[dict[str, str]] = []
    for outcome in outcomes:
        if isinstance(outcome, Added):
            added.append({**as_json(outcome.info), "new": outcome.new, "warnings": list(outcome.warnings)})
            line = f"{outcome.info.key[:SHORT_KEY]}  {one_line(outcome.info.name)}"
            line += "" if outcome.new else "  (there already)"
            if not terminal.json and not terminal.quiet:
                terminal.print_text(line)
        else:
            refused.append({"name": outcome.name, "reason": outcome.reason})
            if not terminal.json:
                terminal.err.print(
                    f"{one_line(outcome.name)}: {one_line(outcome.reason)}", markup=False, soft_wrap=True
                )
    if terminal.json:
        terminal.print_json({"added": added, "refused": refused})
    elif not terminal.quiet:
        new = sum(document["new"] for document in added)
        terminal.out.print(f"Added {new} of {len(added) + len(refused)}.", markup=False)
    return UNREADABLE if refused and not added else 0
