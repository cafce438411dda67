"""Rows of any table as lines: found by the words of their label, headings, column and tag, for a period and a unit.

A line is told by words: all words of a phrase stand in the row's label, its headings, its column's head or its tag. The
row whose label says least besides is taken. Where rows that fit equally well differ in value none is taken: they are
listed. A figure is read only where its column tells its period, and its row or caption its unit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from tradingagents.dataflows.reference.currencies import is_money
from tradingagents.retrieval.calculation import CitedOperand
from tradingagents.retrieval.figures.column_choice import QUARTER_DAYS, YEAR_DAYS
from tradingagents.retrieval.index.words import stem, words_of
from tradingagents.retrieval.line_items import LineItem, line_items, plain_label
from tradingagents.retrieval.lines.line_questions import Qualifier, qualifiers_in
from tradingagents.retrieval.lines.wording import row_words
from tradingagents.retrieval.models import Column, FiledTable, Row, SourceDocument, TableCell, TextPlace
from tradingagents.retrieval.money import SIGN_PATTERN
from tradingagents.retrieval.row_units import is_per_unit
from tradingagents.retrieval.series.span import FiscalPeriod

CellKind = Literal["money", "per_share", "percent", "any"]
_ANNUAL = ("10-K", "20-F", "40-F")
_DAYS_A_MONTH = 30.4
_DAYS_A_YEAR, _DAYS_APART = 365.25, 12
"""Days of a year, and days by which years of 52 or 53 weeks end apart."""
_MOST_REST = 2
"""Words that a name may have after those by which it is called."""
_SHORT_TITLE = 8
"""Words of a heading; a longer text before a table is a sentence."""
_SHARE_OF = re.compile(
    r"(?i)(?:%|\bper ?cent\w*|\bas an? [\w ]{1,20}|\bratio) (?:of|to) (?:\w+ )?(?:sales"
    r"|revenues?)\b"
)
"""What says that figures are a share of sales: they are no sales themselves."""
_NOT_EARNED = re.compile(r"(?i)\b(?:unearned|deferred|unbilled|remaining)(?: performance| net)? (?:revenues?|sales)\b")
_COST_OF = re.compile(r"(?i)\bcosts? of (?:\w+ )?(?:revenues?|sales|goods)\b")
"""What has the name of sales in it and is another item."""
_BY_PARTS = re.compile(
    r"(?i)\bby (?:reportable |operating |business |geographic )?(?:segments?|areas?|regions?"
    r"|divisions?)\b"
)
"""What a title says of its rows, which no row of it has to say."""
SAME = 2e-3
"""Two prints of one figure differ by no more than rounding."""
_NEUTRAL = frozenset(
    map(
        stem,
        [
            "total",
            "net",
            "the",
            "of",
            "and",
            "a",
            "an",
            "in",
            "for",
            "our",
            "segment",
            "segments",
            "worldwide",
            "consolidated",
            "company",
            "business",
            "group",
            "amount",
            "amounts",
            "inc",
            "from",
            "to",
            "by",
            "s",
            "basis",
            "at",
            "end",
            "period",
        ],
    )
)
"""Words of a label that say nothing that a question would have to name. A place such as `U.S.` is none of them."""
_OF_ALL = frozenset(
    map(
        stem,
        ["results", "operations", "summary", "financial", "selected", "data", "highlights", "statements", "income"],
    )
)
"""Words of a title that name no part of a company."""
_PERIOD_WORDS = frozenset(
    map(
        stem,
        [
            "year",
            "years",
            "ended",
            "ending",
            "fiscal",
            "three",
            "six",
            "nine",
            "twelve",
            "months",
            "quarter",
            "quarters",
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
            "jan",
            "feb",
            "mar",
            "apr",
            "jun",
            "jul",
            "aug",
            "sep",
            "sept",
            "oct",
            "nov",
            "dec",
            "as",
            "at",
            "of",
            "the",
            "in",
            "millions",
            "thousands",
            "billions",
            "except",
            "per",
            "share",
            "data",
            "amounts",
            "percentages",
            "dollars",
            "and",
            "first",
            "second",
            "third",
            "fourth",
            "q1",
            "q2",
            "q3",
            "q4",
            "fy",
            "unaudited",
            "ratios",
            "weeks",
            "week",
            "note",
            "notes",
        ],
    )
)
_CHANGE = re.compile(
    r"(?i)\b(?:change|increase|decrease|growth|vs\.?|versus|variance|impact|effects?|drivers?|b/\(?w)\b|%\s*chg|[+\u0394]"
)
_EFFECT = re.compile(r"(?i)\b(?:effects?|impacts?)\b")
"""What a row of an effect says: it is no figure of the line, but how much something moved it."""
_GROWTH_WORDS = frozenset(map(stem, ["growth", "change", "percentage", "percent", "increase", "decrease", "grew"])) | {
    "%"
}
_NUMBER = re.compile(
    r"(?P<open>\()?[^\d()\-\u2212.]{0,9}(?P<minus>[-\u2212])?[^\d()\-.]{0,6}(?P<digits>\d[\d,]*(?:\.\d+)?|\.\d+)"
)
_COUNTED = re.compile(
    r"(?i)\b(?:transactions?|memberships?|members|subscribers?|subscriptions|users|units|deliveries|vehicles|customers"
    r"|cards|stores|warehouses|restaurants|passengers|barrels|employees|associates|patients|shipments|aircraft"
    r"|airplanes)\b"
)
"""What a row counts. Its caption tells a scale, and the currency of the rows beside it."""
_AMOUNT = re.compile(
    r"(?i)\b(?:revenues?|sales|costs?|expenses?|income|earnings|profit|loss(?:es)?|fees?|price|receivables?|payables?"
    r"|deposits?|value|volume|spend\w*|cash|assets?|liabilit\w+|incentives|purchases?|equipment|benefits)\b|\$"
)
_PERCENT = re.compile(r"(?i)%|\bper ?cent")
_BETWEEN_PARTS = re.compile(r"(?i)\binter-?(?:segment|company|area)\b|\beliminations?\b")
_SAYS = re.compile(
    r"(?i)\b(?:following|below|tables?|summar\w+|presents?|represents?|shows?|shown|follows|consolidated)\b|:\s*$"
)
_ASIDE = re.compile(r"\((?:loss(?:es)?|income|benefit|expense|unaudited|(?:u\.s\. )?gaap)\)")
"""What a label says in brackets of its sign or its basis."""
_UNITED_STATES = re.compile(r"\bu\.s\.?(?!\w)|(?<=\s)us\b")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


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
    company: frozenset[str] = frozenset()
    """Words of the company's name: a row that repeats them, as `Walmart U.S.`, says no more by them."""

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
        listed = "; ".join(
            f"{cell.shown!r} {cell.cell.text} (page {cell.table.page + 1})" for cell in self.candidates[:4]
        )
        return f"several rows fit and differ: {listed}"


