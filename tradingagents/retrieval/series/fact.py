"""`SeriesFact`: a figure of a company for a period, as one document or source states it; `Series`: one over a span.

What was filed is never overwritten: the original, an amendment and the comparative column of a later report are each a
fact of the same item and period, told apart by when they were known. Money paid out is positive, as filings print it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from tradingagents.dataflows.models import StatementKind
from tradingagents.dataflows.reference.fiscal_periods import days_of, length_of_days
from tradingagents.retrieval.models import TextPlace
from tradingagents.retrieval.series.span import FiscalPeriod
from tradingagents.schemas.derivation import Derivation

Version = Literal["first", "latest"]
"""Which of several statements of one period a series takes.

* `first`: each period as the first filing that stated it did, whatever was restated since.
* `latest`: each period as the newest filing known by the day asked states it.
"""


@dataclass(frozen=True, slots=True)
class FactPeriod:
    """The days that a fact is about."""

    end: date
    start: date | None = None
    """First day; None for an instant, such as that of a balance sheet."""
    fiscal_year: int | None = None
    fiscal_quarter: int | None = None
    """1 to 4, of a quarter or of an instant that ends one; None for a whole year or another length."""

    @property
    def fiscal(self) -> FiscalPeriod | None:
        """The fiscal year or quarter; None where it is not told."""
        return None if self.fiscal_year is None else FiscalPeriod(self.fiscal_year, self.fiscal_quarter)

    @property
    def calendar(self) -> str:
        """The calendar year or quarter nearest to it, as `CY2024`, `CY2024Q3`, or `CY2024Q3I` for an instant.

        A period is of the calendar quarter, or year, in which its middle lies, as in the SEC's frames.
        """
        if self.start is None:
            middle, ending = self.end, "I"
        else:
            middle, ending = self.start + (self.end - self.start) / 2, ""
        quarter = f"Q{(middle.month + 2) // 3}"
        is_year = self.start is not None and length_of_days(days_of(self.start, self.end)) == "year"
        return f"CY{middle.year}{'' if is_year else quarter}{ending}"

    @property
    def label(self) -> str:
        """Such as `FY2024 (to 2024-09-28)`."""
        return f"{self.fiscal.label} (to {self.end})" if self.fiscal else f"{self.start or ''} to {self.end}".strip()


@dataclass(frozen=True, slots=True)
class FactPlace:
    """Where a fact stands: a filing, and in it a tag or a cell; or a vendor's statement."""

    name: str
    """Such as `AAPL 10-K 2024`, or the vendor with the statement."""
    form: str = ""
    accession: str = ""
    """The regulator's number of the filing; empty for a vendor's statement."""
    document: str = ""
    """Key of the stored document; empty where none is stored."""
    cell: TextPlace | None = None
    """The characters that print it; None where only the tag is known."""
    url: str = ""
    statement: StatementKind | None = None
    """The primary statement that prints it; None where it stands elsewhere, or only the tag is known."""

    @property
    def label(self) -> str:
        """The place in words, with the page where it is known."""
        page = f", page {self.cell.page + 1}" if self.cell is not None else ""
        number = f" ({self.accession})" if self.accession and self.accession not in self.name else ""
        return f"{self.name}{page}{number}"


@dataclass(frozen=True, slots=True)
class SeriesFact:
    """A figure of a company for a period, as stated at one place."""

    company: str
    """Ticker."""
    item: str | None
    """Our name of the line item; None for a tag that has none."""
    tag: str
    """The filing's own XBRL tag, such as us-gaap:Revenues (of a sum, all of them), or the row as printed."""
    period: FactPeriod
    unit: str
    """Currency code, `USD/share`, `shares` or `pure`."""
    value: float
    """In `unit`, unscaled; money paid out is positive."""
    place: FactPlace
    known_at: datetime
    """Instant of acceptance, UTC; of a derived figure, when the last of its operands was known."""
    scale: float = 1.0
    """Factor from the printed figure to the unit; 1 where only the tag is known."""
    decimals: int | None = None
    """Places to which it is exact, as tagged: -6 for millions; None where that is not told."""
    derivation: Derivation | None = None
    """How it follows from other facts; None for a figure that is stated itself."""
    basis: str = ""
    """What it is besides the company's own figure in the shares of its day, such as `continuing operations`."""


@dataclass(frozen=True, slots=True)
class WithheldFact:
    """A figure that its source states and that is not given, since something tells against it."""

    item: str
    """Our name of the line item."""
    period: FactPeriod
    reason: str
    """In one sentence."""
    known_at: datetime


@dataclass(frozen=True, slots=True)
class MissingPeriod:
    """A period of the span for which a series has no figure."""

    period: FiscalPeriod
    reason: str
    """In one sentence."""


@dataclass(frozen=True, slots=True)
class Series:
    """A line item of a company over a span: one unit, one basis, one version policy."""

    company: str
    item: str
    version: Version
    as_of: datetime | None
    """Nothing known later is in it; None: everything that was given."""
    rows: tuple[SeriesFact, ...]
    """A fact for each period, oldest first."""
    missing: tuple[MissingPeriod, ...] = ()
    """The periods of the span without one, oldest first."""
    notes: tuple[str, ...] = ()
    """What to know of the rows, such as a tag that changes within the span."""
    source: str = ""
    """`filings`, or the vendor whose statements it is made of."""

    @property
    def unit(self) -> str:
        """Unit of all rows; empty without rows."""
        return self.rows[0].unit if self.rows else ""

    @property
    def is_instant(self) -> bool:
        """Whether its figures are of days, such as those of balance sheets."""
        return bool(self.rows) and self.rows[0].period.start is None

    def row(self, year: int, quarter: int | None = None) -> SeriesFact | None:
        """Return the fact of a fiscal year or quarter; None where it is missing."""
        return next((fact for fact in self.rows if fact.period.fiscal == (year, quarter)), None)

    def __iter__(self) -> Iterator[SeriesFact]:
        """Yield the rows."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.rows)
