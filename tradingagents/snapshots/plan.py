"""What a recording asks for: every question that runs on its days put to the vendors, as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import get_args

from tradingagents.analytics.market.macro_regime import MACRO_SYMBOLS
from tradingagents.analytics.market.market_indices import INDICES
from tradingagents.dataflows.gateway.financial_sources import STATEMENT_METHOD
from tradingagents.dataflows.instrument import BENCHMARKS
from tradingagents.dataflows.market_data import STALE_AFTER
from tradingagents.dataflows.models import Frequency, MoverCategory, Profile
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.macro_names import ALIASES
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTOR_ETF, SECTORS
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadDate, UsageError
from tradingagents.settings import Settings

NEWS_BEFORE = timedelta(days=35)
"""How far before the first day articles and posts are asked for: agents look back a week, or a month if they ask."""
FILINGS_BEFORE = timedelta(days=400)
MACRO_BEFORE = timedelta(days=1500)
"""As far as a question for an economic series reads at least, see `capabilities.macro`."""
NEWEST_DAYS = 8
"""Days of the newest window of articles: what a run of the last day asks for. A feed that reaches back no further
answers that one."""
OLDER_DAYS = 30
CALENDAR_BEFORE, CALENDAR_AHEAD = timedelta(days=30), timedelta(days=60)
CALENDAR_DAYS = 10
"""Days of one question for a calendar: some sources give no more than two weeks of releases at once."""
SCAN_TOPICS = ("geopolitics", "trade policy sanctions", "central bank monetary policy", "energy oil commodities")
"""What a scan searches the news for, beside the names of sectors."""
BIG_DAY, MOST_MOVERS = 5.0, 10
"""A scan reads the news on the day's largest moves: percent from which a move counts, and how many are recorded."""
_FREQUENCIES: tuple[Frequency, ...] = get_args(Frequency)

Arg = str | date | datetime


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be recorded."""

    tickers: tuple[str, ...]
    first: date
    """First day that runs are to be made for."""
    last: date
    """Last one; today, to record what only today knows."""
    universe: bool = False
    """Whether all companies of all sectors are recorded, and what a scan of the last day asks for."""

    @classmethod
    def of(cls, tickers: Iterable[str], first: date, last: date, *, universe: bool = False) -> Request:
        """Return a request for symbols in any spelling.

        Raises:
            BadSymbol: One cannot be a symbol.
            BadDate: The window runs backwards.
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
    """One question to a vendor."""

    method: str
    """A documented tool method."""
    args: tuple[Arg, ...]
    """What the vendor's method takes."""
    vendor: str | None = None
    """Whom to ask; None: the one that settings choose."""

    @property
    def subject(self) -> str:
        """The symbol, sector, category or topic it is about; empty for the market."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The questions of a request, as seen from its cut-off."""

    request: Request
    settings: Settings
    cutoff: datetime
    """Nothing later is asked for, UTC."""

    def prices(self, symbol: str) -> Question:
        """Ask for the bars that runs on the days of the request read."""
        last = sessions(exchange_of(symbol)).last_closed(self.cutoff)
        history = timedelta(days=self.settings.price_history_days)
        return Question("get_stock_data", (symbol, self.request.first - history - STALE_AFTER, last))

    def profile(self, symbol: str) -> Question:
        """Ask who a symbol is."""
        return Question("get_profile", (symbol,))

    def company(self, symbol: str) -> Iterator[Question]:
        """Ask for what belongs to one company."""
        yield from self.statements(symbol)
        yield Question("get_insider_transactions", (symbol,))
        yield Question("get_filings", (symbol, self.request.first - FILINGS_BEFORE, self.request.last))

    def statements(self, symbol: str) -> Iterator[Question]:
        """Ask for a company's statements of every kind."""
        for kind, method in STATEMENT_METHOD.items():
            for frequency in _FREQUENCIES:
                yield Question(method, (symbol, kind, frequency))

    def peers(self, profile: Profile) -> Iterator[Question]:
        """Ask whom a company is compared with; nothing where its sector is not known."""
        if profile.sector is not None:
            yield Question("get_peers", (profile.symbol, profile.sector))

    def posts(self, symbol: str, vendors: Iterable[str]) -> Iterator[Question]:
        """Ask every source for posts about a company."""
        start = datetime.combine(self.request.first - NEWS_BEFORE, time.min, tzinfo=UTC)
        for vendor in vendors:
            yield Question("get_social_posts", (symbol, start, self._until(self.request.last)), vendor)

    def news(self, method: str, *subject: str) -> Iterator[Question]:
        """Ask for articles, window by window, the newest first."""
        last, days = self.request.last, NEWEST_DAYS
        while last >= self.request.first - NEWS_BEFORE:
            first = max(last - timedelta(days=days - 1), self.request.first - NEWS_BEFORE)
            start = datetime.combine(first, time.min, tzinfo=UTC)
            if start <= self.cutoff:
                yield Question(method, (*subject, start, self._until(last)))
            last, days = first - timedelta(days=1), OLDER_DAYS

    def economy(self) -> Iterator[Question]:
        """Ask for the economic series that have names."""
        for series in ALIASES:
            yield Question("get_macro_indicators", (series, self.request.first - MACRO_BEFORE, self.request.last))

    def around(self, profile: Profile) -> tuple[str, ...]:
        """Return the symbols that a run on a company reads prices of beside its own, peers apart."""
        exchange = profile.exchange or exchange_of(profile.symbol)
        benchmark = self.settings.benchmark_ticker or BENCHMARKS.get(exchange, "SPY")
        return tuple(dict.fromkeys((normalise(benchmark), *SECTOR_ETF.values(), *INDICES, *MACRO_SYMBOLS)))

    def screens(self) -> Iterator[Question]:
        """Ask for the movers of the last session and the companies of every sector."""
        session = sessions().last_closed(self.cutoff)
        for category in get_args(MoverCategory):
            yield Question("get_market_movers", (category, session))
        for sector in SECTORS:
            yield Question("get_industry_performance", (sector,))

    def topics(self) -> Iterator[Question]:
        """Ask for the articles on what a scan of the last day searches for."""
        day = self.request.last
        start = datetime.combine(day - timedelta(days=self.settings.global_news_lookback_days), time.min, tzinfo=UTC)
        for topic in (*SCAN_TOPICS, *DISPLAY.values()):
            yield Question("get_topic_news", (topic, start, self._until(day)))

    def calendars(self) -> Iterator[Question]:
        """Ask for what was, and is to be, published around the last day."""
        for method in ("get_earnings_calendar", "get_economic_calendar"):
            first, end = self.request.last - CALENDAR_BEFORE, self.request.last + CALENDAR_AHEAD
            while first <= end:
                last = min(first + timedelta(days=CALENDAR_DAYS - 1), end)
                yield Question(method, (first, last))
                first = last + timedelta(days=1)

    def _until(self, day: date) -> datetime:
        return min(datetime.combine(day, time.max, tzinfo=UTC), self.cutoff)
