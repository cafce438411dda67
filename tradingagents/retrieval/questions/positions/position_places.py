"""Where a question on positions names companies and indices, and its words with a mark in the place of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from tradingagents.dataflows.reference.currencies import CODES
from tradingagents.retrieval.questions.aspects import spoken_language
from tradingagents.retrieval.questions.names import in_english, names_table
from tradingagents.retrieval.questions.plain_words import spaced
from tradingagents.retrieval.questions.positions.position_tokens import PositionToken, marked, tokens_of
from tradingagents.retrieval.questions.reading import QuestionReading
from tradingagents.retrieval.questions.slips import in_full
from tradingagents.retrieval.questions.spans import completed

_TICKERS = re.compile(
    r"(?:(?<=[\d%]\s)|(?<=\dx\s)|(?<=of\s))[A-Z]{2,5}(?![\w'-])|(?<![\w'-])[A-Z]{2,5}(?=\s?[:=]?\s?\d{1,3}\s?%)"
)
"""Capitals beside a number, which may be tickers that no list knows."""
_NO_TICKERS = frozenset(
    {"US", "USA", "EU", "ETF", "ETFS", "AND", "CASH", "IN", "OF", "AT", "SHARES", "YTD"}
) | frozenset(CODES)
_MARKET_WORDS = frozenset({"market", "markets", "stock market", "markt", "gesamtmarkt", "大盘", "市场", "股市"})
_WITH_DIVIDENDS = re.compile(
    r"(?:,\s*)?(?:\b(?:with|including|incl\.?|counting|plus|mit|inklusive|einschließlich)\s+(?:the\s+|all\s+|reinvested\s+)?"
    r"(?:dividends|dividenden)(?:\s+(?:reinvested|included))?\b|(?:含|算上|加上|包括)(?:股息|分红))"
)
"""Words that ask for a gain with its dividends: it is told with and without them."""


def marked_tokens(reading: QuestionReading, today: date) -> tuple[tuple[PositionToken, ...], list[str]]:
    """Return the words of a question, each company as a mark, and the symbols of the marks in their order."""
    language = spoken_language(reading.text) or "en"
    written = spaced(reading.text)
    places = [(each.start, each.end, each.symbol) for each in reading.mentions]
    places += [
        (*found.span(), found[0])
        for found in _TICKERS.finditer(written)
        if found[0] not in _NO_TICKERS and not _overlaps((*found.span(), found[0]), places)
    ]
    places += [place for place in _again(written, places) if not _overlaps(place, places)]
    places += [place for place in _indices(written) if not _overlaps(place, places)]
    places.sort()
    text = marked(written, ((start, end) for start, end, _ in places))
    text = completed(
        in_english(in_full(_new_year(_WITH_DIVIDENDS.sub(" ", text.lower().replace("\u2019", "'"))))), today
    ).lower()
    text = " ".join(text.split())
    return tokens_of(text, language), [symbol for _, _, symbol in places]


_Place = tuple[int, int, str]


def _overlaps(place: _Place, places: Sequence[_Place]) -> bool:
    return any(start < place[1] and place[0] < end for start, end, _ in places)


def _again(text: str, places: Sequence[_Place]) -> Iterator[_Place]:
    """Yield where a company is named again in Chinese, of which a reading tells the first place alone."""
    for start, end, symbol in places:
        if not text[start:end].isascii():
            yield from ((*found.span(), symbol) for found in re.finditer(re.escape(text[start:end]), text))


def _indices(text: str) -> Iterator[_Place]:
    """Yield where indices are named, the longest names first; `the market` is none of them."""
    lower = text.lower()
    named = [(name, symbol) for symbol, names in names_table()["indices"].items() for name in names]
    for name, symbol in sorted(named, key=lambda pair: -len(pair[0])):
        if name.removeprefix("the ") not in _MARKET_WORDS:
            at = lower.find(name)
            if at >= 0 and not lower[at - 1 : at].isalpha() and not lower[at + len(name) :][:1].isalpha():
                yield at, at + len(name), symbol


def _new_year(text: str) -> str:
    """Return a text with the turn of the year as its first day."""
    text = re.sub(
        r"\b(?:since|at|from|on)?\s*(?:the\s+)?(?:start|beginning)\s+of\s+(?:the|this)\s+year\b", " this year ", text
    )
    text = re.sub(
        r"\b(?:since|at|from|on)?\s*(?:the\s+)?(?:new year'?s?(?: day| eve)?)\b(?!\s*\d)", " this year ", text
    )
    text = re.sub(
        r"\b(?:seit |zu |zum |am )?(?:jahresanfang|jahresbeginn|neujahr|(?:anfang|beginn) (?:des|dieses) jahres)\b"
        r"|年初(?:以来)?",
        " this year ",
        text,
    )
    text = re.sub(
        r"\b(?:at\s+|in\s+)?(?:the\s+)?(?:start|beginning|anfang|early|begin)\s+(?:of\s+|in\s+)?((?:19|20)\d\d)\b",
        r" on \1-01-01 ",
        text,
    )
    return re.sub(r"((?:19|20)\d\d)\s?年初", r" on \1-01-01 ", text)
