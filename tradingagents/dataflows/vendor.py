"""`Vendor`: the base class of data sources, and the declaration of every question that a source may answer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, ClassVar, Self

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.models import (
    EarningsEvent,
    EconomicEvent,
    Filing,
    FilingDocument,
    Frequency,
    HoldingsReport,
    InsiderTransaction,
    MacroSeries,
    Mover,
    MoverCategory,
    NewsItem,
    Prices,
    Profile,
    Ratios,
    ReportedFact,
    SectorMember,
    SocialPost,
    Statement,
    StatementKind,
)
from tradingagents.dataflows.reference.sectors import PEERS
from tradingagents.dataflows.vendor_method import Route, VendorMethod, methods_of, vendor_method
from tradingagents.errors import NoData


class Vendor:
    """Base of the vendors. A vendor overrides what it can answer; the rest raises `NoData`.

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

    unconfirmed: ClassVar[Mapping[str, str]] = {}
    """By method, what of the rows that it lists nothing confirms: no count in its answer, and no other source."""
    statements_together: ClassVar[bool] = False
    """True where all kinds of statements come from one page, so that each can be judged by the others at no cost."""
    insiders_reach: ClassVar[timedelta | None] = None
    """How far back from today `get_insider_transactions` goes; None: as far as there are any."""

    @vendor_method(
        "core_stock_apis",
        lifetime=timedelta(minutes=15),
        point_in_time="sessions",
        empty="no_data",
        fungible=True,
        complete=True,
        # Computed here from the vendor's prices, in the same way for every vendor:
        routes={
            "get_indicators": Route("technical_indicators", title="Technical indicators"),
            "get_market_indices": Route("scanner_data", fungible=True),
            "get_sector_performance": Route("scanner_data", fungible=True, title="Sector returns"),
        },
        title="Prices",
    )
    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        """Return the daily bars of the sessions in [start, end]."""
        raise self._cannot("get_stock_data", symbol)

    @vendor_method(
        "core_stock_apis", lifetime=timedelta(days=7), point_in_time="undated", empty="no_data", title="Company profile"
    )
    def get_profile(self, symbol: str) -> Profile:
        """Return who the symbol is."""
        raise self._cannot("get_profile", symbol)

    @vendor_method(
        "fundamental_data",
        lifetime=timedelta(minutes=5),  # a quarter is served minutes after its release
        complete=True,
        routed=False,
        routes={
            "get_balance_sheet": Route("fundamental_data", title="Balance sheets"),
            "get_cashflow": Route("fundamental_data", title="Cash flow statements"),
            "get_income_statement": Route("fundamental_data", title="Income statements"),
            "get_financials": Route("fundamental_data", asked="in_turn", title="Financial statements"),
        },
    )
    def get_statements(self, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        """Return the statements of one kind and frequency, newest period first."""
        raise self._cannot("get_statements", symbol)

    @vendor_method(
        "fundamental_data",
        lifetime=timedelta(hours=1),
        point_in_time="today",
        empty="no_data",
        title="Valuation and ratios",
    )
    def get_fundamentals(self, symbol: str) -> Ratios:
        """Return the vendor's own ratios of today: a live-only source."""
        raise self._cannot("get_fundamentals", symbol)

    @vendor_method("news_data", lifetime=timedelta(minutes=15), title="Company news")
    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return the company's articles published in [start, end] (UTC), newest first; () where there were none."""
        raise self._cannot("get_news", symbol)

    @vendor_method("news_data", lifetime=timedelta(minutes=15), title="World news")
    def get_global_news(self, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return market and economy articles published in [start, end] (UTC), newest first; () for none."""
        raise self._cannot("get_global_news", "the market")

    @vendor_method("news_data", lifetime=timedelta(hours=1), complete=True)
    def get_insider_transactions(self, symbol: str) -> tuple[InsiderTransaction, ...]:
        """Return reported insider trades, newest first; () where the source covers the symbol and has none."""
        raise self._cannot("get_insider_transactions", symbol)

    @vendor_method("core_stock_apis", point_in_time="undated", cached=False, default_answer=True)
    def get_peers(self, symbol: str, sector: str) -> tuple[str, ...]:
        """Return comparable companies of a sector key, most comparable first, without `symbol`."""
        return tuple(peer for peer in PEERS[sector] if peer != symbol)

    @vendor_method("scanner_data", lifetime=timedelta(minutes=15), fungible=True)
    def get_market_movers(self, category: MoverCategory, session: date) -> tuple[Mover, ...]:
        """Return the stocks that rose, fell or were traded most in a session, the first first; at most 25."""
        raise self._cannot("get_market_movers", category)

    @vendor_method("scanner_data", point_in_time="undated", fungible=True, title="Industry returns")
    def get_industry_performance(self, sector: str) -> tuple[SectorMember, ...]:
        """Return the companies of a sector key; how they performed is computed from their prices."""
        raise self._cannot("get_industry_performance", sector)

    @vendor_method("scanner_data", lifetime=timedelta(minutes=15), title="News by topic")
    def get_topic_news(self, topic: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return articles on a topic published in [start, end] (UTC), the most to the point first; () for none."""
        raise self._cannot("get_topic_news", topic)

    @vendor_method("calendar_data", lifetime=timedelta(minutes=15))
    def get_earnings_calendar(self, start: date, end: date, symbol: str = "") -> tuple[EarningsEvent, ...]:
        """Return results published, or announced, for the days [start, end]; () for none.

        Args:
            symbol: Only this company's, which only a local vendor is asked for; "" for every company's.
        """
        raise self._cannot("get_earnings_calendar", "the market")

    @vendor_method("calendar_data", lifetime=timedelta(minutes=15))
    def get_economic_calendar(self, start: date, end: date) -> tuple[EconomicEvent, ...]:
        """Return economic releases, past and scheduled, of the days [start, end]; () for none."""
        raise self._cannot("get_economic_calendar", "the economy")

    @vendor_method("social_data", lifetime=timedelta(minutes=15), asked="all", title="Social media posts")
    def get_social_posts(self, symbol: str, start: datetime, end: datetime) -> tuple[SocialPost, ...]:
        """Return posts about the company made in [start, end] (UTC), newest first; () for none."""
        raise self._cannot("get_social_posts", symbol)

    @vendor_method("filing_data", lifetime=timedelta(minutes=5))
    def get_filings(self, symbol: str, start: date, end: date) -> tuple[Filing, ...]:
        """Return what the company filed on the days [start, end], newest first; () for none."""
        raise self._cannot("get_filings", symbol)

    @vendor_method("filing_data", lifetime=timedelta(days=90), title="Texts of filings")
    def get_filing_document(self, symbol: str, accession: str) -> tuple[FilingDocument, ...]:
        """Return the main document of a filing, by its accession number as `get_filings` lists it; () for none.

        Exhibits that are reports of their own, such as an earnings release, may follow it.
        """
        raise self._cannot("get_filing_document", symbol)

    @vendor_method("filing_data", lifetime=timedelta(minutes=5), title="Tagged facts of filings")
    def get_reported_facts(self, symbol: str) -> tuple[ReportedFact, ...]:
        """Return every figure that the company's filings tag in XBRL, of each filing that states it."""
        raise self._cannot("get_reported_facts", symbol)

    @vendor_method("filing_data", lifetime=timedelta(hours=1), title="Investors' holdings")
    def get_holdings(self, investor: str, start: date, end: date) -> tuple[HoldingsReport, ...]:
        """Return an investor's reports of its holdings (Form 13F) filed on the days [start, end], newest first.

        `investor` is a name or a CIK. Amendments are reports of their own; () where none was filed.
        """
        raise self._cannot("get_holdings", investor)

    @vendor_method("macro_data", lifetime=timedelta(minutes=15), empty="no_data", title="Economic series")
    def get_macro_indicators(self, series: str, start: date, end: date) -> MacroSeries:
        """Return the values of a series for [start, end] in every vintage published by `end`.

        `series` is an id of the source, or one of our names for it (`dataflows.reference.macro_series`).
        """
        raise self._cannot("get_macro_indicators", series)

    @classmethod
    def open(cls, access: Access) -> Self:
        """Make the vendor from the settings, keys and rates it is given."""
        return cls(access)  # type: ignore[call-arg]

    @classmethod
    def implements(cls, method: VendorMethod[..., Any]) -> bool:
        """Tell whether this kind of vendor has an answer of its own to a question."""
        own = getattr(cls, method.vendor_name, None)
        return own is not None and own is not vars(Vendor).get(method.vendor_name)

    def supports(self, method: VendorMethod[..., Any]) -> bool:
        """Tell whether the vendor answers a question at all."""
        return self.implements(method) or method.default_answer

    def unconfirmed_of(self, method: str) -> str | None:
        """Return what nothing confirms of the rows that a method lists; None where something does."""
        return self.unconfirmed.get(method)

    def covers(self, method: str, symbol: str) -> bool:
        """Tell whether the vendor would know of rows of a symbol, so that an empty answer says that there were none."""
        return True

    def was_listed(self, symbol: str, day: date) -> bool:
        """Tell whether the vendor may have prices of a symbol of a day; False where they begin later."""
        return True

    def unreadable(self, method: VendorMethod[..., Any], *args: Any) -> tuple[str, ...]:
        """Return a sentence for each unreadable row of the files or pages this question is answered from."""
        return ()

    def place_of(self, fault: Fault) -> str:
        """Return where a faulty row stands in a vendor's files, such as `news.jsonl.gz line 7`, or an empty text."""
        return ""

    def _cannot(self, method: str, subject: str) -> NoData:
        return NoData(f"{self.name} has no {method} for {subject}; choose another vendor in tool_vendors.")


METHODS: Mapping[str, VendorMethod[..., Any]] = methods_of(Vendor)
"""The questions that the vendors of this library answer, by each name they are asked under."""
