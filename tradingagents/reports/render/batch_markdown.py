"""A batch's report as Markdown: the ranked decisions, the reasons for each, failures, the scan and the costs."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.reports import batch_outline, blocks
from tradingagents.reports import formatting as words
from tradingagents.reports.degraded import degraded_notice
from tradingagents.reports.links import Link, links_from, page_of
from tradingagents.reports.model_text import as_markdown
from tradingagents.schemas.records import BatchRecord, BatchRow, DecisionRecord

_HEADER = (
    *("#", "Ticker", "Name", "From", "Decision", "Confidence"),
    *("Entry", "Stop", "Target", "Size", "Contested", "Cost", "Report"),
)


def batch_report(record: BatchRecord) -> str:
    """Return a batch as one document. Links lead from the report's own folder to each run's page."""
    link, rows = links_from(record["paths"].get("report")), record["rows"]
    parts = [
        blocks.notice(batch_outline.notice(record)),
        _facts(record),
        blocks.chapter("Decisions", _ranked(rows, link)),
        blocks.chapter("Reasons", *(_reasons(row) for row in rows if row["decision"])),
        blocks.chapter("Failures", blocks.bullets(f"{row['ticker']}: {row['error']}" for row in rows if row["error"])),
        blocks.chapter("Market scan", _scan(record, link)),
        blocks.chapter("Warnings", blocks.bullets(record["warnings"])),
        blocks.chapter("Model use", blocks.usage(record["usage"], record["timing"], "last start")),
        blocks.closing(),
    ]
    return blocks.document(f"Batch: {record['trade_date']}", *parts)


def _facts(record: BatchRecord) -> str:
    tally = ", ".join(f"{number} {name.lower()}" for name, number in batch_outline.tally(record["rows"]))
    return blocks.facts(
        [
            ("Trade date", record["trade_date"]),
            ("Session", record["session"]),
            ("Tickers", f"{len(record['rows'])}: {tally}"),
            ("Cost", words.usd(record["usage"]["cost_usd"])),
            ("Batch", record["batch_id"]),
        ]
    )


def _ranked(rows: Sequence[BatchRow], link: Link) -> str:
    return blocks.table(_HEADER, [_cells(rank, row, link) for rank, row in enumerate(rows, start=1)]) if rows else ""


def _cells(rank: int, row: BatchRow, link: Link) -> tuple[str, ...]:
    page = page_of(row["paths"], link)
    return (
        str(rank) if batch_outline.decided(row) else "",
        row["ticker"],
        row["name"],
        batch_outline.why(row),
        batch_outline.outcome(row),
        *_terms(row["decision"] if batch_outline.decided(row) else None),
        words.percent(row["disagreement"]["contested"]),
        words.usd(row["cost_usd"]) if row["run_id"] else "",
        f"[report]({page})" if page else "",
    )


def _terms(decision: DecisionRecord | None) -> tuple[str, ...]:
    if decision is None:
        return ("",) * 5
    levels = (decision["entry"], decision["stop"], decision["target"])
    return (
        words.percent(decision["confidence"]),
        *(words.price(level) for level in levels),
        words.position(decision["position_size"]),
    )


def _reasons(row: BatchRow) -> str:
    return blocks.joined(
        f"### {blocks.line(row['ticker'])}: {blocks.line(batch_outline.outcome(row))}",
        blocks.notice(degraded_notice(row)),
        as_markdown(row["key_reason"] or "", under=3),
        blocks.labelled("What the overruled side had right", row["disagreement"]["other_side"]),
    )


def _scan(record: BatchRecord, link: Link) -> str:
    scan = record["scan"]
    if scan is None:
        return ""
    page = page_of(scan["paths"], link)
    return blocks.joined(
        as_markdown(scan["summary"]["executive_summary"], under=2) if scan["summary"] else "",
        f"[The scan's page]({page})" if page else "",
    )
