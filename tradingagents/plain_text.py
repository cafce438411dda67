"""Text from models and vendors, made fit for a terminal, a log and a file that is shown on one."""

from __future__ import annotations

import re

_CONTROL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
)
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_CONTROL_OR_DIRECTION = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    """Return the text without terminal escapes, other control characters and marks that turn its direction."""
    return _DIRECTION.sub("", _CONTROL.sub("", text))


def one_line(text: str) -> str:
    """Return the text clean and on one line."""
    return " ".join(clean(text).split())


def escaped_json(line: str) -> str:
    """Return JSON with control characters and direction marks in its strings escaped; it holds the same value."""
    return _CONTROL_OR_DIRECTION.sub(lambda found: f"\\u{ord(found[0]):04x}", line)
