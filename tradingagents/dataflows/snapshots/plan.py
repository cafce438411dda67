"""The plan of a recording: every request that runs on its days send to vendors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import get_args

from tradingagents.dataflows.gateway.checks.traded_bars import STALE_AFTER
from tradingagents.dataflows.gateway.financial_sources import STATEMENT_METHOD
from tradingagents.dataflows.models import Frequency, MoverCategory, Profile
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.exchanges import benchmark_of
from tradingagents.dataflows.reference.macro_series import ALIASES
from tradingagents.dataflows.reference.sectors import DISPLAY, INDICES, MACRO_SYMBOLS, SECTOR_ETF, SECTORS
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadDate, UsageError
from tradingagents.settings import Settings

NEWS_BEFORE = timedelta(days=35)
"""How far before the first day articles and posts are requested: agents look back a week, or up to a month."""
FILINGS_BEFORE = timedelta(days=400)
MACRO_BEFORE = timedelta(days=1500)
"""Minimum range of a request for an economic series, see `capabilities.news`."""
NEWEST_DAYS = 8
"""Length in days of the newest window of articles: what a run on the last day requests. A feed with a shorter history
still answers it."""
OLDER_DAYS = 30
CALENDAR_BEFORE, CALENDAR_AHEAD = timedelta(days=30), timedelta(days=60)
CALENDAR_DAYS = 10
"""Length in days of a calendar request: some sources return at most two weeks of releases at once."""
SCAN_TOPICS = ("geopolitics", "trade policy sanctions", "central bank monetary policy", "energy oil commodities")
"""Searches of a scan, in addition to the names of sectors."""
BIG_DAY, MAX_MOVERS = 5.0, 10
"""A scan reads the news on the day's largest moves: minimum move in percent, and how many are recorded."""
_FREQUENCIES: tuple[Frequency, ...] = get_args(Frequency)

Arg = str | date | datetime


@dataclass(frozen=True, slots=True)
class Request:
    """What to record."""

    tickers: tuple[str, ...]
    first: date
    """First day of runs."""
    last: date
    """Last day of runs; if it is today, today-only data are recorded too."""
    universe: bool = False
    """Whether to record all companies of all sectors, and the requests of a scan on the last day."""

    @classmethod
    def of(cls, tickers: Iterable[str], first: date, last: date, *, universe: bool = False) -> Request:
        """Create a request for symbols in any spelling.

        Raises:
            BadSymbol: An invalid symbol.
            BadDate: The last day is before the first.
            UsageError: There is no ticker.
        """
        symbols = tuple(dict.fromkeys(map(normalise, tickers)))
        if not symbols:
            raise UsageError("Name at least one ticker to record, for example AAPL.")
        if first > last:
            raise BadDate(f"The first day {first} lies after the last day {last}; swap them.")
        return cls(symbols, first, last, universe)


@dataclass(frozen=True, slots=True)
class Question:
    """One request to a vendor."""

    method: str
    """The name of a tool's vendor method."""
    args: tuple[Arg, ...]
    """Its arguments."""
    vendor: str | None = None
    """The vendor; None: the configured one."""

    @property
    def subject(self) -> str:
        """The symbol, sector, category or topic; empty for the market."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The requests of a plan, as of its cut-off."""

    request: Request
    settings: Settings
    cutoff: datetime
    """The cut-off, UTC; nothing later is requested."""

    def prices(self, symbol: str) -> Question:
        """Plan the bars that runs on the requested days read."""
        last = sessions(exchange_of(symbol)).last_closed(self.cutoff)
        history = timedelta(days=self.settings.price_history_days)
        return Question("get_stock_data", (symbol, self.request.first - history - STALE_AFTER, last))

    def profile(self, symbol: str) -> Question:
        """Plan a symbol's profile."""
        return Question("get_profile", (symbol,))

    def company(self, symbol: str) -> Iterator[Question]:
        """Plan a company's data."""
        yield from self.statements(symbol)
        yield Question("get_insider_transactions", (symbol,))
        yield Question("get_filings", (symbol, self.request.first - FILINGS_BEFORE, self.request.last))

    def statements(self, symbol: str) -> Iterator[Question]:
        """Plan a company's statements of every kind."""
        for kind, method in STATEMENT_METHOD.items():
            for frequency in _FREQUENCIES:
                yield Question(method, (symbol, kind, frequency))

    def peers(self, profile: Profile) -> Iterator[Question]:
        """Plan a company's peers; nothing if its sector is unknown."""
        if profile.sector is not None:
            yield Question("get_peers", (profile.symbol, profile.sector))

    def posts(self, symbol: str, vendors: Iterable[str]) -> Iterator[Question]:
        """Plan posts about a company from every source."""
        start = datetime.combine(self.request.first - NEWS_BEFORE, time.min, tzinfo=UTC)
        for vendor in vendors:
            yield Question("get_social_posts", (symbol, start, self._until(self.request.last)), vendor)

    def news(self, method: str, *subject: str) -> Iterator[Question]:
        """Plan articles, window by window, the newest first."""
        last, days = self.request.last, NEWEST_DAYS
        while last >= self.request.first - NEWS_BEFORE:
            first = max(last - timedelta(days=days - 1), self.request.first - NEWS_BEFORE)
            start = datetime.combine(first, time.min, tzinfo=UTC)
            if start <= self.cutoff:
                yield Question(method, (*subject, start, self._until(last)))
            last, days = first - timedelta(days=1), OLDER_DAYS

    def economy(self) -> Iterator[Question]:
        """Plan the economic series with names."""
        for series in ALIASES:
            yield Question("get_macro_indicators", (series, self.request.first - MACRO_BEFORE, self.request.last))

    def around(self, profile: Profile) -> tuple[str, ...]:
        """Return the symbols whose prices a run on a company reads in addition, without peers."""
        exchange = profile.exchange or exchange_of(profile.symbol)
        benchmark = self.settings.benchmark_ticker or benchmark_of(profile.symbol, exchange)
        own = [normalise(benchmark)] if benchmark else []
        return tuple(dict.fromkeys((*own, *SECTOR_ETF.values(), *INDICES, *MACRO_SYMBOLS)))

    def screens(self) -> Iterator[Question]:
        """Plan the movers of the last session and the companies of every sector."""
        session = sessions().last_closed(self.cutoff)
        for category in get_args(MoverCategory):
            yield Question("get_market_movers", (category, session))
        for sector in SECTORS:
            yield Question("get_industry_performance", (sector,))

    def topics(self) -> Iterator[Question]:
        """Plan the searches of a scan on the last day."""
        day = self.request.last
        start = datetime.combine(day - timedelta(days=self.settings.global_news_lookback_days), time.min, tzinfo=UTC)
        for topic in (*SCAN_TOPICS, *DISPLAY.values()):
            yield Question("get_topic_news", (topic, start, self._until(day)))

    def calendars(self) -> Iterator[Question]:
        """Plan the calendars around the last day."""
        for method in ("get_earnings_calendar", "get_economic_calendar"):
            first, end = self.request.last - CALENDAR_BEFORE, self.request.last + CALENDAR_AHEAD
            while first <= end:
                last = min(first + timedelta(days=CALENDAR_DAYS - 1), end)
                yield Question(method, (first, last))
                first = last + timedelta(days=1)

    def _until(self, day: date) -> datetime:
        return min(datetime.combine(day, time.max, tzinfo=UTC), self.cutoff)