def find_line(documents: Iterable[SourceDocument], wanted: WantedLine, period: FiscalPeriod) -> LineFound:
    """Return the figure of a line for a period, from the first document that has one."""
    doubtful: LineFound | None = None
    for document in documents:
        found = _best(list(_fitting(document, wanted, period)), wanted)
        if found.cell is not None:
            return found
        doubtful = doubtful or (found if found.candidates else None)
    return doubtful or LineFound()


def cells_of_table(
    document: SourceDocument, table: FiledTable, wanted: WantedLine, period: FiscalPeriod
) -> list[FoundCell]:
    """Return all cells of a table that are of what is wanted and of a period, whatever else their rows say."""
    return list(_fitting_of_table(document, table, wanted, _words(wanted.phrase), period))


def says(row: str, phrase: str) -> bool:
    """Return whether the printed name of a row has every word of a phrase."""
    return _words(phrase) <= _words(row)


def words_of_name(names: Iterable[str]) -> frozenset[str]:
    """Return the words of the names of a company, as words of rows are compared."""
    return frozenset().union(*map(_words, names)) - _NEUTRAL


def names_part_alike(cell: FoundCell, other: FoundCell, phrase: str) -> bool:
    """Return whether two rows that are found by a phrase name a part of a company alike, or by the phrase alone."""
    asked = _words(phrase)
    return _part_named(cell, asked) == _part_named(other, asked)


def _part_named(cell: FoundCell, asked: frozenset[str]) -> frozenset[str]:
    """Return the words by which a row and its heading name a part, beyond those asked for and those of its item."""
    label, heads = _words(cell.row.label), _words(" ".join(cell.row.headings[-1:]))
    own = label if asked <= label else label | heads | _head_words(cell.column)
    rest = own - asked - _NEUTRAL - _FIGURE_WORDS - _PERIOD_WORDS
    return frozenset(word for word in rest if not word.isdigit())


_FIGURE_WORDS = frozenset(
    map(
        stem,
        [
            "revenues",
            "sales",
            "net",
            "operating",
            "income",
            "loss",
            "earnings",
            "profit",
            "gross",
            "cost",
            "interest",
            "taxes",
            "before",
            "ebit",
            "adjusted",
        ],
    )
)
"""Words of rows that name a figure rather than a part of a company."""


