"""Clean text from outside so that it fits on one line and cannot be mistaken for Markdown structure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

_STAND_INS = str.maketrans({"<": "‹", ">": "›", "|": "/", "`": "'"})  # noqa: RUF001
"""Replacements for characters that could close a fence, start code, or form a table row."""


def one_line(text: str) -> str:
    """Return a text on one line, without control characters, invisible characters, headings, tags or table bars."""
    kept = (
        " " if unicodedata.category(char) in {"Cc", "Zl", "Zp"} else char
        for char in text
        if unicodedata.category(char) not in {"Cf", "Cs", "Co"}
    )
    return " ".join("".join(kept).translate(_STAND_INS).split()).lstrip("# ")


def cut(text: str, length: int) -> str:
    """Return at most `length` characters of a text, cut before a word and marked with an ellipsis."""
    if len(text) <= length:
        return text
    head, _, _ = text[:length].rpartition(" ")
    return (head or text[: length - 1]).rstrip(" ,;:.-") + "…"


def table_of(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
