"""Text from outside, made safe to stand on a line of ours: it is data, and must not pass for structure."""

from __future__ import annotations

import unicodedata

_STAND_INS = str.maketrans({"<": "‹", ">": "›", "|": "/", "`": "'"})  # noqa: RUF001
"""So that it closes no fence, opens no code, and makes no table row that would read as a figure."""


def one_line(text: str) -> str:
    """Return a text on one line, without control or invisible characters, heading marks, tags or table bars."""
    kept = (
        " " if unicodedata.category(char) in {"Cc", "Zl", "Zp"} else char
        for char in text
        if unicodedata.category(char) not in {"Cf", "Cs", "Co"}
    )
    return " ".join("".join(kept).translate(_STAND_INS).split()).lstrip("# ")


def cut(text: str, length: int) -> str:
    """Return a text of at most `length` characters, cut before a word, with an ellipsis where it was."""
    if len(text) <= length:
        return text
    head, _, _ = text[:length].rpartition(" ")
    return (head or text[: length - 1]).rstrip(" ,;:.-") + "…"
