"""Rows of a batch: candidates with the results of their runs, ranked; and the status of the batch."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tradingagents.analytics.text import cut, one_line
from tradingagents.errors import BudgetReached, ModelFailure, TradingAgentsError
from tradingagents.features.batch.progress import Ended
from tradingagents.runtime.kind import FINISHED
from tradingagents.schemas.batches import BatchRecord, BatchRow, DisagreementRecord
from tradingagents.schemas.decision import Decision, conviction_of

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
_FIGURE = re.compile(r"\d[\d,]{0,30}\.\d+|\d{2,}")
_TERMS = re.compile(
    r"^\W*(?:what measures the risk|the risk is measured|"
    r"(?:the )?(?:entry|stop|target|position|size|horizon|confidence)\b)",
    re.IGNORECASE,
)
"""Beginnings of sentences that state the terms of a trade, not the reason for it."""
_SHORT = frozenset({"inc", "corp", "ltd", "co", "plc", "vs", "approx", "no", "st", "mr", "ms", "dr", "e.g", "i.e"})
"""Abbreviations whose full stop does not end a sentence."""


@dataclass(frozen=True)
class BatchCandidate:
    """A ticker that a batch studies."""

    ticker: str
    sources: tuple[str, ...]
    """Origins: scan, portfolio, watchlist."""
    conviction: str | None = None
    """Conviction of the scan; `None` if the scan did not select the ticker."""
    brief: str = ""
    """The scan's findings on the ticker, as Markdown; empty if there are none."""
    name: str = ""
    """Company name, if known before the run."""


def row_of(candidate: BatchCandidate, run: Ended | None, error: TradingAgentsError | None = None) -> BatchRow:
    """Return a ticker's row.

    Args:
        candidate: The ticker.
        run: The result of its run; `None` if no run has a card.
        error: The error of this start; `None` if there was none.
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
    """Return rows with decisions to buy first, then to sell, then to hold, each by descending confidence.

    Ties in confidence, which are usual with the offline rules, are ordered by strength. Rows without a decision come
    last.
    """

    def rank(row: BatchRow) -> tuple[int, float, float, str]:
        decision = row.decision
        if decision is None:
            return LAST, 0.0, 0.0, row.ticker
        strength = decision.strength or 0.0
        return RANKS.get(decision.action, LAST), -decision.confidence, -strength, row.ticker

    return sorted(rows, key=rank)


def status_of(rows: Sequence[BatchRow]) -> str:
    """Return the status of a batch that was not interrupted: done, budget, failed (no ticker ended) or partial."""
    statuses = {row.status for row in rows}
    if statuses <= FINISHED:
        return "done"
    if statuses & {"budget", "waiting"}:
        return "budget"
    return "partial" if statuses & FINISHED else "failed"


def exit_code(record: BatchRecord) -> int:
    """Return the exit code of a command that ran the batch.

    Returns:
        6 if the budget ended it, 130 if it was interrupted, 0 if every row has a decision to buy, sell or hold; else
        the exit code that studying the first row without such a decision alone would have.
    """
    if record.status in ("budget", "interrupted"):
        return _CODES[record.status]
    failed = next((code for row in record.rows if (code := row.exit_code)), 0)
    return failed or (TradingAgentsError.exit_code if record.status == "failed" else 0)


def key_reason(decision: Decision) -> str:
    """Return the sentence that gives the reason for a decision, shortened if necessary.

    The first of these that exists: the first sentence of the rationale that quotes a figure of the key evidence; the
    first one with a figure that does not only measure the risk or state the terms of the trade; the first piece of
    evidence; the first sentence.
    """
    found = _sentences(one_line(decision.rationale))
    claims = [one_line(item.claim) for item in decision.key_evidence]
    figures = {figure for claim in claims for figure in _FIGURE.findall(claim)}
    reasons = [sentence for sentence in found if any(map(str.isdigit, sentence)) and not _is_term(sentence)]
    quoting = [sentence for sentence in reasons if figures.intersection(_FIGURE.findall(sentence))]
    telling = (*quoting, *reasons, *claims, found[0])
    return cut(telling[0], LONGEST_REASON)


def _is_term(sentence: str) -> bool:
    """Return whether a sentence only states the terms of a trade or measures its risk."""
    return bool(_TERMS.search(sentence))


def _sentences(line: str) -> list[str]:
    ends = [end.end() for end in _SENTENCE_END.finditer(line) if not _is_short(line[: end.start()])]
    return [line[start:end].strip() for start, end in pairwise([0, *ends, len(line)]) if line[start:end].strip()] or [
        ""
    ]


def _is_short(before: str) -> bool:
    """Return whether a full stop follows an abbreviation: `Corp`, `U.S`, `e.g`."""
    word = before.split(" ")[-1].lstrip("(\"'*")
    return word.lower() in _SHORT or (word[-1:].isalpha() and len(word.split(".")[-1]) == 1)


def _without_run(error: TradingAgentsError | None) -> str:
    if error is None:
        return "waiting"
    return "budget" if isinstance(error, BudgetReached) else "failed"


def _disagreement(plan: Decision | None) -> DisagreementRecord:
    """Return how contested the research manager's decision was; nulls if there was no decision."""
    if plan is None or plan.action == "NO_DECISION":
        return DisagreementRecord(contested=None, other_side=None)
    dissent = plan.dissent
    return DisagreementRecord(
        contested=round(1 - conviction_of(plan.confidence, plan.strength), 4),
        other_side=one_line(dissent) if dissent else None,
    )
