"""Ranking of news articles: the relevance of each to a request, the reason, and the choice of those shown.

The relevance of an article is 0 to 1 and does not depend on its age. It is `1 - 0.4 ** evidence`, times a factor for
kinds of article that tell little (`analytics.company.article_kinds`: lists of stocks, law firms, advertisements).
Evidence is summed over the different words and phrases that speak of what was asked, each where it counts most:

| found | in the title | in the summary |
|---|---|---|
| a word or phrase of the subject (`dataflows.reference.topic_taxonomy`) | 1.0 | 0.4 |
| a word of several senses, in company | 1.0; 0.6 where the company is in the summary | 0.25 |
| all of the topic's own words | 2.0 | 0.8 |
| filed under a company of the sector or industry asked for | 0.5 | |
| the company's name or ticker | 1.0, among the first words 1.5 | 0.6 at the start, later 0.25 |
| filed under the company without a word about it | 0.35 | |
| given by the source as market news, or found by its search alone | 0.5 | |

A topic's own words share their part by how rare each is among the articles (BM25's inverse document frequency), and
count half where the topic names a subject as well. Words of a summary alone give at most 0.7. A company that is one of
several in a title gets 0.4 of that.

From `STRONG` on an article is a match, from `LEAST` on a weak match, below it is dropped. Matches come before weak
ones; within each they are ordered by relevance halved every `half_life` days of age, then by time, title and publisher.
Reports of one story are merged into the best of them. What a publisher has beyond `PUBLISHER_SHARE` of the places
counts half, and weak matches take no more than `MOST_WEAK` places.

Everything is computed from the articles given, which are those known by the cut-off within the window asked for.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from heapq import merge

from tradingagents.analytics.company.article_kinds import kind_of
from tradingagents.dataflows.models import NewsItem, Profile
from tradingagents.dataflows.reference.company_names import CompanyNames
from tradingagents.dataflows.reference.topic_taxonomy import (
    CENTRAL_BANKS,
    COMMODITIES,
    ECONOMY,
    GEOPOLITICS,
    MARKETS,
    TRADE,
)
from tradingagents.dataflows.reference.topics import (
    TEXT_LENGTH,
    Topic,
    TopicMention,
    Words,
    as_written,
    covers,
    read_topic,
    read_words,
    subject_terms,
)

STRONG, LEAST = 0.50, 0.20
"""Minimum relevance of a match, and of a weak match."""
COMPANY_HALF_LIFE, TOPIC_HALF_LIFE, MARKET_HALF_LIFE = 3.0, 3.0, 2.0
"""Days of age that halve an article's score in the ranking."""
PUBLISHER_SHARE, BEYOND_SHARE = 0.4, 0.5
"""Share of the shown articles that one publisher may have at full score, and the factor for its further ones."""
MOST_WEAK = 3
SAME_STORY, SAME_AT_ANOTHER_COMPANY = 0.55, 0.80
"""Minimum Jaccard similarity of two titles' words for the same story; the second value applies to articles listed under
different companies, whose headlines often differ only in the name."""
SAME_TEXT = 0.40
"""The same for three-word shingles of title and summary."""
SAME_WITHIN = timedelta(hours=36)
TOLD = 4
"""Maximum number of words listed in a reason."""

_REMAINDER = 0.4
_TITLE, _TITLE_HINT, _SUMMARY, _SUMMARY_HINT = 1.0, 0.6, 0.4, 0.25
_OWN_TITLE, _OWN_SUMMARY = 2.0, 0.8
_BESIDE_SUBJECT = 0.5
"""Factor for a topic's own words if it also names a subject."""
_SECTOR, _SOURCE = 0.5, 0.5
_MOST_OF_SUMMARY = 0.7
"""Maximum evidence from a summary alone, which is too little for a match."""
_NAMED_FIRST, _NAMED, _NAMED_EARLY, _NAMED_LATE, _FILED = 1.5, 1.0, 0.6, 0.25, 0.35
_FIRST_WORDS, _EARLY_CHARS = 45, 160
"""Characters of a title, and of a summary, that count as its beginning."""
_LIST_COMPANIES = 3
"""Number of companies or tickers in a title from which it counts as a list."""
_LIST = 0.4
_SHINGLE = 3


