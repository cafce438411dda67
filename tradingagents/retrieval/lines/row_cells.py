"""Rows of any table as lines: found by the words of their label, headings, column and tag, for a period and a unit.

A line is told by words: all words of a phrase stand in the row's label, its headings, its column's head or its tag. The
row whose label says least besides is taken. Where rows that fit equally well differ in value none is taken: they are
listed. A figure is read only where its column tells its period, and its row or caption its unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from tradingagents.dataflows.reference.currencies import is_money
from tradingagents.retrieval.index.words import stem, words_of
from tradingagents.retrieval.line_items import line_items
from tradingagents.retrieval.lines.cells.cell_choice import best_cell
from tradingagents.retrieval.lines.cells.cell_units import COUNTED, asks_for_count, cell_figure
from tradingagents.retrieval.lines.cells.column_periods import (
    fact_is_of,
    is_of_period,
    is_row_of_years,
    is_tagged,
)
from tradingagents.retrieval.lines.cells.found_cells import FoundCell, LineFound, WantedLine
from tradingagents.retrieval.lines.heads.row_comments import DESCRIBED
from tradingagents.retrieval.lines.rows.label_words import (
    FIGURE_WORDS,
    NEUTRAL,
    OF_ALL,
    PERIOD_WORDS,
    column_words,
    concept_text,
    head_text,
    head_words,
    name_of_part,
    section_words,
    sentence_before,
    sentence_words,
    short_title_words,
    stems_of,
    table_words,
    tag_words,
    tag_words_of,
    title_words,
)
from tradingagents.retrieval.lines.rows.named_items import is_named, names_item, names_narrower
from tradingagents.retrieval.lines.rows.nearest_rows import nearest_line, nearest_of_table
from tradingagents.retrieval.lines.rows.row_checks import (
    GROWTH_WORDS,
    OF_QUALIFIERS,
    bears_qualifiers,
    is_between_parts,
    is_of_another,
    is_of_kind,
    is_of_whole_with,
    tells_growth,
    told_by_rows,
    words_of_measure,
    words_of_qualifiers,
)
from tradingagents.retrieval.lines.rows.statement_tables import as_amount
from tradingagents.retrieval.lines.rows.total_rows import total_of_table
from tradingagents.retrieval.lines.wording import row_words
from tradingagents.retrieval.models import Column, FiledTable, Row, SourceDocument, TableCell
from tradingagents.retrieval.series.span import FiscalPeriod

_OTHER = frozenset((stem("other"),))
_MOST_REST = 2
"""Words that a name may have after those by which it is called."""


def find_line(documents: Iterable[SourceDocument], wanted: WantedLine, period: FiscalPeriod) -> LineFound:
    """Return the figure of a line for a period, from the first document that has one."""
    if _is_of_nothing(wanted):
        return LineFound()
    if wanted.nearest:
        return nearest_line(documents, wanted, period)
    doubtful: LineFound | None = None
    read = tuple(documents)
    for document in read:
        found = best_cell(list(_fitting(document, wanted, period)), wanted)
        if found.cell is not None:
            return found
        doubtful = doubtful or (found if found.candidates else None)
    return doubtful or total_of_table(read, wanted, period)


def _is_of_nothing(wanted: WantedLine) -> bool:
    """Whether only `other` is asked for: every table has its own rest, and nothing says which is meant."""
    words = stems_of(wanted.phrase) - NEUTRAL
    return words == _OTHER and not (wanted.item or wanted.measure or wanted.context)


def cells_of_table(
    document: SourceDocument, table: FiledTable, wanted: WantedLine, period: FiscalPeriod
) -> list[FoundCell]:
    """Return all cells of a table that are of what is wanted and of a period, whatever else their rows say."""
    return list(_fitting_of_table(document, table, wanted, stems_of(wanted.phrase), period))


def says(row: str, phrase: str) -> bool:
    """Return whether the printed name of a row has every word of a phrase."""
    return stems_of(phrase) <= stems_of(row)


def words_of_name(names: Iterable[str]) -> frozenset[str]:
    """Return the words of the names of a company, as words of rows are compared."""
    return frozenset().union(*map(stems_of, names)) - NEUTRAL


def names_part_alike(cell: FoundCell, other: FoundCell, phrase: str) -> bool:
    """Return whether two rows that are found by a phrase name a part of a company alike, or by the phrase alone."""
    asked = stems_of(phrase)
    return _part_named(cell, asked) == _part_named(other, asked)


def _part_named(cell: FoundCell, asked: frozenset[str]) -> frozenset[str]:
    """Return the words by which a row and its heading name a part, beyond those asked for and those of its item."""
    label, heads = stems_of(cell.row.label), stems_of(" ".join(cell.row.headings[-1:]))
    own = label if asked <= label else label | heads | head_words(cell.column)
    rest = own - asked - NEUTRAL - FIGURE_WORDS - PERIOD_WORDS
    return frozenset(word for word in rest if not word.isdigit())


def names_only_a_part(cell: FoundCell, phrase: str) -> bool:
    """Return whether a row has the name of a part of the company alone, and something near it names a line item.

    Then what its figure is of stands in its heading, the head of its column or the title, and nobody asked for that.
    """
    if not is_money(cell.unit) or stems_of(cell.row.label) - NEUTRAL - stems_of(phrase) or cell.tag_members:
        return False
    texts = " ".join(texts_of(cell)[1:])
    return any(is_named(item, texts) for item in line_items().values())


def texts_of(cell: FoundCell) -> tuple[str, ...]:
    """Return the label of a row, its headings, the head of its column and the sentence before its table."""
    return (cell.row.label, *cell.row.headings[-2:], head_text(cell.column), sentence_before(cell.table))


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
    if wanted.nearest:
        return nearest_of_table(document, table, wanted, period)
    cells = list(_fitting_of_table(document, table, wanted, stems_of(wanted.phrase), period))
    if of_all:
        cells = [cell for cell in cells if cell.label_names_item and not cell.tag_members]
    return best_cell(cells, wanted).cell


def names_row(table: FiledTable, word: str) -> bool:
    """Return whether a row, a heading or a column of a table is named by a word."""
    wanted = stems_of(word)
    return any(wanted <= stems_of(" ".join((*row.headings, row.label))) for row in table.rows) or any(
        wanted <= head_words(column) for column in table.columns
    )


def _fitting(document: SourceDocument, wanted: WantedLine, period: FiscalPeriod) -> Iterator[FoundCell]:
    asked = stems_of(wanted.phrase)
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
        if is_of_period(document, table, at, column, period, growth=wanted.growth, months=wanted.months)
    }
    tagged = is_tagged(table)
    if not of_period and not tagged:
        return
    title, section = title_words(table), section_words(table)
    if wanted.context and not stems_of(wanted.context) <= table_words(table):
        return
    for row in table.rows:
        if is_row_of_years(row):
            continue
        label, heads = stems_of(row.label), stems_of(" ".join(row.headings[-2:]))
        if wanted.phrase and not asked & (
            label | heads | title | section | column_words(table) | tag_words(document, row)
        ):
            continue
        for at, cell in enumerate(row.cells):
            if cell is None or cell.value is None:
                continue
            if not (at in of_period if cell.fact is None else fact_is_of(document, cell.fact, period, wanted.months)):
                continue
            found = _checked(document, table, row, at, wanted, asked, label, heads)
            if found is not None and not _is_of_unasked_pay(document, table, cell, wanted, asked | label | heads):
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
    """Return a cell with its figure and how well it fits what is wanted; None where it is of something else."""
    column, cell = table.columns[at], row.cells[at]
    of_whole = any(is_of_whole_with(name, wanted) for name in (*row.headings[-1:], row.label))
    if cell is None or of_whole or is_of_another(row.label, wanted) or is_between_parts(row, wanted):
        return None
    head, tag = head_words(column), tag_words_of(document, cell)
    near_row = label | heads | head
    near = near_row | tag | short_title_words(table) | section_words(table)
    if not asked <= near and not (asked & (label | head) and asked <= near | sentence_words(table)):
        return None
    if _EXCLUDING in asked and _EXCLUDING not in near_row | tag:
        return None  # a title says what the last row of its table leaves out, and not the rows before it
    if asked and asked <= head and not (wanted.item or wanted.measure) and not (label | heads) - NEUTRAL:
        return None  # a total under the name of a part, and nothing says of what
    measure = words_of_measure(wanted, row, column, table, document, cell)
    if measure is None or (asked and not asked & (label | heads | tag) and _says_more(label, measure, wanted)):
        return None
    if wanted.measure and not measure & (near_row | tag) and _says_more(label - asked, measure, wanted):
        return None  # the title alone names the measure, and the row another figure, as in a table of free cash flow
    if (qualified := bears_qualifiers(wanted, row, column, table)) is None:
        return None
    value, unit = cell_figure(table, row, column, cell)
    value = as_amount(table, row, wanted.item, value)
    if not is_of_kind(unit, wanted, column) or (wanted.growth and not tells_growth(table, row, column)):
        return None
    if wanted.item and names_narrower(wanted, row, table, asked):
        return None
    extras = _extras(table, row, column, wanted, asked, measure, unit, tag)
    apart = not (asked <= label | head or asked <= heads or asked & tag)
    if extras and _is_stranger(row, wanted, extras, apart=apart):
        return None
    by_words = bool(wanted.item and asked) and asked <= label | heads | head | tag
    return FoundCell(
        document, table, row, column, cell, value, unit, extras,
        strength=2 * qualified + _times_named(document, row, column, cell, wanted) + by_words + (asked <= near),
        tag_members=bool(tag),
        tag_extras=len((tag | name_of_part(table)) - asked - wanted.company - NEUTRAL - OF_ALL - near_row - measure),
        unasked=len(label - asked - measure),
        label_names_item=bool(wanted.item) and is_named(line_items()[wanted.item], row.label),
    )  # fmt: skip


_SHARE_BASED = stems_of("based compensation")
_TOTAL_ROW = re.compile(r"(?i)\W*total\b")


def _is_of_unasked_pay(
    document: SourceDocument, table: FiledTable, cell: TableCell, wanted: WantedLine, said: frozenset[str]
) -> bool:
    """Whether a figure is of the pay in shares of some expense by its tag or the total of its table, and none is asked.

    Neither the question nor what stands at its row says so.
    """
    if wanted.item or wanted.measure or not wanted.phrase or (said | wanted.spoken) & _SHARE_BASED:
        return False
    named = (concept_text(document, cell), *(row.label for row in table.rows if _TOTAL_ROW.match(row.label)))
    return any(stems_of(name) >= _SHARE_BASED for name in named)


def _times_named(document: SourceDocument, row: Row, column: Column, cell: TableCell, wanted: WantedLine) -> int:
    """Return how often the item wanted is named: by the tag of a cell alone, and by it with its row and column."""
    concept = concept_text(document, cell)
    by_tag = bool(wanted.item) and names_item(wanted, concept)
    by_row = not (wanted.item or wanted.measure) or names_item(
        wanted, " ".join((row.label, *row.headings[-2:])), head_text(column), concept
    )
    return bool(by_row) + by_tag


def _says_more(label: frozenset[str], measure: frozenset[str], wanted: WantedLine) -> bool:
    """Whether a label has words beyond the measure, its qualifiers and those of totals.

    Then a row is another one where title and head of the column alone say what is asked for.
    """
    growth = GROWTH_WORDS if wanted.growth else frozenset()
    return bool(label - measure - NEUTRAL - OF_ALL - words_of_qualifiers(told_by_rows(wanted.qualifiers)) - growth)


def _is_stranger(row: Row, wanted: WantedLine, extras: int, *, apart: bool) -> bool:
    """Whether a row with words that nothing asks for is another one.

    It is where the words of a name stand apart from each other, in a label and a heading of other things; so is the
    total of several parts, of which what is asked for is one.
    """
    total = bool(_TOTAL_OF.match(row.label)) and not wanted.phrase.startswith("total")
    return total or (bool(wanted.item) and extras > 1 and apart)


def _extras(
    table: FiledTable,
    row: Row,
    column: Column,
    wanted: WantedLine,
    asked: frozenset[str],
    measure: frozenset[str],
    unit: str,
    tag: frozenset[str],
) -> int:
    """Return how many words of a row's name nothing asks for."""
    label, head = stems_of(_UNIT_NOTE.sub(" ", row.label)), head_words(column)
    says_all = asked <= label | head | section_words(table)
    heading = _UNIT_NOTE.sub(" ", " ".join(row.headings[-1:]))
    own = label if says_all else label | stems_of(heading)
    if _EXPENSE & asked and _OF_EXPENSES.fullmatch(heading):
        own = own - (stems_of(heading) - label)
    if wanted.item and len(asked) > 1 and asked & label and not asked <= own | head and asked <= title_words(table):
        return len(asked)  # the title names the part, and the label by a word of it another line, as `Services`
    if (wanted.item or wanted.measure) and _begins_one_name(table, asked):  # then what is asked for names a part
        for name in (row.label, *row.headings[-1:]):
            own = own - _rest_of_name(name, asked, measure | wanted.spoken)
        head = head - _rest_of_name(head_text(column), asked, measure | wanted.spoken)
    if asked and DESCRIBED.search(table.title) and _begins_one_name(table, asked):
        own = own - _described(row.label, asked)
    if asked and asked == tag:
        own, head = own - label, frozenset()  # its tag is named as is asked, whatever its label says
    spare = (
        (own | head) - asked - measure - NEUTRAL - wanted.company - words_of_qualifiers(told_by_rows(wanted.qualifiers))
    )
    spare -= GROWTH_WORDS if wanted.growth else frozenset()
    spare -= _OF_ONE_SHARE if wanted.kind == "per_share" else frozenset()
    spare -= _short_names(row.label) | (wanted.spoken - OF_QUALIFIERS) | _OF_ITEM.get(wanted.item, frozenset())
    spare -= _SALES if wanted.growth and not wanted.item else frozenset()
    spare -= _OF_EFFECTS if _EXCLUDING in asked else frozenset()
    spare -= _RATE if unit == "percent" and asked & _OF_RATES else frozenset()
    is_change = unit == "percent" and COMPARABLE.search(" ".join((row.label, *row.headings[-1:])))
    spare -= GROWTH_WORDS if is_change else frozenset()
    if unit == "count" and not asks_for_count(wanted.phrase):
        spare -= stems_of(" ".join(COUNTED.findall(row.label)))
    count = len({word for word in spare if not word.isdigit() and len(word) > 1})
    whole = not (wanted.item or wanted.measure or "total" in asked) and _WHOLE.match(row.label)
    return count + 1 if count and whole else count  # `Total U.S.` is more than the U.S. that is asked for


