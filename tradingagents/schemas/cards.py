"""What the cards of research, debates, comparisons and deep reports have in common."""

from __future__ import annotations

from typing import TypedDict

from tradingagents.schemas.records import (
    ArticleReadRecord,
    DataFaultRecord,
    DataSheetRecord,
    DegradedRecord,
    GroundingRecord,
    TimingRecord,
    UsageRecord,
    WithheldRecord,
)


class _MoreOfCard(TypedDict, total=False):
    known: str
    """Up to when prices and news are known, where news reach beyond the session's close; see `Cutoff.known`."""
    error: str
    """Why the run did not end properly."""
    versions: dict[str, str]
    grounding: GroundingRecord
    data_faults: list[DataFaultRecord]
    """What the data gate found in the answers of vendors; older records lack it."""
    withheld: list[WithheldRecord]
    """Figures that readers are not shown, with the text as the model wrote it; older records lack it."""
    paths: dict[str, str]


class CardRecord(_MoreOfCard):
    """The fields of every card of a run that answers, argues, compares or reports."""

    run_id: str
    status: str
    kind: str
    data_sheet: list[DataSheetRecord]
    """Of this run, and of the runs that it rests on."""
    degraded: list[DegradedRecord]
    usage: UsageRecord
    timing: TimingRecord
    warnings: list[str]
    reports: dict[str, str]
    """Its texts by name, as Markdown."""
    session: str
    """The last exchange session that had closed by the cut-off."""
    cutoff: str
    articles_read: list[ArticleReadRecord]
