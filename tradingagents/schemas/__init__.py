"""The records that are written to disk or printed as JSON, in one versioned set."""

from __future__ import annotations

from tradingagents.schemas.batches import (
    BatchRecord,
    BatchRow,
    ChangeRecord,
    DisagreementRecord,
    OutcomeRecord,
    WatchRecord,
)
from tradingagents.schemas.cards import RunRecord, ScanRecord
from tradingagents.schemas.decision import Decision, KeyEvidence
from tradingagents.schemas.records import (
    ArticleReadRecord,
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
    TracedRecord,
    UntracedRecord,
    UsageRecord,
)
from tradingagents.schemas.scan_summary import MacroContext, PickRecord, ScanSummaryRecord, Theme

__all__ = [
    "ArticleReadRecord",
    "BatchRecord",
    "BatchRow",
    "ChangeRecord",
    "DataSheetRecord",
    "Decision",
    "DegradedRecord",
    "DisagreementRecord",
    "GroundingRecord",
    "IndexRecord",
    "InstrumentRecord",
    "JudgedByRecord",
    "KeyEvidence",
    "LessonRecord",
    "MacroContext",
    "OutcomeRecord",
    "PickRecord",
    "RepeatedAsksRecord",
    "ReviewRecord",
    "RunRecord",
    "ScanRecord",
    "ScanSummaryRecord",
    "SectorRecord",
    "Theme",
    "TimingRecord",
    "TracedRecord",
    "UntracedRecord",
    "UsageRecord",
    "WatchRecord",
]
