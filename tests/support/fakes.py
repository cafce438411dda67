"""Small real parts for tests: a vendor made of given rows, a clock that stands still, prices by formula."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import ClassVar

import numpy as np

from tradingagents.dataflows.models import (
    Dividend,
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
    Split,
    Statement,
    StatementKind,
)
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import NoData

FETCHED = datetime(2025, 9, 1, tzinfo=UTC)
CLOCK = datetime(2025, 9, 1, 12, tzinfo=UTC)


def clock() -> datetime:
    """A day well after everything in these tests."""
    return CLOCK


def make_prices(
    symbol: str = "ACME",
    *,
    first: date = date(2023, 1, 3),
    last: date = date(2025, 6, 30),
    start: float = 100.0,
    step: float = 0.1,
    splits: Sequence[Split] = (),
    dividends: Sequence[Dividend] = (),
) -> Prices:
    """Closes that rise by `step` a session from `start`; the range is one below to one above."""
    days = np.array(sessions().between(first, last), dtype="datetime64[D]")
    close = start + step * np.arange(len(days))
    return Prices(
        symbol=symbol,
        days=days,
        open=close - 0.5,
        high=close + 1.0,
        low=close - 1.0,
        close=close,
        adj_close=close.copy(),
        volume=np.full(len(days), 1_000_000.0),
        currency="USD",
        vendor="rows",
        fetched_at=FETCHED,
        splits=tuple(splits),
        dividends=tuple(dividends),
    )


@dataclass
class RowsVendor(Vendor):
    """Answers from rows it was given, all of them: cutting is not its business. Counts what it was asked."""

    name: ClassVar[str] = "rows"
    prices: Mapping[str, Prices] = field(default_factory=dict)
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    statements: Sequence[Statement] = ()
    articles: Sequence[NewsItem] = ()
    insiders: Sequence[InsiderTransaction] = ()
    ratios: Mapping[str, Ratios] = field(default_factory=dict)
    movers: Sequence[Mover] = ()
    members: Mapping[str, Sequence[SectorMember]] = field(default_factory=dict)
    results: Sequence[EarningsEvent] = ()
    releases: Sequence[EconomicEvent] = ()
    posts: Sequence[SocialPost] = ()
    filings: Sequence[Filing] = ()
    reported: Sequence[ReportedFact] = ()
    series: Mapping[str, MacroSeries] = field(default_factory=dict)
    error: Exception | None = None
    asked: list[tuple[object, ...]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        self._note("get_stock_data", symbol, start, end)
        if symbol not in self.prices:
            raise NoData(f"rows has no prices of {symbol}.")
        return self.prices[symbol]

    def get_profile(self, symbol: str) -> Profile:
        self._note("get_profile", symbol)
        if symbol not in self.profiles:
            raise NoData(f"rows has no profile of {symbol}.")
        return self.profiles[symbol]

    def get_statements(self, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        self._note("get_statements", symbol, kind, freq)
        return tuple(s for s in self.statements if (s.symbol, s.kind, s.frequency) == (symbol, kind, freq))

    def get_reported_facts(self, symbol: str) -> tuple[ReportedFact, ...]:
        self._note("get_reported_facts", symbol)
        return tuple(fact for fact in self.reported if fact.symbol == symbol)

    def get_fundamentals(self, symbol: str) -> Ratios:
        self._note("get_fundamentals", symbol)
        if symbol not in self.ratios:
            raise NoData(f"rows has no ratios of {symbol}.")
        return self.ratios[symbol]

    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        self._note("get_news", symbol, start, end)
        return tuple(article for article in self.articles if article.symbol == symbol)

    def get_global_news(self, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        self._note("get_global_news", start, end)
        return tuple(article for article in self.articles if article.symbol is None)

    def get_insider_transactions(self, symbol: str) -> tuple[InsiderTransaction, ...]:
        self._note("get_insider_transactions", symbol)
        return tuple(trade for trade in self.insiders if trade.symbol == symbol)

    def get_market_movers(self, category: MoverCategory, session: date) -> tuple[Mover, ...]:
        self._note("get_market_movers", category, session)
        return tuple(self.movers)

    def get_industry_performance(self, sector: str) -> tuple[SectorMember, ...]:
        self._note("get_industry_performance", sector)
        if sector not in self.members:
            raise NoData(f"rows has no companies of {sector}.")
        return tuple(self.members[sector])

    def get_topic_news(self, topic: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        self._note("get_topic_news", topic, start, end)
        return tuple(self.articles)

    def get_earnings_calendar(self, start: date, end: date, symbol: str = "") -> tuple[EarningsEvent, ...]:
        self._note("get_earnings_calendar", start, end)
        return tuple(self.results)

    def get_economic_calendar(self, start: date, end: date) -> tuple[EconomicEvent, ...]:
        self._note("get_economic_calendar", start, end)
        return tuple(self.releases)

    def get_social_posts(self, symbol: str, start: datetime, end: datetime) -> tuple[SocialPost, ...]:
        self._note("get_social_posts", symbol, start, end)
        return tuple(post for post in self.posts if post.symbol == symbol)

    def get_filings(self, symbol: str, start: date, end: date) -> tuple[Filing, ...]:
        self._note("get_filings", symbol, start, end)
        return tuple(filing for filing in self.filings if filing.symbol == symbol)

    def get_filing_document(self, symbol: str, accession: str) -> tuple[FilingDocument, ...]:
        self._note("get_filing_document", symbol, accession)
        return ()

    def get_holdings(self, investor: str, start: date, end: date) -> tuple[HoldingsReport, ...]:
        self._note("get_holdings", investor, start, end)
        return ()

    def get_macro_indicators(self, series: str, start: date, end: date) -> MacroSeries:
        self._note("get_macro_indicators", series, start, end)
        if series not in self.series:
            raise NoData(f"rows has no series {series}.")
        return self.series[series]

    def _note(self, *question: object) -> None:
        with self._lock:
            self.asked.append(question)
        if self.error is not None:
            raise self.error


def statement(period_end: date, known_at: datetime, **items: float) -> Statement:
    """A quarterly income statement of ACME."""
    return Statement(
        symbol="ACME",
        kind="income",
        frequency="quarterly",
        fiscal_year=period_end.year,
        fiscal_period=f"Q{(period_end.month + 2) // 3}",
        period_end=period_end,
        known_at=known_at,
        currency="USD",
        source="rows",
        items=items,
    )


def article(title: str, published_at: datetime, symbol: str | None = "ACME") -> NewsItem:
    """An article known when published."""
    return NewsItem(title=title, published_at=published_at, known_at=published_at, symbol=symbol, source="Rows Daily")


def later(item: NewsItem, **by: float) -> NewsItem:
    """The same article, that much later."""
    moved = item.published_at + timedelta(**by)
    return replace(item, published_at=moved, known_at=moved)


class RecordedRows(RowsVendor):
    """The same, for nothing: asked one question after the other, and a year of every calendar with it."""

    local: ClassVar[bool] = True
