"""Reddit: posts about a stock in three investor communities, through the API with an app's id, else from feeds.

Without an app Reddit serves feeds only, which have author, text and time, but no votes or comments.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, ClassVar

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.gateway.http import Web, nothing, unreadable
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.models import SocialPost
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.posts import count, in_window
from tradingagents.dataflows.vendors.reddit.parse import SITE, Found, fed, is_a_word, listed, names_of, speaks_of
from tradingagents.errors import VendorNotConfigured

COMMUNITIES = ("stocks", "wallstreetbets", "investing")
API = "https://oauth.reddit.com"
CLIENT_ID, CLIENT_SECRET = "REDDIT_CLIENT_ID", "REDDIT_CLIENT_SECRET"
USER_AGENT = "python:tradingagents:1 (research; https://pypi.org/project/tradingagents)"
"""In the format that Reddit requires; it refuses user agents of browsers and libraries."""
PAGE = 100
"""Posts per page: the maximum."""
MAX_PAGES = 3
"""Pages per request through the API; for feeds, whose rate limit is a tenth, one."""
_SPANS = ((timedelta(days=1), "day"), (timedelta(days=7), "week"), (timedelta(days=31), "month"))
_LONGEST = 86_400
"""Seconds: Reddit's value, and the maximum lifetime of a token regardless of the response."""
_EARLY = timedelta(minutes=1)
"""How long before its expiry a token is renewed."""


class RedditVendor(Vendor):
    """Posts of today and the days before that mention the symbol."""

    name: ClassVar[str] = "reddit"
    live_only: ClassVar[frozenset[str]] = frozenset({"get_social_posts"})

    def __init__(self, access: Access, *, now: Callable[[], datetime] = utc_now) -> None:
        """Set up; sends nothing yet.

        Args:
            access: Vendor configuration. A custom address replaces all of Reddit's hosts.
            now: The clock, used for token expiry and as the time at which votes were counted.

        Raises:
            VendorNotConfigured: Only one of the app's id and secret is set.
        """
        self._access = access
        self._now = now
        self._app: _App | None = None
        self._feeds = Web(access, headers={"User-Agent": USER_AGENT})
        if access.optional_key(CLIENT_ID) or access.optional_key(CLIENT_SECRET):
            self._app = _App(access, access.key(CLIENT_ID), access.key(CLIENT_SECRET), now)

    def get_social_posts(self, symbol: str, start: datetime, end: datetime) -> tuple[SocialPost, ...]:
        """Return the posts made in [start, end] that mention the symbol, newest first; () for none.

        Raises:
            NoData: The symbol has no common spelling: an index, or a foreign listing.
        """
        about = f"posts about {symbol}"
        names = names_of(symbol)
        if not names:
            raise nothing(self.name, about)
        query = {
            "q": " OR ".join(f'"{f"${name}" if is_a_word(name) else name}"' for name in names),
            "restrict_sr": "1",
            "sort": "new",
            "t": self._span(start),
            "limit": str(PAGE),
        }
        app = self._app
        found = (
            self._from_feed(symbol, query, about) if app is None else self._from_api(app, symbol, query, start, about)
        )
        speaks = speaks_of(symbol)
        return in_window((match.post for match in found if speaks(match.text)), start, end)

    def _span(self, start: datetime) -> str:
        """Return the shortest time range of Reddit's search that reaches back to an instant."""
        back = self._now() - start
        return next((word for length, word in _SPANS if back <= length), "year")

    def _from_feed(self, symbol: str, query: dict[str, str], about: str) -> list[Found]:
        found = fed(self._feeds.get(f"r/{'+'.join(COMMUNITIES)}/search.rss", query, about=about), symbol)
        if found is None:
            raise unreadable(self.name, about)
        return found

    def _from_api(self, app: _App, symbol: str, query: dict[str, str], start: datetime, about: str) -> list[Found]:
        every: list[Found] = []
        after: str | None = None
        for _ in range(MAX_PAGES):
            page = app.get_json(
                f"r/{'+'.join(COMMUNITIES)}/search", {**query, "after": after, "raw_json": "1"}, about=about
            )
            found = listed(page, symbol, self._now())
            if found is None:
                raise unreadable(self.name, about)
            every += found
            after = page["data"].get("after")
            if not found or not isinstance(after, str) or found[-1].post.posted_at < start:
                break
        return every


class _App:
    """Reddit's API for an app: gets a token for its id and secret, and reuses it until it expires. Thread-safe."""

    def __init__(self, access: Access, client: str, secret: str, now: Callable[[], datetime]) -> None:
        signed = base64.b64encode(f"{client}:{secret}".encode()).decode()
        self._access = access
        self._now = now
        self.host = API if access.url == SITE else access.url
        self._door = Web(
            access, headers={"User-Agent": USER_AGENT, "Authorization": f"Basic {signed}"}, key_variable=CLIENT_SECRET
        )
        self._lock = threading.Lock()
        self._web: Web | None = None
        self._until = now()

    def get_json(self, path: str, params: dict[str, str | None], *, about: str) -> Any:
        web = self._signed_in(about)
        try:
            return web.get_json(f"{self.host}/{path}", params, about=about)
        except VendorNotConfigured:
            with self._lock:
                self._web = None  # a revoked token isn't reused
            raise

    def _signed_in(self, about: str) -> Web:
        with self._lock:
            if self._web is None or self._now() >= self._until:
                asked_at = self._now()
                answer = self._door.post_form(
                    "api/v1/access_token", {"grant_type": "client_credentials"}, about=f"a token for {about}"
                )
                given = answer if isinstance(answer, dict) else {}
                token, seconds = given.get("access_token"), count(given.get("expires_in"))
                if not isinstance(token, str) or not token.isascii() or seconds is None:
                    raise unreadable(self._access.name, f"a token for {about}")
                self._until = asked_at + timedelta(seconds=min(seconds, _LONGEST)) - _EARLY
                self._web = Web(
                    self._access,
                    headers={"User-Agent": USER_AGENT, "Authorization": f"Bearer {token}"},
                    key_variable=CLIENT_SECRET,
                )
            return self._web