def line_of_table(
    document: SourceDocument, table: FiledTable, wanted: WantedLine, period: FiscalPeriod, *, of_all: bool = False
) -> FoundCell | None:
    """Return the figure of a line for a period from one table; None where it has none, or several that differ.

    Args:
        document: That has the table.
        table: The table.
        wanted: The line.
        period: The period.
        of_all: Whether only rows that name the item themselves count, of the company as a whole.
    """
    cells = list(_fitting_of_table(document, table, wanted, _words(wanted.phrase), period))
    if of_all:
        cells = [cell for cell in cells if cell.label_names_item and not cell.tag_members]
    return _best(cells, wanted).cell


def _best(cells: Sequence[FoundCell], wanted: WantedLine) -> LineFound:
    """Return the cell whose label says least besides what is wanted, where all such cells agree."""
    if not cells:
        return LineFound()
    strongest = max(cell.strength for cell in cells)
    cells = [cell for cell in cells if cell.strength == strongest]
    least = min(cell.extras for cell in cells)
    if least > max(1, min(2, len(_words(wanted.phrase)))):
        return LineFound()
    nearest = [cell for cell in cells if cell.extras == least]
    fewest = min(cell.tag_extras for cell in nearest)
    nearest = [cell for cell in nearest if cell.tag_extras == fewest]
    tagged = [cell for cell in nearest if cell.cell.fact is not None]
    if tagged and all(_differ_by_scale(cell, tagged) for cell in nearest):
        nearest = tagged
    kinds = {cell.unit for cell in nearest}
    agreeing = all(_same(cell.value, nearest[0].value) for cell in nearest)
    if len(kinds) == 1 and not agreeing:
        nearest = _preferred(nearest, wanted)
        agreeing = all(_same(cell.value, nearest[0].value) for cell in nearest)
    if len(kinds) == 1 and agreeing:
        return LineFound(max(nearest, key=lambda cell: _digits(cell.cell.text)))
    return LineFound(candidates=_distinct(nearest))


def _preferred(cells: list[FoundCell], wanted: WantedLine) -> list[FoundCell]:
    """Return those of cells that differ which are meant: net sales before all revenue, and what most tables print."""
    sales = [cell for cell in cells if re.search(r"(?i)\bnet sales\b", cell.row.label)]
    if (
        wanted.item == "revenue"
        and sales
        and all(re.search(r"(?i)\bsales|\brevenue", cell.row.label) for cell in cells)
    ):
        cells = sales
    tables = [{other.table.number for other in cells if _same(other.value, cell.value)} for cell in cells]
    most = max(map(len, tables))
    often = [cell for cell, own in zip(cells, tables, strict=True) if len(own) == most]
    return often if most > 1 and all(_same(cell.value, often[0].value) for cell in often) else cells


def _distinct(cells: Sequence[FoundCell]) -> tuple[FoundCell, ...]:
    return tuple({(cell.shown, round(cell.value, 6)): cell for cell in cells}.values())


def _same(value: float, other: float) -> bool:
    return math.isclose(value, other, rel_tol=SAME, abs_tol=1e-9)


def _digits(text: str) -> int:
    return sum(map(str.isdigit, text))


def _differ_by_scale(cell: FoundCell, tagged: Sequence[FoundCell]) -> bool:
    """Whether a cell prints the digits of a tagged one, though a caption's scale was read otherwise."""
    return any(_same(cell.value * factor, other.value) for other in tagged for factor in (1, 1e3, 1e6, 1e9, 1e-3, 1e-6))


def names_row(table: FiledTable, word: str) -> bool:
    """Return whether a row, a heading or a column of a table is named by a word."""
    wanted = _words(word)
    return any(wanted <= _words(" ".join((*row.headings, row.label))) for row in table.rows) or any(
        wanted <= _head_words(column) for column in table.columns
    )


def _fitting(document: SourceDocument, wanted: WantedLine, period: FiscalPeriod) -> Iterator[FoundCell]:
    asked = _words(wanted.phrase)
    for table in map(_with_years, document.tables):
        if wanted.item or wanted.measure or asked:
            yield from _fitting_of_table(document, table, wanted, asked, period)


