"""Turns a document into bytes and back: compressed JSON, the text of the pages apart.

The JSON begins with the number of its format. A document that was stored without one has the figures of its tables in
the units that an earlier version read; it says so in its warnings until it is added again.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from tradingagents.retrieval.models import BEFORE_UNITS, DocumentOutline, Page, SourceDocument
from tradingagents.retrieval.series.fact import SeriesFact

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_FORMAT = b'{"format":1,'
"""How the JSON begins, as documents with units are stored; readers of the rest pass over it."""


def encode(document: SourceDocument) -> tuple[bytes, list[bytes]]:
    """Return a document without its pages' text, and the text of each page."""
    bare = replace(document, pages=tuple(Page(page.number, "", page.anchor) for page in document.pages))
    content = _FORMAT + _adapter().dump_json(bare).removeprefix(b"{")
    return zlib.compress(content, 6), [encode_text(page.text) for page in document.pages]


def decode(content: bytes, texts: list[bytes]) -> SourceDocument:
    """Return the document that `encode` made these of."""
    read = zlib.decompress(content)
    bare: SourceDocument = _adapter().validate_json(read)
    if bare.tables and not read.startswith(_FORMAT):
        bare = replace(bare, warnings=(*bare.warnings, BEFORE_UNITS))
    pages = (replace(page, text=decode_text(text)) for page, text in zip(bare.pages, texts, strict=True))
    return replace(bare, pages=tuple(pages))


def is_before_units(content: bytes) -> bool:
    """Return whether `encode` made this before units were read, so that the document should be added again."""
    return not zlib.decompressobj().decompress(content, len(_FORMAT)).startswith(_FORMAT)


def decode_outline(content: bytes) -> DocumentOutline:
    """Return where the items and turns of the document stand that `encode` made this of; its tables are not read."""
    outline: DocumentOutline = _outlines().validate_json(zlib.decompress(content))
    return outline


def encode_facts(facts: Sequence[SeriesFact]) -> bytes:
    """Return the facts of a document, compressed."""
    return zlib.compress(_facts().dump_json(tuple(facts)), 6)


def decode_facts(content: bytes) -> tuple[SeriesFact, ...]:
    """Return the facts that `encode_facts` made this of."""
    facts: tuple[SeriesFact, ...] = _facts().validate_json(zlib.decompress(content))
    return facts


def encode_text(text: str) -> bytes:
    """Return a page's text, compressed."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 6)


def decode_text(text: bytes) -> str:
    """Return the text that `encode_text` compressed."""
    return zlib.decompress(text).decode("utf-8", "surrogatepass")


@cache
def _adapter() -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(SourceDocument)


@cache
def _outlines() -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(DocumentOutline)


@cache
def _facts() -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(tuple[SeriesFact, ...])
