"""A digest of articles: headline, publisher, time, a short summary. What they say is quoted, never followed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.scanned import Company, seen_stock
from tradingagents.analytics.text import cut, one_line
from tradingagents.dataflows.figures import Figure
from tradingagents.dataflows.models import Result
from tradingagents.dataflows.rows import NewsItem

TITLE_LENGTH = 200
TOPIC_LENGTH = 80
SUMMARY_LENGTH = 240


class Article(BaseModel):
    """One article as it is shown."""

    model_config = ConfigDict(frozen=True)

    title: str
    publisher: str | None
    published_at: datetime
    """UTC."""
    day_only: bool
    """True where the source gives the day without the hour."""
    summary: str | None
    """At most 240 characters; None where there is none, or it repeats the title."""
    url: str | None
    symbol: str | None
    """The company it was filed under; None for market news."""


class NewsDigest(Result):
    """Articles of a window, newest first."""

    articles: tuple[Article, ...]
    found: int
    """Different articles in the window, those not shown included."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"News: {self.symbol}" if self.symbol else "Market news"

    def figures(self) -> tuple[Figure, ...]:
        """Return how many articles are shown."""
        return (Figure("articles", len(self.articles), "articles"),)

    def body(self) -> str:
        """Return the articles."""
        if not self.articles:
            return f"The source has no article between {self.start} and {self.end}."
        return "\n\n".join(_shown(article, self._named(article)) for article in self.articles)

    def _named(self, article: Article) -> tuple[str | None, ...]:
        """Return whom a headline names beside its time."""
        return (article.publisher,)


class TopicDigest(NewsDigest):
    """Articles on a topic, the most to the point first."""

    topic: str
    companies: Mapping[str, Company]
    """Who the articles are filed under, by symbol."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"News on {self.topic}"

    @property
    def subject(self) -> str | None:
        """The topic."""
        return self.topic

    def kept(self) -> dict[str, Any]:
        """Return the stocks seen."""
        return {"seen": {symbol: seen_stock(one, "get_topic_news", {}) for symbol, one in self.companies.items()}}

    def _named(self, article: Article) -> tuple[str | None, ...]:
        return (article.symbol, article.publisher)


def news_digest(
    items: Sequence[NewsItem],
    *,
    as_of: date,
    symbol: str | None,
    start: date,
    end: date,
    limit: int,
    fetched_at: datetime,
    source: str,
) -> NewsDigest:
    """Make a digest of the newest articles; of the same headline the newest counts.

    Args:
        items: Articles of the window, in any order; none is an answer too.
        as_of: The day of the question.
        symbol: The company; None for the market.
        start: First day of the window.
        end: Last day of the window.
        limit: Most articles shown.
        fetched_at: When the vendor delivered them.
        source: The vendor.
    """
    found = _distinct(sorted(items, key=lambda one: (one.published_at, one.title), reverse=True))
    shown = found[: max(0, limit)]
    return NewsDigest(
        symbol=symbol,
        as_of=as_of,
        source=source,
        known_at=max((item.known_at for item in shown), default=None),
        fetched_at=fetched_at,
        start=start,
        end=end,
        rows=len(shown),
        notes=_notes(f"The newest {len(shown)}", shown, found),
        articles=tuple(_article(item) for item in shown),
        found=len(found),
    )


def topic_digest(
    items: Sequence[NewsItem],
    *,
    as_of: date,
    topic: str,
    companies: Mapping[str, Company],
    start: date,
    end: date,
    limit: int,
    fetched_at: datetime,
    source: str,
) -> TopicDigest:
    """Make a digest of the articles closest to a topic; of the same headline the first counts.

    Args:
        items: Articles of the window, the most to the point first; none is an answer too.
        as_of: The day of the question.
        topic: What was searched for.
        companies: Who is who; a company that is not here goes by its symbol.
        start: First day of the window.
        end: Last day of the window.
        limit: Most articles shown.
        fetched_at: When the vendor delivered them.
        source: The vendor.
    """
    found = _distinct(items)
    shown = found[: max(0, limit)]
    articles = tuple(_article(item) for item in shown)
    filed = dict.fromkeys(article.symbol for article in articles if article.symbol)
    return TopicDigest(
        as_of=as_of,
        source=source,
        known_at=max((item.known_at for item in shown), default=None),
        fetched_at=fetched_at,
        start=start,
        end=end,
        rows=len(shown),
        notes=_notes(f"The {len(shown)} closest to the topic", shown, found),
        articles=articles,
        found=len(found),
        topic=cut(one_line(topic), TOPIC_LENGTH),
        companies={symbol: companies.get(symbol, Company(name=symbol, sector=None)) for symbol in filed},
    )


def _distinct(items: Iterable[NewsItem]) -> list[NewsItem]:
    """Return the items of different headlines, of the same headline the first."""
    by_title: dict[str, NewsItem] = {}
    for item in items:
        by_title.setdefault(one_line(item.title).casefold(), item)
    return list(by_title.values())


def _notes(which: str, shown: Sequence[NewsItem], found: Sequence[NewsItem]) -> tuple[str, ...]:
    return (f"{which} of {len(found)} articles are shown.",) if len(shown) < len(found) else ()


def _article(item: NewsItem) -> Article:
    title = one_line(item.title)
    summary = one_line(item.summary or "")
    return Article(
        title=cut(title, TITLE_LENGTH) or "(no title)",
        publisher=one_line(item.source or "") or None,
        published_at=item.published_at,
        day_only=item.day_only,
        summary=cut(summary, SUMMARY_LENGTH) if summary and summary.casefold() != title.casefold() else None,
        url=item.url,
        symbol=one_line(item.symbol or "") or None,
    )


def _shown(article: Article, named: tuple[str | None, ...]) -> str:
    when = f"{article.published_at:%Y-%m-%d}" if article.day_only else f"{article.published_at:%Y-%m-%d %H:%M} UTC"
    origin = ", ".join(part for part in (*named, when) if part)
    return "\n".join(part for part in (f"### {article.title} ({origin})", article.summary) if part)
