"""Results of questions to the store of filings and calls."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from pydantic import BaseModel, ConfigDict

from tradingagents.dataflows.reference.currencies import UNSTATED_UNIT, read_scaled_unit
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.retrieval.models import Hit
from tradingagents.schemas.derivation import Derivation, SourceCell

SOURCE = "filings store"
MOST_CHARS = 1200
"""Characters of a passage that are shown."""


class FoundPassage(BaseModel):
    """A passage of a document."""

    model_config = ConfigDict(frozen=True)

    document: str
    """Short name, such as `AAPL 10-K 2024`."""
    key: str
    """Key of the document in the store."""
    form: str
    fiscal_year: int | None
    fiscal_quarter: int | None
    page: int
    """Counted from 1."""
    start: int
    end: int
    """Characters [start, end) of the page."""
    item: str
    """Item of the filing; empty if unknown."""
    speaker: str
    """Who says it, in a call; else empty."""
    text: str
    known_at: datetime
    url: str


class PassageList(Result):
    """Passages of filings or calls that speak of something, the best first."""

    query: str
    kind: str
    """filings or calls."""
    passages: tuple[FoundPassage, ...]
    documents: int
    """Documents that were known and searched."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Passages of {self.kind}: {self.query}"

    @property
    def places(self) -> str:
        """Documents and pages of its passages; empty for none."""
        return _places(self.passages)

    def figures(self) -> tuple[Figure, ...]:
        """Return how many passages were found, and in how many documents was searched."""
        return (Figure("passages", len(self.passages), "passages"), Figure("documents", self.documents, "documents"))

    def body(self) -> str:
        """Return the passages with their places."""
        if not self.passages:
            return f"Nothing was found in {self.documents} documents."
        return "\n\n".join(map(_shown, self.passages))


def passage_list(
    hits: Sequence[Hit],
    *,
    query: str,
    kind: str,
    symbol: str | None,
    as_of: date,
    fetched_at: datetime,
    documents: int,
) -> PassageList:
    """Return hits as a result."""
    return PassageList(
        symbol=symbol,
        as_of=as_of,
        source=SOURCE,
        known_at=max((hit.info.known_at for hit in hits), default=None),
        fetched_at=fetched_at,
        rows=len(hits),
        query=query,
        kind=kind,
        passages=tuple(map(_passage, hits)),
        documents=documents,
    )


def _passage(hit: Hit) -> FoundPassage:
    info = hit.info
    return FoundPassage(
        document=info.name,
        key=info.key,
        form=info.form,
        fiscal_year=info.fiscal_year,
        fiscal_quarter=info.fiscal_quarter,
        page=hit.place.page + 1,
        start=hit.place.start,
        end=hit.place.end,
        item=hit.item,
        speaker=hit.speaker,
        text=hit.text,
        known_at=info.known_at,
        url=info.url,
    )


def _shown(one: FoundPassage) -> str:
    where = [f"page {one.page}", f"Item {one.item}" if one.item else "", one.speaker]
    text = one.text if len(one.text) <= MOST_CHARS else f"{one.text[:MOST_CHARS]} …"
    quoted = "\n".join(f"> {line}" for line in text.splitlines())
    return f"### {one.document}, {', '.join(part for part in where if part)}\n\n{quoted}"


class DocumentPage(Result):
    """A page of a filing or call as filed."""

    document: str
    """Short name, such as `AAPL 10-K 2024`."""
    key: str = ""
    """Key of the document in the store; empty where the store has no such document that was known by the day."""
    form: str = ""
    page: int = 0
    """Counted from 1."""
    pages: int = 0
    """Of the document."""
    item: str = ""
    """Item of the filing that begins last on this page or before it; empty if unknown."""
    speaker: str = ""
    """Who speaks, in a call; else empty."""
    text: str = ""
    url: str = ""

    @property
    def title(self) -> str:
        """Heading."""
        return f"{self.document}, page {self.page}" if self.key else self.document

    @property
    def place(self) -> str:
        """Page with item or speaker, such as `page 31, Item 7`."""
        return ", ".join(part for part in (f"page {self.page}", f"Item {self.item}" * bool(self.item), self.speaker)
                         if part)  # fmt: skip

    def figures(self) -> tuple[Figure, ...]:
        """Return how many pages the document has: the figures of the page stand in its text."""
        return (Figure("pages", self.pages, "pages"),)

    def body(self) -> str:
        """Return the text as a quotation, or that there is no such document."""
        if not self.key:
            return "The store has no such document that was known by the day; search_filings names those that it has."
        quoted = "\n".join(f"> {line}" for line in self.text.splitlines())
        return f"{self.place}\n\n{quoted}"


