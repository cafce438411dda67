"""What runs leave as JSON: the object that `--json` prints, `run.json` keeps and the reports are made from."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

NOTHING_SCORED = "Nothing could be scored: no figure this report needs is known."
"""What a report of the offline analysts says that found nothing to read."""


class EvidenceRecord(TypedDict):
    """A claim and its source."""

    claim: str
    source: str
    unsupported: NotRequired[str]
    """Of a decision's key evidence that names no figure of the data this run was given: no_figure (the claim holds
    none) or untraced (none of its figures stands in the data). Absent where one does, and where nobody looked."""


class DecisionRecord(TypedDict):
    """A decision; see `agents.schemas.Decision` for meanings. Null where the model gave none."""

    action: str
    confidence: float
    rationale: str
    reasoning: NotRequired[str | None]
    """Absent in earlier cards, as `plan`."""
    plan: NotRequired[list[str]]
    horizon_days: int | None
    entry: float | None
    stop: float | None
    target: float | None
    position_size: float | None
    sell_means: NotRequired[str | None]
    """short or close for a SELL, see the setting of that name; null for others, absent in earlier cards."""
    key_evidence: list[EvidenceRecord]
    dissent: str | None
    would_change: str | None
    strength: NotRequired[float | None]
    """How strongly the offline rules speak, 0 to 1; null for language models, absent in earlier cards."""
    track_record: NotRequired[str | None]
    """How often decisions like this one were right, in a sentence; null where nothing was measured."""


class DegradedRecord(TypedDict):
    """Something a run had to do without, because a model failed."""

    kind: str
    """fallback_model (another model answered), missing_report, silent_debater or no_verdict."""
    agent: str
    detail: str
    """The model that answered instead as `provider/model`; else the reason."""


class UsageRecord(TypedDict):
    """Model use of the run. `cost_usd` is null where a model's price is not known."""

    llm_calls: int
    replayed_calls: NotRequired[int]
    """Replies that were kept from earlier runs: no calls, and free."""
    retries: NotRequired[int]
    """Further attempts at calls; they are no calls of their own."""
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
    starts: NotRequired[int]
    """How many times the run was started; `wall_s` is of the last."""


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


class ArticleReadRecord(TypedDict):
    """One article that agents were shown."""

    tool: str
    """Tool that gave it: get_news, get_global_news or get_topic_news."""
    asked: str
    """Heading of the answer it stood in, such as `News: HD` or `News on geopolitics`."""
    title: str
    publisher: str | None
    published_at: str
    """ISO 8601 instant, UTC."""
    day_only: bool
    """True where the source gives the day without the hour."""
    url: str | None
    """An http or https address; null where the source gives none that is fit to be shown."""
    symbol: str | None
    """The company it was filed under."""
    relevance: float
    """0 to 1; below 0.5 it is a weak match. See `analytics.company.news_ranking`."""
    weak: bool
    reason: str
    """Why it is relevant, in a few words."""
    agents: list[str]
    """Who was shown it."""


class UntracedRecord(TypedDict):
    """A figure of a model's text that could not be traced to what the run was given."""

    report: str
    """State key of the report; research_debate or risk_debate for a turn."""
    figure: str
    """As the model wrote it."""
    text: str
    """The words around it, on one line."""
    where: str
    """Path of the text in the record: reports.market_report, debates.risk.2.text."""
    at: int
    """Character of that text with which the figure begins."""


class TracedRecord(TypedDict):
    """How many figures of a report were looked at, and how many were traced to data."""

    figures: int
    matched: int


class GroundingRecord(TracedRecord):
    """Which figures of what models wrote can be traced to the data the run was given; see `provenance.figure_check`."""

    unmatched: list[UntracedRecord]
    by_report: dict[str, TracedRecord]


class ReviewRecord(TypedDict):
    """What a person said of a proposed decision."""

    verdict: str
    """approve, revise or reject."""
    note: str
    action: str
    """Of the decision that was reviewed."""
    at: str
    """ISO 8601 instant, UTC."""


class LessonRecord(TypedDict):
    """A lesson that an agent was shown."""

    memory: str
    """The memory it comes from, such as bull_memory."""
    id: int | None
    """Its number; null where the memory is kept in no database."""
    similarity: float
    """How alike its situation is, 0 to 1."""
    settled_on: str
    """The day its outcome was known."""
    ticker: str | None
    """The company it is about; null where it is about no one company."""
    recommendation: str
    outcome: NotRequired[str | None]
    """What was decided on which day and with what outcome; null where told from outside, absent in earlier cards."""


