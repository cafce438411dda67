"""The report of a batch: the ranked decisions, the reasons for each, failures, the scan and the costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from tradingagents.memory.cohort import note_on_market
from tradingagents.reports import formatting as words
from tradingagents.reports.blocks import how_it_ran, warnings_on_page
from tradingagents.reports.decision_notes import ORDER_HEADER, degraded_notice, order_rows, order_summary, track_record
from tradingagents.reports.document import (
    Block,
    Bullets,
    Card,
    Document,
    Heading,
    Line,
    Masthead,
    Notice,
    Prose,
    Section,
    Table,
    labelled,
    one_line_of_markdown,
)
from tradingagents.reports.links import Link, links_from, page_of
from tradingagents.reports.scan import conviction_words
from tradingagents.reports.sections import ended_early
from tradingagents.schemas.batches import BatchRecord, BatchRow
from tradingagents.schemas.cards import ScanRecord
from tradingagents.schemas.decision import Decision

_ENDINGS = {
    "partial": "This is a partial report: some tickers failed.",
    "budget": "This is a partial report: the batch used up its budget and stopped.",
    "interrupted": "This is a partial report: the batch was interrupted.",
    "failed": "The batch failed.",
}
_STATUSES = {
    "done": "no decision",
    "no_decision": "no decision",
    "budget": "stopped by the budget",
    "waiting": "not begun",
}
_ACTIONS = ("BUY", "SELL", "HOLD")
_SCAN_PAGE = Markup("The scan's page")
_HEADER = ("#", "Ticker", "Name", "From", "Decision")
_FURTHER = ("Entry", "Stop", "Target", "Size", "Contested", "Cost", "Report")


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A ticker's decision, as the ranking shows it."""

    row: BatchRow
    page: str
    """Link to the run's page; empty for none."""
    outcome: str
    decision: Decision | None
    """None if the run decided nothing."""
    degraded: str


def batch_document(record: BatchRecord, link: Link | None = None) -> Document:
    """Return the report of a batch.

    Args:
        record: The batch; a partial one says so at the top.
        link: Creates links to the pages of runs from the paths in the record; empty for no link. None: links relative
            to the folder of the batch's own page, so that the home folder can be moved.
    """
    link = link or links_from(record["paths"].get("html"))
    rows, day, counts = record["rows"], record["trade_date"], tally(record["rows"])
    cost, scan = words.usd(record["usage"]["cost_usd"]), record["scan"]
    scan_page = page_of(scan["paths"], link) if scan else ""
    decisions = ", ".join(f"{number} {name.lower()}" for name, number in counts)
    return Document(
        title=f"Batch: {day}",
        facts=[
            ("Trade date", day),
            ("Session", record["session"]),
            ("Tickers", f"{len(rows)}: {decisions}"),
            ("Cost", cost),
            ("Batch", record["batch_id"]),
        ],
        masthead=Masthead(
            title=f"Decisions {day}",
            eyebrow="From scan to decisions",
            heading="Decisions",
            detail=day,
            facts=[("Session", record["session"]), ("Tickers", str(len(rows))), ("Cost", cost)],
            links=[(_SCAN_PAGE, scan_page)] if scan_page else [],
            identity=f"Batch {record['batch_id']}",
        ),
        market_note=note_on_market(record.market),
        notice=notice(record),
        sections=_sections(record, link, scan_page),
        style="batch.css",
    )


def _sections(record: BatchRecord, link: Link, scan_page: str) -> list[Section]:
    rows, warnings = record["rows"], record["warnings"]
    ranked = [_ranked(row, link) for row in rows]
    sureness = words.sureness_name(row.decision for row in rows)
    table = Table((*_HEADER, sureness, *_FURTHER), [_cells(rank, one) for rank, one in enumerate(ranked, start=1)])
    failures = [f"{row['ticker']}: {row['error']}" for row in rows if row.error]
    measured = _record_of_rules([row.decision for row in ranked])
    plain: list[Block] = [table, Line(measured)]
    decisions = [Card("ranked_decisions", (ranked, tally(rows), sureness, measured), plain)] if ranked else []
    return [
        Section("Decisions", decisions, id="decisions", menu="Decisions"),
        Section("Orders", _orders(record), id="orders", menu="Orders"),
        Section("Reasons", [block for one in ranked for block in _reasons(one)], only="file"),
        Section("Failures", [Bullets(failures)], only="file"),
        warnings_on_page(warnings, menu="Warnings"),
        Section("Market scan", _scan(record["scan"], scan_page), id="scan", menu="Market scan"),
        *how_it_ran(warnings, record["usage"], record["timing"], "last start"),
    ]


