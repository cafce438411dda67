"""Records of comparisons: the companies, the rows of the table, the run's card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from tradingagents.schemas.cards import CardRecord
from tradingagents.schemas.facts import FactRecord
from tradingagents.schemas.record import Number, Record
from tradingagents.schemas.records import DataSheetRecord, WithheldRecord


class ComparedCell(Record):
    """One company's figure in a row."""

    symbol: str
    value: Number | None
    """None where it is withheld."""
    shown: str
    """With its unit; empty where it is withheld."""
    withheld: str
    """Why there is no figure; empty where there is one."""
    end: str
    """End of its period; empty where it is withheld."""


class ComparisonRow(Record):
    """One figure of every company: from one source, over one period, by one definition."""

    topic: str
    name: str
    label: str
    capability: str
    source: str
    """Data vendor; empty where no company has the figure."""
    period: str
    """Such as `trailing twelve months to 2024-12-31`."""
    definition: str
    unit: str
    cells: list[ComparedCell]


class ComparedCompany(Record):
    """What the research on one company gave."""

    symbol: str
    run_id: str
    """Its research run; empty where none was begun."""
    status: str
    """completed or failed."""
    answer: str
    sources: list[str]
    missing: list[str]
    note: str
    """Why it failed; empty otherwise."""


class ResearchedCompany(ComparedCompany):
    """The same with what it rests on, which the card of its own run holds."""

    facts: list[FactRecord]
    data_sheet: list[DataSheetRecord]


class AnswerNotes(Record):
    """What stands below an answer."""

    sources: list[str]
    missing: list[str]
    withheld: list[WithheldRecord]
    """Figures that the answer does not show, since no tool gave them."""


class CompareRecord(CardRecord):
    """The card of a comparison."""

    older_lack: ClassVar[Mapping[str, Any]] = {**CardRecord.older_lack, "withheld": ()}

    tickers: list[str]
    topics: list[str]
    as_of: str
    companies: list[ComparedCompany]
    table: list[ComparisonRow]
    answer: str
    sources: list[str]
    missing: list[str]
    withheld: list[WithheldRecord]
    """Figures that readers are not shown, with the text as the model wrote it."""
    written_by: str
    """rules or model."""
