"""Articles in the body of a news tool's result: read, weighed by relevance and age, and turned into readings.

The relevance is the one that the tool states beside each article (`analytics.company.news_ranking`). Weak matches are
left out: they are shown to be judged by a reader, and a rule cannot.
"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tradingagents.offline.reading import Instrument, Prompt, ToolText
from tradingagents.offline.scores import say
from tradingagents.offline.sentiment import headline_tone
from tradingagents.offline.tables import Row

HALF_LIFE_DAYS = 3.0
UNSTATED = 1.0
"""Relevance of an article beside which none is stated."""
DOUBT = 1.0
"""Weight of an imaginary neutral article: few or old articles give no full score."""
RECENT_DAYS = 2
FULL_TONE = 0.5
"""Mean tone that counts fully."""
_HEADING = re.compile(r"^### (.+) \(((?:[^\n]*?, )?)(\d{4}-\d{2}-\d{2})(?: \d{2}:\d{2} UTC)?\)[ \t]*$", re.MULTILINE)
_WORTH = re.compile(r"\A\n?Relevance ([01]\.\d\d) \((weak match, )?[^\n]*(?:\n|\Z)")
_LINK = re.compile(r"^https?://\S+$", re.MULTILINE)
_FILED = re.compile(r"^([A-Z][A-Z0-9.\-]{0,9}), [^\n]+, $")
"""Company and publisher before the time; a publisher alone says nothing about a company."""


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


def articles(prompt: Prompt, tool: str) -> tuple[Article, ...]:
    """Read the articles a news tool gave, in the order given."""
    return tuple(item for result in prompt.results(tool) for item in articles_of(result, prompt.instrument))


def articles_of(result: ToolText, instrument: Instrument) -> tuple[Article, ...]:
    """Read the articles of one result that match what was asked, in the order given.

    No more than its figures say: a heading inside a summary does not become an article of its own for free.

    Args:
        result: What a news tool gave.
        instrument: The day that age is counted from.
    """
    body, shown = result.body, result.figures.get("articles")
    headings = list(_HEADING.finditer(body))
    ends = [heading.start() for heading in headings[1:]] + [len(body)] * bool(headings)
    if shown:
        weak = result.figures.get("weak_matches")
        headings = headings[: int(shown.value + (weak.value if weak else 0))]
    found = [
        _article(heading, body[heading.end() : end], instrument) for heading, end in zip(headings, ends, strict=False)
    ]
    return tuple(item for item in found if item is not None)


def mean_tone(items: Sequence[Article]) -> float:
    """Return the weighted mean tone, drawn towards 0 by one imaginary neutral article."""
    return sum(item.weight * item.tone for item in items) / (sum(item.weight for item in items) + DOUBT)


def tone_row(
    items: Sequence[Article],
    shown: str,
    tool: str,
    *,
    about: str,
    certainty: float = 1.0,
    metric: str = "articles",
) -> Row:
    """Score the mean tone of some articles; `certainty` (0 to 1) scales it down."""
    value = max(-1.0, min(1.0, mean_tone(items) / FULL_TONE)) * certainty
    score = say(value, f"{about} {{}} positive", f"{about} {{}} negative", f"{about} neutral")
    return Row(metric, shown, score.value, score.words, tool)


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


def _article(heading: re.Match[str], below: str, instrument: Instrument) -> Article | None:
    """Read one article; None for a weak match."""
    title, origin, day = heading.groups()
    worth = _WORTH.match(below)
    if worth and worth.group(2):
        return None
    age = max(0, (instrument.trade_date - date.fromisoformat(day)).days) if instrument.trade_date else 0
    relevance = float(worth.group(1)) if worth else UNSTATED
    text = below[worth.end() :] if worth else below
    summary = _LINK.sub("", text.partition("\nNote: ")[0]).strip()
    filed = _FILED.match(origin)
    return Article(
        title,
        age,
        headline_tone(title, summary),
        relevance * 0.5 ** (age / HALF_LIFE_DAYS),
        filed.group(1) if filed else None,
    )
