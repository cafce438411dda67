"""What the cards of all kinds of runs have in common."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from tradingagents.schemas.record import Record
from tradingagents.schemas.records import (
    ArticleReadRecord,
    DataFaultRecord,
    DataSheetRecord,
    DegradedRecord,
    GroundingRecord,
    TimingRecord,
    UsageRecord,
)

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
    written_last = (*COMMON, "grounding")

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
