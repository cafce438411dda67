"""The context that each command needs of a model, in tokens: its longest prompt and the reply to it."""

from __future__ import annotations

from collections.abc import Mapping

CONTEXT_NEEDS: Mapping[str, int] = {"analyze": 10_500, "scan": 13_500, "chat": 11_500, "filings": 6_000}
"""Measured with the tokenizer of SmolLM2 (`benchmarks.context_needs`; 3 characters a token), with tool definitions and
replies of the full length that prompts ask for, and rounded up. The longest prompt of an analysis is the Risk
Manager's, of a scan the Industry Deep Dive's; the chat's is the definitions of its tools."""