class CitedCell(BaseModel):
    """A figure of a statement that an answer uses."""

    model_config = ConfigDict(frozen=True)

    name: str
    """Name in the formula, such as `revenue@2024`."""
    document: str
    """Short name of the document."""
    page: int
    """Counted from 1."""
    row: str
    column: str
    text: str
    """As printed."""
    value: float
    """In its unit, with the table's scale applied."""
    unit: str
    """Currency code or `UNSTATED_UNIT`, `USD/share`, `shares`, `percent`; empty if unknown."""

    @property
    def printed(self) -> str:
        """The figure as printed, and that its currency is not stated where that is so."""
        return f"{self.text} ({UNSTATED_UNIT})" if self.unit.startswith(UNSTATED_UNIT) else self.text


class QuotedSentence(BaseModel):
    """A sentence of a document."""

    model_config = ConfigDict(frozen=True)

    document: str
    page: int
    """Counted from 1."""
    text: str


class AnswerFromFilings(Result):
    """An answer computed from statement cells, or quoted; it says what it cannot answer."""

    question: str
    kind: str
    """figure, comparison, sentences or refusal."""
    answer: str
    value: float | None
    """In `unit`; None where no figure was computed."""
    unit: str
    formula: str
    cells: tuple[CitedCell, ...]
    sentences: tuple[QuotedSentence, ...]
    refusal: str
    """Why no figure could be computed; empty otherwise."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"From filings: {self.question}"

    @property
    def places(self) -> str:
        """Documents and pages of its cells and sentences, such as `VELQ 10-K 2024, page 4`; empty for none."""
        return _places([*self.cells, *self.sentences])

    def derivation(self, name: str) -> Derivation | None:
        """Return the formula with the cells of the filings, each with its document and page."""
        if name != "computed_value" or not self.cells:
            return None
        cells = tuple(
            SourceCell(
                name=cell.name,
                value=cell.value,
                unit=cell.unit,
                where=f"{cell.document}, page {cell.page}, {cell.row}",
            )
            for cell in self.cells
        )
        return Derivation(
            formula=self.formula.partition(" = ")[0],
            output="percent" if self.unit == "percent" else "number",
            cells=cells,
        )

    def figures(self) -> tuple[Figure, ...]:
        """Return the computed figure."""
        if self.value is None:
            return ()
        unit, factor = read_scaled_unit(self.unit)
        shown = {"percent": "%", "times": "x"}.get(unit, unit)
        return (Figure("computed_value", self.value * factor if factor != 1.0 else self.value, shown, self.places),)

    def body(self) -> str:
        """Return the answer, its cells and the nearest sentences."""
        parts = [self.answer]
        if self.cells:
            rows = [
                f"| {cell.row} | {cell.column} | {cell.printed} | {cell.document}, page {cell.page} |"
                for cell in self.cells
            ]
            parts.append("\n".join(("| Row | Column | Printed | Where |", "|---|---|---|---|", *rows)))
        if self.sentences:
            parts.append(
                "\n".join(
                    f"> {sentence.text} ({sentence.document}, page {sentence.page})" for sentence in self.sentences
                )
            )
        return "\n\n".join(parts)


def _places(found: Sequence[CitedCell | QuotedSentence | FoundPassage]) -> str:
    return "; ".join(dict.fromkeys(f"{cell.document}, page {cell.page}" for cell in found))
