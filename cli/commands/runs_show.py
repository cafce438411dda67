"""`tradingagents runs show`: show one earlier run with the use by agent and tier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from tradingagents.runtime.runs.run_index import IndexedRun
    from tradingagents.runtime.runs.run_rows import RunRow
    from tradingagents.schemas.cards import CardRecord

MOST_LINES = 40
"""Lines of a report that are printed."""
Run = Annotated[
    str,
    typer.Argument(metavar="RUN", help="The run's id, or enough of its beginning to tell it from the others."),
]


@with_options(options.LIST, lambda given: {"run_id": given["run"]})
def show(run: Run, *, flags: Flags, terminal: Terminal) -> int:
    """Show an earlier run: its decision, evidence, use and files."""
    from tradingagents.runtime.runs.run_index import RunIndex
    from tradingagents.runtime.runs.run_rows import row_of

    found = RunIndex(read_both(flags)[0].home_dir).find(run)
    row = row_of(found)
    card = found.card() if row.status != "damaged" else None
    if terminal.json:
        terminal.print_json(card or {**row.as_json(), "usage": _usage(found)})
    elif card is None:
        _print_without_card(terminal.out, found, row)
    else:
        _print_card(terminal.out, found, card)
    return 0


def _usage(run: IndexedRun) -> dict[str, Any]:
    from tradingagents.llm_clients.usage_sums import logged_usage

    return logged_usage(run.events).as_json()


def _print_card(console: Console, found: IndexedRun, card: Mapping[str, Any]) -> None:
    from rich.text import Text

    from tradingagents.runtime.registry import kind_of, record_of
    from tradingagents.schemas.cards import RunRecord, ScanRecord

    from ..output import print_results
    from ..scan_output import print_scan
    from ..text import clean

    record = record_of(card)
    console.print(Text.assemble(("Run ", "bold"), f"{card['run_id']} · {card['status'].replace('_', ' ')}"))
    print_usage(console, card["usage"])
    console.print()
    if record.kind == "deep_report":
        console.print(clean(kind_of(record.kind).printed(record).text), markup=False, soft_wrap=True)
    elif isinstance(record, RunRecord):
        print_results(console, [record])
    elif record.kind == "filings_qa":
        _print_question(console, record)
    elif isinstance(record, ScanRecord):
        print_scan(console, record)
    else:
        _print_report(console, found, record)


def _print_question(console: Console, record: CardRecord) -> None:
    """Print the question of a run with its answer and sources."""
    from tradingagents.runtime.registry import kind_of

    from ..text import clean

    printed = kind_of(record.kind).printed(record)
    parts = (f"Question: {record['question']}", printed.text, printed.sources)
    console.print(clean("\n\n".join(part for part in parts if part)), markup=False, soft_wrap=True)


def _print_report(console: Console, found: IndexedRun, record: CardRecord) -> None:
    """Print the beginning of the report of a kind of run that has no short form of its own, and where the rest is."""
    from tradingagents.runtime.records.export import export_record

    from ..layout import print_places
    from ..text import clean

    lines = clean(export_record(record, "md", found.path).decode("utf-8", "replace")).rstrip().splitlines()
    console.print("\n".join(lines[:MOST_LINES]).rstrip(), markup=False, highlight=False, soft_wrap=True)
    if len(lines) > MOST_LINES:
        console.print(f"\n… {len(lines) - MOST_LINES} more lines on its page", markup=False)
    console.print()
    print_places(console, [("Page", record.paths.get("html", ""))])


def _print_without_card(console: Console, run: IndexedRun, row: RunRow) -> None:
    """Print the facts from the name and the log of a run without a card, or with a damaged one."""
    from rich.text import Text

    from ..layout import labelled, print_places
    from ..text import clean

    grid = labelled()
    grid.add_row("Run", Text(row.run_id))
    grid.add_row("What", Text(f"{row.ticker or row.kind.replace('_', ' ')} for {row.day}"))
    grid.add_row("Status", Text(row.status))
    if row.error:
        grid.add_row("Trouble", Text(clean(row.error)))
    console.print(grid)
    print_usage(console, _usage(run))
    print_places(console, [("Folder", row.folder), ("Events", str(run.events) if run.events.is_file() else "")])


def print_usage(console: Console, usage: Mapping[str, Any]) -> None:
    """Print the use by tier and agent, the total last; nothing if no call was made."""
    from rich.table import Table
    from rich.text import Text

    from tradingagents.reports import formatting as words

    from ..text import one_line

    if not usage.get("by_agent"):
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    table.add_column("Usage", overflow="fold")
    for name in ("Calls", "Tokens in", "Cached", "Tokens out", "Cost"):
        table.add_column(name, justify="right", no_wrap=True)

    def add(name: str, used: Mapping[str, Any], style: str = "") -> None:
        counts = (words.count(used[key]) for key in ("llm_calls", "input_tokens", "cached_tokens", "output_tokens"))
        table.add_row(Text(one_line(name), style=style), *counts, words.usd(used["cost_usd"]))

    for agent, used in usage["by_agent"].items():
        add(agent, used)
    for tier, used in usage["by_tier"].items():
        add(f"{tier} model", used, "dim")
    add("In all", usage, "bold")
    console.print(table)
