"""The vendor that answers from the simulated market."""

from __future__ import annotations

import difflib
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from typing import Any, Self, TypeVar

import numpy as np

from tradingagents.dataflows.gateway.cache import Memo
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
    SectorMember,
    SocialPost,
    Statement,
    StatementKind,
)
from tradingagents.dataflows.reference.calendar import Sessions, sessions
from tradingagents.dataflows.reference.investors import find_investor, number_of
from tradingagents.dataflows.reference.macro_series import series_id, series_words
from tradingagents.dataflows.reference.sectors import SECTORS
from tradingagents.dataflows.reference.topics import matching
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.simulated import truth
from tradingagents.dataflows.vendors.simulated.books import Accounts, accounts_of
from tradingagents.dataflows.vendors.simulated.companies import COMPANIES, Company, Traits, of_sector, peers
from tradingagents.dataflows.vendors.simulated.economy import MACRO_SERIES, economic_events, macro_series
from tradingagents.dataflows.vendors.simulated.filings import FiledResults, filed_by, files_within, statements_of
from tradingagents.dataflows.vendors.simulated.global_news import (
    MarketHeadline,
    market_articles,
    market_headlines,
    world_headlines,
)
from tradingagents.dataflows.vendors.simulated.market import Regime, instant, of_days
from tradingagents.dataflows.vendors.simulated.news import Headline, archived, articles, headlines_of, make_archive
from tradingagents.dataflows.vendors.simulated.owners import INVESTORS, reports_of, transactions_of
from tradingagents.dataflows.vendors.simulated.posts import crowd_of, posts
from tradingagents.dataflows.vendors.simulated.report import write_report
from tradingagents.dataflows.vendors.simulated.shares import Share
from tradingagents.dataflows.vendors.simulated.world import BASKETS, BONDS, OTHERS, World, make_world
from tradingagents.dataflows.vendors.universe import session_movers, shared
from tradingagents.errors import NoData

SYMBOLS = (*COMPANIES, *BASKETS, *BONDS, *OTHERS)
"""Every symbol of the simulated market: companies first, then indices and funds."""

_ORDINARY = tuple(name for name, one in COMPANIES.items() if one.files and one.covered and one.listed is None)
"""Companies with nothing missing: what is suggested for a symbol that does not exist."""

T = TypeVar("T")

COMPANIES_KEPT = 32
"""Histories of single companies kept in memory: a few of each kind; one takes milliseconds to make again. What a search
over all of them needs is kept apart, in columns (`press.Archive`)."""


