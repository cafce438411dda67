"""Convert Finnhub's answers to rows. A field of an unexpected type counts as missing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

from tradingagents.dataflows.models import (
    EarningsEvent,
    EconomicEvent,
    InsiderTransaction,
    NewsItem,
    Profile,
    Ratios,
)
from tradingagents.dataflows.reference.calendar import FIRST_DAY, exchange_of, sessions
from tradingagents.dataflows.reference.sectors import sector_key
from tradingagents.dataflows.reference.symbols import listing_of
from tradingagents.dataflows.responses.lost_rows import SCHEDULED, lost, unread

AFTER_CLOSE = timedelta(minutes=30)
"""Results `after market close` come within half an hour of it; none is known at the close."""
_MILLION = 1e6

_KINDS: Mapping[str, Literal["buy", "sell", "grant", "gift", "exercise"]] = {
    "P": "buy",
    "S": "sell",
    "A": "grant",
    "G": "gift",
    "M": "exercise",
    "X": "exercise",
    "O": "exercise",
}
"""The SEC's transaction codes of Form 4; others (tax withheld, conversions, …) are `other`."""

_SECTORS: Mapping[str, str] = {
    "Technology": "technology",
    "Semiconductors": "technology",
    "Communications": "communication-services",
    "Media": "communication-services",
    "Telecommunication": "communication-services",
    "Banking": "financials",
    "Financial Services": "financials",
    "Insurance": "financials",
    "Health Care": "healthcare",
    "Biotechnology": "healthcare",
    "Pharmaceuticals": "healthcare",
    "Life Sciences Tools & Services": "healthcare",
    "Energy": "energy",
    "Utilities": "utilities",
    "Real Estate": "real-estate",
    "Chemicals": "materials",
    "Metals & Mining": "materials",
    "Packaging": "materials",
    "Building": "industrials",
    "Aerospace & Defense": "industrials",
    "Airlines": "industrials",
    "Machinery": "industrials",
    "Electrical Equipment": "industrials",
    "Industrial Conglomerates": "industrials",
    "Logistics & Transportation": "industrials",
    "Road & Rail": "industrials",
    "Commercial Services & Supplies": "industrials",
    "Professional Services": "industrials",
    "Construction": "industrials",
    "Automobiles": "consumer-discretionary",
    "Auto Components": "consumer-discretionary",
    "Retail": "consumer-discretionary",
    "Hotels, Restaurants & Leisure": "consumer-discretionary",
    "Textiles, Apparel & Luxury Goods": "consumer-discretionary",
    "Consumer products": "consumer-staples",
    "Beverages": "consumer-staples",
    "Food Products": "consumer-staples",
    "Tobacco": "consumer-staples",
}
"""Finnhub has its own industries; these are the sectors of most of their members."""

_RATIOS: Mapping[str, tuple[str, float]] = {
    "peTTM": ("pe_ttm", 1.0),
    "psTTM": ("ps_ttm", 1.0),
    "pb": ("pb", 1.0),
    "beta": ("beta", 1.0),
    "currentRatioQuarterly": ("current_ratio", 1.0),
    "dividendYieldIndicatedAnnual": ("dividend_yield", 1.0),
    "roaTTM": ("roa", 1.0),
    "epsTTM": ("eps_ttm", 1.0),
    "52WeekHigh": ("high_52w", 1.0),
    "52WeekLow": ("low_52w", 1.0),
    "marketCapitalization": ("market_cap", _MILLION),
}
"""Finnhub's metrics by the library's names, with the factor to its units. Yields and returns are already percent."""


class Unreadable(ValueError):
    """An answer of an unexpected shape."""


def profile_of(symbol: str, answer: Any) -> Profile | None:
    """Return the symbol's profile; None for the empty object of an unknown symbol.

    The given currency is that of the company's filings; US listings are quoted in dollars regardless.
    """
    found = _object(answer)
    name = _text(found.get("name"))
    if name is None:
        if found:
            raise Unreadable
        return None
    industry = _text(found.get("finnhubIndustry"))
    return Profile(
        symbol=symbol,
        name=name,
        kind="stock",
        sector=_SECTORS.get(industry or "") or sector_key(industry),
        industry=industry,
        exchange=exchange_of(symbol),
        currency="USD",
        listing=listing_of(symbol, found.get("exchange")),
    )


