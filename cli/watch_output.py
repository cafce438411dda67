"""Prints a run of the watch list: what changed, then every decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tradingagents.memory.cohort import note_on_market
from tradingagents.reports import formatting as words
from tradingagents.reports.batch import notice
from tradingagents.schemas.batches import ChangeRecord, OutcomeRecord, WatchRecord

from .batch_output import print_rows
from .layout import NO_ADVICE, PLACES, action_text, headed, print_market, print_places
from .text import clean, with_flags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from tradingagents.schemas.batches import FalsifierNotice

KINDS = {
    "flip": "decided otherwise",
    "confidence": "confidence moved",
    "lost": "no decision any more",
    "regained": "a decision again",
}
"""The kinds of change that get a row, in words."""


def print_watch(console: Console, record: WatchRecord) -> None:
    """Print a run of the list; plain text without frames if stdout isn't a terminal."""
    title = Text.assemble(("Watch list", "bold"), f" · {record['trade_date']}")
    print_market(console, note_on_market(record.batch.market))
    console.print(headed(title, _body(record), framed=console.is_terminal))
    print_falsifiers(console, [notice for notice in record.falsifiers if notice.state == "fired"])
    print_rows(console, record.batch)
    print_places(console, [(name, record.paths.get(key, "")) for name, key in PLACES])
    console.print()
    console.print(Text(NO_ADVICE, style="dim"))


def print_falsifiers(console: Console, notices: Sequence[FalsifierNotice]) -> None:
    """Print conditions of deep reports with what became of them, those of one hypothesis under its title."""
    title = ""
    for change in notices:
        if (head := f"{change.ticker}: {change.hypothesis}") != title:
            title = head
            console.print()
            console.print(Text(clean(head), style="bold"))
        state = f"{change.state}, new" if change.new else change.state
        console.print(Text(clean(f"  {state}: {change.condition}"), style="yellow" if change.new else ""))
        if change.figure:
            console.print(Text(clean(f"    {change.figure}"), style="dim"))


def _body(record: WatchRecord) -> RenderableType:
    said = notice(record.batch)
    return Group(Text(clean(with_flags(said)), style="yellow"), "", _changes(record)) if said else _changes(record)


def _changes(record: WatchRecord) -> RenderableType:
    changed = [change for change in record.changes if change.kind in KINDS]
    if changed:
        return _changes_table(changed)
    if record.since is None:
        return Text("Nothing to compare with: this is the first analysis of the list.")
    return Text(f"Nothing changed since {record['since']}.")


def _changes_table(changed: list[ChangeRecord]) -> Table:
    table = Table(box=None, padding=(0, 1), header_style="bold", pad_edge=False)
    for name in ("Ticker", "Change", "Before", "Now", "Last studied"):
        table.add_column(name, no_wrap=True)
    for change in changed:
        before = change.before
        table.add_row(
            Text(change.ticker, style="bold"),
            _kind(change),
            _outcome(before) if before else "",
            _outcome(change.after),
            before.trade_date if before else "",
        )
    return table


def _kind(change: ChangeRecord) -> str:
    return "strength moved" if change.kind == "confidence" and change.after.strength is not None else KINDS[change.kind]


def _outcome(outcome: OutcomeRecord) -> Text:
    text = action_text(outcome.action)
    if outcome.action != "NO_DECISION":
        text.append(f" {words.sureness(outcome.confidence, outcome.strength)}", "")
    return text
