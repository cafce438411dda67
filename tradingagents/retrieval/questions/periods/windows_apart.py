"""Two windows of days that a question sets side by side: `in 2024 or 2023`, `Q4 2024 vs Q3 2024`."""

from __future__ import annotations

import re
from datetime import date

from tradingagents.retrieval.questions.days import NamedDays
from tradingagents.retrieval.questions.spans import named_days
from tradingagents.retrieval.questions.wording import names_days

_JOINED = re.compile(
    r"\s(?:or|vs\.?|versus|than|against|compared (?:to|with)|relative to|with|and|oder|als|gegen|gegenüber|und|mit)\s"
    r"|还是|和|与|跟|相比|比"
)
_FROM_TO = re.compile(r"\b(?:from|between|since|von|vom|zwischen|seit|ab)\b|从|自|之间|以来")
_MONTH = re.compile(
    r"\b(?:january|february|april|june|july|august|september|october|november|december"
    r"|januar|februar|juni|juli|oktober|dezember)\b"
)


def windows_apart(text: str, today: date) -> tuple[NamedDays, NamedDays] | None:
    """Return the two windows of days that a question, in English, sets side by side.

    None where it names one, or the days from one to the other.
    """
    halves = [half for half in _JOINED.split(text) if names_days(half) or _MONTH.search(half)]
    if len(halves) != 2 or _FROM_TO.search(text):
        return None
    first, second = (_window_in(half, today) for half in halves)
    if first is None or second is None or (first.start, first.end) == (second.start, second.end):
        return None
    return first, second


def _window_in(text: str, today: date) -> NamedDays | None:
    """Return the window of days that a part of a question names, a bare month as that month; None without one."""
    month = _MONTH.search(text)
    said = (text, f"in {text[month.start() :]}") if month else (text,)
    return next((days for each in said if (days := named_days(each, today)).window), None)


_NOW = re.compile(r"\b(?:now|today|currently|jetzt|heute|aktuell|derzeit)\b|现在|目前|今天")


def since_a_day(text: str, today: date) -> NamedDays | None:
    """Return the days from the one that a question sets beside now: `at the end of 2024 and now`; None for another."""
    halves = _JOINED.split(text)
    days = [named_days(half, today) for half in halves if names_days(half) and not _NOW.search(half)]
    single = [each.days[0] for each in days if len(each.days) == 1 and not each.window]
    if len(days) != 1 or not single or single[0] >= today or not any(_NOW.search(half) for half in halves):
        return None
    return NamedDays(text, start=single[0], end=today, base=single[0])
