"""Yahoo Finance through the yfinance library: prices, companies, news, and today's market for the scanner. No key.

Yahoo is a live source. It has no filing dates (they are assumed, and rows say so), its ratios, screens, sector pages
and calendars are today's, and its news reaches back days, not years.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.models import (
    EarningsEvent,
    EconomicEvent,
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
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.yfinance import parse as rows
from tradingagents.dataflows.vendors.yfinance import scan
from tradingagents.dataflows.vendors.yfinance.answers import OddAnswer
from tradingagents.dataflows.vendors.yfinance.line_items import SECTOR_PAGES, currency_unit
from tradingagents.dataflows.vendors.yfinance.totals import contradicted_total, totals_of
from tradingagents.errors import NoData, NotForPastDate

if TYPE_CHECKING:
    import pandas as pd

    from tradingagents.dataflows.vendors.yfinance.client import YahooClient, YahooSession

COMPANY_ARTICLES = 100
"""Articles requested from a company's stream; busy companies have as many in two days."""
GLOBAL_QUERIES = ("stock market", "economy", "Federal Reserve", "inflation")
ARTICLES_PER_QUERY = 25
MOVERS = 25
SECTOR_COMPANIES = 25
EARNINGS_PAGES = 2
"""Pages of 100 companies, the largest first: in earnings season more report in a week than anyone reads about."""
ECONOMIC_PAGES = 20
"""Pages of 100 releases of all countries, about two weeks; Yahoo's calendar can't be filtered by country."""
EMPTY_FEED_HOLDS_FOR = timedelta(days=5)
"""How far back an empty feed means that nothing happened: covers a long weekend between the last close and now."""


@dataclass(frozen=True, slots=True)
class _Books:
    """A company's accounting basics, which don't change during a process."""

    currency: str
    year_end: date | None
    totals: Mapping[str, float]
    """What Yahoo sums up of four quarters, in `currency`; see `totals`."""
    newest: date | None
    """The end of the newest quarter in them."""