_RATE, _OF_RATES = (
    stems_of("rate"),
    stems_of("churn occupancy retention attrition vacancy turnover utilization renewal"),
)
"""What is a rate wherever it is a percentage, whether it is called so or not."""
_EXPENSE = stems_of("expense expenses costs")
_OF_EXPENSES = re.compile(
    r"(?i)\W*(?:total )?(?:operating expenses|(?:operating )?costs and (?:operating )?expenses|expenses)\W*"
)
"""A heading that says of its rows no more than that they are expenses."""
_SALES = stems_of("sales revenue revenues net")
"""What grows where it is not said."""
_UNIT_NOTE = re.compile(
    r"(?i)\(\s*(?:(?:(?:u\.s\. )?dollars|\$|usd)?\s?(?:in )?(?:thousands|millions|billions|trillions|dollars|units)"
    r"|%(?: change)?|change %|percent(?:age)?(?: change)?|['\u2018\u2019]?000s?)[^()]{0,40}\)"
)
"""What a label or a heading says in brackets of its unit."""
COMPARABLE = re.compile(r"(?i)\bcomparable\b|\bsame[- ]store\b")
"""What a row of sales says whose figures are rates of growth."""
_EXCLUDING = stem("excluding")
_OF_EFFECTS = frozenset(map(stem, ["impact", "effect", "changes", "increases", "decreases", "price"]))
"""Words of a row that excludes something, beyond what it excludes; what that is stands in the question."""
_OF_ITEM: Mapping[str, frozenset[str]] = {
    "revenue": frozenset(map(stem, ["customers", "operating", "contracts"])),
    "operating_cash_flow": frozenset(map(stem, ["provided", "used"])),
    "stock_compensation": frozenset(map(stem, ["expense", "cost"])),
}
"""Words of rows of an item that say no more than its name; in rows of other items they tell something."""
_OF_ONE_SHARE = frozenset(
    map(stem, ["per", "common", "ordinary", "share", "stock", "value", "cash", "declared", "paid"])
)
"""Words of a row of amounts for one share that say no more than that."""


