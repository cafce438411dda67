"""StockTwits: members' posts about a stock, with the sentiment tags they set themselves. No key.

Its public stream has the newest posts, thirty per page, and no history by date.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, ClassVar, Literal
from urllib.parse import quote

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.gateway.http import Web, nothing, refusal, unreadable
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.models import SocialPost
from tradingagents.dataflows.responses.lost_rows import lost, not_listed, unread
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.posts import count, crypto_base, in_window, instant, shortened, words

PAGE = 30
"""Posts of a page that is not the last one."""
MAX_PAGES = 5
"""Requests per call: 150 posts, which reach back an hour for the most discussed stocks and months for others."""
USER_AGENT = "tradingagents (research; https://pypi.org/project/tradingagents)"
_TAGS: Mapping[str, Literal["bullish", "bearish"]] = {"Bullish": "bullish", "Bearish": "bearish"}
_US_STOCK = re.compile(r"([A-Z]{1,5})(?:-([A-Z]))?")


class StockTwitsVendor(Vendor):
    """Posts of today and the days before, as far as five pages reach."""

    name: ClassVar[str] = "stocktwits"
    live_only: ClassVar[frozenset[str]] = frozenset({"get_social_posts"})
    unconfirmed: ClassVar[Mapping[str, str]] = {"get_social_posts": "number and times of these posts"}

    def __init__(self, access: Access, *, now: Callable[[], datetime] = utc_now) -> None:
        """Set up; sends nothing yet.

        Args:
            now: The clock, used as the time at which likes were counted.
        """
        self._web = Web(access, headers={"User-Agent": USER_AGENT, "Accept": "application/json"})
        self._now = now

    def get_social_posts(self, symbol: str, start: datetime, end: datetime) -> tuple[SocialPost, ...]:
        """Return the posts made in [start, end] that five pages reach, newest first; () for none.

        Raises:
            NoData: StockTwits has no stream of the symbol: it has US listings and crypto currencies.
        """
        about = f"posts about {symbol}"
        stream = stream_of(symbol)
        if stream is None:
            raise nothing(self.name, about)
        posts: list[SocialPost] = []
        before: int | None = None
        for _ in range(MAX_PAGES):
            page = self._page(stream, before, about)
            counted_at = self._now()
            found = [post for message in page["messages"] if (post := _post(message, symbol, counted_at))]
            if page["messages"] and not found:
                raise unreadable(self.name, about)
            if found and not any("sentiment" in _dict(_dict(one).get("entities")) for one in page["messages"]):
                lost("tags of a page of posts", **{"entities.sentiment": None})  # null where a post has no tag
            posts += found
            _note_ends(page)
            before = _next(page, before)
            if before is None or min(post.posted_at for post in found) < start:
                break
        return in_window(posts, start, end)

    def _page(self, stream: str, before: int | None, about: str) -> Mapping[str, Any]:
        page = self._web.get_json(f"streams/symbol/{quote(stream)}.json", {"max": before}, about=about)
        if not isinstance(page, dict):
            raise unreadable(self.name, about)
        status = _dict(page.get("response")).get("status")
        if isinstance(status, int) and status >= 400:
            raise refusal(self.name, status, about=about)
        if not isinstance(page.get("messages"), list):
            raise unreadable(self.name, about)
        return page


def stream_of(symbol: str) -> str | None:
    """Return StockTwits' spelling: BRK.B for BRK-B, BTC.X for BTC-USD; None for indices and foreign listings."""
    if coin := crypto_base(symbol):
        return f"{coin}.X"
    share = _US_STOCK.fullmatch(symbol)
    return None if share is None else f"{share[1]}.{share[2]}" if share[2] else share[1]


def _note_ends(page: Mapping[str, Any]) -> None:
    """Note posts that are missing at the ends of a page: its cursor names the newest and the oldest one."""
    cursor, messages = _dict(page.get("cursor")), page["messages"]
    newest, oldest = count(cursor.get("since")), count(cursor.get("max"))
    numbers = [number for message in messages if (number := count(_dict(message).get("id"))) is not None]
    if newest is not None and max(numbers, default=0) < newest:
        not_listed("newest post", 1)
    if oldest is not None and numbers and min(numbers) > oldest:
        not_listed("oldest post", 1)
    if cursor.get("more") is True:
        not_listed("post", PAGE - len(messages))


def _next(page: Mapping[str, Any], before: int | None) -> int | None:
    """Return the id from which the next page continues; None if there is none, or it would not lead further back."""
    cursor = _dict(page.get("cursor"))
    oldest = count(cursor.get("max"))
    if not page["messages"] or cursor.get("more") is not True or oldest is None:
        return None
    return oldest if before is None or oldest < before else None


def _post(message: Any, symbol: str, counted_at: datetime) -> SocialPost | None:
    """Return a message as a post; None if its id, text or instant is invalid."""
    found = _dict(message)
    number, text, posted_at = count(found.get("id")), shortened(found.get("body")), instant(found.get("created_at"))
    if number is None or text is None or posted_at is None:
        lost("post", id=number, body=text, created_at=posted_at)
        return None
    author = words(_dict(found.get("user")).get("username"))
    tagged = _dict(found.get("entities")).get("sentiment")
    tag = _dict(tagged).get("basic")
    if tagged is not None and not (isinstance(tag, str) and tag in _TAGS):  # null where a post has no tag
        lost("tag of a post", since=posted_at, **{"entities.sentiment.basic": None})
    likes = _dict(found.get("likes")).get("total")
    score = count(likes)
    if score is None:
        unread("likes.total", likes, since=posted_at)
    return SocialPost(
        symbol=symbol,
        text=text,
        posted_at=posted_at,
        known_at=posted_at,
        source=StockTwitsVendor.name,
        author=author,
        sentiment=_TAGS.get(tag) if isinstance(tag, str) else None,
        score=score,
        url=f"https://stocktwits.com/{quote(author, safe='')}/message/{number}" if author else None,
        counted_at=None if score is None else counted_at,
    )


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
