"""Questions of a market scan: movers, indices, sectors, industries, topics, and the two calendars."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from tradingagents.analytics.company.news import TOPIC_LENGTH, TopicDigest, topic_digest
from tradingagents.analytics.company.news_ranking import rank_topic_news
from tradingagents.analytics.market.earnings_calendar import EarningsCalendar, earnings_calendar
from tradingagents.analytics.market.economic_calendar import (
    CalendarEvents,
    EconomicCalendar,
    economic_calendar,
)
from tradingagents.analytics.market.economic_calendar import calendar_events as combined_calendars
from tradingagents.analytics.market.industry_performance import IndustryPerformance, industry_performance
from tradingagents.analytics.market.market_movers import MarketIndices, MarketMovers, market_indices, market_movers
from tradingagents.analytics.market.scanned import ScannedCompany, short_name
from tradingagents.analytics.market.sectors import SectorPerformance, sector_performance
from tradingagents.capabilities.capability import Ahead, capability, shared_part
from tradingagents.capabilities.news import asked_about
from tradingagents.capabilities.prices import fetch_prices
from tradingagents.dataflows.data_sheet import DataSheetRow
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Mover, MoverCategory, Profile
from tradingagents.dataflows.reference.calendar import FIRST_DAY
from tradingagents.dataflows.reference.sectors import FUNDS, INDICES, SECTOR_ETF, heaviest, sector_key
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadDate, DataError, NoData

YEAR_DAYS = 400
"""Calendar days of prices that hold the last 365, and the last close of the year before."""


def _spelled(value: Any) -> Any:
    """Return the key of a sector written as a display name or in another case; anything else as it is."""
    return sector_key(value) or value if isinstance(value, str) else value


SectorKey = Annotated[
    Literal[
        "technology",
        "healthcare",
        "financials",
        "energy",
        "consumer-discretionary",
        "consumer-staples",
        "industrials",
        "materials",
        "real-estate",
        "utilities",
        "communication-services",
    ],
    BeforeValidator(_spelled),
]
Topic = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=TOPIC_LENGTH)]
DayAhead = Annotated[date, Ahead(days=60)]


@capability(returns=MarketMovers, requires={"get_market_movers"}, uses={"get_stock_data"})
def get_market_movers(data: MarketData, category: MoverCategory) -> MarketMovers:
    """Get the stocks that rose, fell or were traded most in the last session: price, change, volume, market value.

    Args:
        category: day_gainers, day_losers or most_actives.
    """
    movers = data.market_movers(category)
    asked = _row_of(data, "get_market_movers")
    session = asked.end or data.cutoff.session
    doubts = _doubted(data, movers, session)
    found = market_movers(
        [mover for mover in movers if mover.symbol not in doubts],
        as_of=data.as_of,
        category=category,
        session=session,
        live=data.cutoff.live and not data.is_local("get_market_movers"),
        trading=session > data.cutoff.session,
        fetched_at=data.asked_at,
        source=asked.vendor,
    )
    return found.model_copy(update={"notes": (*found.notes, *doubts.values())}) if doubts else found


def _doubted(data: MarketData, movers: Iterable[Mover], session: date) -> dict[str, str]:
    """Return by symbol why the gate withholds what a mover shows; nothing of a remote vendor, which costs requests."""
    if not (data.is_local("get_market_movers") and data.is_local("get_stock_data")):
        return {}
    view = data.with_new_sheet()
    found = {mover.symbol: _doubt(view, mover, session) for mover in movers}
    return {symbol: reason for symbol, reason in found.items() if reason}


def _doubt(view: MarketData, mover: Mover, session: date) -> str:
    """Return why the gate withholds the price, the change or the volume of a mover; empty if it does not."""
    try:
        prices = view.prices(mover.symbol)
    except DataError as error:
        return f"{mover.symbol} is left out: {error}"
    is_known = prices.days[-1].item() == session and not prices.lacks(2) and len(prices) > 1
    if is_known and math.isfinite(prices.volume[-1]):
        return ""
    why = " ".join(prices.notes) or f"the gate has no bar of {session}."
    return f"{mover.symbol} is left out: {why}"


@capability(returns=MarketIndices, requires={"get_market_indices"})
def get_market_indices(data: MarketData) -> MarketIndices:
    """Get the S&P 500, Dow Jones, Nasdaq, VIX and Russell 2000 at the last session: level, change, 52-week range."""
    ask = partial(fetch_prices, data, method="get_market_indices", days=YEAR_DAYS)
    return market_indices(
        ask(tuple(INDICES)) or ask(tuple(FUNDS)),
        as_of=data.as_of,
        session=data.cutoff.session,
        known_at=data.cutoff.instant,
    )


@capability(returns=SectorPerformance, requires={"get_sector_performance"})
def get_sector_performance(data: MarketData) -> SectorPerformance:
    """Get the returns of all eleven sectors over a day, a week, a month and the year so far, from their SPDR funds."""
    return sector_performance(
        fetch_prices(data, tuple(SECTOR_ETF.values()), method="get_sector_performance", days=YEAR_DAYS),
        as_of=data.as_of,
        session=data.cutoff.session,
        known_at=data.cutoff.instant,
    )


@capability(returns=IndustryPerformance, requires={"get_industry_performance", "get_stock_data"})
def get_industry_performance(data: MarketData, sector_key: SectorKey) -> IndustryPerformance:
    """Get the leading, strongest and weakest companies of a sector, and its industries: returns of a day, week, month.

    Args:
        sector_key: Key of the sector, for example technology.
    """
    members = data.sector_members(sector_key)
    asked = heaviest(members) or members
    # Apart: the data sheet shows one row that names the companies, not one for each, but for those of a stand-in.
    view = data.with_new_sheet()
    # The whole history: of a short window the gate would not see a break before it.
    series = fetch_prices(view, [member.symbol for member in asked])
    for row in view.sheet.rows:
        if row.instead_of or row.warnings:
            data.sheet.add(row)
    return industry_performance(
        asked,
        series,
        as_of=data.as_of,
        sector=sector_key,
        session=data.cutoff.session,
        live=data.cutoff.live and not data.is_local("get_industry_performance"),
        known_at=data.cutoff.instant,
    )


@capability(
    returns=TopicDigest,
    requires={"get_topic_news"},
    uses={"get_profile"},
    example={"topic": "central bank monetary policy"},
)
def get_topic_news(data: MarketData, topic: Topic, limit: int = 10) -> TopicDigest:
    """Get the last week's news articles on a topic, the most relevant and newest first, each with publisher and link.

    Args:
        topic: A few words to search for, for example central bank monetary policy.
        limit: Most articles to return.
    """
    start = data.as_of - timedelta(days=data.settings.global_news_lookback_days)
    items = data.topic_news(topic, start, data.as_of)
    asked = asked_about(data, "get_topic_news", start, data.as_of)
    profiles = _profiles(data, (item.symbol for item in items))
    ranking = rank_topic_news(
        items,
        topic,
        about=lambda item: profiles.get(item.symbol or ""),
        until=asked.until,
        limit=max(1, min(limit, data.settings.global_news_article_limit)),
    )
    return topic_digest(ranking, asked, topic, _named(profiles))


@capability(
    returns=EarningsCalendar,
    requires={"get_earnings_calendar"},
    uses={"get_profile", "get_stock_data"},
)
def get_earnings_calendar(
    data: MarketData, from_date: DayAhead, to_date: DayAhead, symbol: str = ""
) -> EarningsCalendar:
    """Get quarterly results of a window of days: published ones with their figures, and those due within 60 days.

    Args:
        from_date: First day, YYYY-MM-DD.
        to_date: Last day, YYYY-MM-DD; at most 60 days after the day of this study.
        symbol: Only this company's, for example AAPL; empty for all.
    """
    _check_window(from_date, to_date)
    key, methods = ("earnings_calendar", from_date, to_date), ("get_earnings_calendar", "get_stock_data")
    events = shared_part(data, key, methods, lambda view: view.earnings_calendar(from_date, to_date))
    if symbol.strip():
        wanted = normalise(symbol)
        events = tuple(event for event in events if event.symbol == wanted)
        if not events:
            raise NoData(
                f"The source has no earnings date of {wanted} from {from_date} to {to_date}; continue without it."
            )
    known = _companies(data, (event.symbol for event in events))
    return earnings_calendar(
        events,
        as_of=data.as_of,
        start=from_date,
        end=to_date,
        sectors={symbol: company.sector for symbol, company in known.items() if company.sector},
        fetched_at=data.asked_at,
        source=data.vendor_of("get_earnings_calendar"),
    )


@capability(returns=EconomicCalendar, requires={"get_economic_calendar"})
def get_economic_calendar(data: MarketData, from_date: DayAhead, to_date: DayAhead) -> EconomicCalendar:
    """Get economic releases of a window of days: published ones with their figures, and those due within 60 days.

    Args:
        from_date: First day, YYYY-MM-DD.
        to_date: Last day, YYYY-MM-DD; at most 60 days after the day of this study.
    """
    _check_window(from_date, to_date)
    return economic_calendar(
        data.economic_calendar(from_date, to_date),
        as_of=data.as_of,
        start=from_date,
        end=to_date,
        fetched_at=data.asked_at,
        source=data.vendor_of("get_economic_calendar"),
    )


@capability(
    returns=CalendarEvents,
    requires={"get_earnings_calendar", "get_economic_calendar"},
    uses={"get_profile", "get_stock_data"},
)
def calendar_events(data: MarketData, days: Annotated[int, Field(ge=1, le=60)] = 14) -> CalendarEvents:
    """Get the companies' results and the economic releases around the day: those of the last and of the next days.

    Args:
        days: Calendar days before and after the day.
    """
    start, end = data.as_of - timedelta(days=days), data.as_of + timedelta(days=days)
    return combined_calendars(
        get_earnings_calendar.answer(data, start, end),
        get_economic_calendar.answer(data, start, end),
        as_of=data.as_of,
        fetched_at=data.asked_at,
    )


def _check_window(start: date, end: date) -> None:
    """Refuse a window that runs backwards, or from before all data."""
    if start > end:
        raise BadDate(f"from_date {start} lies after to_date {end}; swap them.")
    if start < FIRST_DAY:
        raise BadDate(f"{start} lies before the data begin; name a day from {FIRST_DAY} on.")


def _row_of(data: MarketData, method: str) -> DataSheetRow:
    """Return what the data sheet has of a method: who answered (perhaps not who was asked first), for which days."""
    return next(row for row in data.sheet.rows if row.method == method)


def _companies(data: MarketData, symbols: Iterable[str | None]) -> dict[str, ScannedCompany]:
    """Return who the symbols are, as a table names them."""
    return _named(_profiles(data, symbols))


def _profiles(data: MarketData, symbols: Iterable[str | None]) -> dict[str, Profile]:
    """Return who the symbols are, where that costs no request; those the vendor does not know are left out."""
    if not data.is_local("get_profile"):
        return {}
    found = {symbol: _profile(data, symbol) for symbol in dict.fromkeys(symbols) if symbol}
    return {symbol: one for symbol, one in found.items() if one is not None}


def _named(profiles: Mapping[str, Profile]) -> dict[str, ScannedCompany]:
    return {symbol: ScannedCompany(name=short_name(one.name), sector=one.sector) for symbol, one in profiles.items()}


def _profile(data: MarketData, symbol: str) -> Profile | None:
    try:
        return data.profile(symbol)
    except DataError:
        return None
