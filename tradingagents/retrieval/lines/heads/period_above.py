"""One period that stands above a table of plain text, and is that of all its columns: these stand for names.

    At Fair Value as of December 31, 2020          a line of the heads, or the sentence that leads to the table
    Level 1 Level 2 Level 3 Total
    Restricted funds $ 29 $ — $ — $ 29

It is taken only where nothing else above the table, up to the end of the text before it, names a year, where no row
tells a year of its own, and where the report itself is of that period or of one a few years before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tradingagents.retrieval.lines.heads.above_tables import first_figure, is_tagged, lines_above
from tradingagents.retrieval.lines.heads.report_days import ReportDay
from tradingagents.retrieval.models import Column, FiledTable, Row, SourceDocument
from tradingagents.retrieval.text_figures import MONTH
from tradingagents.retrieval.text_headers import columns as columns_of
from tradingagents.retrieval.text_headers import header_marks

_MOST_ABOVE = 24
"""Lines over which the heads of a table and the sentence before them may run."""
_MOST_YEARS = 3
"""Years before that of the report that it may print."""
_PROSE = 70
"""Characters of a line from which on it is one of a sentence rather than of heads."""
_YEAR = re.compile(r"(?<![\d,.$-])(?:19|20)\d\d(?![\d,]|\.\d)")
_DATE = rf"(?:(?:fiscal|calendar) )?(?:year )?(?:{MONTH} \d{{1,2}}, ?)?(?:19|20)\d\d"
_SAID = re.compile(
    rf"(?i)\b(?:(?:as of|as at|at|ended|ending|during|for|in|of|end of) (?:the )?"
    rf"(?:(?:three|six|nine|twelve) months ended |(?:fiscal )?years? (?:ended )?)?{_DATE})"
)
"""A period within a sentence."""
_HEADED = re.compile(
    rf"(?i)^(?:(?:at|as of|as at|for|the|fair value|carrying value|balances?|amounts?|three|six|nine|twelve|months?"
    rf"|fiscal|years?|ended|ending) ){{0,9}}{_DATE}(?=$|,? ?\([^()]{{0,60}}\)|:$| level 1\b)"
)
"""A period with which a line of heads begins, before a caption or the names of levels."""
_SPAN = re.compile(r"(?i)(?:(?:three|six|nine|twelve) months|years?|fiscal)\b")
_YEARLY = re.compile(r"(?i)\b(?:during|for|in) (?:the )?(?:fiscal )?(?:year )?(?:19|20)\d\d$")
_BEFORE = re.compile(r"(?i)^(?:in|during|of|(?:at )?(?:fair|carrying) value|balances?|amounts?)\b")
"""Begins the words of a period, and is no part of it."""
_INSTANT = re.compile(r"(?i)(?:end of|as of|as at|at)\b")
_ROW = re.compile(r"\d,\d{3}|\$ ?\d|\d ?%|\d[\d.,]{0,15}\)? [\d.,]{1,16}\)? \d|[\u2014\u2013-] [\u2014\u2013-]")
"""Figures of a row, which ends what stands above a table."""
_OTHER = re.compile(
    r"(?i)\b(?:estimat|expect|future|futur|matur|thereafter|anticipat|remain|project|beginning|begin|opening|prior|previous"
    r"|preceding|change[sd]?\b|roll|activity|vs\b|versus|since|reconcil|acqui|due\b|issu|assum|exhibit|incorporated"
    r"|purchase price|adopt|subsequent|forecast|outlook|guidance|next|commitment|per cent of|range)"
)
"""What says that the columns are of several times, of the future, or of an event."""
_OWN = re.compile(rf"(?i)(?:19|20)\d\d|\b{MONTH}(?=\W|$)|\b(?:beginning|opening|ending|end of|begin)\b")
"""What says that a row has a time of its own."""
_DUE = re.compile(rf"(?i)\bdue (?:in )?(?:{MONTH} )?(?:\d{{1,2}}, ?)?(?:19|20)\d\d")
"""A year that names a note, and is no time of its figures."""
_UNSURE = re.compile(r"(?i)\b(?:months?|quarters?|weeks?)\b")
"""What heads say of a part of a year: of which, a period with its own words has to tell."""
_CONTENTS = re.compile(r"(?i)(?:^|\s)pages?(?:\s|$)|\bindex\b")
"""What the heads of a list of contents say, whose numbers are of pages."""
_GOES_ON = re.compile(r"(?i)\b(?:ended|ending|as of|as at|at|for|the)$")
"""Ends a line of heads whose date stands on the next."""


def with_period_above(document: SourceDocument, table: FiledTable, of: ReportDay | None) -> FiledTable:
    """Return a table with the one period that is said above it; as it is where there is none, or any other."""
    if of is None or any(column.fiscal_year or column.months for column in table.columns):
        return table
    page = next((page for page in document.pages if page.number == table.page), None)
    begin = first_figure(table)
    if page is None or begin is None or is_tagged(table) or any(map(_tells_time, table.rows)):
        return table
    above = _lines_of_table(lines_above(page, begin))
    period = _period(above, of)
    if period is None or _has_other_headings(table, " ".join(above)):
        return table
    if any(_OTHER.search(column.header) or _YEAR.search(column.header) for column in table.columns):
        return table
    columns = (replace(period, header=f"{column.header} {period.header}".strip()) for column in table.columns)
    return replace(table, columns=tuple(columns))


def _tells_time(row: Row) -> bool:
    """Whether a row tells a time of its own, in its label or as its first figure."""
    first = next((cell for cell in row.cells if cell is not None), None)
    year = first is not None and _YEAR.fullmatch(first.text.strip()) is not None
    return year or _OWN.search(_DUE.sub("", row.label)) is not None


def _has_other_headings(table: FiledTable, above: str) -> bool:
    """Whether rows stand under headings with times of their own; heads of columns may have become headings."""
    headings = {" ".join(heading.split()) for row in table.rows for heading in row.headings}
    return any(_OWN.search(heading) and heading not in above for heading in headings)


def _lines_of_table(above: Sequence[str]) -> list[str]:
    """Return the lines from the text before a table to its first row: heads, and the sentence that leads to them."""
    found: list[str] = []
    for line in reversed(above[-_MOST_ABOVE:]):
        text = " ".join(line.split())
        if not text:
            continue
        if _ROW.search(text) or text.endswith("."):
            break
        if found and _GOES_ON.search(text) and len(text) < _PROSE and len(found[0]) < _PROSE:
            text = f"{text} {found.pop(0)}"
        found.insert(0, text)
    return found


def _period(lines: Sequence[str], of: ReportDay) -> Column | None:
    """Return the one period that lines name; None where they name none, several, or say that it is not that of all."""
    whole = " ".join(lines)
    years = _YEAR.findall(whole)
    if not years or _OTHER.search(whole):
        return None
    said = list(dict.fromkeys(_said(lines)))
    if len(said) != 1 or len(set(years)) > 1:
        return None
    heads = " ".join(line for line in lines if line != said[0])
    heads = heads.replace(said[0], " ").strip()
    return None if _UNSURE.search(heads) or _CONTENTS.search(heads) else _column(said[0], of)


def _said(lines: Sequence[str]) -> Iterator[str]:
    """Yield the periods that are said in full; an empty text for a year of which it is not said what it is."""
    run = ""
    for line in (*lines, ""):
        if len(line) >= _PROSE or (run and line.endswith(":")):
            run = f"{run} {line}".strip()
            continue
        if run:
            found = _SAID.findall(run)
            yield from found if len(found) == len(_YEAR.findall(run)) else [*found, ""]
            run = ""
        if headed := _HEADED.match(line):
            yield headed.group()
        elif _YEAR.search(line):
            found = _SAID.findall(line) if line.endswith(":") else []
            yield from found or [""]


def _column(said: str, of: ReportDay) -> Column | None:
    """Return the column of a period in words; None where it is none of the periods of the report."""
    marks = header_marks(_BEFORE.sub("", said).strip())
    if sum(mark.kind == "year" for mark in marks) != 1:
        return None
    (read,) = columns_of(marks, 1)
    instant = _INSTANT.match(said) is not None
    spans = not instant and (_SPAN.search(said) is not None or _YEARLY.search(said) is not None)
    if read.period_end is None:
        before = None if read.fiscal_year is None else of.fiscal_year - read.fiscal_year
        known = of.fiscal_quarter is None and before is not None and 0 <= before <= _MOST_YEARS
        return replace(read, months=12 if spans else None) if known else None
    year = of.year_of(read.period_end)
    if year is None or of.fiscal_year - year > _MOST_YEARS or (spans and read.months is None):
        return None
    return replace(read, fiscal_year=year)
