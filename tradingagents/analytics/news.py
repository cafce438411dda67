"""A digest of articles: headline, publisher, time, a short summary. What they say is quoted, never followed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.text import cut, one_line
from tradingagents.dataflows.figures import Figure
from tradingagents.dataflows.models import Result
from tradingagents.dataflows.rows import NewsItem

TITLE_LENGTH = 200
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
            return f"No article between {self.start} and {self.end}."
        return "\n\n".join(_shown(article) for article in self.articles)


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
    by_title: dict[str, NewsItem] = {}
    for item in sorted(items, key=lambda one: (one.published_at, one.title), reverse=True):
        by_title.setdefault(one_line(item.title).casefold(), item)
    shown = list(by_title.values())[: max(0, limit)]
    notes = []
    if len(shown) < len(by_title):
        notes.append(f"The newest {len(shown)} of {len(by_title)} articles are shown.")
    return NewsDigest(
        symbol=symbol,
        as_of=as_of,
        source=source,
        known_at=max((item.known_at for item in shown), default=None),
        fetched_at=fetched_at,
        start=start,
        end=end,
        rows=len(shown),
        notes=tuple(notes),
        articles=tuple(_article(item) for item in shown),
        found=len(by_title),
    )


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
    )


def _shown(article: Article) -> str:
    when = f"{article.published_at:%Y-%m-%d}" if article.day_only else f"{article.published_at:%Y-%m-%d %H:%M} UTC"
    origin = f"{article.publisher}, {when}" if article.publisher else when
    return "\n".join(part for part in (f"### {article.title} ({origin})", article.summary) if part)
