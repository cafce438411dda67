"""A line that is wanted, and the cell of a table that gives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tradingagents.retrieval.calculation import CitedOperand
from tradingagents.retrieval.line_items import line_items
from tradingagents.retrieval.lines.line_questions import Qualifier
from tradingagents.retrieval.models import Column, FiledTable, Row, SourceDocument, TableCell, TextPlace

CellKind = Literal["money", "per_share", "percent", "count", "any"]


@dataclass(frozen=True, slots=True)
class WantedLine:
    """What a line has to say."""

    phrase: str = ""
    """Words that its label, headings, column or tag have to hold; empty for none."""
    item: str = ""
    """The line item that it is of; empty for none."""
    measure: str = ""
    """A name that the row prints itself, such as `gross margin`; empty for none."""
    kind: CellKind = "any"
    qualifiers: frozenset[Qualifier] = frozenset()
    growth: bool = False
    """Whether a printed rate of change is wanted."""
    context: str = ""
    """Words that the table has to hold somewhere, such as the business that its rows are parts of."""
    without: frozenset[str] = frozenset()
    """Words that its label must not have: the question says that they are not meant."""
    months: int = 0
    """Length of the part of a year that ends with the quarter wanted; 0 for the quarter itself, or a year."""
    spoken: frozenset[str] = frozenset()
    """Further words of the question: a row that has them says nothing that was not asked for."""
    company: frozenset[str] = frozenset()
    """Words of the company's name: a row that repeats them, as `Walmart U.S.`, says no more by them."""
    nearest: bool = False
    """Whether the row that is nearest to it is taken, as `rows.nearest_rows` tells it, where none is called so."""

    @property
    def name(self) -> str:
        """In words."""
        said = " ".join(sorted(name for name in self.qualifiers if name not in ("GAAP",)))
        what = self.measure or (line_items()[self.item].names[0] if self.item else "")
        return " ".join(part for part in (said, self.phrase, what, "growth" if self.growth else "") if part)


@dataclass(frozen=True, slots=True)
class FoundCell:
    """A figure of a line."""

    document: SourceDocument
    table: FiledTable
    row: Row
    column: Column
    cell: TableCell
    value: float
    unit: str
    extras: int
    """Words of its label that nothing asked for."""
    strength: int = 0
    """How much of what is wanted the row itself says, rather than the title of its table."""

    tag_members: bool = False
    """Whether its tag is of a part of the company."""
    tag_extras: int = 0
    """Words of the members of its tag that nothing asked for: those of a part of what is wanted."""
    unasked: int = 0
    """Words of its label that are none of those asked for, whether they say more or not."""
    label_names_item: bool = False
    """Whether the label itself says of which line item it is."""

    @property
    def shown(self) -> str:
        """The line in words: headings, label and column."""
        return " / ".join(dict.fromkeys((*self.row.headings[-1:], self.row.label)))

    def operand(self, name: str) -> CitedOperand:
        """Return it as an operand of a calculation."""
        place, info = self.cell.place or self.table, self.document.info
        return CitedOperand(
            name=name,
            label=self.shown,
            column=self.column.name,
            text=self.cell.text,
            value=self.value,
            unit=self.unit,
            scale=1.0 if self.unit in ("percent", "") else self.row.scale_in(self.column),
            document_name=info.name,
            place=TextPlace(info.key, place.page, place.start, place.end),
        )

    @property
    def where(self) -> str:
        """Where it stands: the part of the company, or the heading of the table, and the page."""
        title = self.table.title.strip() if len(self.table.title.split()) <= _TITLE_WORDS else ""
        return ", ".join(filter(None, (self.table.section or title, f"page {self.table.page + 1}")))


SEVERAL = "several rows fit and differ"
"""With it begins the gap of a line that rows of one name have, which differ."""
_TITLE_WORDS = 12


@dataclass(frozen=True, slots=True)
class LineFound:
    """The figure of a line for a period, or why there is none."""

    cell: FoundCell | None = None
    candidates: tuple[FoundCell, ...] = ()
    """Rows that fit equally well and differ; empty where there is one."""

    @property
    def refusal(self) -> str:
        """Why there is none; empty where there is one."""
        if self.cell is not None:
            return ""
        if not self.candidates:
            return "no row of a table says so"
        listed = "; ".join(f"{cell.shown!r} {cell.cell.text} ({cell.where})" for cell in self.candidates[:4])
        return f"{SEVERAL}: {listed}"