def _with_years(table: FiledTable) -> FiledTable:
    """Return a table whose columns no header names with the years of its first row, where that is a row of years.

    Tables of plain text are read so where the years stand on a line of their own, as `2022 2021 % change`.
    """
    if not table.rows or any(column.header.strip() or column.fiscal_year for column in table.columns):
        return table
    first = table.rows[0]
    years = [int(year) for year in re.findall(r"\b(?:19|20)\d\d\b", first.label)]
    if len(years) < 2 or len(years) > len(table.columns) or any(cell is not None for cell in first.cells):
        return table
    if not re.fullmatch(r"(?:(?:19|20)\d\d\s+)+.*", f"{first.label} ") or len(set(years)) != len(years):
        return table
    headers = [str(year) for year in years] + ["Change"] * (len(table.columns) - len(years))
    columns = tuple(
        replace(column, header=header, fiscal_year=int(header) if header.isdigit() else None)
        for column, header in zip(table.columns, headers, strict=True)
    )
    return replace(table, columns=columns, rows=table.rows[1:])


def _fitting_of_table(
    document: SourceDocument, table: FiledTable, wanted: WantedLine, asked: frozenset[str], period: FiscalPeriod
) -> Iterator[FoundCell]:
    of_period = {
        at
        for at, column in enumerate(table.columns)
        if _is_of(document, table, at, column, period, growth=wanted.growth, months=wanted.months)
    }
    tagged = _is_tagged(table)
    if not of_period and not tagged:
        return
    title = _title_words(table)
    if wanted.context and not _words(wanted.context) <= _table_words(table):
        return
    for row in table.rows:
        label, heads = _words(row.label), _words(" ".join(row.headings[-2:]))
        if wanted.phrase and not asked & (label | heads | title | _column_words(table) | _tag_words(document, row)):
            continue
        for at, cell in enumerate(row.cells):
            if cell is None or cell.value is None:
                continue
            if not (at in of_period if cell.fact is None else _fact_is_of(document, cell.fact, period, wanted.months)):
                continue
            found = _checked(document, table, row, at, wanted, asked, label, heads)
            if found is not None:
                yield found


def _checked(
    document: SourceDocument,
    table: FiledTable,
    row: Row,
    at: int,
    wanted: WantedLine,
    asked: frozenset[str],
    label: frozenset[str],
    heads: frozenset[str],
) -> FoundCell | None:
    column, cell = table.columns[at], row.cells[at]
    if cell is None or _is_of_another(row.label, wanted):
        return None
    head = _head_words(column)
    tag = _tag_words_of(document, cell)
    near = label | heads | head | tag | _short_title_words(table)
    if not asked <= near and not (asked & (label | head) and asked <= near | _sentence_words(table)):
        return None
    measure = _measured(wanted, row, column, table, document, cell)
    if measure is None or (asked and not asked & (label | heads | tag) and _says_more(label, measure, wanted)):
        return None
    printed = qualifiers_in(" ".join((row.label, *row.headings[-1:], column.header)).lower())
    said, needed = _together(printed), _together(wanted.qualifiers)
    if "adjusted" in needed and "GAAP" in printed and "adjusted" not in qualifiers_in(row.label.lower()):
        return None
    if said - needed or not needed <= (said | _together(qualifiers_in(table.title.lower()))):
        return None
    value, unit = _figure(row, column, cell)
    if not _is_kind(unit, wanted, column) or (wanted.growth and not _tells_growth(table, row, column)):
        return None
    if wanted.item and _names_narrower(wanted, row, table, asked):
        return None
    extras = _extras(row, column, wanted, asked, measure, needed, _title_words(table))
    apart = not (asked <= label | head or asked <= heads or asked & tag)
    if extras and _is_stranger(row, wanted, extras, apart=apart):
        return None
    by_row_words = asked <= near
    by_words = bool(wanted.item and asked) and asked <= label | heads | head | tag
    by_tag = bool(wanted.item) and _names_item(wanted, _concept(document, cell))
    by_row = not (wanted.item or wanted.measure) or _names_item(
        wanted, " ".join((row.label, *row.headings[-2:])), _head_text(column), _concept(document, cell)
    )
    return FoundCell(
        document, table, row, column, cell, value, unit, extras,
        strength=2 * (needed <= said) + bool(by_row) + by_tag + by_words + by_row_words,
        tag_members=bool(tag),
        tag_extras=len((tag | _name_of_part(table)) - asked - _NEUTRAL - _OF_ALL - label - heads - head - measure),
        label_names_item=bool(wanted.item) and _is_named(line_items()[wanted.item], row.label),
    )  # fmt: skip


def _says_more(label: frozenset[str], measure: frozenset[str], wanted: WantedLine) -> bool:
    """Whether a label has words beyond the measure, its qualifiers and those of totals.

    Then a row is another one where title and head of the column alone say what is asked for.
    """
    growth = _GROWTH_WORDS if wanted.growth else frozenset()
    return bool(label - measure - _NEUTRAL - _OF_ALL - _qualifier_words(_together(wanted.qualifiers)) - growth)


