"""Prints a batch: every ticker's decision, ranked, its key reason, and the total cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from tradingagents.memory.cohort import note_on_market
from tradingagents.offline.calibration import record_of_rules
from tradingagents.reports import formatting as words
from tradingagents.reports.batch import decided, notice, outcome, tally
from tradingagents.reports.decision_notes import ORDER_HEADER, degraded_notice, order_rows, order_summary
from tradingagents.schemas.batches import BatchRecord, BatchRow
from tradingagents.schemas.portfolio import OrderListRecord

from .layout import (
    NO_ADVICE,
    PLACES,
    Column,
    action_text,
    add_warnings,
    headed,
    labelled,
    print_market,
    print_places,
    reasoned_table,
    usage_line,
)
from .text import clean, one_line, plain, with_flags

if TYPE_CHECKING:
    from rich.console import Console

CONTESTED = "uncertainty of the research manager between bull and bear"


def print_batch(console: Console, record: BatchRecord) -> None:
    """Print a batch; plain text without frames if stdout isn't a terminal."""
    title = Text.assemble(("Decisions", "bold"), f" · {record['trade_date']}")
    print_market(console, note_on_market(record.market))
    if body := _body(record):
        console.print(headed(title, body, framed=console.is_terminal))
    print_rows(console, record)
    places = (*PLACES, ("Orders", "orders"))
    print_places(console, [(name, path) for name, key in places if (path := record["paths"].get(key, ""))])
    console.print()
    console.print(Text(NO_ADVICE, style="dim"))


def print_rows(console: Console, record: BatchRecord) -> None:
    """Print the ranked table, followed by the totals."""
    if record["rows"]:
        rows = [(_cells(row), _reason(row)) for row in record["rows"]]
        console.print(reasoned_table(_columns(record), "Key reason", rows, console.width))
        console.print()
    if record.orders is not None:
        _print_orders(console, record.orders)
    grid = labelled()
    counts = [f"{count} {name}" for name, count in tally(record["rows"]) if count]
    grid.add_row("In all", ", ".join(counts) or "no ticker was studied")
    if any(row.disagreement.contested is not None for row in record["rows"]):
        grid.add_row("Contested", CONTESTED)
    if said := record_of_rules(row.decision for row in record["rows"]):
        grid.add_row("Record", said)
    add_warnings(grid, record["warnings"])
    grid.add_row("Usage", usage_line(record["usage"], record["timing"]))
    console.print(grid)


def _print_orders(console: Console, orders: OrderListRecord) -> None:
    """Print the orders of a batch for a book, those that were cut with the limit."""
    rows = [(tuple(map(Text, cells[:-1])), cells[-1]) for cells in order_rows(orders)]
    columns = tuple(Column(name, right=name in ("Shares", "Price", "Cost")) for name in ORDER_HEADER[:-1])
    console.print(Text("Orders for your book", style="bold"))
    if rows:
        console.print(reasoned_table(columns, ORDER_HEADER[-1], rows, console.width))
    console.print(Text(order_summary(orders)))
    for note in orders.notes:
        console.print(Text(note, style="dim"))
    console.print()


def _columns(record: BatchRecord) -> tuple[Column, ...]:
    return (
        Column("Ticker"),
        Column("Decision"),
        Column(words.sureness_name(row.decision for row in record["rows"]), right=True),
        Column("Contested", right=True),
        Column("Cost", right=True),
        Column("From", gives_way=True),
    )


def _body(record: BatchRecord) -> RenderableType | None:
    """Return why the batch is partial and the summary of its scan; None if there is neither."""
    said, scan = notice(record), record["scan"]
    summary = scan["summary"] if scan else None
    parts: list[RenderableType] = [Text(clean(with_flags(said)), style="yellow")] if said else []
    if summary:
        parts += (
            ["", Text(plain(summary["executive_summary"]))] if parts else [Text(plain(summary["executive_summary"]))]
        )
    return Group(*parts) if parts else None


def _cells(row: BatchRow) -> tuple[Text, ...]:
    decision, contested = row.decision, row.disagreement.contested
    sure = words.sureness(decision.confidence, decision.strength) if decision and decided(row) else ""
    return (
        Text(row.ticker, style="bold"),
        action_text(decision.action) if decision else Text(outcome(row), style="bold red"),
        Text(sure),
        Text("" if contested is None else words.percent(contested)),
        Text("" if row.run_id is None else words.usd(row.cost_usd)),
        Text(_why(row)),
    )


def _why(row: BatchRow) -> str:
    """Return why a ticker was studied, with the scan's conviction."""
    conviction = row.conviction
    reasons = [f"scan ({conviction})" if source == "scan" else source for source in row.sources]
    if conviction and "scan" not in row.sources:
        reasons.append(f"scan: {conviction} only")
    return one_line(", ".join(reasons))


def _reason(row: BatchRow) -> str:
    """Return the key reason of a row's decision, or why there is none."""
    reason = with_flags(row.error or "") or row.key_reason or ""
    return f"{reason} {degraded_notice(row.degraded)}".strip()
