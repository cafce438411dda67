"""The alpha_vantage vendor: what each method asks for.

A free key has 25 requests a day, so each question costs as few as it can: prices three (bars, splits, dividends),
statements two (with the days of results), anything else one or two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, ClassVar, TypeVar

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.gateway.http import nothing, unreadable
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.models import (
    EarningsEvent,
    Frequency,
    InsiderTransaction,
    Mover,
    MoverCategory,
    NewsItem,
    Prices,
    Profile,
    Ratios,
    SectorMember,
    Statement,
    StatementKind,
)
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.sectors import SECTOR_ETF
from tradingagents.dataflows.reference.topics import matching
from tradingagents.dataflows.responses.lost_rows import not_listed
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.alpha_vantage import parse as rows
from tradingagents.dataflows.vendors.alpha_vantage import prices, statements, topics
from tradingagents.dataflows.vendors.alpha_vantage.client import AlphaVantageClient, connect
from tradingagents.dataflows.vendors.alpha_vantage.fields import NAME, Unreadable, number
from tradingagents.errors import NoData, NotInPlan

COMPACT = 100
"""Sessions that the short series has, back from the last one. The long one is for premium plans by now."""
MAX_ARTICLES = 1000
_LISTS = {"day_gainers": "top_gainers", "day_losers": "top_losers", "most_actives": "most_actively_traded"}
_US_STOCK = re.compile(r"[A-Z]{1,5}(-[A-Z]{1,2})?")
_STATEMENTS = {"income": "INCOME_STATEMENT", "balance": "BALANCE_SHEET", "cashflow": "CASH_FLOW"}
T = TypeVar("T")


class AlphaVantageVendor(Vendor):
    """Alpha Vantage: US-listed stocks and funds."""

    name: ClassVar[str] = NAME
    live_only: ClassVar[frozenset[str]] = frozenset(
        {"get_market_movers", "get_industry_performance", "get_earnings_calendar"}
    )
    unconfirmed: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("get_news", "get_global_news", "get_topic_news"), "times of these articles"
    ) | {"get_market_movers": "prices and volumes of these movers"}

    def __init__(self, access: Access, *, now: Callable[[], datetime] = utc_now) -> None:
        """Prepare the vendor; nothing is asked yet.

        Args:
            access: The way to the vendor.

        Raises:
            VendorNotConfigured: There is no key.
        """
        self._now = now
        self._web = connect(access)

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        """Return the daily bars of the sessions in [start, end], adjusted for every split until today.

        Raises:
            NotInPlan: The window begins more than a hundred sessions ago, and the key has no premium plan.
        """
        about = f"prices of {symbol} from {start} to {end}"
        theirs, now = self._spelt(symbol, about), self._now()
        today, client = now.date(), self._asking(about)
        try:
            daily = client.bars(theirs, full=len(sessions().between(start, today)) > COMPACT)
        except NotInPlan:
            raise NotInPlan(
                f"Alpha Vantage's free plan has the last {COMPACT} sessions only, not {about}; name another vendor for "
                f"get_stock_data, or a premium key."
            ) from None
        splits, dividends = client.raw("SPLITS", symbol=theirs), client.raw("DIVIDENDS", symbol=theirs)
        bars = self._read(
            about,
            lambda: prices.prices_of(
                symbol,
                daily,
                prices.splits_of(splits, today=today),
                prices.dividends_of(dividends, today=today),
                start=start,
                end=end,
                now=now,
            ),
        )
        if bars is None:
            raise nothing(self.name, about)
        return bars

    def get_profile(self, symbol: str) -> Profile:
        """Return who the symbol is."""
        about = f"profile of {symbol}"
        overview = self._overview(symbol, about)
        found = self._read(about, lambda: rows.profile_of(symbol, overview))
        if found is None:
            raise nothing(self.name, about)
        return found

    def get_fundamentals(self, symbol: str) -> Ratios:
        """Return Alpha Vantage's ratios of today."""
        about = f"ratios of {symbol}"
        overview = self._overview(symbol, about)
        ratios = self._read(about, lambda: rows.ratios_of(symbol, overview, now=self._now()))
        if not ratios.values:
            raise nothing(self.name, about)
        return ratios

    def get_statements(self, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        """Return the statements of one kind and frequency, newest period first: some twenty years of each."""
        about = f"{freq} {kind} statements of {symbol}"
        theirs, client = self._spelt(symbol, about), self._asking(about)
        answer = client.raw(_STATEMENTS[kind], symbol=theirs)
        if not answer:
            raise nothing(self.name, about)
        years = answer.get("annualReports")
        reports = years if freq == "annual" else answer.get("quarterlyReports")
        if reports == []:
            raise nothing(self.name, about)
        earnings = self._earnings(client, theirs)
        return self._read(
            about,
            lambda: statements.statements_of(
                symbol,
                kind,
                freq,
                reports,
                year_end=statements.year_end_of(years),
                reported=statements.reported_of(earnings),
            ),
        )

    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return the articles about the company published in [start, end] (UTC), newest first; for any day."""
        about = f"news of {symbol}"
        return self._news(about, start, end, symbol=symbol, tickers=self._spelt(symbol, about))

    def get_global_news(self, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return articles on markets and the economy published in [start, end] (UTC), newest first; for any day."""
        found = {
            item.url or item.title: item
            for topic in topics.MARKET
            for item in self._news("market news", start, end, topics=topic)
        }
        return tuple(sorted(found.values(), key=lambda item: (item.published_at, item.title), reverse=True))

    def get_topic_news(self, topic: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return articles on a topic (`dataflows.reference.topics`) published in [start, end], best match first.

        They are looked for among those that Alpha Vantage files under the one of its topics that fits.

        Raises:
            NoData: None fits; names those there are.
        """
        theirs = topics.filed_under(topic)
        if theirs is None:
            known = ", ".join(name.replace("_", " ") for name in topics.NAMES)
            raise NoData(f"alpha_vantage has no news on {topic!r}; ask for one of {known}, or choose another vendor.")
        return matching(topic, self._news(f"news on {topic}", start, end, topics=theirs))

    def get_insider_transactions(self, symbol: str) -> tuple[InsiderTransaction, ...]:
        """Return insider trades, newest first, as far back as there are any; () for none."""
        about = f"insider transactions of {symbol}"
        theirs = self._spelt(symbol, about)
        answer = self._asking(about).raw("INSIDER_TRANSACTIONS", symbol=theirs)
        return self._read(about, lambda: rows.insiders_of(symbol, answer))

    def get_market_movers(self, category: MoverCategory, session: date) -> tuple[Mover, ...]:
        """Return the twenty US stocks that moved or were traded most, in Alpha Vantage's order, penny stocks too."""
        answer = self._asking(category).raw("TOP_GAINERS_LOSERS")
        found = self._read(category, lambda: rows.movers_of(answer, _LISTS[category], session=session))
        if not found:
            raise NoData(f"Alpha Vantage has no {category} of {session} yet; ask later, or choose another vendor.")
        return found

    def get_industry_performance(self, sector: str) -> tuple[SectorMember, ...]:
        """Return the companies that the sector's SPDR fund holds today, with their weights in it."""
        about = f"companies of the sector {sector}"
        answer = self._asking(about).raw("ETF_PROFILE", symbol=SECTOR_ETF[sector])
        found = self._read(about, lambda: rows.held_of(answer))
        if not found:
            raise nothing(self.name, about)
        return found

    def get_earnings_calendar(
        self,
        start: date,
        end: date,
        symbol: str = "",  # noqa: ARG002 - a local vendor alone is asked for one
    ) -> tuple[EarningsEvent, ...]:
        """Return results announced for the days [start, end], of the next three months."""
        about = "earnings calendar"
        text = self._asking(about).text("EARNINGS_CALENDAR", horizon="3month")
        return self._read(about, lambda: rows.announced_of(text, start=start, end=end, now=self._now()))

    def _asking(self, about: str) -> AlphaVantageClient:
        return AlphaVantageClient(self._web, about)

    def _overview(self, symbol: str, about: str) -> Any:
        overview = self._asking(about).overview(self._spelt(symbol, about))
        if not overview:
            raise nothing(self.name, about)
        return overview

    @staticmethod
    def _earnings(client: AlphaVantageClient, theirs: str) -> Any:
        """Return the company's results; the empty object that stands for none where there are none."""
        try:
            return client.raw("EARNINGS", symbol=theirs)
        except NoData:
            return {}

    def _news(
        self, about: str, start: datetime, end: datetime, *, symbol: str | None = None, **query: str
    ) -> tuple[NewsItem, ...]:
        # To the minute; the last one is asked for whole, and cut below.
        window = {"time_from": f"{start:%Y%m%dT%H%M}", "time_to": f"{end + timedelta(minutes=1):%Y%m%dT%H%M}"}
        asked = {**query, **window, "sort": "LATEST", "limit": str(MAX_ARTICLES)}
        answer = self._asking(about).raw("NEWS_SENTIMENT", **asked)
        found = self._read(about, lambda: rows.news_of(answer, symbol=symbol))
        stated = number(answer.get("items")) or 0.0
        not_listed("article", int(stated) - len(answer.get("feed") or ()))
        within = (item for item in found if start <= item.published_at <= end)
        return tuple(sorted(within, key=lambda item: (item.published_at, item.title), reverse=True))

    def _read(self, about: str, read: Callable[[], T]) -> T:
        try:
            return read()
        except Unreadable:
            raise unreadable(self.name, about) from None

    def _spelt(self, symbol: str, about: str) -> str:
        """Return Alpha Vantage's spelling, which is ours for US listings; indices, pairs and the rest it lacks here."""
        if _US_STOCK.fullmatch(symbol) is None:
            raise nothing(self.name, about)
        return symbol
