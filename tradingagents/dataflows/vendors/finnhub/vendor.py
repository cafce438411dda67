"""Finnhub through the finnhub-python library: insiders, calendars, news, companies, as in the free plan.

Insider trades and company news have dates, so they answer for past days; general news and ratios are today's.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, ClassVar, TypeVar

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.gateway.http import nothing, unreadable
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.models import (
    EarningsEvent,
    EconomicEvent,
    InsiderTransaction,
    NewsItem,
    Profile,
    Ratios,
)
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.responses.lost_rows import listed_none
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.finnhub import parse as rows
from tradingagents.dataflows.vendors.finnhub.client import NAME, FinnhubClient, asking
from tradingagents.errors import NotForPastDate

NEWS_REACH = timedelta(days=365)
"""History of company news on the free plan."""
INSIDER_REACH = timedelta(days=730)
"""History of insider trades to request: two years, as with yfinance."""
EARNINGS_REACH = timedelta(days=30)
"""History of the free plan's earnings calendar (Finnhub: one month). For older days it returns an empty list, as if
there had been none."""
MAX_TRADES, MAX_ARTICLES, MAX_RESULTS = 100, 200, 1500
"""Number of rows from which an answer counts as truncated, since Finnhub doesn't say. It documents 100 for insider
trades; users report about 250 for company news (the newest kept) and 1500 for results (the first days lost)."""
EMPTY_FEED_HOLDS_FOR = timedelta(days=5)
"""How far back an empty feed means that nothing happened: covers a long weekend between the last close and now."""
_DAY = timedelta(days=1)
_LOG = logging.getLogger(__name__)
_US_STOCK = re.compile(r"[A-Z]{1,5}(-[A-Z]{1,2})?")
T = TypeVar("T")


class FinnhubVendor(Vendor):
    """Finnhub's free plan: US-listed companies."""

    name: ClassVar[str] = NAME
    live_only: ClassVar[frozenset[str]] = frozenset({"get_economic_calendar"})
    unconfirmed: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("get_news", "get_global_news"), "number and times of these articles"
    )

    insiders_reach: ClassVar[timedelta | None] = INSIDER_REACH

    def __init__(self, access: Access, *, now: Callable[[], datetime] = utc_now) -> None:
        """Set up; sends nothing yet.

        Raises:
            VendorNotConfigured: There is no key.
        """
        self._timeout = access.timeout
        self._now = now
        self._client = FinnhubClient(access)

    def get_profile(self, symbol: str) -> Profile:
        """Return the symbol's profile; the sector follows from Finnhub's industry."""
        about = f"profile of {symbol}"
        theirs = self._spelt(symbol, about)
        found = self._ask(
            about, lambda client: client.company_profile2(symbol=theirs), lambda answer: rows.profile_of(symbol, answer)
        )
        if found is None:
            raise nothing(self.name, about)
        return found

    def get_peers(self, symbol: str, sector: str) -> tuple[str, ...]:
        """Return companies of the same country and industry; the listed ones of the sector if Finnhub has none."""
        about = f"peers of {symbol}"
        theirs = self._spelt(symbol, about)
        found = self._ask(
            about,
            lambda client: client.company_peers(theirs),
            lambda answer: rows.peers_of(symbol, answer, theirs),
        )
        return found or super().get_peers(symbol, sector)

    def get_fundamentals(self, symbol: str) -> Ratios:
        """Return Finnhub's ratios of today."""
        about = f"ratios of {symbol}"
        theirs = self._spelt(symbol, about)
        ratios = self._ask(
            about,
            lambda client: client.company_basic_financials(theirs, "all"),
            lambda answer: rows.ratios_of(symbol, answer, now=self._now()),
        )
        if not ratios.values:
            raise nothing(self.name, about)
        return ratios

    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return the company's articles published in [start, end] (UTC), newest first.

        Raises:
            NotForPastDate: The window ends more than a year ago.
        """
        about = f"news of {symbol}"
        theirs = self._spelt(symbol, about)
        if end < self._now() - NEWS_REACH:
            raise NotForPastDate(
                f"Finnhub's {about} reach back a year, not to {end:%Y-%m-%d}; "
                f"for an older date use recorded news (data_vendor='snapshot')."
            )
        given = self._ask_days(
            about,
            start.date(),
            end.date(),
            lambda client, first, last: client.company_news(theirs, _from=first, to=last),
            rows.articles_in,
            most=MAX_ARTICLES,
        )
        if not given:
            listed_none("article")
        items = self._read(about, lambda: rows.news_of(given, symbol=symbol))
        return tuple(item for item in items if start <= item.published_at <= end)

    def get_global_news(self, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return the general news published in [start, end] (UTC), newest first: about a hundred, of the last days.

        Raises:
            NotForPastDate: The feed doesn't reach back to `end`.
        """
        items = self._ask(
            "market news",
            lambda client: client.general_news("general"),
            lambda answer: rows.news_of(rows.articles_in(answer), symbol=None),
        )
        reach = min((item.published_at for item in items), default=self._now() - EMPTY_FEED_HOLDS_FOR)
        if end < reach:
            raise NotForPastDate(
                f"Finnhub's market news reach back to {reach:%Y-%m-%d} only, not to {end:%Y-%m-%d}; "
                f"for a past date use recorded news (data_vendor='snapshot')."
            )
        return tuple(item for item in items if start <= item.published_at <= end)

    def get_insider_transactions(self, symbol: str) -> tuple[InsiderTransaction, ...]:
        """Return the trades reported on Forms 3, 4 and 5 in the last two years, newest first; () for none."""
        about = f"insider transactions of {symbol}"
        theirs, today = self._spelt(symbol, about), self._now().date()
        given = self._ask_days(
            about,
            today - INSIDER_REACH,
            today,
            lambda client, first, last: client.stock_insider_transactions(theirs, _from=first, to=last),
            rows.trades_in,
            most=MAX_TRADES,
        )
        if not given:
            listed_none("insider trade")
        return self._read(about, lambda: rows.insiders_of(symbol, given))

    def get_earnings_calendar(
        self,
        start: date,
        end: date,
        symbol: str = "",  # noqa: ARG002 - a local vendor alone is asked for one
    ) -> tuple[EarningsEvent, ...]:
        """Return results published and announced for [start, end]; future ones are known since the last close.

        Raises:
            NotForPastDate: The window begins more than a month ago, and the key's plan has no data for it.
        """
        about = "earnings calendar"
        given = self._ask_days(
            about,
            start,
            end,
            lambda client, first, last: client.earnings_calendar(_from=first, to=last, symbol=""),
            rows.results_in,
            most=MAX_RESULTS,
        )
        events = self._read(about, lambda: rows.earnings_of(given, start=start, end=end, now=self._now()))
        reach = self._now().date() - EARNINGS_REACH
        if sessions().between(start, min(end, reach - _DAY)) and not any(event.day < reach for event in events):
            raise NotForPastDate(
                f"Finnhub's {about} reaches back to {reach} on this key's plan, not to {start}; "
                f"for an older date use recorded data (data_vendor='snapshot')."
            )
        return events

    def get_economic_calendar(self, start: date, end: date) -> tuple[EconomicEvent, ...]:
        """Return US releases of the days [start, end].

        Raises:
            NotInPlan: The free plan has none.
        """
        return self._ask(
            "economic calendar",
            lambda client: client.calendar_economic(_from=start.isoformat(), to=end.isoformat()),
            lambda answer: rows.economy_of(answer, start=start, end=end, now=self._now()),
        )

    def _ask(self, about: str, ask: Callable[[FinnhubClient], Any], read: Callable[[Any], T]) -> T:
        answer = asking(self._client, about, ask, timeout=self._timeout)
        return self._read(about, lambda: read(answer))

    def _ask_days(
        self,
        about: str,
        start: date,
        end: date,
        ask: Callable[[FinnhubClient, str, str], Any],
        listed: Callable[[Any], list[Any]],
        *,
        most: int,
    ) -> list[Any]:
        """Return the rows of the days [start, end], from as many answers as needed.

        An answer of `most` rows may be truncated, in ways that differ by request: both halves are requested instead.
        """
        first, last = start.isoformat(), end.isoformat()
        given = self._ask(about, lambda client: ask(client, first, last), listed)
        if len(given) < most:
            return given
        if start >= end:
            _LOG.warning("%s", f"Finnhub's {about} may lack some of {first}: it answered {len(given)}, its most.")
            return given
        middle = start + (end - start) // 2
        earlier = self._ask_days(about, start, middle, ask, listed, most=most)
        return [*earlier, *self._ask_days(about, middle + _DAY, end, ask, listed, most=most)]

    def _read(self, about: str, read: Callable[[], T]) -> T:
        try:
            return read()
        except rows.Unreadable:
            raise unreadable(self.name, about) from None

    def _spelt(self, symbol: str, about: str) -> str:
        """Return Finnhub's spelling: BRK.B for BRK-B. Indices, pairs and foreign listings aren't in the free plan."""
        if _US_STOCK.fullmatch(symbol) is None:
            raise nothing(self.name, about)
        return symbol.replace("-", ".")