class JudgedByRecord(TypedDict):
    """What a decision will be measured by, once its window has passed."""

    as_of_price: float
    """Close of the session `as_of_session`, as traded then, in the instrument's currency."""
    as_of_session: str
    horizon_days: int
    """Calendar days from the trade date; the decision's own, or `outcome_days` where it names none."""
    until: str
    """The window ends with the first session on or after this day."""
    benchmark: str | None


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
    kind: str
    """The workflow: `trading`."""
    status: str
    """done, no_decision, rejected, awaiting_approval, failed, budget or interrupted."""
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
    articles_read: NotRequired[list[ArticleReadRecord]]
    """By tool and question, the most relevant first; absent in records of earlier versions."""
    grounding: NotRequired[GroundingRecord]
    """Absent in records of versions that did not trace figures, and where that failed."""
    degraded: NotRequired[list[DegradedRecord]]
    """Empty where the run lacked nothing; absent in the cards of earlier versions."""
    warnings: list[str]
    paths: dict[str, str]
    settings: NotRequired[dict[str, Any]]
    versions: NotRequired[dict[str, str]]
    prompts: NotRequired[dict[str, str]]
    """SHA-256 of each agent's prompt template, by agent."""
    reviews: NotRequired[list[ReviewRecord]]
    """What a person said of the proposed decisions, in order; absent where none was asked."""
    decisions: NotRequired[dict[str, DecisionRecord]]
    """Every typed decision by the state key of its text: investment_plan, trader_investment_plan,
    final_trade_decision."""
    models: NotRequired[dict[str, str]]
    """`provider/model` by tier."""
    lessons_used: NotRequired[dict[str, list[LessonRecord]]]
    """Lessons by the agent that was shown them, most alike first; absent where there was none."""
    judged_by: NotRequired[JudgedByRecord]
    """Absent where there is no decision to judge."""
    error: NotRequired[str]


class PickRecord(TypedDict):
    """A stock to investigate, as a scan names it."""

    ticker: str
    name: str
    sector: str
    """Display name, such as Information Technology."""
    rationale: str
    thesis_angle: str
    """growth, value, catalyst, turnaround, defensive, momentum (of a rising stock) or decline (of a falling one)."""
    stance: NotRequired[str]
    """buy_candidate, short_candidate or watch; absent in records of earlier versions."""
    conviction: str
    """high, medium or low."""
    key_catalysts: list[str]
    risks: list[str]
    evidence: list[EvidenceRecord]
    seen_in: list[str]
    """Tools in whose answers the ticker stood."""


class ThemeRecord(TypedDict):
    """A theme of a scan."""

    theme: str
    description: str
    conviction: str
    timeframe: str | None


class MacroContextRecord(TypedDict):
    """Where the economy stands, as a scan sees it."""

    economic_cycle: str
    central_bank_stance: str
    geopolitical_risks: list[str]


class ScanSummaryRecord(TypedDict):
    """What a scan comes to: the documented JSON of the macro synthesis."""

    timeframe: str
    executive_summary: str
    macro_context: MacroContextRecord
    key_themes: list[ThemeRecord]
    stocks_to_investigate: list[PickRecord]
    """Best first."""
    risk_factors: list[str]


class SectorRecord(TypedDict):
    """One sector's returns."""

    sector: str
    """Sector key."""
    etf: str
    returns: dict[str, float | None]
    """Percent by period: 1d, 1w, 1m, ytd; null where the history is too short or missing."""


class IndexRecord(TypedDict):
    """One index at the last session."""

    symbol: str
    name: str
    last: float
    change: float
    """Points against the close before."""
    change_pct: float
    high_52w: float
    low_52w: float


