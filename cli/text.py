"""Text from models and vendors, made fit for a terminal: it cannot move the cursor, colour or forge a line."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
_EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1", re.DOTALL)
_BLOCK_MARKS = re.compile(r"^[ \t]*(?:#{1,6}|>+|[-*+]|\d+\.)[ \t]+", re.MULTILINE)


def clean(text: str) -> str:
    """Return the text without terminal escapes, other control characters and marks that turn its direction."""
    return _DIRECTION.sub("", _CONTROL.sub("", text))


def one_line(text: str) -> str:
    """Return the text clean and on one line."""
    return " ".join(clean(text).split())


def plain(text: str) -> str:
    """Return the text clean and without Markdown's emphasis."""
    return _EMPHASIS.sub(r"\2", clean(text)).strip()


def opening_words(text: str, limit: int = 240) -> str:
    """Return the beginning of a Markdown text as one plain line."""
    return one_line(_BLOCK_MARKS.sub("", plain(text[: 2 * limit])).replace("**", ""))[:limit]
