"""What tools answered in a run, as several kinds of runs keep it: figures, facts, answered questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from tradingagents.schemas.derivation import Derivation
from tradingagents.schemas.record import Number, Record
from tradingagents.schemas.workspace import WireModel


class FigureRecord(Record):
    """One figure of a tool's answer."""

    older_lack: ClassVar[Mapping[str, Any]] = {"over": ""}
    name: str
    value: Number
    shown: str
    """With its unit, as the tool wrote it."""
    over: str
    """Its period or day in words; empty: as of the day of the answer."""
    derivation: Derivation | None = None


class FactRecord(Record):
    """What one tool call gave."""

    older_lack: ClassVar[Mapping[str, Any]] = {"documents": ()}
    capability: str
    arguments: dict[str, Any]
    title: str
    symbol: str | None
    as_of: str
    figures: list[FigureRecord]
    """Those that the task is about first."""
    texts: list[str]
    """Sentences of an answer without figures: passages, headlines, the business."""
    documents: list[str]
    """Filings and calls that the answer stands in, such as `VELQ 10-K 2024, page 12`."""
    failure: str
    """Why there is no answer; empty where there is one."""


class AnsweredQuestion(Record):
    """An earlier question of a session."""

    older_lack: ClassVar[Mapping[str, Any]] = {"run_id": "", "as_of": "", "facts": ()}
    question: str
    answer: str
    tickers: list[str]
    frameworks: list[str]
    findings: dict[str, str]
    """What tasks found, by key."""
    run_id: str
    """The run that answered it."""
    as_of: str
    """The day it was asked of: nothing later is in it."""
    facts: list[FactRecord]
    """What its tools answered, each once; without failures."""


class PriceRange(Record):
    """A range of prices that a method gives beside the discounted cash flow."""

    label: str
    low: Number
    middle: Number
    high: Number
    note: str
    """How it was found."""


class FigureOfTool(WireModel):
    """A figure of a tool's answer with where it comes from."""

    name: str
    value: float
    """As the tool gave it: a percentage is 12.5 for 12.5 %."""
    unit: str = ""
    source: str
    """The tool that answered it; of a saved thesis with the vendor."""
    period: str = ""
    known_at: str = ""
