"""Articles of a news tool's result: weighed by relevance and age, and turned into readings.

The relevance is the one that the tool shows with each article (`analytics.company.news_ranking`). Weak matches are
left out: they are shown to be judged by a reader, and a rule cannot.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tradingagents.analytics.company.news import MarketDigest, NewsDigest, RankedArticle, TopicDigest
from tradingagents.offline.brief import Brief, ToolAnswer
from tradingagents.offline.readings import Row, Shown, shown_row
from tradingagents.offline.scores import say
from tradingagents.offline.sentiment import headline_tone

HALF_LIFE_DAYS = 3.0
DOUBT = 1.0
"""Weight of an imaginary neutral article: few or old articles give no full score."""
RECENT_DAYS = 2
FULL_TONE = 0.5
"""Mean tone that counts fully."""


@dataclass(frozen=True, slots=True)
class Article:
    """One article with its tone and weight."""

    title: str
    age_days: int
    """Days before the trade date, never below 0."""
    tone: float
    weight: float
    """Relevance, halved every `HALF_LIFE_DAYS`."""
    symbol: str | None = None
    """The company it is filed under, where an article on a topic is filed under one."""


def articles(brief: Brief, tool: str) -> tuple[Article, ...]:
    """Return the articles that a news tool gave, in the order given."""
    return tuple(item for one in brief.given(tool) for item in articles_of(one, brief.subject.trade_date))


def articles_of(answer: ToolAnswer, day: date | None) -> tuple[Article, ...]:
    """Return the articles of one result that match what was asked, in the order given; weak matches do not.

    Args:
        answer: What a news tool gave.
        day: The day that age is counted from.
    """
    digest = answer.result
    if not isinstance(digest, NewsDigest):
        return ()
    filed = isinstance(digest, (MarketDigest, TopicDigest))
    return tuple(_article(article, day, filed=filed) for article in digest.articles if not article.weak)


def count_of(answers: Sequence[ToolAnswer], items: Sequence[Article]) -> Shown:
    """Return how many articles there are, as the tool shows it; counted where it does not."""
    known = next((found for one in answers if (found := one.figures.get("articles"))), None)
    return known or Shown(float(len(items)), f"{len(items)} counted")


def mean_tone(items: Sequence[Article]) -> float:
    """Return the weighted mean tone, drawn towards 0 by one imaginary neutral article."""
    return sum(item.weight * item.tone for item in items) / (sum(item.weight for item in items) + DOUBT)


def tone_row(
    items: Sequence[Article],
    shown: Shown,
    tool: str,
    *,
    about: str,
    certainty: float = 1.0,
    metric: str = "articles",
) -> Row:
    """Score the mean tone of some articles; `certainty` (0 to 1) scales it down."""
    value = max(-1.0, min(1.0, mean_tone(items) / FULL_TONE)) * certainty
    score = say(value, f"{about} {{}} positive", f"{about} {{}} negative", f"{about} neutral")
    return shown_row(metric, shown, score.value, score.words, tool)


def dispersion(items: Sequence[Article]) -> float:
    """Return the standard deviation of the tones, 0 to 1; 0 for fewer than two articles."""
    return statistics.pstdev([item.tone for item in items]) if len(items) > 1 else 0.0


def tone_change(items: Sequence[Article]) -> float | None:
    """Return mean tone of the last two days minus that of the days before; None where either has no article."""
    recent, before = _split(items)
    if not recent or not before:
        return None
    return statistics.fmean(item.tone for item in recent) - statistics.fmean(item.tone for item in before)


def attention(items: Sequence[Article]) -> float | None:
    """Return articles per day of the last two days over those before; None where either has no article."""
    recent, before = _split(items)
    if not recent or not before:
        return None
    span = max(item.age_days for item in before) - RECENT_DAYS + 1
    return (len(recent) / RECENT_DAYS) / (len(before) / span)


def attention_score(ratio: float, tone: float) -> float:
    """Score attention: it carries the tone, in full when it has doubled, not at all when it has not grown."""
    return max(-1.0, min(1.0, tone / FULL_TONE)) * max(0.0, min(1.0, math.log2(ratio)))


def quote(text: str, longest: int = 90) -> str:
    """Return outside text fit to be quoted inside a report: one line, no table or tag marks, cut at `longest`."""
    plain = " ".join(text.translate(_MARKS).split())
    return plain if len(plain) <= longest else plain[: longest - 1].rstrip() + "…"


_MARKS = str.maketrans({"|": "/", "<": " ", ">": " ", "#": " ", "*": " ", "`": "'", '"': "'"})


def _split(items: Sequence[Article]) -> tuple[list[Article], list[Article]]:
    recent = [item for item in items if item.age_days < RECENT_DAYS]
    return recent, [item for item in items if item.age_days >= RECENT_DAYS]


def _article(article: RankedArticle, day: date | None, *, filed: bool) -> Article:
    age = max(0, (day - article.published_at.date()).days) if day else 0
    return Article(
        article.title,
        age,
        headline_tone(article.title, article.summary or ""),
        round(article.relevance, 2) * 0.5 ** (age / HALF_LIFE_DAYS),
        article.symbol if filed else None,
    )
