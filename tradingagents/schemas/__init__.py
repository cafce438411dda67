"""The records that are written to disk or printed as JSON, in one versioned set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.schemas.records import (
        ArticleReadRecord,
        BatchRecord,
        BatchRow,
        ChangeRecord,
        DataSheetRecord,
        DecisionRecord,
        DegradedRecord,
        DisagreementRecord,
        EvidenceRecord,
        GroundingRecord,
        IndexRecord,
        InstrumentRecord,
        JudgedByRecord,
        LessonRecord,
        MacroContextRecord,
        OutcomeRecord,
        PickRecord,
        ReviewRecord,
        RunRecord,
        ScanRecord,
        ScanSummaryRecord,
        SectorRecord,
        ThemeRecord,
        TimingRecord,
        TracedRecord,
        UntracedRecord,
        UsageRecord,
        WatchRecord,
    )

__all__ = [
    "ArticleReadRecord",
    "BatchRecord",
    "BatchRow",
    "ChangeRecord",
    "DataSheetRecord",
    "DecisionRecord",
    "DegradedRecord",
    "DisagreementRecord",
    "EvidenceRecord",
    "GroundingRecord",
    "IndexRecord",
    "InstrumentRecord",
    "JudgedByRecord",
    "LessonRecord",
    "MacroContextRecord",
    "OutcomeRecord",
    "PickRecord",
    "ReviewRecord",
    "RunRecord",
    "ScanRecord",
    "ScanSummaryRecord",
    "SectorRecord",
    "ThemeRecord",
    "TimingRecord",
    "TracedRecord",
    "UntracedRecord",
    "UsageRecord",
    "WatchRecord",
]

_LOAD = lazy_names(
    __name__,
    {
        "ArticleReadRecord": "records",
        "BatchRecord": "records",
        "BatchRow": "records",
        "ChangeRecord": "records",
        "DataSheetRecord": "records",
        "DecisionRecord": "records",
        "DegradedRecord": "records",
        "DisagreementRecord": "records",
        "EvidenceRecord": "records",
        "GroundingRecord": "records",
        "IndexRecord": "records",
        "InstrumentRecord": "records",
        "JudgedByRecord": "records",
        "LessonRecord": "records",
        "MacroContextRecord": "records",
        "OutcomeRecord": "records",
        "PickRecord": "records",
        "ReviewRecord": "records",
        "RunRecord": "records",
        "ScanRecord": "records",
        "ScanSummaryRecord": "records",
        "SectorRecord": "records",
        "ThemeRecord": "records",
        "TimingRecord": "records",
        "TracedRecord": "records",
        "UntracedRecord": "records",
        "UsageRecord": "records",
        "WatchRecord": "records",
    },
)


def __getattr__(name: str) -> Any:
    return _LOAD(name)