def _record_of_rules(decisions: Iterable[Decision | None]) -> str:
    """Return how often such decisions of fixed rules were right, to stand once for all; empty for language models."""
    ruled = (made for made in decisions if made and made.strength is not None and made.action in ("BUY", "SELL"))
    return next((track_record(decision) for decision in ruled), "")


def _orders(record: BatchRecord) -> list[Block]:
    """Return the orders for the book that the batch was given; nothing without one."""
    if record.orders is None:
        return []
    rows = order_rows(record.orders)
    return [
        Line(order_summary(record.orders)),
        *([Table(ORDER_HEADER, rows)] if rows else []),
        *(Line(one_line_of_markdown(note)) for note in record.orders.notes),
    ]


def _scan(scan: ScanRecord | None, page: str) -> list[Card]:
    if scan is None:
        return []
    abstract = scan.summary["executive_summary"] if scan.summary else ""
    plain: list[Block] = [Prose(abstract, under=2), Line(f"[The scan's page]({page})" if page else "")]
    return [Card("scan_pointer", (abstract, page), plain)]


def _ranked(row: BatchRow, link: Link) -> RankedRow:
    decision = row.decision if decided(row) else None
    return RankedRow(row, page_of(row.paths, link), outcome(row), decision, degraded_notice(row.degraded))


def _cells(rank: int, ranked: RankedRow) -> tuple[str, ...]:
    row = ranked.row
    return (
        str(rank) if ranked.decision else "",
        row.ticker,
        row.name,
        why(row),
        ranked.outcome,
        *_terms(ranked.decision),
        words.percent(row.disagreement.contested),
        words.usd(row.cost_usd) if row.run_id else "",
        f"[report]({ranked.page})" if ranked.page else "",
    )


def _terms(decision: Decision | None) -> tuple[str, ...]:
    if decision is None:
        return ("",) * 5
    levels = (decision.entry, decision.stop, decision.target)
    return (
        words.sureness(decision.confidence, decision.strength),
        *(words.price(level) for level in levels),
        words.position(decision.position_size),
    )


def _reasons(ranked: RankedRow) -> Iterable[Block]:
    row = ranked.row
    if row.decision:
        yield Heading(f"{row['ticker']}: {ranked.outcome}")
        if ranked.degraded:
            yield Notice(ranked.degraded)
        yield Prose(row.key_reason or "")
        yield from labelled("What the overruled side had right", row.disagreement.other_side)


def notice(record: BatchRecord) -> str | None:
    """Return the notice why a batch is partial and which tickers lack a decision; None for a complete one."""
    status, scan = record["status"], record["scan"]
    if status == "done":
        return None
    ending = _ENDINGS.get(status, f"This is a partial report: the batch's status is {status}.")
    error = scan.error if scan and scan.status != "done" else ""
    open_ends = ", ".join(f"{row['ticker']} ({outcome(row).lower()})" for row in record["rows"] if not decided(row))
    return ended_early(ending, f"{error.strip()} Without a decision: {open_ends}." if open_ends else error, [])


def decided(row: BatchRow) -> bool:
    """Return whether a ticker's run ended with a decision to buy, sell or hold."""
    decision = row.decision
    return decision is not None and decision.action != "NO_DECISION"


def outcome(row: BatchRow) -> str:
    """Return a ticker's decision in words, or how its run ended without one."""
    if row.decision is not None:
        return words.action_words(row.decision["action"])
    return _STATUSES.get(row.status, row.status).upper()


def tally(rows: Iterable[BatchRow]) -> list[tuple[str, int]]:
    """Count the decisions: BUY, SELL and HOLD always, then any others."""
    counts = Counter(outcome(row) for row in rows)
    others = [name for name in counts if name not in _ACTIONS]
    return [(name, counts[name]) for name in (*_ACTIONS, *others)]


def why(row: BatchRow) -> str:
    """Return why a ticker was analyzed: its sources, and the scan's conviction if the scan selected it."""
    conviction = conviction_words(row.conviction)
    return ", ".join(row.sources) + (f" ({conviction})" if conviction else "")
