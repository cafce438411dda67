"""What tools answered in a run, as several kinds of runs keep it: figures, facts, answered questions."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from tradingagents.schemas.record import Number


class CellRecord(TypedDict):
    """One value of the data that a figure rests on."""

    name: str
    """Name in the formula, such as `revenue@2024`."""
    value: Number
    """As given, not rounded."""
    unit: str
    where: str
    """Where it stands, such as `income statement, fiscal 2024 (to 2024-01-31)`."""


class DerivationRecord(TypedDict):
    """How a figure follows from cells."""

    formula: str
    output: str
    """number, percent, money, per_share, times or days."""
    cells: list[CellRecord]


class FigureRecord(TypedDict):
    """One figure of a tool's answer."""

    name: str
    value: Number
    shown: str
    """With its unit, as the tool wrote it."""
    over: NotRequired[str]
    """Its period or day in words; empty: as of the day of the answer."""
    derivation: NotRequired[DerivationRecord]


class FactRecord(TypedDict):
    """What one tool call gave."""

    capability: str
    arguments: dict[str, Any]
    title: str
    symbol: str | None
    as_of: str
    figures: list[FigureRecord]
    texts: list[str]
    """Sentences of an answer without figures: passages, headlines, the business."""
    documents: NotRequired[list[str]]
    """Filings and calls that the answer stands in, such as `VELQ 10-K 2024, page 12`; older records lack it."""
    failure: str
    """Why there is no answer; empty where there is one."""


class AnsweredQuestion(TypedDict):
    """An earlier question of a session."""

    question: str
    answer: str
    tickers: list[str]
    frameworks: list[str]
    findings: dict[str, str]
    """What tasks found, by key."""
    run_id: NotRequired[str]
    """The run that answered it; older sessions lack it, the day and the facts."""
    as_of: NotRequired[str]
    """The day it was asked of: nothing later is in it."""
    facts: NotRequired[list[FactRecord]]
    """What its tools answered, each once; without failures."""