def _is_stranger(row: Row, wanted: WantedLine, extras: int, *, apart: bool) -> bool:
    """Whether a row with words that nothing asks for is another one.

    It is where the words of a name stand apart from each other, in a label and a heading of other things; so is the
    total of several parts, of which what is asked for is one.
    """
    total = bool(_TOTAL_OF.match(row.label)) and not wanted.phrase.startswith("total")
    return total or (bool(wanted.item) and extras > 1 and apart)


def _is_of_another(label: str, wanted: WantedLine) -> bool:
    """Whether a row is of an effect, between parts, or of what the question says not to mean."""
    if any(pattern.search(label) and not pattern.search(wanted.phrase) for pattern in (_EFFECT, _BETWEEN_PARTS)):
        return True
    return bool(wanted.without and wanted.without & set(words_of(label.lower())))


def _extras(
    row: Row,
    column: Column,
    wanted: WantedLine,
    asked: frozenset[str],
    measure: frozenset[str],
    needed: frozenset[Qualifier],
    title: frozenset[str],
) -> int:
    """Return how many words of a row's name nothing asks for."""
    label, head = _words(row.label), _head_words(column)
    own = label if asked <= label | head else label | _words(" ".join(row.headings[-1:]))
    if wanted.item and len(asked) > 1 and asked & label and not asked <= own | head and asked <= title:
        return len(asked)  # the title names the part, and the label by a word of it another line, as `Services`
    if wanted.item or wanted.measure:  # then what is asked for besides is the name of a part
        for name in (row.label, *row.headings[-1:]):
            own = own - _rest_of_name(name, asked, measure)
        head = head - _rest_of_name(_head_text(column), asked, measure)
    spare = (own | head) - asked - measure - _NEUTRAL - wanted.company - _qualifier_words(needed)
    spare -= _GROWTH_WORDS if wanted.growth else frozenset()
    spare -= _OF_ONE_SHARE if wanted.kind == "per_share" else frozenset()
    spare -= _short_names(row.label)
    count = len({word for word in spare if not word.isdigit() and len(word) > 1})
    whole = not (wanted.item or wanted.measure or "total" in asked) and _WHOLE.match(row.label)
    return count + 1 if count and whole else count  # `Total U.S.` is more than the U.S. that is asked for


_OF_ONE_SHARE = frozenset(
    map(stem, ["per", "common", "ordinary", "share", "stock", "value", "cash", "declared", "paid"])
)
"""Words of a row of amounts for one share that say no more than that."""


@lru_cache(maxsize=50_000)
def _short_names(label: str) -> frozenset[str]:
    """Return the short names that a label has in brackets after the long one, as `Book value (BV)`."""
    return frozenset().union(*(_words(found) for found in _SHORT_NAME.findall(label)))


_SHORT_NAME = re.compile(r"\([\"\u201c]?([A-Z][A-Za-z]{1,6})[\"\u201d]?\)")


_WHOLE = re.compile(r"(?i)\W*total\s+(?!company\b)\w")
_NARROWER = re.compile(
    r"(?i)\b(subscription|products?|services?|licen[sc]e|membership|advertising|non-?interest|intersegment|rental|deferred"
    r"|recurring|comparable) (?:net )?(?:revenues?|sales)\b"
)
"""What a title says of its figures where they are a part of the sales of each row."""


def _names_narrower(wanted: WantedLine, row: Row, table: FiledTable, asked: frozenset[str]) -> bool:
    """Whether a title names a part of the item alone, as `Subscription revenue by segment`, that nothing asks for."""
    if _is_named(line_items()[wanted.item], " ".join((row.label, *row.headings[-2:]))):
        return False
    found = _NARROWER.findall(table.title[-160:])
    return bool(found) and not any(_words(word) <= asked for word in found)


_TOTAL_OF = re.compile(r"(?i)(?:gross profit |revenues? |operating income )?total\b.*(?:&|\band\b)")
"""The name of a sum of several parts."""
_NAME_ENDS = frozenset(
    map(
        stem,
        [
            "other",
            "excluding",
            "except",
            "less",
            "non",
            "growth",
            "change",
            "margin",
            "percentage",
            "united",
            "states",
            "international",
            "domestic",
            "foreign",
            "leasing",
            "sales",
            "addition",
            "additions",
        ],
    )
)