def peers_of(symbol: str, answer: Any, ours: str) -> tuple[str, ...]:
    """Return comparable companies with normalized symbols, without the symbol itself (`ours`)."""
    names = [name for one in _list(answer) if (name := _text(one)) and name not in (symbol, ours)]
    return tuple(dict.fromkeys(name.replace(".", "-") for name in names))


def ratios_of(symbol: str, answer: Any, *, now: datetime) -> Ratios:
    """Return today's ratios; `values` is empty if there are none."""
    metric = _object(_object(answer).get("metric", {}))
    values = {
        ours: value * unit
        for theirs, (ours, unit) in _RATIOS.items()
        if (value := number(metric.get(theirs))) is not None
    }
    if metric and not values:
        raise Unreadable
    return Ratios(symbol=symbol, values=values, vendor="finnhub", fetched_at=now)


def articles_in(answer: Any) -> list[Any]:
    """Return an answer's list of articles."""
    return _list(answer)


def news_of(given: Sequence[Any], *, symbol: str | None) -> tuple[NewsItem, ...]:
    """Return articles, newest first; those without a headline or an instant are left out."""
    items = []
    for entry in given:
        article = entry if isinstance(entry, dict) else {}
        title, seconds = _text(article.get("headline")), number(article.get("datetime"))
        if title is None or not seconds or not 0 < seconds < 4e9:
            since = datetime.fromtimestamp(seconds, UTC) if seconds and 0 < seconds < 4e9 else None
            lost("article", since=since, headline=title, datetime=None if title else seconds)
            continue
        published = datetime.fromtimestamp(seconds, UTC)
        items.append(
            NewsItem(
                title=title,
                published_at=published,
                known_at=published,
                source=_text(article.get("source")),
                summary=_text(article.get("summary")),
                url=_text(article.get("url")),
                symbol=symbol,
            )
        )
    if given and not items:
        raise Unreadable
    return tuple(sorted(items, key=lambda item: (item.published_at, item.title), reverse=True))


def trades_in(answer: Any) -> list[Any]:
    """Return an answer's list of insider trades."""
    return _list(_object(answer).get("data"))


def insiders_of(symbol: str, given: Sequence[Any]) -> tuple[InsiderTransaction, ...]:
    """Return insider trades, newest first. A filing is known by its day: from the next session's open."""
    calendar = sessions(exchange_of(symbol))
    rows, read = [], False
    for entry in given:
        trade = entry if isinstance(entry, dict) else {}
        name, shares = _text(trade.get("name")), number(trade.get("change"))
        traded, filed = day_of(trade.get("transactionDate")), day_of(trade.get("filingDate"))
        if name is None or shares is None or traded is None or filed is None:
            lost("insider trade", name=name, change=shares, transactionDate=traded, filingDate=filed)
            continue
        read = True
        if not shares:  # reported holdings, as on Form 3
            continue
        price = number(trade.get("transactionPrice"))
        if price is None:
            unread("transactionPrice", trade.get("transactionPrice"), since=filed)
        code = _text(trade.get("transactionCode")) or ""
        rows.append(
            InsiderTransaction(
                symbol=symbol,
                insider=name,
                relation="",
                kind=_KINDS.get(code, "other"),
                shares=abs(shares),
                value=abs(shares) * price if price else None,
                transaction_date=traded,
                known_at=calendar.next_open(max(filed, traded)),
                text=f"{code} {'derivative ' if trade.get('isDerivative') is True else ''}{shares:+.0f}".strip(),
            )
        )
    if given and not read:
        raise Unreadable
    return tuple(sorted(rows, key=lambda row: (row.transaction_date, row.known_at, row.insider), reverse=True))


def results_in(answer: Any) -> list[Any]:
    """Return an answer's list of results."""
    return _list(_object(answer).get("earningsCalendar"))


