"""What a watch tells people and their programs: changes, what was met, decisions, and costs."""

from __future__ import annotations

from typing import Any

from tradingagents.analytics.text import one_line
from tradingagents.memory.cohort import note_on_market
from tradingagents.reports.decision_notes import degraded_notice
from tradingagents.schemas.batches import BatchRow, ChangeRecord, FalsifierNotice, OutcomeRecord, WatchRecord
from tradingagents.service.notices.message import NOT_ADVICE, OutgoingMessage

UNCHANGED = "same"
MOST_SHOWN = 40
"""Lines of each kind; the record on disk has all."""


def watch_message(record: WatchRecord) -> OutgoingMessage:
    """Return the message for a watch; repeating a finished watch gives the same one."""
    changes = [change for change in record.changes if change.kind != UNCHANGED]
    met = [notice for notice in record.falsifiers if notice.state == "fired" and notice.new]
    lines = [
        note_on_market(record.batch.market) or "",
        *(change.words for change in changes[:MOST_SHOWN]),
        *(f"Met: {notice.ticker}, {notice.condition}. {notice.figure}".strip() for notice in met[:MOST_SHOWN]),
        *(f"{row.ticker}: {row.key_reason}" for row in record.batch.rows[:MOST_SHOWN] if row.key_reason),
        NOT_ADVICE,
    ]
    said = f"{len(changes)} of {len(record.changes)} changed" + (f", {len(met)} conditions met" if met else "")
    text = "\n".join(one_line(line) for line in lines if line)
    return OutgoingMessage(f"Watch list, {record.trade_date}: {said}", text, watch_payload(record))


def watch_payload(record: WatchRecord) -> dict[str, Any]:
    """Return the message for a watch: changes, decisions and costs, without settings, paths, warnings or error texts.

    Repeating a finished watch gives the same message.
    """
    batch = record.batch
    return {
        "type": "watch.completed",
        "data": {
            "watch_id": record.watch_id,
            "trade_date": record.trade_date,
            "session": batch.session,
            "since": record.since,
            "status": batch.status,
            "changes": [_change(change) for change in record.changes],
            "falsifiers": [
                _falsifier(notice) for notice in record.falsifiers if notice.state == "fired" and notice.new
            ],
            "decisions": [_decision(row) for row in batch.rows],
            "llm_calls": batch.usage.llm_calls,
            "cost_usd": batch.usage.cost_usd,
        },
    }


def _falsifier(notice: FalsifierNotice) -> dict[str, Any]:
    return notice.model_dump(exclude={"state", "new"})


def _change(change: ChangeRecord) -> dict[str, Any]:
    return {**change.as_json(), "before": _outcome(change.before), "after": _outcome(change.after)}


def _outcome(outcome: OutcomeRecord | None) -> dict[str, Any] | None:
    return {key: outcome[key] for key in ("action", "confidence", "strength", "trade_date")} if outcome else None


def _decision(row: BatchRow) -> dict[str, Any]:
    decision = row.decision
    terms = ("action", "confidence", "strength", "entry", "stop", "target", "position_size", "horizon_days")
    return {
        "ticker": row.ticker,
        "status": row.status,
        **{term: decision[term] if decision else None for term in terms},
        "key_reason": row.key_reason,
        "degraded": degraded_notice(row.degraded) or None,
        "run_id": row.run_id,
        "cost_usd": row.cost_usd,
    }
