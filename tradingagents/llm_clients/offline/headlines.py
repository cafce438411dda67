"""Articles in the body of a news tool's result: read, weighed by age and relevance, and turned into readings."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tradingagents.llm_clients.offline.reading import Instrument, Prompt, ToolText
from tradingagents.llm_clients.offline.scores import say
from tradingagents.llm_clients.offline.sentiment import headline_tone
from tradingagents.llm_clients.offline.tables import Row

HALF_LIFE_DAYS = 3.0
NAMED = 1.0
"""Relevance of an article whose title names the company."""
LISTED = 0.5
"""Relevance of an article that stands in the company's list without being named in its title."""
DOUBT = 1.0
"""Weight of an imaginary neutral article: few or old articles give no full score."""
RECENT_DAYS = 2
FULL_TONE = 0.5
"""Mean tone that counts fully."""
_HEADING = re.compile(r"^### (.+) \(((?:[^\n]*?, )?)(\d{4}-\d{2}-\d{2})(?: \d{2}:\d{2} UTC)?\)[ \t]*$", re.MULTILINE)
_FILED = re.compile(r"^([A-Z][A-Z0-9.\-]{0,9}), [^\n]+, $")
"""Company and publisher before the time; a publisher alone says nothing about a company."""
_CORPORATE = frozenset(
    {"the", "inc", "corp", "corporation", "company", "co", "ltd", "plc", "group", "holdings", "sa", "ag"}
)


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


def articles_of(result: ToolText, instrument: Instrument, relevance: float | None = None) -> tuple[Article, ...]:
    """Read the articles of one result, in the order given.

    No more than its figure `articles` says: a heading inside a summary does not become an article of its own for free.

    Args:
        result: What a news tool gave.
        instrument: The company and the day that age is counted from.
        relevance: What each article counts before its age; None: by whether its title names the company.
    """
    body, shown = result.body, result.figures.get("articles")
    headings = list(_HEADING.finditer(body))
    ends = [heading.start() for heading in headings[1:]] + [len(body)] * bool(headings)
    found = [
        _article(heading, body[heading.end() : end], instrument, relevance)
        for heading, end in zip(headings, ends, strict=True)
    ]
    return tuple(found[: int(shown.value)] if shown else found)


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


def _article(heading: re.Match[str], summary: str, instrument: Instrument, relevance: float | None) -> Article:
    title, origin, day = heading.groups()
    age = max(0, (instrument.trade_date - date.fromisoformat(day)).days) if instrument.trade_date else 0
    if relevance is None:
        relevance = NAMED if names(title, instrument) else LISTED
    summary = summary.partition("\nNote: ")[0].strip()
    filed = _FILED.match(origin)
    return Article(
        title,
        age,
        headline_tone(title, summary),
        relevance * 0.5 ** (age / HALF_LIFE_DAYS),
        filed.group(1) if filed else None,
    )


def names(title: str, instrument: Instrument) -> bool:
    """Say whether a title names the company: its ticker in capitals (two letters or more), or its name's first word."""
    words = re.findall(r"[\w\-]+", title)
    if len(instrument.ticker) > 1 and instrument.ticker in words:
        return True
    known = [word for word in re.findall(r"[\w\-]+", (instrument.name or "").lower()) if word not in _CORPORATE]
    return bool(known) and known[0] in (word.lower() for word in words)
