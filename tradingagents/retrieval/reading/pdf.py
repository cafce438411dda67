"""PDF as a document: words joined to rows in reading order, cells of a row kept apart by spaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from tradingagents.errors import UnreadableDocument
from tradingagents.retrieval.models import Page, SourceDocument
from tradingagents.retrieval.reading.columns import in_reading_order
from tradingagents.retrieval.reading.headings import read_headings
from tradingagents.retrieval.reading.info import NO_HINTS, Hints, cover_of_text, make_info
from tradingagents.retrieval.reading.items import lines_of, read_sections
from tradingagents.retrieval.reading.limits import MAX_PAGES
from tradingagents.retrieval.text_tables import read_text_tables

_LEAST_PER_PAGE = 20
"""Fewer characters a page than this on average: the pages are pictures."""
_MAX_CHARACTERS = 200_000
"""Most characters of a page; a page of a filing has about four thousand."""
_CELL_GAP = 1.2
"""A gap wider than this times the height of a word separates cells."""
_SAME_ROW = 0.5
"""Share of the lower word's height by which two words overlap if they stand in one row."""
_HYPHENS = frozenset({0x2, 0xFFFE})
"""What PDFium gives for a hyphen at the end of a line; the rest of the word follows it at once."""
_PDFIUM = Lock()
"""PDFium is not safe to call from several threads at once."""


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    left: float
    right: float
    bottom: float
    top: float


def read_pdf(content: bytes, *, known_at: datetime, name: str = "", hints: Hints = NO_HINTS) -> SourceDocument:
    """Read a PDF.

    Raises:
        UnreadableDocument: It is encrypted, damaged, or its pages are pictures without text.
    """
    with _PDFIUM:
        texts = _page_texts(content)
    if sum(len(text) for text in texts) < _LEAST_PER_PAGE * len(texts):
        raise UnreadableDocument(
            "The PDF holds pictures of pages and no text; have its text recognised (OCR) first, or add it as HTML."
        )
    pages = tuple(Page(number, text) for number, text in enumerate(texts))
    cover = cover_of_text("\n".join(page.text for page in pages[:4])[:20_000])
    info = make_info(content, cover, known_at=known_at, name=name, hints=hints)
    lines = lines_of(pages)
    sections, doubts = read_sections(info.form, pages, lines)
    empty = [str(page.number + 1) for page in pages if not page.text]
    warnings = (f"Pages without text: {', '.join(empty[:20])}.",) if empty else ()
    tables = read_text_tables(pages, info)
    return SourceDocument(
        info=info,
        pages=pages,
        sections=sections,
        tables=tables,
        warnings=(*warnings, *doubts),
        headings=read_headings(lines),
    )


def _page_texts(content: bytes) -> list[str]:
    try:
        with closing(pypdfium2.PdfDocument(content)) as document:
            if len(document) > MAX_PAGES:
                raise UnreadableDocument(f"The PDF has more than {MAX_PAGES} pages; add the parts that you need.")
            return [_page_text(document, number) for number in range(len(document))]
    except pypdfium2.PdfiumError as error:
        if error.err_code in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
            raise UnreadableDocument("The PDF is encrypted; remove its password first.") from error
        raise UnreadableDocument(f"The PDF is damaged ({error}); get it again.") from error


def _page_text(document: Any, number: int) -> str:
    with closing(document[number]) as page, closing(page.get_textpage()) as text:
        return "\n".join(_line(row) for row in in_reading_order(_rows(list(_words(text)))))


def _words(page: Any) -> Iterator[_Word]:
    """Yield the words of a page in the order of the file."""
    letters: list[str] = []
    first = last = 0
    broken = False
    for index in range(min(page.count_chars(), _MAX_CHARACTERS)):
        code = pdfium.FPDFText_GetUnicode(page, index)
        letter = "-" if code in _HYPHENS else chr(code) if code < 0x110000 else " "
        if not letter.isspace() and code != 0:
            if not letters:
                first, broken = index, False
            broken = broken or code in _HYPHENS
            letters.append(letter)
            last = last if broken and len(letters) > 1 else index
        elif letters:
            yield _word(page, letters, first, last)
            letters = []
    if letters:
        yield _word(page, letters, first, last)


def _word(page: Any, letters: Sequence[str], first: int, last: int) -> _Word:
    left, bottom, right, top = page.get_charbox(first, loose=True)
    if last != first:
        left2, bottom2, right2, top2 = page.get_charbox(last, loose=True)
        left, bottom, right, top = min(left, left2), min(bottom, bottom2), max(right, right2), max(top, top2)
    return _Word("".join(letters), left, right, bottom, top)


def _rows(words: list[_Word]) -> list[list[_Word]]:
    """Join words that stand beside each other to rows, from the top of the page to its bottom."""
    rows: list[list[_Word]] = []
    for word in sorted(words, key=lambda word: -(word.top + word.bottom)):
        if rows and _beside(rows[-1], word):
            rows[-1].append(word)
        else:
            rows.append([word])
    return [sorted(row, key=lambda word: word.left) for row in rows]


def _beside(row: Sequence[_Word], word: _Word) -> bool:
    last = max(row[-3:], key=lambda other: other.top - other.bottom)
    overlap = min(last.top, word.top) - max(last.bottom, word.bottom)
    return overlap > _SAME_ROW * min(last.top - last.bottom, word.top - word.bottom)


def _line(row: Sequence[_Word]) -> str:
    text = ""
    before: _Word | None = None
    for word in row:
        if before is not None:
            height = max(before.top - before.bottom, word.top - word.bottom, 1.0)
            text += "  " if word.left - before.right > _CELL_GAP * height else " "
        text += word.text
        before = word
    return text.strip()