@lru_cache(maxsize=50_000)
def _rest_of_name(label: str, asked: frozenset[str], measure: frozenset[str]) -> frozenset[str]:
    """Return the further words of a name asked for by its first ones, as `Defense, Space & Security` by `defense`."""
    words = [stem(word) for word in words_of(row_words(label.lower())) if word not in ("of", "and", "the", "for", "in")]
    words = [word for word in words if word not in _NEUTRAL | measure]
    rest = words[len(asked) :]
    first = frozenset(words[: len(asked)])
    if not asked or first != asked or len(rest) > _MOST_REST or _NAME_ENDS & set(rest):
        return frozenset()
    return frozenset(rest)


def _together(qualifiers: frozenset[Qualifier]) -> frozenset[Qualifier]:
    """Return the qualifiers that a row says: what a company calls core is an adjusted figure too."""
    told = qualifiers & _TELLING
    return told - {"adjusted"} if "core" in told else told


def _names_item(wanted: WantedLine, *texts: str) -> bool:
    if wanted.measure:
        return True
    item = line_items()[wanted.item]
    if wanted.growth:  # the name of an item in that of its growth, as in `organic sales growth`
        texts = tuple(_OF_GROWTH.sub(" ", text) for text in texts)
    return any(_is_named(item, text) for text in texts)


_OF_GROWTH = re.compile(r"(?i)\b(?:growth|percent(?:age)?|changes?)\b")


def _is_named(item: LineItem, text: str) -> bool:
    named = _NOT_EARNED.sub(" ", _SHARE_OF.sub(" ", text))
    if not any(name.startswith("cost") for name in item.names):
        named = _COST_OF.sub(" ", named)
    plain = _LOSS.sub(r"\1 income", row_words(plain_label(named))).replace("loss per", "earnings per")
    if item.excluded is not None and item.excluded.search(plain.replace("non-gaap", "")):
        return False
    return any(re.search(rf"(?<![\w-]){re.escape(name)}s?(?![\w-])", plain) for name in item.names)


_LOSS = re.compile(r"\b(operating|net)(?: \(?(?:income|earnings)\)?)? \(?loss(?:es)?\)?")


_TELLING: frozenset[Qualifier] = frozenset({"adjusted", "organic", "constant currency", "core"})
"""Qualifiers that a row, its heading or its column says; `core` and `adjusted` are also said of it together."""


def _qualifier_words(qualifiers: frozenset[Qualifier]) -> frozenset[str]:
    words = "non gaap adjusted as organic constant currency currencies neutral core fx foreign exchange operational "
    return (
        _words(words + "operations comparable assuming no changes rates effect excluding")
        if qualifiers
        else frozenset()
    )


def _measured(
    wanted: WantedLine, row: Row, column: Column, table: FiledTable, document: SourceDocument, cell: TableCell
) -> frozenset[str] | None:
    """Return the words that name the measure wanted; None where nothing names it."""
    if wanted.measure:
        words = _words(wanted.measure)
        near = _words(row.label) | _words(" ".join(row.headings[-1:])) | _head_words(column)
        return words if words <= near | _title_words(table) else None
    if not wanted.item:
        return frozenset()
    texts = (
        row.label,
        *row.headings[-2:],
        _head_text(column),
        _concept(document, cell),
        _OF_GROWTH.sub(" ", _BY_PARTS.sub(" ", table.title[-160:])) if wanted.kind == "money" else table.title[-160:],
    )
    return _item_words(wanted.item) if _names_item(wanted, *texts) else None


@lru_cache(maxsize=256)
def _item_words(item: str) -> frozenset[str]:
    words = _words(
        "loss (loss) income earnings" if item in ("operating_income", "net_income") else "common ordinary loss"
    )
    return words.union(*(_words(name) for name in line_items()[item].names))


def _tells_growth(table: FiledTable, row: Row, column: Column) -> bool:
    """Whether a percentage is said to be one of growth: in a table of shares of the whole it is none."""
    return bool(_CHANGE.search(" ".join((table.title, *row.headings, row.label, _head_text(column)))))


def _is_kind(unit: str, wanted: WantedLine, column: Column) -> bool:
    if wanted.growth or wanted.kind == "percent":
        return unit == "percent"
    if wanted.kind == "money":
        return is_money(unit) and "/" not in unit
    if wanted.kind == "per_share":
        return unit.endswith("/share")
    return unit != "" and not (_CHANGE.search(_head_text(column)) and unit == "percent")


