"""Records of a grid: its documents, its questions, and one cell for each pair."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tradingagents.files.plain_text import counted
from tradingagents.schemas.cards import CardRecord
from tradingagents.schemas.record import Number, Record

CellStatus = Literal["value", "quoted", "absent", "conflict", "failed"]
"""What a cell holds.

- `value`: an answer with its citation.
- `quoted`: the sentence nearest to the question; no answer, and no language model read it.
- `absent`: the document does not say; the reason is given.
- `conflict`: a value that the same document, or another one of the company, states otherwise for the same period.
- `failed`: the model could not be asked, or gave nothing of use.
"""


class GridDocument(Record):
    """A document: a row of the grid."""

    key: str
    """In the store."""
    name: str
    company: str
    symbol: str
    form: str
    fiscal_year: int | None
    url: str


class CitedPassage(Record):
    """Where a cell's answer stands."""

    page: int
    """Counted from 0."""
    characters: tuple[int, int]
    """From the first one to the one after the last, on the page."""
    text: str
    """The line, or the passage, as printed."""
    label: str = ""
    """Its label in the answer, such as 10K1; empty where the answer cites by place alone."""


class GridOperand(Record):
    """A printed figure that a cell's value is made of."""

    name: str
    """Item and year, such as `revenue@2024`; the quarter follows for one."""
    value: Number
    """In `unit`, unscaled."""
    unit: str
    precision: Number
    """Size of the last printed digit, in `unit`."""


class OtherReading(Record):
    """What is stated otherwise for the same period."""

    row: int
    """The document that states it: another one of the company, or that of the cell."""
    shown: str


class FilingsCell(Record):
    """What one document says to one question."""

    row: int
    column: int
    status: CellStatus
    answer: str = ""
    """In words or as a figure with its unit; empty where there is none."""
    value: Number | None = None
    """Of a figure, in `unit`."""
    unit: str = ""
    formula: str = ""
    reason: str = ""
    """Why there is no answer."""
    passages: list[CitedPassage] = Field(default_factory=list)
    operands: list[GridOperand] = Field(default_factory=list)
    others: list[OtherReading] = Field(default_factory=list)
    """Of a conflict: what is stated otherwise."""
    written_by: Literal["rules", "model"] = "rules"


def grid_size(documents: int, questions: int) -> str:
    """Return how large a grid is, in words."""
    return f"{counted(documents, 'document', 'documents')}, {counted(questions, 'question', 'questions')}"


class GridRecord(CardRecord):
    """The complete record of a grid, as JSON."""

    status: str
    """done, no_answer (no cell holds a value or a quotation), failed, budget or interrupted."""
    companies: list[str]
    questions: list[str]
    as_of: str
    """ISO instant, UTC; nothing known later was read."""
    documents: list[GridDocument]
    cells: list[FilingsCell]
    """By document, then by question; those that are not computed yet are missing."""
    missing: list[str]
    """Companies without a document in the store."""
    answer: str
    """In a sentence, how many cells hold what."""
