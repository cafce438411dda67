"""The context that each command needs of a model, in tokens: its longest prompt and the reply to it."""

from __future__ import annotations

from collections.abc import Mapping

CONTEXT_NEEDS: Mapping[str, int] = {"analyze": 5_500, "scan": 9_000, "chat": 8_500, "filings": 6_000}
"""Measured with the tokenizer of SmolLM2 (3 characters a token) on AAPL and on filings of the simulated market, and
rounded up. The scan's longest prompt is the Industry Deep Dive; the chat's is the definitions of its tools."""