def _figure(row: Row, column: Column, cell: TableCell) -> tuple[float, str]:
    """Return the figure and the unit of a cell: a printed `%` stands above what the table's caption says."""
    is_percent = bool(_PERCENT.search(cell.text)) or row.unit == "percent" or bool(_PERCENT.search(_head_text(column)))
    if is_percent:
        return printed_number(cell.text), "percent"
    printed = printed_number(cell.text)
    if cell.fact is None and is_money(row.unit_in(column)) and is_per_unit(row.label, [abs(printed)]):
        return printed, row.unit_in(column)
    unit = row.unit_in(column) or ("count" if float(cell.value or 0.0).is_integer() and _counts(row, column) else "")
    if cell.fact is None and is_money(unit) and _COUNTED.search(row.label) and not _is_of_money(row):
        unit = "count"
    if cell.fact is None and cell.value == printed:
        return printed * row.scale_in(column), unit
    return float(cell.value or 0.0), unit


def _counts(row: Row, column: Column) -> bool:
    """Whether a row without a unit counts something by its name."""
    return bool(_COUNTED.search(" ".join((*row.headings, row.label, column.header))))


def _is_of_money(row: Row) -> bool:
    """Whether a row that counts something by its name prints a sign of a currency, or names an amount too."""
    signs = any(re.search(SIGN_PATTERN, cell.text) for cell in row.cells if cell is not None)
    return signs or bool(_AMOUNT.search(" ".join((row.label, *row.headings[-1:]))))


def printed_number(text: str) -> float:
    """Return the number that a cell prints; brackets and a minus make it negative; NaN for none."""
    found = _NUMBER.search(text)
    if found is None:
        return math.nan
    value = float(found["digits"].replace(",", ""))
    return -value if found["open"] or found["minus"] else value


def _is_of(
    document: SourceDocument,
    table: FiledTable,
    at: int,
    column: Column,
    period: FiscalPeriod,
    *,
    growth: bool,
    months: int = 0,
) -> bool:
    """Whether the figures of a column are of a period: whole years, or the quarter of a quarterly report."""
    if quarter := _QUARTER_COLUMN.fullmatch(column.header):
        return period == FiscalPeriod(int(quarter["year"]), int(quarter["quarter"])) and not months
    text = _head_text(column)
    changes = bool(_CHANGE.search(text)) or "%" in text
    if changes and not growth and not qualifiers_in(column.header.lower()):
        return False
    year = column.fiscal_year
    if changes and growth:
        year = _changed_year(table, at)
    if year != period.year or column.basis in ("adjustment", "pro forma"):
        return False
    days = _days(column)
    info = document.info
    quarterly = info.fiscal_quarter is not None and not info.form.upper().startswith(_ANNUAL)
    if quarterly and info.period_end and column.period_end and not _years_apart(info.period_end, column.period_end):
        return False
    if period.quarter is None:
        return not quarterly if days is None else YEAR_DAYS[0] <= days <= YEAR_DAYS[1]
    if info.fiscal_quarter != period.quarter:
        return False
    return column.period_start is None if days is None else _lasts(days, months)


_QUARTER_COLUMN = re.compile(r"Q(?P<quarter>[1-4]) (?P<year>20\d\d)")
"""The head of a column of a quarter in a table of several, as `rows.worded_heads` writes it."""


def _is_tagged(table: FiledTable) -> bool:
    return any(cell is not None and cell.fact is not None for row in table.rows for cell in row.cells)


def _lasts(days: float, months: int) -> bool:
    """Whether days are those of a quarter, or of a part of a year of some months."""
    least, most = QUARTER_DAYS
    return least <= days <= most if not months else abs(days - months * _DAYS_A_MONTH) <= most - least


def _fact_is_of(document: SourceDocument, number: int, period: FiscalPeriod, months: int) -> bool:
    """Whether a tagged figure is of a period: its own days tell, whatever stands at the head of its column."""
    fact, info = document.facts[number], document.info
    if info.period_end is None or info.fiscal_year is None:
        return False
    years = round((info.period_end - fact.period_end).days / _DAYS_A_YEAR)
    apart = abs((info.period_end - fact.period_end).days - years * _DAYS_A_YEAR)
    if apart > _DAYS_APART or info.fiscal_year - years != period.year:
        return False
    days = None if fact.period_start is None else (fact.period_end - fact.period_start).days + 1
    if info.fiscal_quarter is None or info.form.upper().startswith(_ANNUAL):
        return period.quarter is None and (days is None or YEAR_DAYS[0] <= days <= YEAR_DAYS[1])
    return period.quarter == info.fiscal_quarter and (days is None or _lasts(days, months))


def _years_apart(end: date, other: date) -> bool:
    """Whether two days are whole years apart, within the days of fiscal years of weeks."""
    days = abs((end - other).days)
    return abs(days - round(days / _DAYS_A_YEAR) * _DAYS_A_YEAR) <= _DAYS_APART


