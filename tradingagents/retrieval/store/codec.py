"""Turns a document into bytes and back: compressed JSON, the text of the pages apart."""

from __future__ import annotations

import zlib
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from tradingagents.retrieval.models import DocumentOutline, Page, SourceDocument

if TYPE_CHECKING:
    from pydantic import TypeAdapter


def encode(document: SourceDocument) -> tuple[bytes, list[bytes]]:
    """Return a document without its pages' text, and the text of each page."""
    bare = replace(document, pages=tuple(Page(page.number, "", page.anchor) for page in document.pages))
    return zlib.compress(_adapter().dump_json(bare), 6), [encode_text(page.text) for page in document.pages]


def decode(content: bytes, texts: list[bytes]) -> SourceDocument:
    """Return the document that `encode` made these of."""
    bare: SourceDocument = _adapter().validate_json(zlib.decompress(content))
    pages = (replace(page, text=decode_text(text)) for page, text in zip(bare.pages, texts, strict=True))
    return replace(bare, pages=tuple(pages))


def decode_outline(content: bytes) -> DocumentOutline:
    """Return where the items and turns of the document stand that `encode` made this of; its tables are not read."""
    outline: DocumentOutline = _outlines().validate_json(zlib.decompress(content))
    return outline


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
