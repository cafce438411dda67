"""What a vendor is: a class with a name and the methods it can answer, one per documented tool method."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, ClassVar

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import (
    EarningsEvent,
    EconomicEvent,
    Filing,
    Frequency,
    InsiderTransaction,
    MacroSeries,
    Mover,
    MoverCategory,
    NewsItem,
    Prices,
    Profile,
    Ratios,
    SectorMember,
    SocialPost,
    Statement,
    StatementKind,
)
from tradingagents.dataflows.reference.sectors import PEERS
from tradingagents.errors import NoData


class Vendor:
    """Base of the vendors. A vendor overrides what it can answer; the rest says honestly that it cannot.

    Methods return every row the source has in the window, each with its `known_at`; nothing is cut at `as_of` here.
    They raise `NoData`, `NotForPastDate`, `RateLimited`, `VendorDown` or `VendorNotConfigured`, never return error
    text, and never return an empty answer for prices or a profile. Safe to call from several threads at once.

    Symbols arrive normalised (`dataflows.reference.symbols.normalise`).
    """

    name: ClassVar[str]
    local: ClassVar[bool] = False
    """True where an answer costs no network: such answers are not cached on disk."""
    live_only: ClassVar[frozenset[str]] = frozenset()
    """Methods that know today only: they are never asked about a past day."""

    insiders_reach: ClassVar[timedelta | None] = None
    """How far back from today `get_insider_transactions` goes; None: as far as there are any."""

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        """Return the daily bars of the sessions in [start, end]."""
        raise self._cannot("get_stock_data", symbol)

    def get_profile(self, symbol: str) -> Profile:
        """Return who the symbol is."""
        raise self._cannot("get_profile", symbol)

    def get_statements(self, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        """Return the statements of one kind and frequency, newest period first."""
        raise self._cannot("get_statements", symbol)

    def get_fundamentals(self, symbol: str) -> Ratios:
        """Return the vendor's own ratios of today: a live-only source."""
        raise self._cannot("get_fundamentals", symbol)

    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return the company's articles published in [start, end] (UTC), newest first; () where there were none."""
        raise self._cannot("get_news", symbol)

    def get_global_news(self, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return market and economy articles published in [start, end] (UTC), newest first; () for none."""
        raise self._cannot("get_global_news", "the market")

    def get_insider_transactions(self, symbol: str) -> tuple[InsiderTransaction, ...]:
        """Return reported insider trades, newest first; () where the source covers the symbol and has none."""
        raise self._cannot("get_insider_transactions", symbol)

    def get_peers(self, symbol: str, sector: str) -> Sequence[str]:
        """Return comparable companies of a sector key, most comparable first, without `symbol`."""
        return tuple(peer for peer in PEERS[sector] if peer != symbol)

    def get_market_movers(self, category: MoverCategory, session: date) -> tuple[Mover, ...]:
        """Return the stocks that rose, fell or were traded most in a session, the first first; at most 25."""
        raise self._cannot("get_market_movers", category)

    def get_industry_performance(self, sector: str) -> tuple[SectorMember, ...]:
        """Return the companies of a sector key; how they performed is computed from their prices."""
        raise self._cannot("get_industry_performance", sector)

    def get_topic_news(self, topic: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return articles on a topic published in [start, end] (UTC), the most to the point first; () for none."""
        raise self._cannot("get_topic_news", topic)

    def get_earnings_calendar(self, start: date, end: date) -> tuple[EarningsEvent, ...]:
        """Return results published, or announced, for the days [start, end]; () for none."""
        raise self._cannot("get_earnings_calendar", "the market")

    def get_economic_calendar(self, start: date, end: date) -> tuple[EconomicEvent, ...]:
        """Return economic releases, past and scheduled, of the days [start, end]; () for none."""
        raise self._cannot("get_economic_calendar", "the economy")

    def get_social_posts(self, symbol: str, start: datetime, end: datetime) -> tuple[SocialPost, ...]:
        """Return posts about the company made in [start, end] (UTC), newest first; () for none."""
        raise self._cannot("get_social_posts", symbol)

    def get_filings(self, symbol: str, start: date, end: date) -> tuple[Filing, ...]:
        """Return what the company filed on the days [start, end], newest first; () for none."""
        raise self._cannot("get_filings", symbol)

    def get_macro_indicators(self, series: str, start: date, end: date) -> MacroSeries:
        """Return the values of a series for [start, end] in every vintage published by `end`.

        `series` is an id of the source, or one of our names for it (`dataflows.reference.macro_names`).
        """
        raise self._cannot("get_macro_indicators", series)

    def can(self, method: str) -> bool:
        """Tell whether the vendor answers a method at all."""
        return getattr(type(self), method) is not getattr(Vendor, method) or method == "get_peers"

    def covers(self, method: str, symbol: str) -> bool:
        """Tell whether the vendor would know of rows of a symbol, so that an empty answer says that there were none."""
        return True

    def was_listed(self, symbol: str, day: date) -> bool:
        """Tell whether the vendor may have prices of a symbol of a day; False where they begin later."""
        return True

    def unreadable(self, method: str, *args: Any) -> tuple[str, ...]:
        """Return a sentence for each row that the vendor had to leave out of what this question is answered from."""
        return ()

    def place_of(self, fault: Fault) -> str:
        """Return where a faulty row stands in a vendor's files, such as `news.jsonl.gz line 7`, or an empty text."""
        return ""

    def _cannot(self, method: str, subject: str) -> NoData:
        return NoData(f"{self.name} has no {method} for {subject}; choose another vendor in tool_vendors.")
