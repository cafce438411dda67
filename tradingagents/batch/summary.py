"""The rows of a batch: a candidate and what its run came to, ranked; and the batch's own status."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tradingagents.analytics.text import cut, one_line
from tradingagents.batch.progress import Ended
from tradingagents.errors import BudgetReached, ModelFailure, TradingAgentsError
from tradingagents.runtime.workflow import FINISHED
from tradingagents.schemas.records import BatchRecord, BatchRow, DecisionRecord, DisagreementRecord

INTERRUPTED = 130
RANKS = {"BUY": 0, "SELL": 1, "HOLD": 2, "NO_DECISION": 3}
LAST = 4
LONGEST_REASON = 300
_CODES = {
    "done": 0,
    "no_decision": ModelFailure.exit_code,
    "budget": BudgetReached.exit_code,
    "waiting": BudgetReached.exit_code,
    "interrupted": INTERRUPTED,
}
_SENTENCE_END = re.compile(r"[.!?][)\"'*]*(?=\s+[A-Z0-9\"'(*])|[。！？]")  # noqa: RUF001 - as Chinese and Japanese write
_FIGURE = re.compile(r"\d[\d,]*\.\d+|\d{2,}")
_TERMS = re.compile(
    r"^\W*(?:what measures the risk|the risk is measured|"
    r"(?:the )?(?:entry|stop|target|position|size|horizon|confidence)\b)",
    re.IGNORECASE,
)
"""How sentences begin that say how to trade, and not why."""
_SHORT = frozenset({"inc", "corp", "ltd", "co", "plc", "vs", "approx", "no", "st", "mr", "ms", "dr", "e.g", "i.e"})
"""Words whose full stop ends no sentence."""


@dataclass(frozen=True)
class BatchCandidate:
    """A ticker a batch is to study."""

    ticker: str
    sources: tuple[str, ...]
    """Why: scan, portfolio, watchlist."""
    conviction: str | None = None
    """The scan's; None for what the scan did not name."""
    brief: str = ""
    """What the scan hands over, as Markdown; empty for none."""
    name: str = ""
    """The company, where it is known before the run."""


def row_of(candidate: BatchCandidate, run: Ended | None, error: TradingAgentsError | None = None) -> BatchRow:
    """Return a ticker's row.

    Args:
        candidate: The ticker.
        run: What its run came to; None where there was none, or none that left a card.
        error: What ended it in this start; None where nothing did.
    """
    status = run.status if run else _without_run(error)
    decision = run.decision if run else None
    said = (run.error if run else None) or (str(error) if error else None)
    return BatchRow(
        ticker=candidate.ticker,
        name=candidate.name or (run.name if run else ""),
        sources=list(candidate.sources),
        conviction=candidate.conviction,
        status=status,
        decision=decision,
        key_reason=key_reason(decision) if decision else None,
        disagreement=_disagreement(run.plan if run else None),
        cost_usd=run.cost_usd if run else None,
        run_id=run.run_id if run else None,
        paths=dict(run.paths) if run else {},
        error=one_line(said) if said else None,
        degraded=run.degraded if run else [],
        exit_code=error.exit_code if error else _CODES.get(status, TradingAgentsError.exit_code),
    )


def ranked(rows: Iterable[BatchRow]) -> list[BatchRow]:
    """Return rows with decisions to buy first, then to sell, then to hold, each by confidence.

    Where confidence is equal, as it is for the offline rules, the stronger view comes first. What has none comes last.
    """

    def rank(row: BatchRow) -> tuple[int, float, float, str]:
        decision = row["decision"]
        if decision is None:
            return LAST, 0.0, 0.0, row["ticker"]
        strength = decision.get("strength") or 0.0
        return RANKS.get(decision["action"], LAST), -decision["confidence"], -strength, row["ticker"]

    return sorted(rows, key=rank)


def sureness(confidence: float, strength: float | None) -> float:
    """Return what tells one decision from another of its kind: the strength where rules state one, else confidence.

    The confidence of the offline rules is one observed rate for all calls; their strength differs from call to call.
    """
    return confidence if strength is None else strength


def status_of(rows: Sequence[BatchRow]) -> str:
    """Return the status of a batch that came to its end: done, budget, failed (no ticker ended) or partial."""
    statuses = {row["status"] for row in rows}
    if statuses <= FINISHED:
        return "done"
    if statuses & {"budget", "waiting"}:
        return "budget"
    return "partial" if statuses & FINISHED else "failed"


def exit_code(record: BatchRecord) -> int:
    """Return what a command that ran the batch ends with.

    Returns:
        6 where the budget ended it, 130 where it was interrupted; else that of the first row that did not end in a
        decision to buy, sell or hold, as if its ticker had been studied alone; 0 where all did.
    """
    if record["status"] in ("budget", "interrupted"):
        return _CODES[record["status"]]
    failed = next((code for row in record["rows"] if (code := row.get("exit_code", 0))), 0)
    return failed or (TradingAgentsError.exit_code if record["status"] == "failed" else 0)


def key_reason(decision: DecisionRecord) -> str:
    """Return the sentence that gives the reason for a decision, cut where it is long.

    It is the first sentence of the rationale that quotes a figure of the key evidence; where none does, the first with
    a figure that does not just measure the risk or state the terms of the trade; then the first piece of evidence;
    then the first sentence.
    """
    found = _sentences(one_line(decision["rationale"]))
    claims = [one_line(item["claim"]) for item in decision["key_evidence"]]
    figures = {figure for claim in claims for figure in _FIGURE.findall(claim)}
    reasons = [sentence for sentence in found if any(map(str.isdigit, sentence)) and not _is_term(sentence)]
    quoting = [sentence for sentence in reasons if figures.intersection(_FIGURE.findall(sentence))]
    telling = (*quoting, *reasons, *claims, found[0])
    return cut(telling[0], LONGEST_REASON)


def _is_term(sentence: str) -> bool:
    """Tell whether a sentence states the terms of a trade or measures its risk: no reason to trade."""
    return bool(_TERMS.search(sentence))


def _sentences(line: str) -> list[str]:
    ends = [end.end() for end in _SENTENCE_END.finditer(line) if not _is_short(line[: end.start()])]
    return [line[start:end].strip() for start, end in pairwise([0, *ends, len(line)]) if line[start:end].strip()] or [
        ""
    ]


def _is_short(before: str) -> bool:
    """Tell whether a full stop follows an abbreviation: `Corp`, `U.S`, `e.g`."""
    word = before.split(" ")[-1].lstrip("(\"'*")
    return word.lower() in _SHORT or (word[-1:].isalpha() and len(word.split(".")[-1]) == 1)


def _without_run(error: TradingAgentsError | None) -> str:
    if error is None:
        return "waiting"
    return "budget" if isinstance(error, BudgetReached) else "failed"


def _disagreement(plan: DecisionRecord | None) -> DisagreementRecord:
    """Return how far bull and bear were apart by the research manager's decision; nulls where it made none."""
    if plan is None or plan["action"] == "NO_DECISION":
        return DisagreementRecord(contested=None, other_side=None)
    dissent = plan["dissent"]
    return DisagreementRecord(
        contested=round(1 - sureness(plan["confidence"], plan.get("strength")), 4),
        other_side=one_line(dissent) if dissent else None,
    )
