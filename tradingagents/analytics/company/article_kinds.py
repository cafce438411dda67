"""Kinds of articles that are rarely informative, recognised by their wording and given less weight."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

READ = 2048
"""Number of articles whose kind is cached."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of article that says little about the company it names."""

    name: str
    factor: float
    """Factor applied to its relevance."""
    pattern: re.Pattern[str]


def _kind(name: str, factor: float, *patterns: str) -> Kind:
    return Kind(name, factor, re.compile("|".join(patterns), re.IGNORECASE))


_COUNT = r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\b(?![-,.\d]{0,20}(?:%|[- ]points?))"
KINDS = (
    _kind(
        "a law firm's notice",
        0.3,
        r"\blaw (?:firm|offices?)\b|\bclass action\b|\bshareholder alert\b|\binvestor (?:alert|news)\b",
        r"\binvestors? (?:are|is) (?:encouraged|reminded|urged)\b|\bdeadline (?:alert|reminder)\b|\blead plaintiff\b",
    ),
    _kind(
        "an advertisement for a market study",
        0.3,
        r"\bcagr\b|\bmarket (?:size|report|opportunity|disruptions?|insights?)\b",
        r"\bmarket to (?:reach|exceed|hit|surpass|grow)\b|\bmarket (?:is )?(?:projected|expected|set) to reach\b",
    ),
    _kind(
        "a consumer or lifestyle article",
        0.3,
        r"\bworth streaming\b|\bwhat to (?:watch|stream)\b|\bcredit card deals?\b|\bbest credit cards?\b|\brecipes?\b",
        r"\binterview prep\b|\bhoroscope\b|\bgift (?:ideas|guide)\b|\bhappy meals?\b|\bretirees?\b|\bretirement plan",
        r"\b(?:my|your) retirement\b|\blimited[- ]edition\b|\bbody care\b|\bdish soap\b|\bmeal cleanups?\b",
    ),
    _kind(
        "a list of stocks or a stock tip",
        0.4,
        r"\bstocks? to (?:buy|own|hold|watch|consider|avoid|add|double up|scoop)\b",
        r"\bbuy (?:and hold|the dip|hand over fist)\b|\bbuy list\b|\bscreaming buys?\b|\bto buy (?:right )?now\b",
        _COUNT + r"(?: [\w'&-]+){0,5} (?:stocks?|etfs?|names)\b",
        r"\bbest (?:[\w-]+ ){0,5}stocks?\b|\bstock picks?\b|\bforever stock\b|\bin \d+ years\?",
        r"\bdividend (?:kings?|aristocrats?|champions?|income)\b|\bhigh[- ]yield dividend\b|\bdividend yield etf\b",
        r"\bshould you (?:buy|forget|sell)\b|\ba buy (?:right )?now\b|\bsmartest (?:etf|dividend)\b",
        r"\bis (?:it|now|this) (?:still )?(?:a )?(?:time to )?buy\b|\bset you up for life\b|\bundervalued\b",
        r"\bjim cramer\b|\bbillionaires?\b|\bmillionaire maker\b|\bwe recently (?:published|compiled)\b",
        r"\btrending stock\b|\bstock to watch\b|\bon your watchlist\b",
    ),
    _kind(
        "a fund's commentary",
        0.5,
        r"\bq[1-4] 20\d\d (?:commentary|review|shareholder letter|letter|update)\b",
        r"\bquarterly report\b.{0,200}\bfund\b",
        r"\bfund\b.{0,200}\bq[1-4] 20\d\d\b|\b13f portfolio\b|\bmonthly options series\b",
    ),
    _kind(
        "a routine note on the day's prices",
        0.5,
        r"\bstock (?:out|under)performs\b|\b(?:you should|investors (?:need to|should)) know\b|\bkey facts\b",
        r"\bfacts (?:to note|worth knowing)\b|\bhere'?s why .* (?:gained|fell|lagged)\b|\brs rating\b",
        r"\b\d{2,4}[- ]points?\b|\bshare (?:gains|losses) (?:lead|contribute)\b",
    ),
)
"""The first matching kind applies."""


@lru_cache(maxsize=READ)
def kind_of(text: str) -> Kind | None:
    """Return the low-value kind that matches a title and the start of its summary; None if no kind matches."""
    plain = text.replace("\u2019", "'")
    return next((kind for kind in KINDS if kind.pattern.search(plain)), None)
