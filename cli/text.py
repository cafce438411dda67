"""Text from models and vendors, made fit for a terminal: it cannot move the cursor, colour or forge a line."""

from __future__ import annotations

import re

from tradingagents.plain_text import bounded, clean, one_line

__all__ = ["bounded", "clean", "one_line", "opening_words", "plain"]

_EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1", re.DOTALL)
_BLOCK_MARKS = re.compile(r"^[ \t]*(?:#{1,6}|>+|[-*+]|\d+\.)[ \t]+", re.MULTILINE)


def plain(text: str) -> str:
    """Return the text clean and without Markdown's emphasis."""
    return _EMPHASIS.sub(r"\2", clean(text)).strip()


def opening_words(text: str, limit: int = 240) -> str:
    """Return the beginning of a Markdown text as one plain line."""
    return one_line(_BLOCK_MARKS.sub("", plain(text[: 2 * limit])).replace("**", ""))[:limit]