def _changed_year(table: FiledTable, at: int) -> int | None:
    """Return the year that a column of changes is about: the newest that it names, or that of the column before it."""
    text = table.columns[at].header
    years = [int(found) for found in re.findall(r"(?:19|20)\d\d", text)]
    years += [2000 + int(found) for found in re.findall(r"['\u2019](\d\d)\b", text)]
    if years:
        return max(years)
    dated = [(number, column.fiscal_year) for number, column in enumerate(table.columns)
             if column.fiscal_year is not None and not _CHANGE.search(_head_text(column))]  # fmt: skip
    named = sorted({year for _, year in dated if year is not None})
    if len(named) == 2 and at > max(number for number, _ in dated):
        return named[-1]
    before = [year for number, year in dated if number == at - 1]
    alternating = len(dated) > 1 and all(other - one == 2 for (one, _), (other, _) in pairwise(dated))
    return before[0] if before and alternating else None


def _days(column: Column) -> float | None:
    if column.period_start is not None and column.period_end is not None:
        return (column.period_end - column.period_start).days + 1
    return None if column.months is None else column.months * _DAYS_A_MONTH


@lru_cache(maxsize=100_000)
def _words(text: str) -> frozenset[str]:
    plain = re.sub(r"\([^()]{1,3}\)", " ", text.lower().replace("\u2019", "'"))
    plain = row_words(_UNITED_STATES.sub("united states", _ASIDE.sub(" ", plain)))
    return frozenset(stem(word) for word in words_of(plain) if word not in ("of", "and", "the", "for", "in"))


@lru_cache(maxsize=20_000)
def _text_without_period(header: str) -> str:
    text = re.sub(r"\([^()]*\b(?:in |except)[^()]*\)?", " ", header, flags=re.IGNORECASE).replace("/", " ")
    return " ".join(word for word in text.split() if not _is_period_word(word))


def _is_period_word(word: str) -> bool:
    plain = re.sub(r"[^a-z\d]", "", word.lower())
    return not plain or (plain.isdigit() and len(plain) in (1, 2, 4)) or stem(plain) in _PERIOD_WORDS


def _head_text(column: Column) -> str:
    return _text_without_period(column.header)


def _head_words(column: Column) -> frozenset[str]:
    return _words(_head_text(column))


def _column_words(table: FiledTable) -> frozenset[str]:
    return frozenset().union(*map(_head_words, table.columns)) if table.columns else frozenset()


def _short_title_words(table: FiledTable) -> frozenset[str]:
    """Return the words of a title that is a heading by itself, such as the name of the segment that a table is of."""
    return _words(table.title) if len(table.title.split()) <= _SHORT_TITLE else frozenset()


def _title_words(table: FiledTable) -> frozenset[str]:
    return _words(table.title[-160:])


def _sentence_words(table: FiledTable) -> frozenset[str]:
    """Return the words of the sentence just before a table, which says what it shows."""
    return _words(re.split(r"[.;]\s", table.title[-160:].rstrip(" .:;"))[-1])


def _name_of_part(table: FiledTable) -> frozenset[str]:
    """Return the words of a title that names a part of the company; none of one that says what the table shows."""
    title = table.title.rstrip(" :") if len(table.title.split()) <= _NAME_WORDS else table.title
    return frozenset() if _SAYS.search(title) else _short_title_words(table)


_NAME_WORDS = 4
"""Words of a title that is a name even where a colon follows it, such as `Rest of World:`."""


def _table_words(table: FiledTable) -> frozenset[str]:
    words = _title_words(table) | _column_words(table)
    return words.union(*(_words(" ".join((row.label, *row.headings))) for row in table.rows))


def _concept(document: SourceDocument, cell: TableCell) -> str:
    if cell.fact is None:
        return ""
    return " ".join(_CAMEL.split(document.facts[cell.fact].concept.rpartition(":")[2])).lower()


def _tag_words_of(document: SourceDocument, cell: TableCell) -> frozenset[str]:
    """Return the words of the members with which a cell is tagged."""
    if cell.fact is None:
        return frozenset()
    members = document.facts[cell.fact].dimensions.values()
    text = " ".join(" ".join(_CAMEL.split(member.rpartition(":")[2].removesuffix("Member"))) for member in members)
    words = _words(text)
    # A member such as `ServiceOther` is what is left beside the others, and not services.
    return frozenset() if "other" in words else words


def _tag_words(document: SourceDocument, row: Row) -> frozenset[str]:
    first = next((cell for cell in row.cells if cell is not None and cell.fact is not None), None)
    return frozenset() if first is None else _tag_words_of(document, first)
