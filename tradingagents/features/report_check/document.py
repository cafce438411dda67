"""Any report as Markdown: what is Markdown stays as it is, tables of HTML and PDF become tables with a header."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

from tradingagents.errors import UnreadableDocument
from tradingagents.features.report_check.periods import named_periods
from tradingagents.retrieval.models import FiledTable, Page, SourceDocument
from tradingagents.retrieval.reading import read_document
from tradingagents.retrieval.reading.info import Hints
from tradingagents.retrieval.reading.limits import unpack
from tradingagents.retrieval.reading.plain import decode
from tradingagents.retrieval.text_figures import read_line

_PIPE_TABLE = re.compile(r"^[^\S\n]*+\|?[^\S\n]*+:?-{3,}+:?[^\S\n]*+\|", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6} \S", re.MULTILINE)
_BINARY = (b"%PDF-", b"<!do", b"<htm", b"<?xm", b"<bod", b"<div")
_SENTENCE = re.compile(r"[.!?:;,]$")
_NOTE_MARK = re.compile(r"(?<=[A-Za-z]) ?\(\d{1,2}\)(?=\s)")
_GAP = re.compile(r"\s{2,}")
LONGEST_HEADING = 90
SHORT_LINE = 60
"""A line that ends a sentence before this many characters ends its paragraph."""
PAGE = "<!-- page {} -->"
"""Line before each page but the first."""


def markdown_of(content: bytes, *, known_at: datetime) -> str:
    """Return a report in PDF, HTML, Markdown or plain text as Markdown.

    Raises:
        UnreadableDocument: It is encrypted, scanned, damaged, too large or of an unknown kind.
    """
    plain = unpack(content)
    if not plain.strip():
        raise UnreadableDocument("The report is empty; give a file with text.")
    start = plain.lstrip()[:8].lower()
    if not start.startswith(_BINARY) and b"\0" not in plain[:4096]:
        text = decode(plain)
        if _PIPE_TABLE.search(text) or _HEADING.search(text):
            return text
    return _from_pages(read_document(content, known_at=known_at, hints=Hints(kind="article")))


def _from_pages(document: SourceDocument) -> str:
    """Lay a document out: its tables as Markdown, lines that look like headings as such, the rest as paragraphs."""
    parts: list[str] = []
    titles = {(heading.page, heading.start) for heading in document.headings}
    for page in document.pages:
        if page.number:
            parts += ["", PAGE.format(page.number + 1), ""]
        parts += _page(page, [table for table in document.tables if table.page == page.number], titles)
    return "\n".join(parts) + "\n"


def _page(page: Page, tables: list[FiledTable], titles: set[tuple[int, int]]) -> Iterator[str]:
    at = 0
    for table in sorted(tables, key=lambda table: table.start):
        begin = max(at, min(table.start, len(page.text)))
        yield from _prose(page, at, begin, titles)
        at = max(begin, min(table.end, len(page.text)))
        yield from _table(table)
    yield from _prose(page, at, len(page.text), titles)


def _prose(page: Page, begin: int, end: int, titles: set[tuple[int, int]]) -> Iterator[str]:
    """Yield the lines between two tables; rows that stand under a header of periods become a table as well."""
    place, lines = begin, page.text[begin:end].split("\n")
    at, above = 0, ""
    while at < len(lines):
        if (size := _loose_table(lines, at)) > 1:
            yield from _rows(lines[at : at + size])
            place += sum(len(line) + 1 for line in lines[at : at + size])
            at += size
            continue
        opens = not above.strip() or above.rstrip()[-1] in ".!?:"  # else it is the middle of a paragraph
        yield from _line(lines[at], opens and (page.number, place) in titles)
        above = lines[at]
        place += len(lines[at]) + 1
        at += 1


def _line(line: str, is_title: bool) -> Iterator[str]:
    words = " ".join(line.replace("|", "/").split())
    is_short = len(words) <= LONGEST_HEADING and ". " not in words
    heading = is_title and is_short and not _SENTENCE.search(words)
    if heading and words and not any(map(str.isdigit, words[-4:])):
        yield from ("", f"## {words}", "")
        return
    yield words
    if words and words[-1] in ".!?" and len(line) < SHORT_LINE:
        yield ""


def _titles(line: str) -> list[str]:
    """Return the titles of columns in a line that ends in periods or in cells kept apart; else nothing."""
    periods = [period for period in named_periods(line) if period.span in ("quarter", "year", "twelve_months", "day")]
    if (
        periods
        and not line[periods[-1].end :].strip()
        and all(not line[one.end : after.start].strip(" ,") for one, after in pairwise(periods))
    ):
        return [line[: periods[0].start].strip(), *(line[period.start : period.end] for period in periods)]
    cells = [cell.strip() for cell in _GAP.split(line.strip())]
    return ["", *cells] if len(cells) > 1 and not any(map(str.isdigit, line)) else []


def _loose_table(lines: list[str], at: int) -> int:
    """Return how many lines from a header on are a table: rows with as many figures as the header has columns."""
    titles = _titles(lines[at])
    count = len(titles) - 1
    end = at + 1
    while titles and end < len(lines):
        row = read_line(_without_note(lines[end], count), 0)
        if not row.label or len(row.figures) not in (count, count - 1) or not row.figures:
            break
        end += 1
    return end - at if end - at > 1 else 0


def _without_note(line: str, count: int) -> str:
    """Return a row without the mark of a footnote behind its label, where with it there is a figure too many."""
    too_many = len(read_line(line, 0).figures) > count
    return _NOTE_MARK.sub(lambda mark: " " * len(mark[0]), line, count=1) if too_many else line


def _rows(lines: list[str]) -> Iterator[str]:
    titles = _titles(lines[0])
    lines = [lines[0], *(_without_note(line, len(titles) - 1) for line in lines[1:])]
    rows = [read_line(line, 0) for line in lines[1:]]
    if titles[0] == "" and all(len(row.figures) == len(titles) - 2 for row in rows):
        titles = titles[1:]  # the first cell names the rows
    yield from ("", f"| {' | '.join(map(_cell, titles))} |", f"|---|{'---|' * (len(titles) - 1)}")
    for row, line in zip(rows, lines[1:], strict=True):
        cells = [line[figure.start : figure.end].strip() for figure in row.figures]
        yield f"| {_cell(row.label)} | {' | '.join(map(_cell, cells))} |"
    yield ""


def _table(table: FiledTable) -> Iterator[str]:
    yield ""
    if note := _scale_note(table):
        yield note
        yield ""
    yield f"| {_cell(table.title)} | {' | '.join(_cell(column.header) for column in table.columns)} |"
    yield f"|---|{'---|' * len(table.columns)}"
    for row in table.rows:
        label = " / ".join(_cell(heading) for heading in (*row.headings, row.label))
        unit = " (per share)" if row.unit.endswith("/share") and "share" not in label.lower() else ""
        shown = (_cell(cell.text) if cell is not None else "" for cell in row.cells)
        yield f"| {label}{unit} | {' | '.join(shown)} |"
    yield ""


def _scale_note(table: FiledTable) -> str:
    scale = max((row.scale for row in table.rows), default=1.0)
    return {1e3: "(in thousands)", 1e6: "(in millions)", 1e9: "(in billions)"}.get(scale, "")


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "/").split())
