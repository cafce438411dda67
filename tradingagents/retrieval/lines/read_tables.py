"""Tables of filings made readable as lines: what stands in rows but belongs to columns, headings or units is put there.

A table may head its columns in its first row, tell its years in headings of rows, or name a product only in the first
of its rows. What is said so is said of every cell that it is said of.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise, takewhile

from tradingagents.dataflows.reference.fiscal_periods import YEARLY_FORMS
from tradingagents.retrieval.lines.heads.contradicted_periods import with_agreeing_periods
from tradingagents.retrieval.lines.heads.dated_rows import by_dated_rows
from tradingagents.retrieval.lines.heads.left_figures import with_own_figures, without_marked_rows
from tradingagents.retrieval.lines.heads.named_heads import names_of_rows, with_named_heads
from tradingagents.retrieval.lines.heads.open_headings import with_open_headings
from tradingagents.retrieval.lines.heads.part_sections import with_sections
from tradingagents.retrieval.lines.heads.period_above import with_period_above
from tradingagents.retrieval.lines.heads.report_days import ReportDay, report_day
from tradingagents.retrieval.lines.heads.row_comments import with_whole_names, without_comments
from tradingagents.retrieval.lines.heads.split_names import NeighbourWords
from tradingagents.retrieval.lines.heads.total_heads import with_total_heads
from tradingagents.retrieval.lines.heads.worded_heads import with_worded_heads
from tradingagents.retrieval.lines.table_scales import with_scales
from tradingagents.retrieval.models import Column, DocumentInfo, FiledTable, Row, SourceDocument
from tradingagents.retrieval.text_headers import columns as columns_of
from tradingagents.retrieval.text_headers import header_marks

_QUARTER_HEAD = re.compile(r"(?i)\bq(?P<quarter>[1-4])\s?(?:fy|fiscal)?\s?'?(?P<year>20\d\d|\d\d)\b")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_HEAD_LABEL = re.compile(
    r"(?i)(?:\W|\b(?:dollars?|amounts?|in|millions?|thousands?|billions?|except|per share|data|and|unaudited"
    r"|u\.s\.)\b)*"
)
_YEAR_HEADING = re.compile(
    r"(?i)\W*(?:(?:as of|as at|at|for|the|year|years|fiscal|twelve months|ended|ending|in|on)\b\s*){0,8}"
    r"(?:(?:january|february|march|april|may|june|july|august|september|october|november|december)\b\s*\d{0,2},?\s*)?"
    r"(?P<year>(?:19|20)\d\d)\W*"
)
_PLACE = re.compile(
    r"(?i)^(?P<of>[\w&/'\u2019\u00ae\u2122*+.-]+(?: [\w&/'\u2019.-]+){0,3}?) (?P<place>united states|u\.s\.|domestic)$"
)
_OTHER_PLACE = re.compile(
    r"(?i)^(?:international|total|intl|non-u\.s\.|outside(?: of)? the u(?:nited states|\.s\.)|rest of world"
    r"|worldwide|global)\W*$"
)
_PERCENT_TITLE = re.compile(r"(?i)\bmargins?\b|\bpercentages?\b|\bpercent\b|%|\brates? of\b")
_EXCEPTED = re.compile(r"(?i)\bexcept\b[^()]{0,120}")
"""What a caption says of a few rows and not of all: `(in thousands, except percentages)`."""
_RATIO_HEADING = re.compile(
    r"(?i)\bchanges? analysis\b|\bcomponents? of\b.*\bchanges?\b|\bmargins?\b|\bpercent|%|\brates?\b|\bratios?\b"
    r"|\bgrowth\b"
)


def readable(document: SourceDocument) -> SourceDocument:
    """Return a document whose tables can be read by their rows and columns."""
    tables: list[FiledTable] = []
    behind = _years_behind(document)
    newest = _last_day(document) if behind else None
    names, neighbours = names_of_rows(document), NeighbourWords(document)
    for filed in document.tables:
        sure = without_marked_rows(document, filed)
        titled = with_agreeing_periods(document, _with_nearest_title(document, with_own_figures(document, sure)))
        worded = with_worded_heads(document, titled)
        table = _dated(document.info, with_named_heads(document, worded, names, neighbours))
        table = _a_year_later(table, document.info, newest) if behind else table
        table = with_whole_names(table, tables[-1] if tables else None)
        tables.append(_as_continued(table, tables[-1]) if tables else table)
    of = report_day(document)
    dated = [with_period_above(document, table, of) for table in tables]
    headed = with_total_heads(document, dated)
    parts = [part for table in headed for own in _headed_apart(table) for part in _parts(own, of)]
    parts = parts if document.facts else [with_open_headings(table) for table in parts]
    info = document.info
    if info.period_end is None and of is not None and of.fiscal_quarter is not None:
        info = replace(info, period_end=of.day)  # a balance of another day is of another quarter
    return replace(document, info=info, tables=tuple(with_sections(document, with_scales(document, parts))))


_NAME_LINE = 6
"""Words of a line that is the name of what the table below it is of, such as `Rest of World:`."""
_CUT_TITLE = 300
"""Characters at which titles of tables of plain text are cut."""


def _with_nearest_title(document: SourceDocument, table: FiledTable) -> FiledTable:
    """Return a table of plain text with the text just above it as its title, where a long title was cut before it.

    A title that begins within a sentence has the rest of it: the line above it begins the sentence.
    """
    page = next((page for page in document.pages if page.number == table.page), None)
    if page is None:
        return table
    if len(table.title) < _CUT_TITLE:
        return _with_whole_sentence(page.text, table) if table.title[:1].islower() else table
    line = page.text[table.start :].split("\n", 1)[0].strip()
    if line[:1].isupper() and line.endswith(":") and len(line.split()) <= _NAME_LINE and not re.search(r"\d", line):
        return replace(table, title=line)
    above = " ".join(page.text[max(0, table.start - _CUT_TITLE) : table.start].split())
    return replace(table, title=f"{above} {line}"[-_CUT_TITLE:].strip())


def _with_whole_sentence(text: str, table: FiledTable) -> FiledTable:
    above = " ".join(text[max(0, table.start - _CUT_TITLE) : table.start + len(table.title)].split())
    at = above.rfind(table.title)
    begun = re.split(r"[.:;)] (?=[A-Z\u2022])", above[: max(at, 0)])[-1]
    return replace(table, title=f"{begun}{table.title}"[-_CUT_TITLE:]) if begun[:1].isupper() else table


def _dated(info: DocumentInfo, table: FiledTable) -> FiledTable:
    """Return a table with the years of columns headed as `Q1 FY27`, where they are of the document's quarter."""
    heads = [_QUARTER_HEAD.search(column.header) for column in table.columns]
    if info.fiscal_quarter is None or not any(heads) or any(column.fiscal_year for column in table.columns):
        return table
    columns = (
        replace(column, fiscal_year=2000 + int(head["year"]) % 100, months=3)
        if head and int(head["quarter"]) == info.fiscal_quarter
        else column
        for column, head in zip(table.columns, heads, strict=True)
    )
    return replace(table, columns=tuple(columns))


