"""Names of companies behind a number, as holdings are written in haste: `10 aple`, `50 ko`."""

from __future__ import annotations

import re

from tradingagents.retrieval.questions.aspects import words_of_aspects
from tradingagents.retrieval.questions.companies import Instruments, listed_instruments
from tradingagents.retrieval.questions.positions.position_tokens import says_something

_BEHIND_NUMBER = re.compile(
    r"(?<![\w.,])(\d[\d.,]{0,14}\s(?:(?:shares?|stocks?|units?|aktien|stück)\s)?(?:of\s|von\s|in\s)?)([A-Za-z]{1,14})(?![\w'-])"
)
_TWICE = re.compile(r"\b([A-Za-z]{3,}) (?:and|n|und) (?=\1\b)", re.IGNORECASE)


def with_names(text: str, instruments: Instruments | None) -> tuple[str, tuple[str, ...]]:
    """Return a text with tickers for words behind numbers that mean one company alone, and how slips were read."""
    listed = instruments or listed_instruments()
    text = _TWICE.sub(r"\1 & ", text)
    remarks: list[str] = []

    def read(found: re.Match[str]) -> str:
        word = found[2]
        lower = word.lower()
        if (listed.knows(word) and len(word) > 3) or says_something(lower) or words_of_aspects().get(lower):
            return found[0]
        if listed.knows(word) and len(word) <= 5:
            return f"{found[1]}${word.upper()}"
        near = listed.near(word)
        if len(near) != 1:
            return found[0]
        symbol, name = next(iter(near.items()))
        remarks.append(f"{word} is read as {name} ({symbol}).")
        return f"{found[1]}${symbol}"

    return _BEHIND_NUMBER.sub(read, text), tuple(remarks)
