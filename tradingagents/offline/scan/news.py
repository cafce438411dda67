"""Geopolitical scanner: the tone of the headlines on each topic, the most telling of them, and a table of risks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.analytics.company.news import TopicDigest
from tradingagents.offline.brief import Brief
from tradingagents.offline.headlines import Article, articles_of, count_of, quote, tone_row
from tradingagents.offline.readings import Reading, Row, Shown, direction
from tradingagents.offline.reports import Draft, write_report
from tradingagents.offline.scan.mentions import mention_of
from tradingagents.offline.scan.reading import ScanReading

TOOL = "get_topic_news"
REPORT = "geopolitical_report"
TELLING = 3
"""Headlines quoted for each topic."""
RISKS = ((-0.35, "high"), (-0.10, "elevated"), (0.10, "ordinary"))
"""Score of a topic's tone up to which its risk is called so; above the last it is low."""
TOPIC_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Topic:
    """What one search of the news gave."""

    name: str
    items: tuple[Article, ...]
    count: Shown
    """How many articles there are, as the tool shows it."""

    @property
    def row(self) -> Row:
        """The tone of its headlines, under the topic's name."""
        return tone_row(self.items, self.count, TOOL, about="headlines", metric=self.name)


def topics_of(brief: Brief) -> tuple[Topic, ...]:
    """Return the news by topic, in the order asked; of a topic that was asked twice the first result counts."""
    found: dict[str, Topic] = {}
    for given in brief.given(TOOL):
        if isinstance(given.result, TopicDigest):
            name = quote(given.result.topic, TOPIC_LENGTH) or "news"
            items = articles_of(given, brief.subject.trade_date)
            found.setdefault(name, Topic(name, items, count_of([given], items)))
    return tuple(found.values())


def geopolitics(brief: Brief) -> Reading:
    """Read the tone of each topic's headlines."""
    topics = topics_of(brief)
    told = [topic for topic in topics if topic.items]
    silent = [topic.name for topic in topics if not topic.items]
    remarks = [*(_headlines(topic) for topic in told), _absence(silent, told), _risk_table(topics)]
    gaps = () if topics else (("articles", TOOL),)
    groups = tuple((topic.name[:1].upper() + topic.name[1:], (topic.row,)) for topic in told)
    draft = Draft("Geopolitical report", groups, tuple(filter(None, remarks)), gaps, "the world")
    quoted_here = tuple(mention_of(item, REPORT) for topic in told for item in telling(topic.items))
    return ScanReading.of(write_report(draft, brief), mentions=quoted_here)


def risk(score: float) -> str:
    """Name the risk in a topic by the score of its tone: high, elevated, ordinary or low."""
    return next((name for most, name in RISKS if score <= most), "low")


def telling(items: Sequence[Article]) -> list[Article]:
    """Return the headlines that carry most tone."""
    return sorted((item for item in items if item.tone), key=lambda item: -abs(item.tone) * item.weight)[:TELLING]


def bullets(items: Sequence[Article]) -> list[str]:
    """Quote the headlines that carry most tone, one a line, each with the company it is filed under."""
    return [quoted(item) for item in telling(items)]


def quoted(item: Article) -> str:
    """Quote a headline as a line of a list, with the company it is filed under and its tone."""
    return f'- "{quote(item.title)}" ({f"{item.symbol}, " if item.symbol else ""}tone {item.tone:+.2f} derived)'


def _headlines(topic: Topic) -> str:
    lines = bullets(topic.items)
    if not lines:
        return f"No headline on {topic.name} carries a word of tone."
    return "\n".join([f"Most telling on {topic.name}, of {topic.count.text}:", *lines])


def _absence(silent: Sequence[str], told: Sequence[Topic]) -> str:
    if not silent:
        return ""
    where = "on any topic" if not told else f"on {', '.join(silent)}"
    return f"No article is clearly {where}: no risk is read from an absence, nor is its opposite."


def _risk_table(topics: Sequence[Topic]) -> str:
    """Return the assessment of risks by topic; empty where no topic was asked about."""
    if not topics:
        return ""
    rows = (_risk_row(topic) for topic in topics)
    return "\n".join(["| Topic | Articles | Tone | Risk |", "|---|---|---|---|", *rows])


def _risk_row(topic: Topic) -> str:
    if not topic.items:
        return f"| {topic.name} | {topic.count.text} | n/a | not known |"
    score = topic.row.score
    return f"| {topic.name} | {topic.count.text} | {direction(score)} {score:+.2f} derived | {risk(score)} |"
