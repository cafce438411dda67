"""Quarters of a year in words: `the fourth quarter of 2024`, `the first and second quarter of 2024`."""

from __future__ import annotations

import re

_QUARTER = re.compile(
    r"\b(?:the\s+)?(first|second|third|fourth|last|final)\s+quarter\s+(?:of|in)\s+((?:19|20)\d\d)\b", re.IGNORECASE
)
_TWO = re.compile(
    r"\b(?:the\s+)?(first|second|third|fourth)\s+(and|or|vs\.?|versus|with)\s+(?:the\s+)?(second|third|fourth|last)\s+quarters?"
    r"\s+(?:of|in)\s+((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_NUMBERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "final": 4}


def with_quarters(text: str) -> str:
    """Return a text, in English, with its quarters in words as `Q4 2024`, each with its year."""
    text = _TWO.sub(_each_with_its_year, text)
    return _QUARTER.sub(lambda found: f"Q{_NUMBERS[found[1].lower()]} {found[2]}", text)


def _each_with_its_year(found: re.Match[str]) -> str:
    first, second = (_NUMBERS[found[place].lower()] for place in (1, 3))
    return f"Q{first} {found[4]} {found[2]} Q{second} {found[4]}"
