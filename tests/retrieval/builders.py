"""Small documents for tests."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime

from tradingagents.retrieval.models import CallTurn, DocumentInfo, DocumentKind, Page, SourceDocument, TextPlace

KNOWN = datetime(2024, 2, 15, 21, 0, tzinfo=UTC)


def filing(
    pages: Sequence[str],
    *,
    company: str = "Example Corp",
    symbol: str = "EXM",
    form: str = "10-K",
    year: int | None = 2023,
    quarter: int | None = None,
    known_at: datetime = KNOWN,
    kind: DocumentKind = "filing",
) -> SourceDocument:
    """Return a document of these pages."""
    content = "\f".join([company, form, f"{known_at} {year} {quarter}", *pages])
    info = DocumentInfo(
        key=hashlib.sha256(content.encode()).hexdigest(),
        name=f"{symbol} {form} {year}",
        kind=kind,
        company=company,
        symbol=symbol,
        form=form,
        known_at=known_at,
        fiscal_year=year,
        fiscal_quarter=quarter,
    )
    return SourceDocument(info, tuple(Page(number, text) for number, text in enumerate(pages)))


def call(turns: Sequence[tuple[str, str]], *, year: int = 2023, quarter: int = 4) -> SourceDocument:
    """Return a call: who speaks, and what."""
    text, spoken = "", []
    for speaker, words in turns:
        start = len(text) + len(speaker) + 2
        text += f"{speaker}: {words}\n"
        spoken.append(CallTurn(speaker, "", "prepared", TextPlace("", 0, start, start + len(words))))
    document = filing([text], form="call", year=year, quarter=quarter, kind="call")
    return SourceDocument(document.info, document.pages, turns=tuple(spoken))
