"""`read_document`: bytes of a filing, a call or a text become a `SourceDocument`; the content tells what it is."""

from __future__ import annotations

import re
from datetime import datetime

from tradingagents.errors import UnreadableDocument
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.reading.html import read_html
from tradingagents.retrieval.reading.info import NO_HINTS, Hints
from tradingagents.retrieval.reading.limits import unpack
from tradingagents.retrieval.reading.plain import decode, read_plain
from tradingagents.retrieval.reading.transcripts import is_call, looks_like_call, read_call, read_plain_call

_HTML = re.compile(rb"<\s*(?:!doctype\s+html|html|body|head|div|p|table|span|font|title|meta|ix:)\b", re.IGNORECASE)
_XML = re.compile(rb"^\s*(?:\xef\xbb\xbf)?\s*<\?xml\b")
_START = 4_096


def read_document(content: bytes, *, known_at: datetime, name: str = "", hints: Hints = NO_HINTS) -> SourceDocument:
    """Read a filing, call or text. The same bytes and hints always give the same document.

    Args:
        content: HTML with or without inline XBRL, PDF, plain text or a transcript; also as a gzip or zip file.
        known_at: Instant of acceptance or publication; questions asked before it never see the document.
        name: Short name for lists; made from company, form and period where it is empty.
        hints: What is known of it; where absent, it is read from the document.

    Raises:
        UnreadableDocument: It is encrypted, scanned, damaged, too large or of an unknown kind.
    """
    plain = unpack(content)
    if not plain.strip():
        raise UnreadableDocument("The document is empty; get it again.")
    start = plain[:_START]
    if b"%PDF-" in start[:1024]:
        from tradingagents.retrieval.reading.pdf import read_pdf  # loads PDFium: 3 MB, which few runs need

        return read_pdf(plain, known_at=known_at, name=name, hints=hints)
    if _HTML.search(start) or (_XML.match(start) and b"html" in start.lower()):
        return read_html(plain, known_at=known_at, name=name, hints=hints)
    if _XML.match(start):
        raise UnreadableDocument("The file is XML without text for readers; add the HTML of the filing instead.")
    if is_call(plain):
        return read_call(plain, known_at=known_at, name=name, hints=hints)
    if hints.kind == "call" or (hints.kind is None and looks_like_call(decode(plain))):
        return read_plain_call(plain, known_at=known_at, name=name, hints=hints)
    return read_plain(plain, known_at=known_at, name=name, hints=hints)