class ScanRecord(TypedDict):
    """Everything a scan leaves, as JSON."""

    run_id: str
    kind: str
    """The workflow: `scan`."""
    status: str
    """done, no_summary (the model gave no usable one), failed, budget or interrupted."""
    scan_date: str
    session: str
    cutoff: str
    summary: ScanSummaryRecord | None
    sectors: list[SectorRecord]
    """In the order of `dataflows.reference.sectors.SECTORS`; empty where they could not be had."""
    top_sectors: list[str]
    """Keys of the sectors the industry deep dive looked into, largest absolute one-month move first."""
    indices: list[IndexRecord]
    reports: dict[str, str]
    """Markdown by documented state key: geopolitical_report, market_movers_report, sector_performance_report,
    industry_deep_dive_report; and macro_scan_summary, which is JSON text."""
    usage: UsageRecord
    timing: TimingRecord
    data_sheet: list[DataSheetRecord]
    articles_read: NotRequired[list[ArticleReadRecord]]
    """By tool and question, the most relevant first; absent in records of earlier versions."""
    grounding: NotRequired[GroundingRecord]
    """Absent in records of versions that did not trace figures, and where that failed."""
    degraded: NotRequired[list[DegradedRecord]]
    """Empty where the run lacked nothing; absent in the cards of earlier versions."""
    warnings: list[str]
    paths: dict[str, str]
    settings: NotRequired[dict[str, Any]]
    versions: NotRequired[dict[str, str]]
    prompts: NotRequired[dict[str, str]]
    error: NotRequired[str]


class DisagreementRecord(TypedDict):
    """How far bull and bear were apart, as the research manager judged it."""

    contested: float | None
    """1 less the research manager's confidence: 0 settled, 1 wide open; null without that decision."""
    other_side: str | None
    """What the overruled side had right, in the research manager's words."""


class BatchRow(TypedDict):
    """One ticker of a batch."""

    ticker: str
    name: str
    sources: list[str]
    """Why it was looked at: scan, portfolio, watchlist."""
    conviction: str | None
    """The scan's; null for what the scan did not name."""
    status: str
    """done, no_decision, failed, budget, interrupted; waiting where it never began."""
    decision: DecisionRecord | None
    key_reason: str | None
    """First sentence of the decision's rationale."""
    disagreement: DisagreementRecord
    cost_usd: float | None
    """Of this ticker's run; null where a price is not known or there was no run."""
    run_id: str | None
    paths: dict[str, str]
    """Of the run: folder, card, report, html; empty where there was none."""
    error: str | None
    degraded: NotRequired[list[DegradedRecord]]
    """Of the run."""
    exit_code: NotRequired[int]
    """What a command that studied this ticker alone would have ended with; 0 where it came to a decision."""


class BatchRecord(TypedDict):
    """What `auto` leaves: the scan and a decision on every candidate, ranked."""

    batch_id: str
    status: str
    """done, partial (some tickers failed), budget, interrupted or failed (no scan, or no ticker ended)."""
    trade_date: str
    session: str
    scan: ScanRecord | None
    """Null for a batch that stands on no scan."""
    rows: list[BatchRow]
    """Ranked: decisions to buy, then to sell, then to hold, each by confidence; what has no decision last."""
    usage: UsageRecord
    """Of the scan and all runs together, earlier starts included."""
    timing: TimingRecord
    """Of this start."""
    warnings: list[str]
    paths: dict[str, str]
    """folder, card, report, html."""


class OutcomeRecord(TypedDict):
    """What a ticker came to on a day."""

    action: str
    """BUY, SELL, HOLD, or NO_DECISION where the run ended without one, failed ones included."""
    confidence: float
    """0 for NO_DECISION."""
    trade_date: str
    run_id: str | None
    strength: NotRequired[float]
    """How strongly the offline rules speak, 0 to 1; absent for decisions of language models."""


class ChangeRecord(TypedDict):
    """How a watched ticker's decision compares with the one before it."""

    ticker: str
    kind: str
    """first (nothing to compare with), flip (another action), confidence (the same one, surer or less so), lost (a
    decision before, none now), regained (none before), same."""
    before: OutcomeRecord | None
    after: OutcomeRecord
    words: str
    """One sentence for people."""


class WatchRecord(TypedDict):
    """What a run of the watch list leaves: a decision on every ticker, and what changed."""

    watch_id: str
    trade_date: str
    since: str | None
    """The newest trade date compared with; null where there was nothing to compare with."""
    batch: BatchRecord
    changes: list[ChangeRecord]
    """In the list's order; a ticker that the budget or an interruption left unfinished has none yet."""
    paths: dict[str, str]
    """folder, card, report, html."""
