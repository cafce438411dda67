"""Geopolitical scanner: the tone of the headlines on each topic, the most telling of them, and a table of risks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.offline.headlines import Article, articles_of, quote, tone_row
from tradingagents.offline.reading import Prompt
from tradingagents.offline.reports import Draft, write
from tradingagents.offline.tables import Row, direction

TOOL = "get_topic_news"
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
    shown: str
    """How many articles there are, as the tool shows it."""

    @property
    def row(self) -> Row:
        """The tone of its headlines, under the topic's name."""
        return tone_row(self.items, self.shown, TOOL, about="headlines", metric=self.name)


def topics_of(prompt: Prompt) -> tuple[Topic, ...]:
    """Read the news by topic, in the order asked; of a topic that was asked twice the first result counts."""
    found: dict[str, Topic] = {}
    for result in prompt.results(TOOL):
        name = quote(result.subject, TOPIC_LENGTH) or "news"
        items = articles_of(result, prompt.instrument)
        count = result.figures.get("articles")
        found.setdefault(name, Topic(name, items, count.text if count else f"{len(items)} counted"))
    return tuple(found.values())


def geopolitics(prompt: Prompt) -> str:
    """Write the geopolitical report."""
    topics = topics_of(prompt)
    told = [topic for topic in topics if topic.items]
    silent = [topic.name for topic in topics if not topic.items]
    remarks = [*(_headlines(topic) for topic in told), _absence(silent, told), _risk_table(topics)]
    gaps = () if topics else (f"articles ({TOOL})",)
    groups = tuple((topic.name[:1].upper() + topic.name[1:], (topic.row,)) for topic in told)
    return write(Draft("Geopolitical report", groups, tuple(filter(None, remarks)), gaps, "the world"), prompt)


def risk(score: float) -> str:
    """Name the risk in a topic by the score of its tone: high, elevated, ordinary or low."""
    return next((name for most, name in RISKS if score <= most), "low")


def bullets(items: Sequence[Article]) -> list[str]:
    """Quote the headlines that carry most tone, one a line, each with the company it is filed under."""
    telling = sorted((item for item in items if item.tone), key=lambda item: -abs(item.tone) * item.weight)[:TELLING]
    return [quoted(item) for item in telling]


def quoted(item: Article) -> str:
    """Quote a headline as a line of a list, with the company it is filed under and its tone."""
    return f'- "{quote(item.title)}" ({f"{item.symbol}, " if item.symbol else ""}tone {item.tone:+.2f} derived)'


def _headlines(topic: Topic) -> str:
    lines = bullets(topic.items)
    if not lines:
        return f"No headline on {topic.name} carries a word of tone."
    return "\n".join([f"Most telling on {topic.name}, of {topic.shown}:", *lines])


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
        return f"| {topic.name} | {topic.shown} | n/a | not known |"
    score = topic.row.score
    return f"| {topic.name} | {topic.shown} | {direction(score)} {score:+.2f} derived | {risk(score)} |"
