"""Plain text as a document: pages at form feeds, or cut at paragraphs."""

from __future__ import annotations

import re
from datetime import datetime

from tradingagents.errors import UnreadableDocument
from tradingagents.retrieval.models import Page, SourceDocument
from tradingagents.retrieval.reading.headings import read_headings
from tradingagents.retrieval.reading.info import NO_HINTS, Hints, cover_of_text, make_info
from tradingagents.retrieval.reading.items import lines_of, read_sections
from tradingagents.retrieval.reading.limits import MAX_PAGES
from tradingagents.retrieval.text_tables import read_text_tables

LONG_PAGE = 6_000
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")


def read_plain(content: bytes, *, known_at: datetime, name: str = "", hints: Hints = NO_HINTS) -> SourceDocument:
    """Read plain text.

    Raises:
        UnreadableDocument: It isn't text, or has too many pages.
    """
    text = decode(content)
    pages = cut_pages(text)
    cover = cover_of_text("\n".join(page.text for page in pages[:3])[:20_000])
    info = make_info(content, cover, known_at=known_at, name=name, hints=hints)
    lines = lines_of(pages)
    sections, doubts = read_sections(info.form, pages, lines)
    tables = read_text_tables(pages, info)
    return SourceDocument(
        info=info,
        pages=pages,
        sections=sections,
        tables=tables,
        warnings=doubts,
        headings=read_headings(lines),
    )


def decode(content: bytes) -> str:
    """Return the text of bytes in UTF-8, UTF-16 with its mark, or Windows-1252."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = content.decode("utf-16", errors="replace")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("cp1252", errors="replace")
    control = len(_CONTROL.findall(text[:4_000]))
    if control > 20 or not text.strip():
        raise UnreadableDocument("The file is not text; add it as HTML, PDF or plain text.")
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def cut_pages(text: str) -> tuple[Page, ...]:
    """Cut a text at its form feeds; without any, at the ends of paragraphs."""
    parts = [part.strip("\n") for part in text.split("\f")] if "\f" in text else _by_paragraphs(text)
    while parts and not parts[-1].strip():
        parts.pop()
    if len(parts) > MAX_PAGES:
        raise UnreadableDocument(f"The document has more than {MAX_PAGES} pages; add the parts that you need.")
    return tuple(
        Page(number, "\n".join(line.rstrip() for line in part.split("\n"))) for number, part in enumerate(parts)
    )


def _by_paragraphs(text: str) -> list[str]:
    pages: list[str] = []
    lines: list[str] = []
    size = 0
    for line in text.strip("\n").split("\n"):
        for start in range(0, max(len(line), 1), LONG_PAGE):
            piece = line[start : start + LONG_PAGE]
            if size + len(piece) > LONG_PAGE and lines:
                pages.append("\n".join(lines))
                lines, size = [], 0
            lines.append(piece)
            size += len(piece) + 1
    return [*pages, "\n".join(lines)]
