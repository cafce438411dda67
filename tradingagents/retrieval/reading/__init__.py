"""Reading: bytes of a filing, a call or a text become a `Document`."""

from __future__ import annotations

from tradingagents.retrieval.reading.read import read_document
from tradingagents.retrieval.reading.transcripts import read_calls

__all__ = ["read_calls", "read_document"]
