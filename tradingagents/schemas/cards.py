"""What the cards of all kinds of runs have in common."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from pydantic import Field

from tradingagents.schemas.decision import Decision
from tradingagents.schemas.portfolio import HolderRecord
from tradingagents.schemas.record import Record
from tradingagents.schemas.records import (
    ArticleReadRecord,
    DataFaultRecord,
    DataSheetRecord,
    DegradedRecord,
    GroundingRecord,
    IndexRecord,
    InstrumentRecord,
    JudgedByRecord,
    LessonRecord,
    RepeatedAsksRecord,
    ReviewRecord,
    SectorRecord,
    TimingRecord,
    UsageRecord,
)
from tradingagents.schemas.scan_summary import ScanSummaryRecord

COMMON = (
    *("kind", "session", "cutoff", "known", "reports", "usage", "timing", "data_sheet", "articles_read", "degraded"),
    *("data_faults", "warnings", "paths", "settings", "versions", "prompts", "error"),
)
"""The fields of every card that stand after those of its kind, in their order."""


class CardRecord(Record):
    """The fields of every card: who ran, what it read, how it ended."""

    older_lack: ClassVar[Mapping[str, Any]] = MappingProxyType(
        {
            **dict.fromkeys(("articles_read", "degraded", "data_faults", "warnings"), ()),
            **dict.fromkeys(("paths", "settings", "versions", "prompts"), MappingProxyType({})),
        }
    )
    written_last: ClassVar[tuple[str, ...]] = (*COMMON, "grounding")

    run_id: str
    status: str
    kind: str
    """The kind of run, such as `trading`."""
    session: str
    """The last exchange session that had closed by the cut-off."""
    cutoff: str
    """No data published after this instant were used; ISO 8601, UTC."""
    known: str = ""
    """Up to when prices and news are known, where news reach beyond the session's close; see `Cutoff.known`."""
    reports: dict[str, str]
    """Its texts by name, as Markdown."""
    usage: UsageRecord
    timing: TimingRecord
    data_sheet: list[DataSheetRecord]
    """Of this run, and of the runs that it rests on."""
    articles_read: list[ArticleReadRecord]
    """By tool and question, the most relevant first."""
    degraded: list[DegradedRecord]
    """Empty if nothing was missing."""
    data_faults: list[DataFaultRecord]
    """What the data gate found in the answers of vendors."""
    warnings: list[str]
    paths: dict[str, str]
    """Of the files that the run left, by what they hold."""
    settings: dict[str, Any]
    versions: dict[str, str]
    prompts: dict[str, str]
    """SHA-256 of each agent's prompt template, by agent."""
    error: str = ""
    """Why the run did not end properly."""
    grounding: GroundingRecord | None = None
    """None where no figures were checked, or the check failed."""


class RunRecord(CardRecord):
    """The card of a trading run."""

    older_lack: ClassVar[Mapping[str, Any]] = {
        **CardRecord.older_lack,
        "kind": "trading",
        "decisions": MappingProxyType({}),
        "models": MappingProxyType({}),
    }
    written_last = (
        *COMMON[:-1],
        *("error", "reviews", "debates", "decisions", "models", "lessons_used", "judged_by", "grounding", "book"),
        "settling",
    )

    status: str
    """done, no_decision, rejected, awaiting_approval, failed, budget or interrupted."""
    ticker: str
    trade_date: str
    instrument: InstrumentRecord
    decision: Decision | None
    reports: dict[str, str]
    """Markdown by documented state key: market_report, sentiment_report, news_report, fundamentals_report,
    macro_regime_report, investment_plan, trader_investment_plan, final_trade_decision."""
    debates: dict[str, list[dict[str, str]]]
    """`research` and `risk`: turns in order, each {speaker, text}."""
    reviews: list[ReviewRecord] = Field(default_factory=list)
    """A person's reviews of the proposed decisions, in order; empty if no review was requested."""
    decisions: dict[str, Decision]
    """Every typed decision by the state key of its text: investment_plan, trader_investment_plan,
    final_trade_decision."""
    models: dict[str, str]
    """`provider/model` by tier."""
    lessons_used: dict[str, list[LessonRecord]] = Field(default_factory=dict)
    """Lessons by the agent that was shown them, most similar first; empty if there were none."""
    judged_by: JudgedByRecord | None = None
    """None when there is no decision to evaluate."""
    book: HolderRecord | None = None
    """What the decision means for the book that the run was given; None where it was given none."""
    settling: list[RepeatedAsksRecord] = Field(default_factory=list)
    """What each deciding agent answered that was asked again, in running order; empty without the setting `settle`."""


class ScanRecord(CardRecord):
    """The card of a scan."""

    status: str
    """done, no_summary (the model gave no usable one), failed, budget or interrupted."""
    scan_date: str
    summary: ScanSummaryRecord | None
    sectors: list[SectorRecord]
    """In the order of `dataflows.reference.sectors.SECTORS`; empty if no prices were available."""
    top_sectors: list[str]
    """Keys of the sectors studied by the industry deep dive, largest absolute one-month move first."""
    indices: list[IndexRecord]
    reports: dict[str, str]
    """Markdown by documented state key: geopolitical_report, market_movers_report, sector_performance_report,
    industry_deep_dive_report; and macro_scan_summary, which is JSON text."""