def _years_behind(document: SourceDocument) -> int:
    """Return by how many years the fiscal year of a quarterly document is ahead of the years of its columns."""
    info = document.info
    if info.fiscal_year is None or info.fiscal_quarter is None or info.form.upper().startswith(YEARLY_FORMS):
        return 0
    ends = [column.fiscal_year for table in document.tables for column in table.columns]
    newest = max((year for year in ends if year is not None and year <= info.fiscal_year), default=info.fiscal_year)
    return 1 if newest == info.fiscal_year - 1 else 0


def _a_year_later(table: FiledTable, info: DocumentInfo, newest: date | None) -> FiledTable:
    """Return a table with the company's own years: a dated column by the days between it and the report's last day."""
    columns = [
        column if column.fiscal_year is None else replace(column, fiscal_year=_own_year(column, info, newest))
        for column in table.columns
    ]
    return replace(table, columns=tuple(columns))


def _own_year(column: Column, info: DocumentInfo, newest: date | None) -> int | None:
    if column.period_end is None or newest is None or info.fiscal_year is None or column.fiscal_year is None:
        return None if column.fiscal_year is None else column.fiscal_year + 1
    year_end = newest + timedelta(days=91 * (4 - (info.fiscal_quarter or 4)))
    return info.fiscal_year - int(((year_end - column.period_end).days + 20) // 365.25)


def _last_day(document: SourceDocument) -> date | None:
    """Return the day on which most of the newest columns of a document end; None where none is dated."""
    dated = [column for table in document.tables for column in table.columns if column.period_end is not None]
    year = (document.info.fiscal_year or 0) - 1
    days = Counter(column.period_end for column in dated if column.months and column.fiscal_year == year)
    return max(days, key=lambda day: (days[day], day)) if days else None


def _as_continued(table: FiledTable, before: FiledTable) -> FiledTable:
    """Return a table without heads with those of the table before it, which it goes on."""
    bare = not any(column.header.strip() for column in table.columns) and len(table.columns) > 1
    same = len(table.columns) == len(before.columns) and table.page - before.page <= 1
    if not bare or not same or not any(column.header.strip() for column in before.columns):
        return table
    told = any(column.fiscal_year for column in table.columns)
    columns = tuple(
        replace(own, header=above.header) if told else above
        for own, above in zip(table.columns, before.columns, strict=True)
    )
    return replace(table, columns=columns)


_OF_PERIODS = re.compile(
    r"(?i)\W*(?:fiscal|year|years|three|six|nine|twelve|months?|weeks?|quarters?|ended|ending|as|at|for|january|february|march"
    r"|april|may|june|july|august|september|october|november|december|\d+)\b"
)
_LONG_HEAD = 4
"""Words that the heads of all columns begin with, from which on they are the title of the table."""


def _without_title(table: FiledTable) -> FiledTable:
    """Return a table without the words that the heads of all its columns begin with: they are its title."""
    heads = [column.header.split() for column in table.columns]
    shared = [words[0] for words in takewhile(lambda words: len(set(words)) == 1, zip(*heads, strict=False))]
    shared = list(takewhile(lambda word: not _OF_PERIODS.match(word), shared)) if len(heads) > 1 else []
    if len(shared) < _LONG_HEAD or any(len(head) == len(shared) for head in heads):
        return table
    columns = tuple(
        replace(column, header=" ".join(head[len(shared) :])) for column, head in zip(table.columns, heads, strict=True)
    )
    return replace(table, columns=columns, title=f"{table.title} {' '.join(shared)}".strip())


def _headed_apart(table: FiledTable) -> Iterator[FiledTable]:
    """Yield a table in parts: a row that names a period and holds heads of columns begins a new one."""
    begins = [at for at, row in enumerate(table.rows) if _head_columns(row) is not None]
    for begin, end in pairwise((-1, *begins, len(table.rows))):
        rows = table.rows[begin + 1 : end]
        heads = _head_columns(table.rows[begin]) if begin >= 0 else None
        if rows or begin < 0:
            yield replace(table, columns=heads or table.columns, rows=rows)


def _head_columns(row: Row) -> tuple[Column, ...] | None:
    """Return the columns that a row heads, as `Nine Months Ended March 31, 2025 | Net Sales Growth`; else None."""
    if len(row.label) > _LONGEST_PERIOD or any(cell is None or _FIGURE.search(cell.text) for cell in row.cells):
        return None
    marks = header_marks(row.label)
    if not {"year", "span"} <= {mark.kind for mark in marks}:
        return None
    (of,) = columns_of(marks, 1)
    return tuple(replace(of, header=f"{of.header} {cell.text}") for cell in row.cells if cell is not None)


_LONGEST_PERIOD = 60
_FIGURE = re.compile(r"^\W*\d")


def _parts(table: FiledTable, of: ReportDay | None) -> Iterator[FiledTable]:
    headed = _with_head_row(_without_title(table))
    rows = tuple(_percent_together(_with_products(tuple(without_comments(headed.rows)))))
    for part in _by_year(_in_percent(replace(headed, rows=rows))):
        yield from by_dated_rows(part, of)


def _with_head_row(table: FiledTable) -> FiledTable:
    """Return a table whose first row, where it only heads the columns, is in the heads of the columns."""
    if not table.rows or any(column.fiscal_year for column in table.columns):
        return table
    first = table.rows[0]
    texts = [cell.text if cell is not None else "" for cell in first.cells]
    years = [_YEAR.search(text) for text in texts]
    said = [text for text in texts if text]
    of_years = len(said) > 1 and all(_YEAR.match(text) and len(text) < 12 for text in said)
    names = len(said) > 2 and not first.label.strip() and not any(column.header.strip() for column in table.columns)
    if not _HEAD_LABEL.fullmatch(first.label) or not (of_years or names) or len(table.rows) < 2:
        return table
    columns = tuple(
        replace(
            column, header=f"{column.header} {text}".strip(), fiscal_year=int(year[0]) if of_years and year else None
        )
        for column, text, year in zip(table.columns, texts, years, strict=True)
    )
    return replace(table, columns=columns, rows=table.rows[1:])


def _by_year(table: FiledTable) -> Iterator[FiledTable]:
    """Yield a table, or a table for each year that headings of its rows tell where its columns tell none."""
    if any(column.fiscal_year for column in table.columns):
        yield table
        return
    years = [_heading_year(row) for row in table.rows]
    if not any(years):
        yield table
        return
    for year in dict.fromkeys(year for year in years if year):
        rows = tuple(row for row, of in zip(table.rows, years, strict=True) if of == year)
        columns = tuple(_of_year(column, year) for column in table.columns)
        yield replace(table, columns=columns, rows=rows)
    if rest := tuple(row for row, of in zip(table.rows, years, strict=True) if not of):
        yield replace(table, rows=rest)


def _of_year(column: Column, year: int) -> Column:
    return replace(column, fiscal_year=year)


def _heading_year(row: Row) -> int:
    """Return the year that a heading of a row tells; 0 where none does."""
    found = [told for heading in row.headings if (told := _YEAR_HEADING.fullmatch(heading[:80]))]
    return int(found[-1]["year"]) if found else 0


def _with_products(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield rows with the name that only the first says, as `Humira United States`, `International`, `Total`."""
    name = ""
    for row in rows:
        first = _PLACE.match(row.label.strip())
        if first:
            name = first["of"]
        elif not _OTHER_PLACE.match(row.label.strip()):
            name = ""
        yield replace(row, headings=(*row.headings, name)) if name else row


def _percent_together(rows: Iterator[Row]) -> list[Row]:
    """Return rows under one heading of ratios as percentages where one of them prints the sign."""
    listed = list(rows)
    signed = {row.headings for row in listed if row.unit == "percent" and row.headings}
    return [
        replace(row, unit="percent", scale=1.0)
        if row.unit != "percent" and row.headings in signed and _RATIO_HEADING.search(row.headings[-1])
        else row
        for row in listed
    ]


def _in_percent(table: FiledTable) -> FiledTable:
    """Return a table that its title says to hold ratios in percent, where its rows state no unit."""
    if not _PERCENT_TITLE.search(_EXCEPTED.sub(" ", table.title[-200:])):
        return table
    return replace(table, rows=tuple(replace(row, unit="percent") if not row.unit else row for row in table.rows))
