"""What a batch's report says of its tickers: how the batch ended, what came out and why a ticker was looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tradingagents.reports import formatting as words
from tradingagents.reports.scan_outline import conviction_words
from tradingagents.reports.sections import told
from tradingagents.schemas.records import BatchRecord, BatchRow

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


def notice(record: BatchRecord) -> str | None:
    """Say at the top why a batch is partial and which tickers lack a decision for it; None for a complete one."""
    status, scan = record["status"], record["scan"]
    if status == "done":
        return None
    ending = _ENDINGS.get(status, f"This is a partial report: the batch's status is {status}.")
    error = scan.get("error", "") if scan and scan["status"] != "done" else ""
    open_ends = ", ".join(f"{row['ticker']} ({outcome(row).lower()})" for row in record["rows"] if not decided(row))
    return told(ending, f"{error.strip()} Without a decision: {open_ends}." if open_ends else error, [])


def decided(row: BatchRow) -> bool:
    """Tell whether a ticker's run ended with a decision to buy, sell or hold."""
    decision = row["decision"]
    return decision is not None and decision["action"] != "NO_DECISION"


def outcome(row: BatchRow) -> str:
    """Return a ticker's decision in words, or how its run ended where there is none."""
    if row["decision"] is not None:
        return words.action_words(row["decision"]["action"])
    return _STATUSES.get(row["status"], row["status"]).upper()


def tally(rows: Iterable[BatchRow]) -> list[tuple[str, int]]:
    """Count the decisions: BUY, SELL and HOLD always, then whatever else there is."""
    counts = Counter(outcome(row) for row in rows)
    others = [name for name in counts if name not in _ACTIONS]
    return [(name, counts[name]) for name in (*_ACTIONS, *others)]


def why(row: BatchRow) -> str:
    """Tell why a ticker was looked at: its sources, and the scan's conviction where the scan named it."""
    conviction = conviction_words(row["conviction"])
    return ", ".join(row["sources"]) + (f" ({conviction})" if conviction else "")