class SimulatedVendor(Vendor):
    """A made-up market: the same seed gives the same answers, whatever is asked, in whatever order, on whatever day.

    The market is made when first asked for, within a few tenths of a second, and kept with the vendor. Safe to call
    from several threads at once.
    """

    name = "simulated"
    local = True

    def __init__(self, seed: int = 7, *, calendar: Sessions | None = None) -> None:
        """Choose a market.

        Args:
            calendar: Its sessions; None: those of New York, up to the end of the calendar. A longer one only adds to
                what a shorter one answers.
        """
        self.seed = seed
        self._calendar = calendar
        self._made: dict[tuple[str, ...], Any] = {}
        self._companies = Memo(COMPANIES_KEPT)
        self._lock = threading.RLock()

    @classmethod
    def open(cls, access: Access) -> Self:
        """Make the market of the settings' seed, or return it where a graph of this process holds it."""
        seed = access.settings.simulated_seed
        return shared((cls, seed), lambda: cls(seed=seed))

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        """Return the daily bars of the sessions in [start, end].

        `fetched_at` is the close of the last bar, so that answers are the same whenever they are asked for.
        """
        self._known(symbol)
        world = self._world()
        series, timeline = world.series[symbol], world.timeline
        first = max(timeline.position(start), series.first)
        last = int(np.searchsorted(timeline.dates, np.datetime64(end, "D"), side="right"))
        if first >= last:
            raise NoData(
                f"The simulated bars of {symbol} run from {timeline.days[series.first]} to {timeline.days[-1]}: "
                f"there are none from {start} to {end}; ask for other dates."
            )
        part = slice(first, last)
        return Prices(
            symbol=symbol,
            days=timeline.dates[part],
            open=series.open[part],
            high=series.high[part],
            low=series.low[part],
            close=series.close[part],
            adj_close=series.adj_close[part],
            volume=series.volume[part],
            currency="USD",
            vendor=self.name,
            fetched_at=instant(int(timeline.closes[last - 1])),
            splits=series.splits,
            dividends=tuple(paid for paid in series.dividends if start <= paid.day <= end),
            basis="index" if symbol.startswith("^") else "split_adjusted",
        )

    def get_profile(self, symbol: str) -> Profile:
        """Return who the symbol is."""
        self._known(symbol)
        if company := COMPANIES.get(symbol):
            return Profile(
                symbol, company.name, "stock", company.sector, company.industry, "XNYS", currency="USD", listing="XNYS"
            )
        if basket := BASKETS.get(symbol):
            return Profile(
                symbol, basket.name, basket.kind, basket.sector, exchange="XNYS", currency="USD", listing="XNYS"
            )
        name = BONDS[symbol].name if symbol in BONDS else OTHERS[symbol]
        return Profile(
            symbol, name, "index" if symbol.startswith("^") else "etf", exchange="XNYS", currency="USD", listing="XNYS"
        )

    def get_statements(self, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        """Return the statements of one kind and frequency, newest period first."""
        self._known(symbol)
        filed = self._accounts(symbol) if symbol in COMPANIES else ()
        if not filed:
            others = ", ".join(known for known in COMPANIES if COMPANIES[known].files and known != symbol)
            raise NoData(f"{symbol} files no statements in the simulated market; these do: {others}.")
        return self._again(
            ("statements", symbol, kind, freq), lambda: statements_of(symbol, filed, kind=kind, freq=freq)
        )

    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return the company's articles published in [start, end] (UTC), newest first; () where there were none."""
        return tuple(item for _, item in self._written(symbol, start, end))

    def get_global_news(self, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return market articles published in [start, end] (UTC), newest first; () where there were none."""
        world = self._world()
        found: tuple[MarketHeadline, ...] = self._once(("global",), lambda: market_headlines(world))
        return market_articles(world, found, start, end)

    def get_insider_transactions(self, symbol: str) -> tuple[InsiderTransaction, ...]:
        """Return reported insider trades, newest first; () for what has no insiders."""
        self._known(symbol)
        if symbol not in COMPANIES:
            return ()
        world, share = self._world(), self._share(symbol)
        return self._again(("insiders", symbol), lambda: transactions_of(share, self.seed, world.timeline))

    def get_peers(self, symbol: str, sector: str) -> tuple[str, ...]:
        """Return at most ten companies of a sector key, those of the same industry first, without `symbol`."""
        self._sector(sector)
        return peers(symbol, sector)

    def get_industry_performance(self, sector: str) -> tuple[SectorMember, ...]:
        """Return the companies of a sector key; nobody rates them, and weights would be those of today."""
        return tuple(SectorMember(company.symbol, company.name, company.industry) for company in self._sector(sector))

    def get_market_movers(self, category: MoverCategory, session: date) -> tuple[Mover, ...]:
        """Return the companies that rose, fell or were traded most in a session, the first first; at most 25.

        Market values count the shares outstanding on the first session, as the indices do.

        Raises:
            NoData: The day is no simulated session, or the first of them.
        """
        world = self._world()
        timeline, position = world.timeline, world.timeline.position(session)
        if not 0 < position < len(timeline) or timeline.days[position] != session:
            raise NoData(
                f"{session} has no movers: the simulated sessions with one before them run from {timeline.days[1]} to "
                f"{timeline.days[-1]}; name one of those."
            )
        known_at = instant(int(timeline.closes[position]))
        found = session_movers(category, session, map(self.get_profile, COMPANIES), self.get_stock_data, known_at)
        return tuple(replace(mover, market_cap=world.market_value(mover.symbol, position)) for mover in found)

    def get_topic_news(self, topic: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return articles on a topic published in [start, end] (UTC), the most to the point first; () for none.

        Searched are the market's articles, those of every company, which are also about its sector and its industry,
        and world news, which `get_global_news` does not give: runs from before there were any can be made again.
        """
        return matching(topic, self._everything_written(start, end), self._about)

    def get_earnings_calendar(self, start: date, end: date, symbol: str = "") -> tuple[EarningsEvent, ...]:
        """Return the results filed on the days [start, end], by day; () for none. Nobody announces the day before."""
        shares = self._world().shares.items()
        filing = [(name, share) for name, share in shares if symbol in ("", name) and files_within(share, start, end)]
        found = [event for name, share in filing for event in self._results(name, share).between(start, end)]
        return tuple(sorted(found, key=lambda event: (event.day, event.symbol, event.known_at)))

    def get_economic_calendar(self, start: date, end: date) -> tuple[EconomicEvent, ...]:
        """Return the economic releases of the days [start, end], by day; () for none.

        Each comes twice: as scheduled a year ahead, without figures, and as published, known at its hour: 8:30 in New
        York, 14:00 for a decision on the policy rate.
        """
        return of_days(self._releases(), start, end)

    def get_macro_indicators(self, series: str, start: date, end: date) -> MacroSeries:
        """Return the values of an economic series for [start, end]; they are never revised.

        Raises:
            NoData: There is no such series, or nothing of it in the window; or the name is none.
        """
        name = series_id(series)
        found = macro_series(self._world(), self._releases(), name, start, end)
        if found is not None and not len(found):
            raise NoData(
                f"The simulated economy has no {series_words(name)} from {start} to {end}: ask for other dates."
            )
        if found is None:
            raise NoData(
                f"The simulated economy has no {series_words(name)} from {start} to {end}; it has "
                f"{', '.join(map(series_words, MACRO_SERIES))}: ask for one of those."
            )
        return found

    def get_social_posts(self, symbol: str, start: datetime, end: datetime) -> tuple[SocialPost, ...]:
        """Return posts about a company made in [start, end] (UTC), newest first; () for what nobody posts about."""
        self._known(symbol)
        if symbol not in COMPANIES:
            return ()
        world, share = self._world(), self._share(symbol)
        crowd = self._again(
            ("posts", symbol), lambda: crowd_of(share, self._headlines(symbol), self.seed, world.timeline)
        )
        return () if crowd is None else posts(share, crowd, world.timeline, start, end)

    def get_filings(self, symbol: str, start: date, end: date) -> tuple[Filing, ...]:
        """Return what the company filed on the days [start, end], newest first; () for what files nothing."""
        self._known(symbol)
        filed = self._accounts(symbol) if symbol in COMPANIES else ()
        every = self._again(("filings", symbol), lambda: filed_by(symbol, filed))
        return tuple(filing for filing in every if start <= filing.filed_on <= end)

    def get_filing_document(self, symbol: str, accession: str) -> tuple[FilingDocument, ...]:
        """Return the main document of a filing: a small report with the figures of the statements; () for none."""
        filing = next(
            (listed for listed in self.get_filings(symbol, date.min, date.max) if listed.accession == accession), None
        )
        if filing is None:
            return ()
        statements: dict[StatementKind, list[Statement]] = {}
        if filing.form != "8-K":
            frequency: Frequency = "annual" if filing.form == "10-K" else "quarterly"
            for kind in ("income", "balance", "cashflow"):
                every = self.get_statements(symbol, kind, frequency)
                filed = [statement for statement in every if statement.known_at <= filing.known_at]
                own = next(statement for statement in filed if statement.period_end == filing.period_end)
                before = [
                    statement
                    for statement in filed
                    if statement.fiscal_year == own.fiscal_year - 1 and statement.fiscal_period == own.fiscal_period
                ]
                statements[kind] = [own, *before[:1]]
        return (write_report(COMPANIES[symbol], filing, statements),)

    def get_holdings(self, investor: str, start: date, end: date) -> tuple[HoldingsReport, ...]:
        """Return an investor's reports of its holdings filed on the days [start, end], newest first; () for none.

        Raises:
            NoData: The simulated market has no such investor.
        """
        number = number_of(investor)
        found = next((one for one in INVESTORS if one.cik == number), None) if number is not None else None
        if number is not None and found is None:
            names = ", ".join(one.name for one in INVESTORS)
            raise NoData(f"The simulated market has no investor {number}; it has {names}: ask for one of those.")
        known, world = found or find_investor(investor, INVESTORS), self._world()
        filed = self._once(("holdings", str(known.cik)), lambda: reports_of(known, world))
        return tuple(report for report in filed if start <= report.filed_on <= end)

    def earnings_truth(self, symbol: str) -> tuple[truth.EarningsTruth, ...]:
        """Return what is hidden behind every filing of a company, oldest first."""
        return truth.earnings_truth(self._share(symbol), self._accounts(symbol), self._world().timeline)

    def news_truth(self, symbol: str, start: datetime, end: datetime) -> tuple[truth.NewsTruth, ...]:
        """Return the articles of `get_news`, each with what it is worth."""
        return truth.news_truth(self._share(symbol), self._written(symbol, start, end), self._world().timeline)

    def traits(self, symbol: str) -> Traits:
        """Return the hidden facts of a company."""
        return self._share(symbol).traits

    def regime(self, day: date) -> Regime:
        """Return the mood of the session of a day, or of the last one before it."""
        world = self._world()
        return Regime(int(world.market.regime[world.timeline.position(world.timeline.calendar.on_or_before(day))]))

    def _written(self, symbol: str, start: datetime, end: datetime) -> tuple[tuple[Headline, NewsItem], ...]:
        self._known(symbol)
        if symbol not in COMPANIES:
            return ()
        world, share = self._world(), self._share(symbol)
        return articles(share, self._headlines(symbol), world.timeline, start, end)

    def _releases(self) -> tuple[EconomicEvent, ...]:
        world = self._world()
        return self._once(("economy",), lambda: economic_events(world))

    def _headlines(self, symbol: str) -> tuple[Headline, ...]:
        make = partial(headlines_of, self._share(symbol), self._accounts(symbol), self.seed, self._world().timeline)
        return self._again(("news", symbol), make)

    def _everything_written(self, start: datetime, end: datetime) -> Iterator[NewsItem]:
        world = self._world()
        yield from self.get_global_news(start, end)
        abroad: tuple[MarketHeadline, ...] = self._once(("world-news",), lambda: world_headlines(world))
        yield from market_articles(world, abroad, start, end)
        yield from archived(self._once(("archive",), lambda: make_archive(world)), world, start, end)

    def _about(self, item: NewsItem) -> Profile | None:
        return self.get_profile(item.symbol) if item.symbol else None

    def _world(self) -> World:
        calendar = self._calendar
        return self._once(("world",), lambda: make_world(self.seed, calendar or sessions("XNYS")))

    def _share(self, symbol: str) -> Share:
        if symbol not in COMPANIES:
            raise self._unknown(symbol)
        return self._world().shares[symbol]

    def _results(self, symbol: str, share: Share) -> FiledResults:
        return self._once(("earnings", symbol), lambda: FiledResults(share, self.get_profile(symbol)))

    def _accounts(self, symbol: str) -> tuple[Accounts, ...]:
        share = self._share(symbol)
        return self._again(("accounts", symbol), lambda: accounts_of(share.company, share.traits, share.quarters))

    def _sector(self, sector: str) -> tuple[Company, ...]:
        found = of_sector(sector)
        if not found:
            raise NoData(f"The simulated market has no sector {sector!r}; it has {', '.join(SECTORS)}.")
        return found

    def _known(self, symbol: str) -> None:
        if symbol not in SYMBOLS:
            raise self._unknown(symbol)

    def _unknown(self, symbol: str) -> NoData:
        close = difflib.get_close_matches(symbol, _ORDINARY, n=3, cutoff=0.0)
        return NoData(
            f"{symbol} does not exist in the simulated market, whose companies are made up; "
            f"try {', '.join(close)} or SPY, or choose another vendor with data_vendor."
        )

    def _again(self, key: tuple[str, ...], make: Callable[[], T]) -> T:
        """Return what was made under a key of one company, making it anew where it was let go."""
        made: T | None = self._companies.get(key)
        if made is None:
            with self._lock:  # threads that ask first together get one
                made = self._companies.get(key)
                if made is None:
                    made = make()
                    self._companies.put(key, made)
        return made

    def _once(self, key: tuple[str, ...], make: Callable[[], T]) -> T:
        """Return what was made under a key, making it if nobody has."""
        if key not in self._made:
            with self._lock:
                if key not in self._made:
                    self._made[key] = make()
        made: T = self._made[key]
        return made
