"""What was read: the articles shown to a run's agents, by the tool that returned them, with link and relevance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tradingagents.analytics.company.news import web_address
from tradingagents.events import Event
from tradingagents.reports import formatting as words
from tradingagents.schemas.cards import CardRecord
from tradingagents.schemas.records import ArticleReadRecord


@dataclass(frozen=True, slots=True)
class ArticleRow:
    """One article as a report lists it."""

    title: str
    link: str
    """Empty if there is none."""
    publisher: str
    published: str
    relevance: str
    agents: str


@dataclass(frozen=True, slots=True)
class ArticleGroup:
    """The articles in one answer."""

    title: str
    """The request, such as `News: HD`."""
    tool: str
    rows: tuple[ArticleRow, ...]


class ArticlesRead:
    """Collects from a run's events the articles shown to its agents."""

    def __init__(self) -> None:
        """Start empty."""
        self._seen: dict[tuple[str, str, str, str], ArticleReadRecord] = {}

    def recall(self, event: Event) -> None:
        """Add a tool's answer; an article shown to more than one agent is one entry."""
        if event.type != "tool_end":
            return
        for article in event.data.get("articles", ()):
            self._add(event.data["tool"], event.node or "", article)

    def to_records(self) -> list[ArticleReadRecord]:
        """Return the articles by tool and request, the most relevant first, in an order independent of timing."""
        found = list(self._seen.values())
        found.sort(key=lambda article: (article.published_at, article.title), reverse=True)
        found.sort(key=lambda article: (article.tool, article.asked, -article.relevance))
        return found

    def _add(self, tool: str, agent: str, article: Mapping[str, Any]) -> None:
        key = (tool, article["asked"], article["published_at"], article["title"])
        known = self._seen.get(key)
        agents = sorted({*(known.agents if known else ()), agent} - {""})
        self._seen[key] = ArticleReadRecord.model_validate({**article, "tool": tool, "agents": agents})


def article_groups(record: CardRecord) -> list[ArticleGroup]:
    """Return the articles read, by request; none for a run without articles."""
    groups: dict[tuple[str, str], list[ArticleRow]] = {}
    for article in record.articles_read:
        groups.setdefault((article.tool, article.asked), []).append(_row(article))
    return [ArticleGroup(asked, tool, tuple(rows)) for (tool, asked), rows in groups.items()]


def _row(article: ArticleReadRecord) -> ArticleRow:
    return ArticleRow(
        title=article.title,
        link=web_address(article.url) or "",
        publisher=article.publisher or "",
        published=article.published_at[:10] if article.day_only else words.instant(article.published_at),
        relevance=f"{article.relevance:.2f}{' (weak)' if article.weak else ''}",
        agents=", ".join(article.agents),
    )
