"""Why the days of a question cannot be told: dates that are none, parts of a month, an end without a beginning."""

from __future__ import annotations

import re
from datetime import date

from tradingagents.retrieval.questions.days import read_days
from tradingagents.retrieval.questions.spans import (
    DAY_MONTH,
    MONTH,
    MONTH_DAY,
    MONTH_NUMBERS,
    SLASHES,
    completed,
)

_ANY_MONTH = re.compile(
    rf"\b(?:{'|'.join(sorted(set(MONTH_NUMBERS) - {'may', 'mars', 'march'}, key=len, reverse=True))})\b", re.IGNORECASE
)
_PART_OF = re.compile(
    r"\b(?:start|beginning|end|middle|mid|early|late|anfang|ende|mitte)[- ](?:of\s+|in\s+)?"
    r"(?:(?:19|20)\d\d|(?:last|this) (?:year|month))\b",
    re.IGNORECASE,
)
_PLACED_IN = re.compile(
    r"\b(?:first|second|third|fourth|last|final|opening|closing)\s+(?:\w+\s+)?(?:week|day|session|month|weekend)s?\s+(?:of|in)\s+"
    rf"(?:the\s+)?(?:{MONTH}\b|(?:19|20)\d\d\b|(?:the|last|this)\s+(?:year|quarter|month)\b)",
    re.IGNORECASE,
)
"""`the last week of February`: which days those are is not told by one reading."""
_ENDS_AT = re.compile(
    r"(?:\b(?:until|till|up to|through|by|before|prior to|ahead of|bis|bis zum|vor|bevor)\s+"
    r"(?:(?:the|on|dem|der|den|zum)\s+){0,2}"
    rf"(?:\d{{4}}-\d\d-\d\d|(?:{MONTH}\s+)?(?:19|20)\d\d\b)|\d{{4}}-\d\d-\d\d\s?(?:之前|以前|前))",
    re.IGNORECASE,
)
"""`until 2025-02-28`, and where it begins is not named."""
_BEGINS = re.compile(r"\b(?:from|between|since|after|von|vom|zwischen|seit|ab)\b|从|自", re.IGNORECASE)
_QUARTER_OF_ANOTHER = re.compile(
    r"\b(?:(?:last|this) year in (?:the )?(?:q[1-4]|(?:first|second|third|fourth) quarter)"
    r"|(?:q[1-4]|(?:first|second|third|fourth) quarter) (?:of )?last year)\b",
    re.IGNORECASE,
)
"""`better than last year in q2`, `in q2 last year`: the year alone would be told, and a fiscal one may be meant."""
_UNPLACED = re.compile(
    r"\b(?:day|session|week|month|tag|woche|monat) (?:right )?(?:after|before|following|preceding|nach|vor)\b"
    r"(?!\s+(?:that|this|last|yesterday|(?:(?:the|its|their|it|they|den|dem|der|seinen|ihren)\s+)?(?:\w+\s+)?"
    r"(?:earnings|results|numbers|figures|report|reported|quarter|zahlen|quartalszahlen|ex|dividend|split)))",
    re.IGNORECASE,
)
"""`the day after the crash`: which day that was is not known."""


def unclear_days(text: str, today: date) -> str:
    """Return why the days of a question, in English, cannot be told; empty where they can, or where it names none."""
    written = completed(text, today)
    if broken := (SLASHES.search(written) or DAY_MONTH.search(written) or MONTH_DAY.search(written)):
        return f"Which day {broken[0].strip()} means cannot be told; write it like 2024-06-28."
    if part := _PART_OF.search(written):
        return f"Which day {part[0]!r} means cannot be told; write it like 2024-06-28."
    if part := _PLACED_IN.search(written):
        return f"Which days {part[0]!r} means cannot be told; write them like 2024-06-28."
    if (until := _ENDS_AT.search(written)) and not (_BEGINS.search(written) or _several_days(written, today)):
        return f"From which day on {until[0].strip()!r} is meant cannot be told; name the first and the last one."
    if both := _QUARTER_OF_ANOTHER.search(written):
        return f"Whether {both[0]!r} means the year or the quarter cannot be told; write it like Q2 2024."
    if beside := _UNPLACED.search(written):
        return f"Which day {beside[0].strip()!r} means cannot be told; write it like 2024-06-28."
    months = {found[0].lower() for found in _ANY_MONTH.finditer(written)}
    return "Which days are meant cannot be told; name the first and the last one." if len(months) > 1 else ""


def _several_days(written: str, today: date) -> bool:
    """Tell whether a text names more than one day, or a window of them: `this year until 2025-02-28`."""
    return len(read_days(written, today).days) > 1