_SUBJECTS = Topic(
    tuple(map(subject_terms, (MARKETS, ECONOMY, CENTRAL_BANKS, TRADE, GEOPOLITICS, COMMODITIES))),
    own=frozenset(),
    asked=frozenset(),
    sectors=frozenset(),
)
"""Subjects of market news."""
_TICKERS = re.compile(r"\((?:(?:NYSE|NASDAQ|Nasdaq|NasdaqGS)\s*:\s*)?[A-Z][A-Z.]{0,5}\)")
_LISTED = re.compile(r",\s++(?=[A-Z])|\s(?:and|&)\s++(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class RankedItem:
    """An article with its relevance."""

    item: NewsItem
    relevance: float
    """0 to 1, two decimals."""
    reason: str
    """Why it is relevant, in a few words."""
    score: float
    """Relevance halved for every half-life of age; determines the order."""
    also: tuple[str, ...] = ()
    """Publishers of the other reports of the same story that were merged into this one."""

    @property
    def weak(self) -> bool:
        """Whether it is a weak match."""
        return self.relevance < STRONG


@dataclass(frozen=True, slots=True)
class Ranking:
    """The chosen articles, and counts of all others."""

    shown: tuple[RankedItem, ...]
    matches: int
    """Number of different stories that match, including those not shown."""
    weak: int
    """Number of different stories that match weakly, including those not shown."""
    considered: int
    """Number of articles in the window."""
    newest: datetime | None
    """Publication time of the newest match or weak match; None without one."""
    half_life: float
    """Days."""


Score = Callable[[NewsItem], tuple[float, str]]
"""Returns an article's evidence and the reason for it."""


def rank_company_news(items: Sequence[NewsItem], names: CompanyNames, *, until: datetime, limit: int) -> Ranking:
    """Rank a company's articles: those about it before those that mention it in passing.

    Args:
        items: Articles that the source lists under the company.
        until: The instant from which age is counted.
        limit: Maximum number of articles shown.
    """
    return _ranked(items, lambda item: _company_evidence(item, names), until, limit, COMPANY_HALF_LIFE)


def rank_market_news(items: Sequence[NewsItem], *, until: datetime, limit: int) -> Ranking:
    """Rank articles by how much they cover markets, the economy, policy, geopolitics and commodities.

    Args:
        items: Articles of the window; without a symbol if the source lists them as market news.
        until: The instant from which age is counted.
        limit: Maximum number of articles shown.
    """
    return _ranked(items, _market_evidence, until, limit, MARKET_HALF_LIFE)


def rank_topic_news(
    items: Sequence[NewsItem],
    topic: str,
    *,
    about: Callable[[NewsItem], Profile | None],
    until: datetime,
    limit: int,
) -> Ranking:
    """Rank articles by how much they cover a topic.

    Args:
        items: Articles found by the source's search in the window.
        topic: The topic searched for.
        about: Returns the company under which an article is listed; None if not known.
        until: The instant from which age is counted.
        limit: Maximum number of articles shown.
    """
    wanted = read_topic(topic)
    mentions = {id(item): wanted.mention(item) for item in items}
    rarity = _rarity(wanted.own, mentions.values())

    def evidence(item: NewsItem) -> tuple[float, str]:
        return _topic_evidence(wanted, mentions[id(item)], rarity, about(item))

    return _ranked(items, evidence, until, limit, TOPIC_HALF_LIFE)


def _ranked(items: Sequence[NewsItem], evidence: Score, until: datetime, limit: int, half_life: float) -> Ranking:
    scored = [_scored(item, evidence, until, half_life) for item in items]
    scored = [article for article in scored if article.relevance >= LEAST]
    scored.sort(key=lambda one: (one.item.title, one.item.source or "", one.item.symbol or "", one.item.url or ""))
    scored.sort(key=lambda one: (not one.weak, one.score, one.item.published_at), reverse=True)
    stories = _stories(scored)
    matches = sum(not story.weak for story in stories)
    shown = _places(stories, max(0, limit))
    newest = max((article.item.published_at for article in scored), default=None)
    return Ranking(shown, matches, len(stories) - matches, len(items), newest, half_life)


def _scored(item: NewsItem, evidence: Score, until: datetime, half_life: float) -> RankedItem:
    found, reason = evidence(item)
    relevance = 1 - _REMAINDER**found
    start = (item.summary or "")[:_EARLY_CHARS]
    kind = kind_of(f"{item.title} | {start}") if relevance >= LEAST else None
    if kind:
        relevance, reason = relevance * kind.factor, f"{reason}; {kind.name}"
    relevance = round(relevance, 2)
    age = max(0.0, (until - item.published_at) / timedelta(days=1))
    return RankedItem(item, relevance, reason, relevance * 0.5 ** (age / half_life))


# Evidence


def _company_evidence(item: NewsItem, names: CompanyNames) -> tuple[float, str]:
    title = _place(names, item.title, read_words(item.title))
    summary_text = (item.summary or "")[:TEXT_LENGTH]
    summary = _place(names, summary_text, read_words(summary_text))
    found, reasons = 0.0, []
    if title is not None:
        found = _NAMED_FIRST if title <= _FIRST_WORDS else _NAMED
        reasons.append("named in the title")
        if _is_list(item.title):
            found *= _LIST
            reasons.append("one of several companies there")
    if summary is not None:
        early = summary <= _EARLY_CHARS
        found += _NAMED_EARLY if early else _NAMED_LATE
        reasons.append("named early in the summary" if early else "named once the summary is under way")
    if not reasons:
        return _FILED, "filed under the company, which its title and summary do not name"
    return found, ", ".join(reasons)


def _place(names: CompanyNames, text: str, words: Words) -> int | None:
    """Return roughly how many characters precede the company's name; None if it is not named."""
    places = [words.text.index(f" {name} ") for name in names.terms.within(words)]
    if not (text.isupper() and len(text) > _FIRST_WORDS):  # a title in capitals: any word of it may look like a ticker
        ticker = names.ticker.search(text)
        places += [ticker.start()] if ticker else []
    return min(places, default=None)


def _is_list(title: str) -> bool:
    return max(len(_TICKERS.findall(title)), len(_LISTED.findall(title)) + 1) >= _LIST_COMPANIES


def _market_evidence(item: NewsItem) -> tuple[float, str]:
    found, reason = _topic_words(_SUBJECTS.mention(item))
    if item.symbol is None:
        return found + _SOURCE, reason or "given as market news, without a word of markets, economy or policy"
    return found, reason


def _topic_evidence(
    topic: Topic, mention: TopicMention, rarity: Mapping[str, float], profile: Profile | None
) -> tuple[float, str]:
    share = _BESIDE_SUBJECT if topic.subjects else 1.0
    found, reason = _topic_words(mention, {word: share * part for word, part in rarity.items()})
    reasons = [reason] if reason else []
    if profile is not None and covers(topic, profile):
        found += _SECTOR
        reasons.append("filed under a company of the sector")
    if not reasons:
        return _SOURCE, "found by the source's search, without a word of the topic"
    return found, "; ".join(reasons)


def _topic_words(mention: TopicMention, own: Mapping[str, float] | None = None) -> tuple[float, str]:
    """Return the evidence of the words found, each at its highest weight, and a description of them.

    Args:
        mention: Words found in an article.
        own: Weights of the topic's own words, which add up to 1.
    """
    title: dict[str, float] = {}
    summary: dict[str, float] = {}
    for _, said in mention.subjects:
        title.update(dict.fromkeys(said.hinted_in_title, _TITLE_HINT))
        summary.update(dict.fromkeys(said.hinted_in_summary, _SUMMARY_HINT))
    for _, said in mention.subjects:
        title.update(dict.fromkeys(said.in_title, _TITLE))
        summary.update(dict.fromkeys(said.in_summary, _SUMMARY))
    if own:
        title.update({word: _OWN_TITLE * own[word] for word in mention.own_in_title})
        summary.update({word: _OWN_SUMMARY * own[word] for word in mention.own_in_summary})
    summary = {word: weight for word, weight in summary.items() if word not in title}
    found = sum(title.values()) + sum(summary.values())
    told = [f"{_told(words)} in the {where}" for where, words in (("title", title), ("summary", summary)) if words]
    return found if title else min(found, _MOST_OF_SUMMARY), "; ".join(told)


def _told(words: Iterable[str]) -> str:
    named = sorted(words, key=lambda word: (-len(word), word))
    return ", ".join(map(as_written, named[:TOLD])) + (f" and {len(named) - TOLD} more" if len(named) > TOLD else "")


def _rarity(own: frozenset[str], mentions: Iterable[TopicMention]) -> dict[str, float]:
    """Return weights of a topic's own words by BM25's inverse document frequency; they add up to 1."""
    counts: Counter[str] = Counter()
    total = 0
    for mention in mentions:
        total += 1
        counts.update(mention.own_in_title | mention.own_in_summary)
    weights = {word: math.log(1 + (total - counts[word] + 0.5) / (counts[word] + 0.5)) for word in own}
    whole = sum(weights.values())
    return {word: weight / whole for word, weight in weights.items()} if whole else {}


# Stories


def _stories(ordered: Sequence[RankedItem]) -> list[RankedItem]:
    """Merge the reports of one story into the best of them, which keeps its position.

    Articles are compared only with others of about the same time, so that the cost grows linearly with the window.
    """
    kept: list[RankedItem] = []
    also: list[list[str]] = []
    traces: list[_Trace] = []
    by_time: dict[int, list[int]] = {}
    for article in ordered:
        trace = _Trace.of(article.item)
        slot = int(trace.at.timestamp() // SAME_WITHIN.total_seconds())
        near = merge(*(by_time.get(slot + step, ()) for step in (-1, 0, 1)))
        place = next((place for place in near if trace.tells_the_same(traces[place])), None)
        if place is None:
            by_time.setdefault(slot, []).append(len(kept))
            kept.append(article)
            also.append([])
            traces.append(trace)
        else:
            also[place].append(article.item.source or "unnamed")
    return [
        replace(article, also=tuple(sorted(others))) if others else article
        for article, others in zip(kept, also, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Trace:
    """The features by which reports of one story are recognised."""

    at: datetime
    symbol: str | None
    words: frozenset[str]
    numbers: frozenset[str]
    """Numbers in the title."""
    shingles: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, item: NewsItem) -> _Trace:
        title = read_words(item.title).text.split()
        summary = read_words((item.summary or "")[:TEXT_LENGTH]).text.split()
        whole = [*title, *summary] if summary and summary != title else title
        shingles = frozenset(zip(*(whole[step:] for step in range(_SHINGLE)), strict=False))
        numbers = frozenset(filter(str.isdigit, title))
        return cls(item.published_at, item.symbol, frozenset(title), numbers, shingles)

    def tells_the_same(self, other: _Trace) -> bool:
        """Return whether two reports tell one story; different numbers mean different days or events."""
        if abs(self.at - other.at) > SAME_WITHIN or (self.numbers and other.numbers and self.numbers != other.numbers):
            return False
        least = SAME_STORY if self.symbol == other.symbol else SAME_AT_ANOTHER_COMPANY
        return _jaccard(self.words, other.words) >= least or _jaccard(self.shingles, other.shingles) >= SAME_TEXT


def _jaccard(left: frozenset[object], right: frozenset[object]) -> float:
    if not left or not right:
        return 0.0
    shared = len(left & right)
    return shared / (len(left) + len(right) - shared)


def _places(stories: Sequence[RankedItem], limit: int) -> tuple[RankedItem, ...]:
    """Choose the stories shown: matches, at half score beyond a publisher's share, then a few weak matches."""
    most = max(1, math.ceil(limit * PUBLISHER_SHARE))
    counts: Counter[str] = Counter()
    placed: list[tuple[float, int]] = []
    for place, story in enumerate(stories):
        if not story.weak:
            publisher = story.item.source or ""
            beyond = bool(publisher) and counts[publisher] >= most
            placed.append((-story.score * (BEYOND_SHARE if beyond else 1.0), place))
            counts[publisher] += 1
    chosen = [stories[place] for place in sorted(place for _, place in sorted(placed)[:limit])]
    weak = [story for story in stories if story.weak][: min(MOST_WEAK, limit - len(chosen))]
    return (*chosen, *weak)
