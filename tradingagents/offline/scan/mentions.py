"""What the reports of a scan say about single candidates: bullet lines that name one ticker and no other."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tradingagents.offline.headlines import quote
from tradingagents.offline.sentiment import tone

LENGTH = 160
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+(.+)$", re.MULTILINE)
_WORD = re.compile(r"(?<![\w^])[A-Z0-9^][A-Z0-9.\-=^]*(?!\w)")
_BEHIND = re.compile(r" \([^()]*tone [+-]\d\.\d\d derived\)$")
_STATED = re.compile(r"\btone ([+-]\d\.\d\d) derived\)")
_FIGURES = re.compile(r"^\S+ \(.*\): (?:[+-]?\d|1-Day )")
"""How our own scanners list a stock with its figures."""
_EVENT = re.compile(
    r"\b(?:results?|earnings|revenue|sales|profits?|quarter|guidance|forecasts?|outlook|estimates?|upgrad\w+|downgrad\w+)\b"
    r"|\b(?:approv\w+|fda|trial|acqui\w+|merg\w+|takeover|buyout|deal|contract|orders?|launch\w*|unveil\w*|recall\w*)\b"
    r"|\b(?:lawsuit|sued|probe|investigat\w+|settle\w*|fined?|verdict|tariffs?|sanctions?|buybacks?|dividend|spin-?off)\b"
    r"|\b(?:layoffs?|job cuts|restructur\w+|bankrupt\w*|ceo|chief executive|stake|price target|patent|partner\w*)\b"
    r"|\b(?:breach|outage|strike|raises?|cuts?|halts?|suspends?|expands?|wins?|loses?|misses|beats?)\b",
    re.IGNORECASE,
)
"""Words of something that happened to a company."""
_PRICE_MOVE = re.compile(
    r"\b(?:shares?|stock)\b[^.;:]{0,40}\b(?:gain|rise|rose|climb|jump|surge|rall\w+|fall|fell|drop|slip|slump|sink|tumble|"
    r"plunge|lose|decline|soar|outperform|underperform)\w*",
    re.IGNORECASE,
)
"""A sentence that only says that the price moved."""
_BESIDE_PRICE = re.compile(r"\b(?:as|after|on|amid|following|because)\b(.+)", re.IGNORECASE)
_DAY_WORDS = re.compile(r"\b(?:mon|tues|wednes|thurs|fri)day\b", re.IGNORECASE)
READABLE = {
    "industry_deep_dive_report": "industry deep dive",
    "geopolitical_report": "geopolitical report",
    "market_movers_report": "market movers report",
    "sector_performance_report": "sector report",
}
"""Reports as people call them."""
_GROWTH = re.compile(
    r"\b(?:revenue|sales|earnings|profits?|orders?) (?:growth|grows?|grew|rises?|rose|jumps?|jumped|surges?|surged)\b"
    r"|\brecord (?:revenue|sales|profits?|orders)\b|\braises? (?:its )?(?:guidance|forecast|outlook)\b",
    re.IGNORECASE,
)
_VALUE = re.compile(r"\b(?:undervalued|buybacks?|at a discount|low valuation)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mention:
    """One line about one candidate."""

    text: str
    """On one line, cut, without marks."""
    report: str
    tone: float
    """As the line states it, else of its words."""

    @property
    def told(self) -> str:
        """The line with the report it stands in."""
        return f"{self.headline} ({READABLE.get(self.report, self.report)})"

    @property
    def headline(self) -> str:
        """The line without the ticker and the tone that our reports put behind a headline."""
        return _BEHIND.sub("", self.text)

    @property
    def event(self) -> bool:
        """Whether the line tells of something that happened, and not just that the price moved."""
        return is_event(self.headline)

    @property
    def angle(self) -> str | None:
        """The thesis that a line of good tone supports in so many words: growth or value; None for neither."""
        if self.tone <= 0:
            return None
        return "growth" if _GROWTH.search(self.text) else "value" if _VALUE.search(self.text) else None


def is_event(text: str) -> bool:
    """Tell whether a headline names something that happened to a company, beyond a move of its price."""
    moved = _PRICE_MOVE.search(text)
    if not moved:
        return bool(_EVENT.search(text))
    why = _BESIDE_PRICE.search(text, moved.start())
    return bool(_EVENT.search(text[: moved.start()]) or (why and _EVENT.search(_DAY_WORDS.sub("", why.group(1)))))


def mentions(reports: Mapping[str, str], tickers: Collection[str]) -> dict[str, list[Mention]]:
    """Find the lines that are about one candidate, in the reports' order, each once.

    Our own lists of figures tell nothing beyond the table of candidates and are left out. A ticker of one letter is too
    short to be told from a word.
    """
    known = {ticker for ticker in tickers if len(ticker) > 1}
    found: dict[str, dict[str, Mention]] = {}
    for report, text in reports.items():
        for line in _BULLET.findall(text):
            named = {word.rstrip(".-") for word in _WORD.findall(line)} & known
            if len(named) == 1 and not _FIGURES.match(line):
                shown = quote(line, LENGTH)
                found.setdefault(named.pop(), {}).setdefault(shown, Mention(shown, report, _tone(line)))
    return {ticker: list(lines.values()) for ticker, lines in found.items()}


def _tone(line: str) -> float:
    stated = _STATED.search(line)
    return float(stated.group(1)) if stated else tone(line)
