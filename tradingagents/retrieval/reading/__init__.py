"""Reading: bytes of a filing, a call or a text become a `Document`."""

from __future__ import annotations

from tradingagents.retrieval.reading.read import read_document

__all__ = ["read_document"]