@lru_cache(maxsize=50_000)
def _short_names(label: str) -> frozenset[str]:
    """Return the short names that a label has in brackets after the long one, as `Book value (BV)`."""
    return frozenset().union(*(stems_of(found) for found in _SHORT_NAME.findall(label)))


_SHORT_NAME = re.compile(r"\([\"\u201c]?([A-Z][A-Za-z]{1,6})[\"\u201d]?\)")
_WHOLE = re.compile(r"(?i)\W*total\s+(?!company\b)\w")
"""Begins the name of a sum: its other words name what is summed, and no table says so in another way."""
_TOTAL_OF = re.compile(r"(?i)(?:gross profit |revenues? |operating income )?total\b.*(?:&|\band\b)")
"""The name of a sum of several parts."""
_NAME_ENDS = stems_of(
    "other excluding except less non growth change margin percentage united states international domestic foreign"
    " leasing sales addition additions"
)
"""Words that go on a name as that of another line, where they are no end of it: what is left out, a place, a change.

Tables do not tell the two apart: `Defense` goes on in `Defense, Space & Security`, and ends in `Defense leasing`.
"""


def _begins_one_name(table: FiledTable, asked: frozenset[str]) -> bool:
    """Whether only one row of a table has a name that begins with the words asked for and goes on."""
    longer = {row.label for row in table.rows if _first_words(row.label, len(asked)) == asked < stems_of(row.label)}
    return len(longer) < 2


@lru_cache(maxsize=50_000)
def _first_words(label: str, count: int) -> frozenset[str]:
    words = [stem(word) for word in words_of(row_words(label.lower())) if word not in ("of", "and", "the", "for", "in")]
    return frozenset([word for word in words if word not in NEUTRAL][:count])


@lru_cache(maxsize=50_000)
def _described(label: str, asked: frozenset[str]) -> frozenset[str]:
    """Return all words of a name that begins with those asked for, of which the rest describes it; none of another."""
    return stems_of(label) if _first_words(label, len(asked)) == asked else frozenset()


@lru_cache(maxsize=50_000)
def _rest_of_name(label: str, asked: frozenset[str], measure: frozenset[str]) -> frozenset[str]:
    """Return the further words of a name asked for by its first ones, as `Defense, Space & Security` by `defense`."""
    words = [stem(word) for word in words_of(row_words(label.lower())) if word not in ("of", "and", "the", "for", "in")]
    words = [word for word in words if word not in NEUTRAL | measure]
    rest = words[len(asked) :]
    first = frozenset(words[: len(asked)])
    if not asked or first != asked or len(rest) > _MOST_REST or _NAME_ENDS & set(rest):
        return frozenset()
    return frozenset(rest)
