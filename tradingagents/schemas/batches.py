"""Records of batches and watches: a decision on each of several tickers, and what changed since the last ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from tradingagents.schemas.cards import ScanRecord
from tradingagents.schemas.decision import Decision, conviction_of
from tradingagents.schemas.portfolio import OrderListRecord
from tradingagents.schemas.record import Number, Record
from tradingagents.schemas.records import DegradedRecord, TimingRecord, UsageRecord


class DisagreementRecord(Record):
    """How contested the research manager's decision was."""

    contested: Number | None
    """1 minus the research manager's confidence: 0 undisputed, 1 fully open; null without that decision."""
    other_side: str | None
    """Where the overruled side was right, in the research manager's words."""


class BatchRow(Record):
    """One ticker of a batch."""

    older_lack: ClassVar[Mapping[str, Any]] = {"degraded": (), "exit_code": 0}

    ticker: str
    name: str
    sources: list[str]
    """Origins of the ticker: scan, portfolio, watchlist."""
    conviction: str | None
    """Conviction of the scan; null if the scan did not select the ticker."""
    status: str
    """done, no_decision, failed, budget, interrupted; waiting if it has not started."""
    decision: Decision | None
    key_reason: str | None
    """The sentence of the decision that gives its reason, see `features.batch.summary.key_reason`."""
    disagreement: DisagreementRecord
    cost_usd: Number | None
    """Cost of this ticker's run; null when a price is not known or there was no run."""
    run_id: str | None
    paths: dict[str, str]
    """Paths of the run: folder, card, report, html; empty if there was none."""
    error: str | None
    degraded: list[DegradedRecord]
    """Of the run."""
    exit_code: int
    """Exit code of a command that studies only this ticker; 0 if it has a decision."""


class BatchRecord(Record):
    """The record of a batch: the scan, if any, and a decision on every candidate, ranked."""

    older_lack: ClassVar[Mapping[str, Any]] = {"market": ""}

    batch_id: str
    status: str
    """done, partial (some tickers failed), budget, interrupted or failed (no scan, or no ticker ended)."""
    trade_date: str
    session: str
    market: str
    """real or simulated-SEED, see `Cohort.market`."""
    scan: ScanRecord | None
    """Null for a batch without a scan."""
    rows: list[BatchRow]
    """Ranked: decisions to buy, then to sell, then to hold, each by confidence; rows without a decision last."""
    usage: UsageRecord
    """Use by the scan and all runs together, including earlier starts."""
    timing: TimingRecord
    """Timing of this start."""
    warnings: list[str]
    paths: dict[str, str]
    """folder, card, report, html; orders, a file for a broker, where there are any."""
    orders: OrderListRecord | None = None
    """What all decisions together mean for the book that was given; None where none was given."""


class DecidedAction(Record):
    """What was decided, and how sure that was."""

    action: str
    """BUY, SELL, HOLD, or NO_DECISION if the run ended without a decision or failed."""
    confidence: float
    """0 to 1; 0 for NO_DECISION."""
    strength: Number | None = None
    """Strength of the offline rules' signal, 0 to 1; None for decisions of language models."""

    @property
    def conviction(self) -> float:
        """How sure the decision is, from 0 to 1, see `conviction_of`."""
        return conviction_of(self.confidence, self.strength)


class OutcomeRecord(DecidedAction):
    """The result of a ticker on a day."""

    trade_date: str
    run_id: str | None


class ChangeRecord(Record):
    """A watched ticker's decision compared with its previous one."""

    ticker: str
    kind: str
    """first (no previous decision), flip (another action), confidence (same action, different confidence), lost (a
    decision before, none now), regained (none before, one now), same."""
    before: OutcomeRecord | None
    after: OutcomeRecord
    words: str
    """One sentence for people."""


class FalsifierNotice(Record):
    """What became of a condition that would prove a hypothesis of a deep report wrong."""

    ticker: str
    run_id: str
    """The report that left it."""
    hypothesis: str
    """Its title."""
    id: str
    condition: str
    """In words, such as `gross margin of a quarter that ends by 2025-09-30 below 43%`."""
    state: str
    """open, fired or expired."""
    figure: str
    """The figure that met it, with its cells and the day of the filing; the newest one where none did; may be empty."""
    period_end: str | None
    """Last day of the period, or the session, of that figure."""
    known_at: str | None
    """Instant from which it was known: that of the filing or of the close, UTC."""
    new: bool
    """Whether it was met since the previous watch."""


class WatchRecord(Record):
    """The record of a watch: a decision on every ticker, and what changed."""

    watch_id: str
    trade_date: str
    since: str | None
    """The newest trade date among the previous decisions; null if there were none."""
    batch: BatchRecord
    changes: list[ChangeRecord]
    """In the order of the list; tickers left unfinished by the budget or an interruption are missing."""
    falsifiers: list[FalsifierNotice]
    """Of the newest deep report on each ticker up to the day, whatever their state; empty where there is none."""
    paths: dict[str, str]
    """folder, card, report, html."""
