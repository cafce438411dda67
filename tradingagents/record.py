"""The record of one run: the JSON object that `--json` prints, `run.json` keeps and the reports are made from."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class EvidenceRecord(TypedDict):
    """A claim and its source."""

    claim: str
    source: str


class DecisionRecord(TypedDict):
    """A decision; see `agents.schemas.Decision` for meanings. Null where the model gave none."""

    action: str
    confidence: float
    rationale: str
    horizon_days: int | None
    entry: float | None
    stop: float | None
    target: float | None
    position_size: float | None
    key_evidence: list[EvidenceRecord]
    dissent: str | None
    would_change: str | None


class UsageRecord(TypedDict):
    """Model use of the run. `cost_usd` is null where a model's price is not known."""

    llm_calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost_usd: float | None
    by_agent: NotRequired[dict[str, dict[str, Any]]]
    by_tier: NotRequired[dict[str, dict[str, Any]]]


class TimingRecord(TypedDict):
    """When the run took place; `wall_s` in seconds."""

    wall_s: float
    started_at: NotRequired[str]
    finished_at: NotRequired[str]


class DataSheetRecord(TypedDict):
    """One answer the run was given: what, for whom, by which vendor, over which window, known by when."""

    method: str
    symbol: str | None
    vendor: str
    start: str | None
    end: str | None
    rows: int
    known_at: str | None
    fetched_at: str
    figures: dict[str, float]
    notes: list[str]
    inputs: list[str]


class InstrumentRecord(TypedDict):
    """Who the ticker is."""

    symbol: str
    name: str
    kind: str
    sector: str | None
    industry: str | None
    exchange: str
    currency: str
    benchmark: str | None


class RunRecord(TypedDict):
    """Everything a run leaves, as JSON."""

    run_id: str
    status: str
    """done, no_decision, failed, budget or interrupted."""
    ticker: str
    trade_date: str
    instrument: InstrumentRecord
    session: str
    """The exchange session whose close is the cut-off."""
    cutoff: str
    """Instant after which nothing was read, ISO 8601 UTC."""
    decision: DecisionRecord | None
    reports: dict[str, str]
    """Markdown by documented state key: market_report, sentiment_report, news_report, fundamentals_report,
    macro_regime_report, investment_plan, trader_investment_plan, final_trade_decision."""
    debates: dict[str, list[dict[str, str]]]
    """`research` and `risk`: turns in order, each {speaker, text}."""
    usage: UsageRecord
    timing: TimingRecord
    data_sheet: list[DataSheetRecord]
    warnings: list[str]
    paths: dict[str, str]
    settings: NotRequired[dict[str, Any]]
    versions: NotRequired[dict[str, str]]
    prompts: NotRequired[dict[str, str]]
    """SHA-256 of each agent's prompt template, by agent."""
    error: NotRequired[str]
