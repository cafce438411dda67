"""Tavily: a web search for dated news articles, on today's web.

Its results for a past day depend on what the web shows today, so it is never queried for one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, ClassVar
from urllib.parse import urlsplit

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.gateway.http import Web, nothing, unreadable
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.models import NewsItem
from tradingagents.dataflows.responses.lost_rows import lost
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import RateLimited

KEY = "TAVILY_API_KEY"
MAX_RESULTS = 20
"""Maximum results of one search, which costs one credit regardless."""
SUMMARY_LENGTH = 600
"""Maximum length of a page's text."""
MARKET_QUERY = "stock market economy central bank inflation"
_SPENT = frozenset({432, 433})
"""Tavily's own HTTP statuses: the plan's credits, or the pay-as-you-go limit, are used up."""
_COMPANY = re.compile(r"[A-Z]{1,5}(-[A-Z]{1,2})?")


class TavilyVendor(Vendor):
    """News found on today's web."""

    name: ClassVar[str] = "tavily"
    live_only: ClassVar[frozenset[str]] = frozenset({"get_news", "get_global_news", "get_topic_news"})
    unconfirmed: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("get_news", "get_global_news", "get_topic_news"), "number and times of these articles"
    )

    def __init__(self, access: Access, *, now: Callable[[], datetime] = utc_now) -> None:
        """Set up; sends nothing yet.

        Raises:
            VendorNotConfigured: There is no key.
        """
        headers = {"Authorization": f"Bearer {access.key(KEY)}"}
        self._web = Web(access, headers=headers, key_variable=KEY, explain=_explained)
        self._now = now

    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return articles found for the symbol, published in [start, end] (UTC), newest first.

        Raises:
            NoData: The symbol isn't a US-listed company: a search doesn't understand other symbols.
        """
        if _COMPANY.fullmatch(symbol) is None:
            raise nothing(self.name, f"news of {symbol}")
        found = self._search(f"{symbol} stock", start, end, f"news of {symbol}", symbol=symbol)
        return tuple(sorted(found, key=lambda item: (item.published_at, item.title), reverse=True))

    def get_global_news(self, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return articles on market and economy published in [start, end] (UTC), newest first."""
        found = self._search(MARKET_QUERY, start, end, "market news", symbol=None)
        return tuple(sorted(found, key=lambda item: (item.published_at, item.title), reverse=True))

    def get_topic_news(self, topic: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return articles on a topic published in [start, end] (UTC), best match first."""
        return self._search(topic, start, end, f"news on {topic}", symbol=None)

    def _search(
        self, query: str, start: datetime, end: datetime, about: str, *, symbol: str | None
    ) -> tuple[NewsItem, ...]:
        body = {
            "query": query,
            "topic": "news",
            "search_depth": "basic",
            "max_results": MAX_RESULTS,
            "start_date": f"{start:%Y-%m-%d}",
            # The end date is exclusive.
            "end_date": f"{end + timedelta(days=1):%Y-%m-%d}",
        }
        answer = self._web.post_json("search", body, about=about)
        results = answer.get("results") if isinstance(answer, dict) else None
        if not isinstance(results, list):
            raise unreadable(self.name, about)
        found = [item for result in results if (item := _article(result, symbol)) is not None]
        if results and not found and not any(_is_result(result) for result in results):
            raise unreadable(self.name, about)
        unique: dict[str, NewsItem] = {}
        for item in found:
            unique.setdefault(item.url or item.title, item)
        return tuple(item for item in unique.values() if start <= item.published_at <= end)


def _article(given: Any, symbol: str | None) -> NewsItem | None:
    """Return a result as an article; None without a title or an instant: an undated page may be of any day."""
    result: Mapping[str, Any] = given if isinstance(given, dict) else {}
    title, published = _text(result.get("title")), _instant(result.get("published_date"))
    if title is None or published is None:
        lost("page", title=title, published_date=published)
        return None
    url = _text(result.get("url"))
    host = _host(url)
    summary = _text(result.get("content"))
    return NewsItem(
        title=title,
        published_at=published,
        known_at=published,
        source=host.removeprefix("www.") if host else None,
        summary=summary[:SUMMARY_LENGTH] if summary else None,
        url=url,
        symbol=symbol,
    )


def _is_result(given: Any) -> bool:
    return isinstance(given, dict) and _text(given.get("title")) is not None


def _instant(value: Any) -> datetime | None:
    """Parse `Thu, 13 Mar 2025 14:00:00 GMT`, or ISO; None for anything else, including values without a zone."""
    if not isinstance(value, str):
        return None
    try:
        read = datetime.fromisoformat(value) if value[:1].isdigit() else parsedate_to_datetime(value)
        return None if read.tzinfo is None else read.astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return None


def _host(url: str | None) -> str | None:
    try:
        return urlsplit(url).hostname if url else None
    except ValueError:  # web pages may contain anything
        return None


def _text(value: Any) -> str | None:
    return " ".join(value.split()) or None if isinstance(value, str) else None


def _explained(status: int, _body: bytes, about: str) -> Exception | None:
    if status not in _SPENT:
        return None
    return RateLimited(f"Tavily's credits of this key are used up, so {about} was refused; wait, or change the plan.")