def earnings_of(given: Sequence[Any], *, start: date, end: date, now: datetime) -> tuple[EarningsEvent, ...]:
    """Return results of the days [start, end], by day: published ones known then, announced ones since the last close.

    Results published after the last close occur twice, as announced and as published, so that a request cut at the
    close still shows that they were due.
    """
    closed = _last_close(now)
    found = [event for entry in given if (event := _earnings(entry, closed)) is not None]
    if given and not found:
        raise Unreadable
    announced = (replace(one, eps=None, revenue=None, known_at=closed) for one in found if one.known_at > closed)
    within = (row for row in (*announced, *found) if start <= row.day <= end)
    return tuple(sorted(within, key=lambda row: (row.day, row.symbol, row.known_at)))


def _earnings(given: Any, closed: datetime) -> EarningsEvent | None:
    event = given if isinstance(given, dict) else {}
    symbol, day, actual = _text(event.get("symbol")), day_of(event.get("date")), number(event.get("epsActual"))
    if symbol is None or day is None:
        lost("company's date", since=SCHEDULED, symbol=symbol, date=day)
        return None
    year, quarter = number(event.get("year")), number(event.get("quarter"))
    return EarningsEvent(
        symbol=symbol.replace(".", "-"),
        name=symbol,
        day=day,
        known_at=closed if actual is None else _published_at(day, _text(event.get("hour"))),
        fiscal_period=f"{year:.0f}-Q{quarter:.0f}" if year and quarter else None,
        eps=actual,
        eps_estimate=number(event.get("epsEstimate")),
        revenue=None if actual is None else number(event.get("revenueActual")),
    )


def economy_of(answer: Any, *, start: date, end: date, now: datetime) -> tuple[EconomicEvent, ...]:
    """Return US releases of the days [start, end], by day; the calendar is today's. See `earnings_of`."""
    given = _list(_object(answer).get("economicCalendar"))
    closed = _last_close(now)
    read = [(entry, event) for entry in given if (event := _release(entry, closed)) is not None]
    if given and not read:
        raise Unreadable
    found = [replace(event, read_at=now) for one, event in read if one.get("country") == "US"]
    scheduled = (replace(one, value=None, known_at=closed) for one in found if one.known_at > closed)
    within = (row for row in (*scheduled, *found) if start <= row.day <= end)
    return tuple(sorted(within, key=lambda row: (row.day, row.name, row.known_at)))


def _release(given: Any, closed: datetime) -> EconomicEvent | None:
    event = given if isinstance(given, dict) else {}
    name, value, day = _text(event.get("event")), number(event.get("actual")), day_of(event.get("time"))
    at = (
        sessions().next_open(day) if day else _instant(event.get("time"))
    )  # a day without a time is known by the next open
    if name is None or at is None:
        lost("release", since=SCHEDULED, event=name, time=at)
        return None
    return EconomicEvent(
        name=name,
        day=day or at.astimezone(sessions().zone).date(),
        known_at=closed if value is None else at,
        value=value,
        previous=number(event.get("prev")),
        estimate=number(event.get("estimate")),
        unit=_text(event.get("unit")) or "",
    )


def _last_close(now: datetime) -> datetime:
    return sessions().close_of(sessions().last_closed(now))


def number(value: Any) -> float | None:
    """Return a finite number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        read = float(value)
    except OverflowError:  # JSON integers are unbounded
        return None
    return read if math.isfinite(read) else None


def day_of(value: Any) -> date | None:
    """Parse a day within the calendar's range; None for anything else."""
    try:
        read = date.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return read if _within_calendar(read) else None


def _published_at(day: date, hour: str | None) -> datetime:
    """Return when results of a day were known: before its open, half an hour after its close, or by the next open."""
    calendar = sessions()
    if hour == "bmo":
        return calendar.next_open(day - timedelta(days=1))
    if hour == "amc" and calendar.on_or_before(day) == day:
        return calendar.close_of(day) + AFTER_CLOSE
    return calendar.next_open(day)


def _instant(value: Any) -> datetime | None:
    try:
        read = datetime.fromisoformat(value)
        instant = read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return None
    return instant if _within_calendar(instant.date()) else None


def _within_calendar(day: date) -> bool:
    return FIRST_DAY <= day < sessions().days[-1]


def _text(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Unreadable
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise Unreadable
    return value
