"""News digests with headline, publisher, time, relevance, summary and link; article text is quoted, not interpreted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, ClassVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.company.news_ranking import STRONG, TOLD, RankedItem, Ranking
from tradingagents.analytics.market.scanned import ScannedCompany, seen_stock
from tradingagents.analytics.text import cut, one_line
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result

TITLE_LENGTH = 200
TOPIC_LENGTH = 80
SUMMARY_LENGTH = 240
PUBLISHER_LENGTH = 40
URL_LENGTH = 300
FEW = 3
"""Number of matching stories below which a note says that coverage is thin."""
OLD = timedelta(hours=24)
"""Age of the newest article at the end of the window above which a note says so."""
_PLAIN_URL = re.compile(r"https?://[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+\Z")
"""The characters allowed by RFC 3986."""


class RankedArticle(BaseModel):
    """One article as it is shown."""

    model_config = ConfigDict(frozen=True)

    title: str
    publisher: str | None
    published_at: datetime
    """UTC."""
    day_only: bool
    """True if the source gives the day but not the hour."""
    summary: str | None
    """At most 240 characters; None if there is none, or it repeats the title."""
    url: str | None
    """An http or https address; None if the source gives none that is safe to show."""
    symbol: str | None
    """The company it was filed under; None for market news."""
    relevance: float
    """0 to 1, independent of age; see `analytics.company.news_ranking`."""
    weak: bool
    """Whether it is a weak match, which says little about the subject."""
    reason: str
    """Why it is relevant, in a few words."""
    also: tuple[str, ...] = ()
    """Publishers of other reports of the same story, which are not shown."""


class NewsDigest(Result):
    """Articles of a window, most relevant and newest first."""

    articles: tuple[RankedArticle, ...]
    found: int
    """Number of different stories that match or match weakly, including those not shown."""
    considered: int
    """Number of articles that the source has for the window."""
    counts_source: ClassVar[bool] = True
    """Whether that number is a figure: of a company it says how much was written, of the market nothing."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"News: {self.symbol}" if self.symbol else "Market news"

    def figures(self) -> tuple[Figure, ...]:
        """Return how many articles are shown, how many of them match weakly, and how many the source has."""
        weak = sum(article.weak for article in self.articles)
        shown = Figure("articles", len(self.articles) - weak, "articles")
        more = (Figure("weak_matches", weak, "articles"),) if weak else ()
        counted = (Figure("articles_in_source", self.considered, "articles"),) if self.counts_source else ()
        return (shown, *more, *counted)

    def body(self) -> str:
        """Return the articles."""
        if not self.articles:
            window = f"between {self.start} and {self.end}"
            if self.considered:
                return f"None of the source's {_counted(self.considered, 'article', 'articles')} {window} is on this."
            return f"The source has no article {window}."
        return "\n\n".join(_shown(article, self._named(article)) for article in self.articles)

    def kept(self) -> dict[str, Any]:
        """Return the articles in the form of the run's record."""
        return {"articles": [_listed(article, self.title) for article in self.articles]}

    def _named(self, article: RankedArticle) -> tuple[str | None, ...]:
        """Return the names shown in a headline next to the time."""
        return (article.publisher,)


class MarketDigest(NewsDigest):
    """Articles on markets, the economy, policy, geopolitics and commodities."""

    counts_source: ClassVar[bool] = False

    def _named(self, article: RankedArticle) -> tuple[str | None, ...]:
        return (article.symbol, article.publisher)


class TopicDigest(NewsDigest):
    """Articles on a topic."""

    counts_source: ClassVar[bool] = False
    topic: str
    companies: Mapping[str, ScannedCompany]
    """Companies under which matching articles are listed, by symbol."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"News on {self.topic}"

    @property
    def subject(self) -> str | None:
        """The topic."""
        return self.topic

    def kept(self) -> dict[str, Any]:
        """Return the articles and the stocks listed, for the run's state."""
        seen = {symbol: seen_stock(company, "get_topic_news", {}) for symbol, company in self.companies.items()}
        return {**super().kept(), "seen": seen}

    def _named(self, article: RankedArticle) -> tuple[str | None, ...]:
        return (article.symbol, article.publisher)


@dataclass(frozen=True, slots=True)
class NewsQuery:
    """The request and the vendor's delivery, for any digest."""

    as_of: date
    """The day of the request."""
    start: date
    """First day of the window."""
    end: date
    """Last day of the window."""
    until: datetime
    """Articles published after this instant are excluded."""
    fetched_at: datetime
    """When the vendor delivered them."""
    source: str
    """The vendor."""


def company_digest(ranking: Ranking, asked: NewsQuery, symbol: str) -> NewsDigest:
    """Create the digest of a company's articles.

    Args:
        ranking: Result of `rank_company_news`; may be empty.
        asked: The request.
    """
    return NewsDigest(**_common(ranking, asked, "the company"), symbol=symbol)


def market_digest(ranking: Ranking, asked: NewsQuery) -> MarketDigest:
    """Create the digest of market news."""
    return MarketDigest(**_common(ranking, asked, "markets, the economy, policy, geopolitics or commodities"))


