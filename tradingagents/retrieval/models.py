"""What a document is once it has been read: pages, sections, tables, turns of a call, tagged facts.

Everything that cites a document does so with a `TextPlace`: the document, the page, and the characters on that page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from tradingagents.dataflows.reference.currencies import is_money
from tradingagents.dataflows.reference.line_items import StatementKind

DocumentKind = Literal["filing", "call", "article"]
ColumnBasis = Literal["", "restated", "as reported", "pro forma", "predecessor", "successor", "adjustment"]
"""What the figures of a column are besides the company's own: `as reported` are those before a restatement."""


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """What is known of a document without reading its text."""

    key: str
    """SHA-256 of the content in hexadecimal: the same file twice is one document."""
    name: str
    """Short name for lists and citations, such as `AAPL 10-K 2024`."""
    kind: DocumentKind
    company: str
    """Name of the company; empty if unknown."""
    symbol: str
    """Ticker; empty if unknown."""
    form: str
    """Form as filed, such as 10-K, 10-Q, 8-K, EX-99.1; `call` for a call; empty if unknown."""
    known_at: datetime
    """Instant of acceptance or publication, UTC. A question asked before it never sees the document."""
    fiscal_year: int | None = None
    """The company's own fiscal year."""
    fiscal_quarter: int | None = None
    """1 to 4; None for a document about a whole year, or about no period."""
    period_end: date | None = None
    """Last day of the period that the document is about."""
    url: str = ""
    accession: str = ""
    """The regulator's number; empty if there is none."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a document, as printed; a document without pages is cut at its own page breaks or at headings."""

    number: int
    """Counted from 0; shown to people from 1."""
    text: str
    """Text laid out row by row: the cells of a table's row stand on one line."""
    anchor: str = ""
    """The id of the place in the source's HTML at which the page begins; empty if there is none."""


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A passage of a document: characters [start, end) of one page's text."""

    document: str
    """`DocumentInfo.key`."""
    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ItemSection:
    """An item of a filing, from its heading to the next item's."""

    item: str
    """As numbered, such as 1, 1A, 7, 8 for a 10-K, I-2 for Part I Item 2 of a 10-Q, 2.02 for an 8-K."""
    title: str
    first_page: int
    first_offset: int
    """Character of the first page at which the heading begins."""
    last_page: int
    last_offset: int
    """Character of the last page before which the section ends."""
    sure: bool = True
    """False where the heading was found but its place or end is doubtful; `doubt` says why."""
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class DocumentHeading:
    """A heading of a document."""

    text: str
    page: int
    start: int
    """First character of it on the page."""
    end: int


@dataclass(frozen=True, slots=True)
class Column:
    """A column of figures in a table."""

    header: str
    """Header rows joined from top to bottom, such as `Year Ended September 28, 2024`."""
    period_start: date | None = None
    """First day, where the header or the statement tells a duration."""
    period_end: date | None = None
    fiscal_year: int | None = None
    months: int | None = None
    """Length of the period where the header tells it, though its days may be unknown."""
    currency: str = ""
    """ISO code of a column with a currency of its own, or `UNSTATED_UNIT`; empty: that of each row (`Row.unit`)."""
    scale: float | None = None
    """Factor of its amounts of money where its head states one of its own; None: that of each row (`Row.scale`)."""
    basis: ColumnBasis = ""
    """What its figures are besides the company's own of the period; empty for these."""

    @property
    def name(self) -> str:
        """The header with its currency and its basis, where the header does not print them."""
        more = [word for word in (self.currency, self.basis) if word and word.lower() not in self.header.lower()]
        return f"{self.header} ({', '.join(more)})" if more else self.header


@dataclass(frozen=True, slots=True)
class TableCell:
    """A figure of a table, as printed and as a number."""

    text: str
    """As printed, such as `(1,577)`."""
    value: float | None
    """In the units of the table (`Row.scale` applied); None where the cell holds no number."""
    place: TextPlace | None = None
    fact: int | None = None
    """Position in `SourceDocument.facts` of the fact with which the figure is tagged; None where it has no tag."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; `cells` follow the table's columns, None where the row has nothing there."""

    label: str
    cells: tuple[TableCell | None, ...]
    headings: tuple[str, ...] = ()
    """Headings within the table that this row stands under, outermost first, such as `Current assets`."""
    unit: str = ""
    """Currency or `UNSTATED_UNIT`, also as `USD/share`; `shares`, `percent`, `ratio`, `count`; empty if unknown."""
    scale: float = 1.0
    """Factor from the printed figure to the unit: 1e6 where the table says in millions."""

    def unit_in(self, column: Column) -> str:
        """Return the unit of its figure in a column: a column may have a currency of its own."""
        if not column.currency or not is_money(self.unit):
            return self.unit
        return f"{column.currency}{self.unit[self.unit.index('/') :]}" if "/" in self.unit else column.currency

    def scale_in(self, column: Column) -> float:
        """Return the factor of its figure in a column: a column may have a scale of its own for amounts of money."""
        own = column.scale is not None and is_money(self.unit) and "/" not in self.unit
        return column.scale if own and column.scale is not None else self.scale


