"""Text from models and vendors, made fit for a terminal, a log and a file that is shown on one."""

from __future__ import annotations

import re

_CONTROL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
)
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_CONTROL_OR_DIRECTION = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

_WORD, _TEXT, _TAIL = 500, 3000, 600
"""Characters of a word, of a whole message, and of its end that `bounded` keeps."""
_LONG_WORD = re.compile(rf"\S{{{_WORD + 1},}}")


def clean(text: str) -> str:
    """Return the text without terminal escapes, other control characters and marks that turn its direction."""
    return _DIRECTION.sub("", _CONTROL.sub("", text))


def one_line(text: str) -> str:
    """Return the text clean and on one line."""
    return " ".join(clean(text).split())


def bounded(text: str) -> str:
    """Return the text with its longest words and, where it is still long, its middle replaced by an ellipsis.

    A message that repeats what it was given keeps its beginning and its end, which says what to do.
    """
    text = _LONG_WORD.sub(lambda found: f"{found[0][:_WORD]}…", text)
    return text if len(text) <= _TEXT else f"{text[: _TEXT - _TAIL]} … {text[-_TAIL:]}"


def escaped_json(line: str) -> str:
    """Return JSON with control characters and direction marks in its strings escaped; it holds the same value."""
    return _CONTROL_OR_DIRECTION.sub(lambda found: f"\\u{ord(found[0]):04x}", line)