def topic_digest(
    ranking: Ranking, asked: NewsQuery, topic: str, companies: Mapping[str, ScannedCompany]
) -> TopicDigest:
    """Create the digest of the articles on a topic.

    Args:
        ranking: Result of `rank_topic_news`; may be empty.
        asked: The request.
        topic: The topic searched for.
        companies: Known companies by symbol; others are shown by symbol.
    """
    common = _common(ranking, asked, "the topic")
    filed = dict.fromkeys(article.symbol for article in common["articles"] if article.symbol and not article.weak)
    return TopicDigest(
        **common,
        topic=cut(one_line(topic), TOPIC_LENGTH),
        companies={symbol: companies.get(symbol, ScannedCompany(name=symbol, sector=None)) for symbol in filed},
    )


def _common(ranking: Ranking, asked: NewsQuery, about: str) -> dict[str, Any]:
    """Return the fields that all digests share."""
    shown = [ranked.item for ranked in ranking.shown]
    return {
        "as_of": asked.as_of,
        "source": asked.source,
        "known_at": max((item.known_at for item in shown), default=None),
        "fetched_at": asked.fetched_at,
        "start": asked.start,
        "end": asked.end,
        "rows": len(shown),
        "notes": tuple(_notes(ranking, asked, about)),
        "articles": tuple(map(_article, ranking.shown)),
        "found": ranking.matches + ranking.weak,
        "considered": ranking.considered,
    }


def _notes(ranking: Ranking, asked: NewsQuery, about: str) -> Iterator[str]:
    """Yield notes on how the articles were chosen, and on thin or old coverage."""
    if not ranking.considered:
        return
    yield (
        f"{len(ranking.shown)} of {ranking.matches + ranking.weak} stories on {about} are shown, found in "
        f"{_counted(ranking.considered, 'article', 'articles')} and ordered by relevance (0 to 1) halved every "
        f"{ranking.half_life:.0f} days of age; below {STRONG:.2f} a match is weak."
    )
    if ranking.matches < FEW:
        clear = _counted(ranking.matches, "story of this window is", "stories of this window are")
        yield f"Coverage is thin: {clear} clearly on {about}."
    if ranking.newest is not None and asked.until - ranking.newest >= OLD:
        hours = (asked.until - ranking.newest) // timedelta(hours=1)
        yield f"The newest of them is {hours} hours older than the end of the window: later events are not covered."


def _counted(number: int, one: str, several: str) -> str:
    return f"{number or 'no'} {one if number == 1 else several}"


def _article(ranked: RankedItem) -> RankedArticle:
    item = ranked.item
    title = one_line(item.title)
    summary = one_line(item.summary or "")
    return RankedArticle(
        title=cut(title, TITLE_LENGTH) or "(no title)",
        publisher=cut(one_line(item.source or ""), PUBLISHER_LENGTH) or None,
        published_at=item.published_at,
        day_only=item.day_only,
        summary=cut(summary, SUMMARY_LENGTH) if summary and summary.casefold() != title.casefold() else None,
        url=web_address(item.url),
        symbol=cut(one_line(item.symbol or ""), PUBLISHER_LENGTH) or None,
        relevance=ranked.relevance,
        weak=ranked.weak,
        reason=ranked.reason,
        also=tuple(cut(one_line(publisher), PUBLISHER_LENGTH) for publisher in ranked.also),
    )


def web_address(url: str | None) -> str | None:
    """Return a link if it is safe to show: http or https, a host, no user name, only URL characters, not too long."""
    if not url or len(url) > URL_LENGTH or not _PLAIN_URL.match(url):
        return None
    try:
        parts = urlsplit(url)
        host, user = parts.hostname, parts.username
    except ValueError:
        return None
    return url if host and "." in host and user is None else None


def _listed(article: RankedArticle, asked: str) -> dict[str, Any]:
    """Return an article in the form of the run's list of articles."""
    return {
        "asked": asked,
        "title": article.title,
        "publisher": article.publisher,
        "published_at": article.published_at.isoformat(),
        "day_only": article.day_only,
        "url": article.url,
        "symbol": article.symbol,
        "relevance": article.relevance,
        "weak": article.weak,
        "reason": article.reason,
    }


def _shown(article: RankedArticle, named: tuple[str | None, ...]) -> str:
    when = f"{article.published_at:%Y-%m-%d}" if article.day_only else f"{article.published_at:%Y-%m-%d %H:%M} UTC"
    origin = ", ".join(part for part in (*named, when) if part)
    lines = (f"### {article.title} ({origin})", _worth(article), article.summary, article.url)
    return "\n".join(line for line in lines if line)


def _worth(article: RankedArticle) -> str:
    """Return a line with an article's relevance and the other publishers of the story."""
    match = "weak match, " if article.weak else ""
    also = ""
    if article.also:
        told = ", ".join(dict.fromkeys(article.also[:TOLD]))
        also = f" Also reported in {_counted(len(article.also), 'other article', 'other articles')} ({told})."
    return f"Relevance {article.relevance:.2f} ({match}{article.reason}).{also}"