class YFinanceVendor(Vendor):
    """Yahoo Finance. Importing and creating it is cheap; yfinance is loaded on first use."""

    name = "yfinance"
    live_only: ClassVar[frozenset[str]] = frozenset(
        {"get_market_movers", "get_industry_performance", "get_earnings_calendar", "get_economic_calendar"}
    )
    """Yahoo's screens and sector pages show the current state, and its calendars have no history."""
    unconfirmed: ClassVar[Mapping[str, str]] = {
        "get_industry_performance": "choice and number of these companies",
        "get_earnings_calendar": "amounts of these events",
        "get_economic_calendar": "amounts of these events",
    }

    insiders_reach: ClassVar[timedelta | None] = timedelta(days=730)

    def __init__(
        self,
        *,
        timeout: float = 30.0,
        cache_dir: Path | None = None,
        session: YahooSession | None = None,
        wait_turn: Callable[[], None] = lambda: None,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        """Prepare the vendor.

        Args:
            timeout: Maximum seconds per call, all its requests together.
            cache_dir: Where yfinance stores its caches; None: the user's cache folder.
            session: Sends the requests; None: the process's own.
            wait_turn: Waits until the rate limit allows one more request.
            now: The clock; None: the system's.
        """
        self._timeout = timeout
        self._cache_dir = cache_dir
        self._session = session
        self._wait_turn = wait_turn
        self._now = now or (lambda: datetime.now(UTC))
        self._made: YahooClient | None = None
        self._books_of: dict[str, _Books] = {}
        self._lock = threading.Lock()

    @classmethod
    def open(cls, access: Access) -> Self:
        """Make the vendor with the settings' time limit and cache folder."""
        cache_dir = access.settings.home_dir / "cache" / "yfinance"
        return cls(timeout=access.timeout, cache_dir=cache_dir, wait_turn=access.wait_turn)

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        """Return the daily bars of the sessions in [start, end], adjusted for every split until today.

        The history is requested through today: the prices are adjusted for splits after `end` too, which must be known.
        """
        now = self._now()
        with self._client().asking(f"prices of {symbol}") as yahoo:
            ticker = yahoo.ticker(symbol)
            through = now.astimezone(UTC).date() + timedelta(days=2)  # exclusive, and Asia is a day ahead of UTC
            frame = ticker.history(start=start, end=through, auto_adjust=False, actions=True, timeout=self._timeout)
            about = ticker.get_history_metadata()
            bars = rows.prices_of(symbol, frame, currency=about.get("currency"), start=start, end=end, now=now)
        if bars is None:
            raise NoData(f"Yahoo has no prices of {symbol} from {start} to {end}; check the symbol and the dates.")
        return replace(bars, symbol=rows.stated_symbol(symbol, about))

    def get_profile(self, symbol: str) -> Profile:
        """Return the symbol's profile."""
        with self._client().asking(f"profile of {symbol}") as yahoo:
            profile = rows.profile_of(symbol, yahoo.ticker(symbol).get_info())
        if profile is None:
            raise NoData(f"Yahoo has no instrument {symbol} that we know; check the symbol's spelling.")
        return profile

    def get_statements(self, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        """Return the statements of one kind and frequency, newest period first: about five quarters or four years."""
        with self._client().asking(f"{freq} {kind} statements of {symbol}") as yahoo:
            ticker = yahoo.ticker(symbol)
            frame = _statement_frame(ticker, kind, freq)
            stated = yahoo.series_currency
            found = () if frame.empty else self._statements(symbol, kind, freq, frame, ticker, stated)
        if not found:
            raise NoData(
                f"Yahoo has no {freq} {kind} statements of {symbol}; funds and indices have none, "
                f"for a company choose another vendor with data_vendors."
            )
        return found

    def get_fundamentals(self, symbol: str) -> Ratios:
        """Return Yahoo's ratios of today."""
        with self._client().asking(f"ratios of {symbol}") as yahoo:
            ratios = rows.ratios_of(symbol, yahoo.ticker(symbol).get_info(), now=self._now())
        if not ratios.values:
            raise NoData(f"Yahoo has no ratios of {symbol}; check the symbol's spelling.")
        return ratios

    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return the company's articles published in [start, end] (UTC), newest first.

        Raises:
            NotForPastDate: The stream doesn't reach back to `end`.
        """
        with self._client().asking(f"news of {symbol}") as yahoo:
            items = rows.news_of(yahoo.ticker(symbol).get_news(count=COMPANY_ARTICLES), symbol=symbol)
        return self._within(items, start, end, feed=f"news of {symbol}")

    def get_global_news(self, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return market and economy articles published in [start, end] (UTC), newest first.

        Raises:
            NotForPastDate: Yahoo's search doesn't reach back to `end`.
        """
        with self._client().asking("market news") as yahoo:
            articles = [article for query in GLOBAL_QUERIES for article in yahoo.search_news(query, ARTICLES_PER_QUERY)]
        return self._within(rows.news_of(articles, symbol=None), start, end, feed="market news")

    def get_insider_transactions(self, symbol: str) -> tuple[InsiderTransaction, ...]:
        """Return the insider trades of the last two years, newest first."""
        with self._client().asking(f"insider transactions of {symbol}") as yahoo:
            return rows.insiders_of(symbol, yahoo.ticker(symbol).get_insider_transactions())

    def get_market_movers(self, category: MoverCategory, session: date) -> tuple[Mover, ...]:
        """Return the stocks of Yahoo's screen of that name, in its order: US companies worth 2 billion dollars or more.

        The screen is of the session that trades now, or the last one; quotes older than `session` are left out.
        """
        with self._client().asking(category) as yahoo:
            found = scan.movers_of(yahoo.screen(category, MOVERS), session=session)
        if not found:
            raise NoData(f"Yahoo has no {category} of {session}; ask for another category.")
        return found[:MOVERS]

    def get_industry_performance(self, sector: str) -> tuple[SectorMember, ...]:
        """Return the largest US companies of a sector, the largest first, without their industries."""
        page = SECTOR_PAGES.get(sector)
        if page is None:
            raise NoData(f"Yahoo has no sector {sector!r}; choose one of {', '.join(SECTOR_PAGES)}.")
        with self._client().asking(f"companies of the sector {sector}") as yahoo:
            found = scan.members_of(yahoo.top_companies(page))
        if not found:
            raise NoData(f"Yahoo has no companies of the sector {sector}; choose another sector.")
        return found[:SECTOR_COMPANIES]

    def get_topic_news(self, topic: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return the results of Yahoo's search for a topic, published in [start, end] (UTC), in the search's order.

        Raises:
            NotForPastDate: The search doesn't reach back to `end`.
        """
        with self._client().asking(f"news on {topic}") as yahoo:
            items = rows.articles_of(yahoo.search_news(topic, ARTICLES_PER_QUERY), symbol=None)
        return self._within(items, start, end, feed=f"news on {topic}")

    def get_earnings_calendar(
        self,
        start: date,
        end: date,
        symbol: str = "",  # noqa: ARG002 - a local vendor alone is asked for one
    ) -> tuple[EarningsEvent, ...]:
        """Return results published and announced for [start, end], of the 200 largest US-listed companies."""
        with self._client().asking("earnings calendar") as yahoo:
            pages = islice(yahoo.calendar("sp_earnings", start, end), EARNINGS_PAGES)
            return scan.earnings_of(pages, start=start, end=end, now=self._now())

    def get_economic_calendar(self, start: date, end: date) -> tuple[EconomicEvent, ...]:
        """Return US releases, past and scheduled, of the days [start, end].

        Raises:
            NoData: The window is too long: more than 2000 releases of all countries.
        """
        with self._client().asking("economic calendar") as yahoo:
            pages = list(islice(yahoo.calendar("economic_event", start, end), ECONOMIC_PAGES + 1))
            if len(pages) > ECONOMIC_PAGES:
                raise NoData(
                    f"Yahoo's economic calendar from {start} to {end} is too long to be read; ask for fewer days."
                )
            return scan.economy_of(pages, start=start, end=end, now=self._now())

    def _within(
        self, items: tuple[NewsItem, ...], start: datetime, end: datetime, *, feed: str
    ) -> tuple[NewsItem, ...]:
        reach = min((item.published_at for item in items), default=self._now() - EMPTY_FEED_HOLDS_FOR)
        if end < reach:
            raise NotForPastDate(
                f"Yahoo's {feed} reach back to {reach:%Y-%m-%d} only, not to {end:%Y-%m-%d}; "
                f"for a past date use recorded news (data_vendor='snapshot')."
            )
        return tuple(item for item in items if start <= item.published_at <= end)

    def _statements(
        self,
        symbol: str,
        kind: StatementKind,
        freq: Frequency,
        frame: pd.DataFrame,
        ticker: Any,
        stated: str | None,
    ) -> tuple[Statement, ...]:
        """Convert a frame; amounts are in the currency that they state, else in that of the company's quote."""
        books = self._books(symbol, ticker)
        currency = currency_unit(stated)[0] if stated else books.currency
        is_summed_up = freq == "quarterly" and currency == books.currency
        if is_summed_up and (why := contradicted_total(rows.rows_of(frame), books.totals, books.newest)):
            raise OddAnswer(why)
        return rows.statements_of(
            symbol, kind, freq, frame, currency=currency, year_end=books.year_end, now=self._now()
        )

    def _books(self, symbol: str, ticker: Any) -> _Books:
        known = self._books_of.get(symbol)
        if known is None:
            info = ticker.get_info()
            currency, _ = currency_unit(info.get("financialCurrency") or info.get("currency"))
            seconds = info.get("lastFiscalYearEnd")
            year_end = datetime.fromtimestamp(seconds, UTC).date() if isinstance(seconds, int) else None
            until = info.get("mostRecentQuarter")
            newest = datetime.fromtimestamp(until, UTC).date() if isinstance(until, int) else None
            known = self._books_of[symbol] = _Books(currency, year_end, totals_of(info), newest)
        return known

    def _client(self) -> YahooClient:
        with self._lock:
            if self._made is None:
                from tradingagents.dataflows.vendors.yfinance.client import YahooClient

                self._made = YahooClient(
                    timeout=self._timeout,
                    cache_dir=self._cache_dir,
                    session=self._session,
                    wait_turn=self._wait_turn,
                )
            return self._made


def _statement_frame(ticker: Any, kind: StatementKind, freq: Frequency) -> pd.DataFrame:
    ask = {"income": ticker.get_income_stmt, "balance": ticker.get_balance_sheet, "cashflow": ticker.get_cash_flow}
    frame: pd.DataFrame = ask[kind](freq="yearly" if freq == "annual" else "quarterly")
    return frame
