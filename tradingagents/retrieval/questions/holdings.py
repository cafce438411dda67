"""Read what a question says of its writer's own holdings: `I own 100 AAPL at 150: add, hold or trim?`.

Only English is read. What is held is read by `analytics.holdings.holdings_text`, the reader of every such line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tradingagents.analytics.holdings.holdings_text import read_holdings
from tradingagents.errors import UsageError

About = Literal["risk", "results", "decision", "value"]
WEEK, FORTNIGHT, MONTH = 7, 14, 30
_OWN = re.compile(
    r"\b(?:i|we)(?:'ve| have)?\s+(?:currently\s+|already\s+|still\s+)?(?:own|hold|have|bought)\s+", re.IGNORECASE
)
_MINE = re.compile(
    r"\b(?:my|our)\s+(?:\w+\s+)?(?:portfolio|holdings|positions?|book|depot|stocks|shares)\b"
    r"(?:\s*(?:is|are|holds?|consists of|of|:|=)\s*(?P<rest>.*))?",
    re.IGNORECASE | re.DOTALL,
)
_END = re.compile(
    r"[?!;:]|\.\s|\.$|\s[-\u2013\u2014]\s|,\s+(?=(?:how|should|what|when|is|do|can|which|add|buy|sell|trim)\b)",
    re.IGNORECASE,
)
"""Where a statement ends."""
_RESULTS = re.compile(r"\b(?:reports?|reporting|earnings|results)\b", re.IGNORECASE)
_DECISION = re.compile(r"\b(?:add|hold|trim|sell|buy more|close|keep|reduce|cut|exit)\b", re.IGNORECASE)
_RISK = re.compile(
    r"\b(?:risk\w*|volatil\w*|beta|drawdowns?|concentrat\w*|diversif\w*|correlat\w*|safe|lose)\b", re.IGNORECASE
)
_DAYS = re.compile(r"\bnext (\d{1,2}) days\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HoldingsQuestion:
    """A question about what its writer holds."""

    about: About
    stated: str = ""
    """What is held, as a line; empty for the stored book."""
    symbols: tuple[str, ...] = ()
    """Of what is stated."""
    days_ahead: int = WEEK
    """Days within which results are asked for."""


def read_holdings_question(text: str) -> HoldingsQuestion | None:
    """Return what a question asks of its writer's holdings; None where it is about none."""
    own, mine = _OWN.search(text), _MINE.search(text)
    leads = [(own.start(), own.end())] if own else []
    leads += [(mine.start(), mine.start("rest"))] if mine and mine["rest"] else []
    for begin, start in leads:
        end = _END.search(text, start)
        line = text[start : end.start() if end else len(text)]
        try:
            symbols = read_holdings(line).symbols
        except UsageError:
            continue
        rest = f"{text[:begin]} {text[end.start() :] if end else ''}"
        return HoldingsQuestion(_about(rest), " ".join(line.split()), symbols, _days_ahead(rest))
    if mine is None:
        return None
    return HoldingsQuestion(_about(text), days_ahead=_days_ahead(text))


def _about(rest: str) -> About:
    """Return what is asked, from a question without what it states."""
    asked: tuple[tuple[re.Pattern[str], About], ...] = ((_RESULTS, "results"), (_DECISION, "decision"), (_RISK, "risk"))
    return next((about for pattern, about in asked if pattern.search(rest)), "value")


def _days_ahead(rest: str) -> int:
    said = rest.lower()
    if found := _DAYS.search(said):
        return max(1, min(int(found[1]), 60))
    return MONTH if "month" in said else FORTNIGHT if "next week" in said else WEEK
