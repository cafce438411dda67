"""JSON records of runs and batches: printed by `--json`, stored as `run.json`, and the source of the reports."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from tradingagents.schemas.record import Number, Record

NOTHING_SCORED = "Nothing could be scored: no figure this report needs is known."
"""Text of an offline analyst's report that has no data to read."""


class DegradedRecord(Record):
    """A gap in a run caused by a failed model, or by prices or statements that cannot be true."""

    kind: str
    """fallback_model (another model answered), by_rules (rules answered), missing_report, silent_debater, no_verdict,
    no_evidence (a verdict that rests on no figure of the data, or repeats its instructions), other_company (a verdict
    on another company), untraced_figures (a verdict most of whose figures are not in the data), no_plan (a trade
    without a trader's plan), withheld_prices (figures that reach back across a break are absent) or withheld_statements
    (items of statements cannot be true, and figures over them are absent)."""
    agent: str
    detail: str
    """For fallback_model, the model that answered as `provider/model`; else the reason."""


class DataFaultRecord(Record):
    """Something in a vendor's data that cannot be true, and what became of it."""

    kind: str
    """A kind of the page of data faults, such as split-not-applied."""
    subject: str
    """Symbol or name; empty where the row has none."""
    method: str
    vendor: str
    day: str | None
    """Day of the row; null for a fault of the whole answer."""
    what: str
    done: str
    """How it was handled, such as `the bar is left out`."""
    withholds: bool
    """Whether figures are absent because of it."""
    page: str
    """Where the kind is explained."""


class UsageRecord(Record):
    """Model use of the run. `cost_usd` is null when the price of a model is not known."""

    older_lack: ClassVar[Mapping[str, Any]] = MappingProxyType(
        {"replayed_calls": 0, "retries": 0, "by_agent": MappingProxyType({}), "by_tier": MappingProxyType({})}
    )
    llm_calls: int
    replayed_calls: int
    """Replies reused from earlier runs; they are not calls and cost nothing."""
    retries: int
    """Repeated attempts; they do not count as calls."""
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost_usd: Number | None
    by_agent: dict[str, dict[str, Any]]
    by_tier: dict[str, dict[str, Any]]

    @classmethod
    def in_all(cls, llm_calls: int, cost_usd: float) -> UsageRecord:
        """Return the use of calls of which neither tokens nor agents were counted."""
        return cls.model_validate(
            {
                "llm_calls": llm_calls,
                **dict.fromkeys(("input_tokens", "output_tokens", "cached_tokens"), 0),
                "cost_usd": cost_usd,
            }
        )


class TimingRecord(Record):
    """Start, end and duration of the run; `wall_s` is in seconds."""

    wall_s: Number
    started_at: str = ""
    finished_at: str = ""
    starts: int = 0
    """How many times the run was started; `wall_s` covers only the last start. 0 where starts are not counted."""


class DataSheetRecord(Record):
    """One data result given to the run: method, symbol, vendor, window, and when its data were known."""

    method: str
    symbol: str | None
    vendor: str
    start: str | None
    end: str | None
    rows: int
    known_at: str | None
    fetched_at: str
    figures: dict[str, Number]
    notes: list[str]
    inputs: list[str]


class ArticleReadRecord(Record):
    """One article shown to agents."""

    tool: str
    """The tool that returned it: get_news, get_global_news or get_topic_news."""
    asked: str
    """Title of the tool's result, such as `News: HD` or `News on geopolitics`."""
    title: str
    publisher: str | None
    published_at: str
    """ISO 8601 instant, UTC."""
    day_only: bool
    """True when the source gives the day but not the hour."""
    url: str | None
    """An http or https address; null when the source gives none that is safe to show."""
    symbol: str | None
    """The company under which the source lists it."""
    relevance: Number
    """0 to 1; below 0.5 it is a weak match. See `analytics.company.news_ranking`."""
    weak: bool
    reason: str
    """Why it is relevant, in a few words."""
    agents: list[str]
    """Agents that were shown it."""