@dataclass(frozen=True, slots=True)
class FiledTable:
    """A table of a document."""

    number: int
    """Counted from 0 within the document."""
    page: int
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    statement: StatementKind | None = None
    """Which primary statement it is; None for another table."""
    start: int = 0
    """First character of it on the page."""
    end: int = 0
    section: str = ""
    """The part of the company under whose heading it stands, as `lines.heads.part_sections` tells it; empty: none."""


@dataclass(frozen=True, slots=True)
class CallTurn:
    """What one speaker said in a call before the next spoke."""

    speaker: str
    role: str
    """As the source gives it, such as `CFO` or `analyst`; empty if unknown."""
    part: Literal["prepared", "questions"]
    place: TextPlace


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure that a filing tags in XBRL. Keyed by start and end: a quarter and its year to date never collide."""

    concept: str
    """With its prefix, such as us-gaap:NetIncomeLoss."""
    value: float
    unit: str
    period_start: date | None
    """None for an instant."""
    period_end: date
    dimensions: Mapping[str, str] = field(default_factory=dict)
    """Axis to member; empty for the company as a whole."""


BEFORE_UNITS = "Its tables were added before units were read, and amounts may be in another currency: add it again."
"""The warning of a stored document whose tables have the units that an earlier version read."""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document that has been read."""

    info: DocumentInfo
    pages: tuple[Page, ...]
    sections: tuple[ItemSection, ...] = ()
    tables: tuple[FiledTable, ...] = ()
    turns: tuple[CallTurn, ...] = ()
    facts: tuple[Fact, ...] = ()
    warnings: tuple[str, ...] = ()
    """What could not be read, in words."""
    headings: tuple[DocumentHeading, ...] = ()
    """Its headings in the order of the text; empty for a call."""

    @property
    def unit_notes(self) -> tuple[str, ...]:
        """What an answer from its tables has to say of their units; () where they were read."""
        return (f"{self.info.name}: {BEFORE_UNITS}",) if BEFORE_UNITS in self.warnings else ()

    def text(self, place: TextPlace) -> str:
        """Return the text of a place in this document."""
        return self.pages[place.page].text[place.start : place.end]

    def section_text(self, section: ItemSection) -> str:
        """Return the text of an item of this document, its pages joined by a new line."""
        first, last = section.first_page, section.last_page
        parts = []
        for page in self.pages[first : last + 1]:
            start = section.first_offset if page.number == first else 0
            end = section.last_offset if page.number == last else len(page.text)
            parts.append(page.text[start:end])
        return "\n".join(parts)


@dataclass(frozen=True, slots=True)
class DocumentOutline:
    """Where the items and turns of a document stand: what is said of a page besides its text."""

    sections: tuple[ItemSection, ...] = ()
    turns: tuple[CallTurn, ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """Which documents a search may look into. Empty tuples and None exclude nothing."""

    as_of: datetime | None = None
    """Documents known later are invisible, and so is that they exist. None: the present."""
    documents: tuple[str, ...] = ()
    """Keys of documents."""
    kinds: tuple[DocumentKind, ...] = ()
    symbols: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    """Forms; an amendment (10-K/A) is found by its form and by that of what it amends."""
    fiscal_years: tuple[int, ...] = ()
    fiscal_quarters: tuple[int, ...] = ()
    items: tuple[str, ...] = ()
    """Items of filings, such as 1A."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that a search found."""

    info: DocumentInfo
    place: TextPlace
    text: str
    score: float
    """Larger is better; comparable within one search only."""
    kind: Literal["text", "table", "turn"] = "text"
    item: str = ""
    """Item of the filing in which it stands; empty if unknown."""
    speaker: str = ""
    """Who says it, in a call."""
