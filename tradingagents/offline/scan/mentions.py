"""Headlines that the reports of a scan quote, and which single candidates they are about."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from tradingagents.offline.headlines import Article, quote
from tradingagents.offline.words import plain_words, tickers_in

READABLE = {
    "industry_deep_dive_report": "industry deep dive",
    "geopolitical_report": "geopolitical report",
    "market_movers_report": "market movers report",
    "sector_performance_report": "sector report",
}
"""Reports as people call them."""
_EVENT_WORDS = """
    result results earnings revenue sales profit profits quarter guidance forecast forecasts outlook estimate estimates
    fda trial takeover buyout deal contract order orders lawsuit sued probe fine fined verdict tariff tariffs sanction
    sanctions buyback buybacks dividend spinoff layoffs ceo stake patent breach outage strike raise raises cut cuts halt
    halts suspend suspends expand expands win wins lose loses misses beat beats
"""
_EVENTS = frozenset(_EVENT_WORDS.split())
_EVENT_BEGINNINGS = (
    *("upgrad", "downgrad", "approv", "acqui", "merg", "launch", "unveil", "recall", "investigat", "settle"),
    *("restructur", "bankrupt", "partner"),
)
_EVENT_PHRASES = (" job cuts ", " chief executive ", " price target ", " spin off ")
"""Words of something that happened to a company."""
_SHARES = (" share ", " shares ", " stock ")
_MOVES = (
    *("gain", "rise", "rose", "climb", "jump", "surge", "rall", "fall", "fell", "drop", "slip", "slump", "sink"),
    *("tumble", "plunge", "lose", "decline", "soar", "outperform", "underperform"),
)
"""How a sentence begins a word that only says that the price moved."""
_REACH = 40
"""Characters between the shares and their move."""
_REASONS = frozenset(("as", "after", "on", "amid", "following", "because"))
"""Words after which a sentence about a move says why."""
_GROWING = frozenset(("revenue", "sales", "earnings", "profit", "profits", "order", "orders"))
_GROWTH = frozenset(
    ("growth", "grow", "grows", "grew", "rise", "rises", "rose", "jump", "jumps", "jumped", "surge", "surges", "surged")
)
_RECORDS = frozenset(("revenue", "sales", "profit", "profits", "orders"))
_RAISED = frozenset(("guidance", "forecast", "outlook"))
_VALUE_PHRASES = (" undervalued ", " buyback ", " buybacks ", " at a discount ", " low valuation ")


@dataclass(frozen=True)
class Mention:
    """One headline as a report quotes it."""

    headline: str
    """On one line, cut, without marks, in single quotation marks."""
    report: str
    symbol: str | None
    """The company it is filed under."""
    tone: float
    """As the report states it."""

    @property
    def told(self) -> str:
        """The headline with the report it stands in."""
        return f"{self.headline} ({READABLE.get(self.report, self.report)})"

    @cached_property
    def event(self) -> bool:
        """Whether it tells of something that happened, and not just that the price moved."""
        return is_event(self.headline)

    @property
    def angle(self) -> str | None:
        """The thesis that a headline of good tone supports in so many words: growth or value; None for neither."""
        if self.tone <= 0:
            return None
        words = plain_words(self.headline)
        if _tells_growth(words.split(" ")):
            return "growth"
        return "value" if any(phrase in words for phrase in _VALUE_PHRASES) else None


def mention_of(article: Article, report: str) -> Mention:
    """Return an article as a report quotes it."""
    return Mention(f"'{quote(article.title)}'", report, article.symbol, round(article.tone, 2) + 0.0)


def is_event(text: str) -> bool:
    """Tell whether a headline names something that happened to a company, beyond a move of its price."""
    words = plain_words(text)
    moved = _move_of_price(text, words)
    if moved is None:
        return _tells_event(words)
    return _tells_event(words[: moved + 1]) or _tells_event(_reason(words[moved:]))


def mentions(quoted: Sequence[Mention], tickers: Collection[str]) -> Mapping[str, list[Mention]]:
    """Return the headlines that are about one candidate and no other, by ticker, each once.

    A ticker of one letter is too short to be told from a word.
    """
    known = {ticker for ticker in tickers if len(ticker) > 1}
    found: dict[str, dict[tuple[str, str | None, float], Mention]] = {}
    for item in quoted:
        named = tickers_in(f"{item.headline} ({item.symbol or ''})", known)
        if len(named) == 1:
            found.setdefault(named.pop(), {}).setdefault((item.headline, item.symbol, item.tone), item)
    return {ticker: list(lines.values()) for ticker, lines in found.items()}


def _tells_event(words: str) -> bool:
    return any(word in _EVENTS or word.startswith(_EVENT_BEGINNINGS) for word in words.split()) or any(
        phrase in words for phrase in _EVENT_PHRASES
    )


def _move_of_price(text: str, words: str) -> int | None:
    """Return where a sentence begins that says that the shares moved; None where there is none."""
    starts = sorted(at for name in _SHARES for at in _places(words, name))
    for start in starts:
        after = words.index(" ", start + 1)  # one place on in the text, which has no space at its beginning
        until = next((at for at, mark in enumerate(text[after - 1 : after - 1 + _REACH]) if mark in ".;:"), _REACH)
        if any(_places(words[after:], f" {move}", until) for move in _MOVES):
            return start
    return None


def _places(words: str, part: str, before: int | None = None) -> list[int]:
    """Return where a part stands, before a place."""
    found, at = [], words.find(part)
    while at >= 0 and (before is None or at < before):
        found.append(at)
        at = words.find(part, at + 1)
    return found


def _reason(words: str) -> str:
    """Return what follows the first word that gives a reason; empty where none does."""
    at = 0
    for word in words.split(" "):
        at += len(word) + 1
        if word in _REASONS:
            return f" {words[at:]}"
    return ""


def _tells_growth(words: Sequence[str]) -> bool:
    if any(
        (word in _GROWING and other in _GROWTH)
        or (word == "record" and other in _RECORDS)
        or (word in ("raise", "raises") and other in _RAISED)
        for word, other in pairwise(words)
    ):
        return True
    threes = zip(words, words[1:], words[2:], strict=False)
    return any(one in ("raise", "raises") and its == "its" and other in _RAISED for one, its, other in threes)
