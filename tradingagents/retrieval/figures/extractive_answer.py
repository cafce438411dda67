"""The answer that rules give to a question about filings."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from tradingagents.retrieval.calculation import CitedOperand
from tradingagents.retrieval.models import TextPlace

AnswerKind = Literal["figure", "comparison", "sentences", "refusal"]


class CitedSentence(BaseModel):
    """A sentence of a document, quoted."""

    model_config = ConfigDict(frozen=True)

    text: str
    document_name: str
    place: TextPlace
    """The characters of the sentence."""
    score: float


class ExtractiveAnswer(BaseModel):
    """An answer read from the cells and sentences of filings; it says what it cannot answer."""

    model_config = ConfigDict(frozen=True)

    question: str
    kind: AnswerKind
    text: str
    """The answer in words."""
    value: float | None = None
    """In `unit`: a percentage as 4.8 for 4.8 %, money in the unit that the question asks for."""
    unit: str = ""
    """Such as `USD millions`, `percent`, `days`; empty for a plain ratio."""
    formula: str = ""
    """The formula with the figures put in and its result."""
    operands: tuple[CitedOperand, ...] = ()
    """Every figure used, with its row, column and place."""
    others: tuple[CitedOperand, ...] = ()
    """Cells of the same filing that state an operand of the same name otherwise; the text names them."""
    sentences: tuple[CitedSentence, ...] = ()
    confidence: float = 0.0
    """0 to 1: how surely the rows are the ones asked for."""
    refusal: str = ""
    """Why there is no figure; empty if there is one."""