class UntracedRecord(Record):
    """A figure in a model's text that was not found in the data given to the run."""

    report: str
    """State key of the report; research_debate or risk_debate for a turn of a debate."""
    figure: str
    """As written by the model."""
    text: str
    """The surrounding text, on one line."""
    where: str
    """Path of the text in the record: reports.market_report, debates.risk.2.text."""
    at: int
    """Position of the figure's first character in that text."""


class TracedRecord(Record):
    """Number of figures checked in a report, and number found in the data."""

    figures: int
    matched: int


class GroundingRecord(TracedRecord):
    """Which figures in the models' texts were found in the run's data; see `provenance.figure_check`."""

    unmatched: list[UntracedRecord]
    by_report: dict[str, TracedRecord]


class WithheldRecord(Record):
    """An answer whose figures were withheld because nothing in the run's data gives them."""

    report: str
    """Key of the answer in `reports`."""
    figures: list[str]
    """As the model wrote them, in order."""
    written: str
    """The text as the model wrote it."""


class ReviewRecord(Record):
    """A person's review of a proposed decision."""

    verdict: str
    """approve, revise or reject."""
    note: str
    action: str
    """Action of the reviewed decision."""
    at: str
    """ISO 8601 instant, UTC."""


class LessonRecord(Record):
    """A lesson shown to an agent."""

    older_lack: ClassVar[Mapping[str, Any]] = MappingProxyType({"outcome": None})
    memory: str
    """The memory it comes from, such as bull_memory."""
    id: int | None
    """Its id; null when the memory is not stored in a database."""
    similarity: Number
    """Similarity of its situation to the present one, 0 to 1."""
    settled_on: str
    """The day its outcome was known."""
    ticker: str | None
    """The company it is about; null when it is not about a single company."""
    recommendation: str
    outcome: str | None
    """Decision, day and outcome; null for lessons added by hand, and in earlier cards."""


class RepeatedAsksRecord(Record):
    """What an agent answered that was asked the same again, and whether its action is settled."""

    agent: str
    verdict: Literal["settled", "unsettled", "asked_once"]
    """See `analytics.decisions.settling`; asked_once where another answer could not differ or not matter."""
    reason: str
    """How the asks ended, in a sentence."""
    answers: dict[str, int]
    """Number of asks by the action that they gave, the most frequent first; NO_DECISION for no usable answer."""
    added_calls: int
    """Model calls of all asks but the first."""
    added_cost_usd: Number | None
    """Cost of those calls; null where the price of a model is not known."""

    @property
    def asks(self) -> int:
        """How often it was asked."""
        return sum(self.answers.values())


class JudgedByRecord(Record):
    """The terms on which a decision will be evaluated once its window has passed."""

    as_of_price: Number
    """Close of the session `as_of_session`, as traded then, in the instrument's currency."""
    as_of_session: str
    horizon_days: int
    """Calendar days from the trade date: the decision's own horizon, or `outcome_days` when it names none."""
    until: str
    """The window ends with the first session on or after this day."""
    benchmark: str | None
    entry_open: str = ""
    """Session whose open begins the window, where the run knew more than the close of `as_of_session`; empty: that
    close."""


class InstrumentRecord(Record):
    """The instrument behind the ticker."""

    older_lack: ClassVar[Mapping[str, Any]] = MappingProxyType({"listing": None})
    symbol: str
    name: str
    kind: str
    sector: str | None
    industry: str | None
    exchange: str
    """MIC of the calendar of its sessions."""
    currency: str
    benchmark: str | None
    listing: str | None
    """MIC of the exchange where it is listed; None where it is not known."""


class SectorRecord(Record):
    """One sector's returns."""

    sector: str
    """Sector key."""
    etf: str
    """Symbol of the sector's fund."""
    returns: Mapping[str, float | None]
    """Percent, by period: 1d, 1w, 1m (1, 5, 21 sessions) and ytd; dividends are included. None when the fund's history
    is missing or too short."""


class IndexRecord(Record):
    """One index at the last session."""

    symbol: str
    name: str
    last: float
    """Last close, points."""
    change: float
    """Points since the previous close."""
    change_pct: float
    """Percent since the previous close."""
    high_52w: float | None
    """Highest high of the last 365 days, in points; None when the history is shorter."""
    low_52w: float | None
    """Lowest low of the same days."""
