"""Convert Alpha Vantage's companies, articles, insider trades, movers and earnings dates to rows."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from tradingagents.dataflows.models import (
    EarningsEvent,
    InsiderTransaction,
    Mover,
    NewsItem,
    Profile,
    Ratios,
    SectorMember,
)
from tradingagents.dataflows.reference.calendar import FIRST_DAY, exchange_of, sessions
from tradingagents.dataflows.reference.fiscal_periods import assumed_reported_at
from tradingagents.dataflows.reference.sectors import sector_key
from tradingagents.dataflows.reference.symbols import listing_of
from tradingagents.dataflows.responses.day_changes import is_same_change
from tradingagents.dataflows.responses.lost_rows import SCHEDULED, contradicted, lost
from tradingagents.dataflows.vendors.alpha_vantage.client import NO_ARTICLES
from tradingagents.dataflows.vendors.alpha_vantage.fields import (
    NAME,
    Unreadable,
    data_of,
    day_of,
    number,
    object_of,
    objects_of,
    text_of,
)

_EASTERN = ZoneInfo("America/New_York")
_TICKER = re.compile(r"[A-Z]{1,5}(?:-[A-Z])?")

_SIDES = {"A": "Acquired", "D": "Disposed of"}
_RATIOS: Mapping[str, tuple[str, float]] = {
    "MarketCapitalization": ("market_cap", 1.0),
    "PERatio": ("pe_ttm", 1.0),
    "ForwardPE": ("forward_pe", 1.0),
    "PriceToSalesRatioTTM": ("ps_ttm", 1.0),
    "PriceToBookRatio": ("pb", 1.0),
    "PEGRatio": ("peg", 1.0),
    "EVToEBITDA": ("ev_ebitda", 1.0),
    "DilutedEPSTTM": ("eps_ttm", 1.0),
    "Beta": ("beta", 1.0),
    "DividendYield": ("dividend_yield", 100.0),
    "ReturnOnAssetsTTM": ("roa", 100.0),
    "52WeekHigh": ("high_52w", 1.0),
    "52WeekLow": ("low_52w", 1.0),
    "50DayMovingAverage": ("sma_50", 1.0),
    "200DayMovingAverage": ("sma_200", 1.0),
}
"""OVERVIEW's fields, the library's names, and the factor to its units: fractions become percent."""


def profile_of(symbol: str, overview: Any) -> Profile | None:
    """Return the symbol's profile; None for the empty object of an unknown symbol."""
    found = object_of(overview)
    name = text_of(found.get("Name"))
    if name is None:
        if found:
            raise Unreadable
        return None
    industry = text_of(found.get("Industry"))
    return Profile(
        symbol=text_of(found.get("Symbol")) or symbol,
        name=name,
        kind="etf" if text_of(found.get("AssetType")) == "ETF" else "stock",
        sector=_sector(text_of(found.get("Sector"))),
        industry=industry.title() if industry and industry.isupper() else industry,
        exchange=exchange_of(symbol),
        currency=text_of(found.get("Currency")) or "USD",
        listing=listing_of(symbol, found.get("Exchange")),
    )


def ratios_of(symbol: str, overview: Any, *, now: datetime) -> Ratios:
    """Return today's ratios; `values` is empty if there are none."""
    found = object_of(overview)
    values = {
        ours: value * unit
        for theirs, (ours, unit) in _RATIOS.items()
        if (value := number(found.get(theirs))) is not None
    }
    currency = text_of(found.get("Currency")) or "USD"
    business = text_of(found.get("Description"))
    stated = text_of(found.get("Symbol")) or symbol
    return Ratios(symbol=stated, values=values, vendor=NAME, fetched_at=now, currency=currency, business=business)


def news_of(answer: Any, *, symbol: str | None) -> tuple[NewsItem, ...]:
    """Return articles in Alpha Vantage's order; those without a title or an instant are left out.

    A message in place of the feed means that there are none.
    """
    found = object_of(answer)
    quiet = "feed" not in found and NO_ARTICLES in str(found.get("Information")).lower()
    given = [] if quiet else objects_of(found.get("feed"))
    items = []
    for article in given:
        title, published = text_of(article.get("title")), _published(article.get("time_published"))
        if title is None or published is None:
            lost("article", title=title, time_published=published)
            continue
        items.append(
            NewsItem(
                title=" ".join(title.split()),
                published_at=published,
                known_at=published,
                source=text_of(article.get("source")),
                summary=text_of(article.get("summary")),
                url=text_of(article.get("url")),
                symbol=symbol,
            )
        )
    if given and not items:
        raise Unreadable
    return tuple({(item.title, item.published_at): item for item in reversed(items)}.values())[::-1]


def insiders_of(symbol: str, answer: Any) -> tuple[InsiderTransaction, ...]:
    """Return insider trades, newest first. The filing day is assumed: only the trade's day is given."""
    given = data_of(answer)
    rows, read = [], False
    for trade in given:
        name, traded = text_of(trade.get("executive")), day_of(trade.get("transaction_date"))
        shares = number(trade.get("shares"))
        if name is None or traded is None or shares is None:
            lost("insider trade", executive=name, transaction_date=traded, shares=shares)
            continue
        read = True
        if not shares:
            continue
        if "executive_title" not in trade:
            lost("office of an insider", since=assumed_reported_at(traded), executive_title=None)
        price = number(trade.get("share_price"))
        side, security = text_of(trade.get("acquisition_or_disposal")), text_of(trade.get("security_type")) or ""
        rows.append(
            InsiderTransaction(
                symbol=symbol,
                insider=name,
                relation=text_of(trade.get("executive_title")) or "",
                kind=_kind(side, security, price),
                shares=abs(shares),
                value=abs(shares) * price if price else None,
                transaction_date=traded,
                known_at=assumed_reported_at(traded),
                known_by="assumed",
                text=f"{_SIDES.get(side or '', '')} {security}".strip(),
            )
        )
    if given and not read:
        raise Unreadable
    return tuple(sorted(rows, key=lambda row: (row.transaction_date, row.insider), reverse=True))


def movers_of(answer: Any, listed: str, *, session: date) -> tuple[Mover, ...]:
    """Return the stocks of one list, in its order; () if the list is of an earlier session than requested."""
    found = object_of(answer)
    day, taken = _updated(found.get("last_updated"))
    calendar = sessions()
    known_at = min(taken, calendar.close_of(calendar.on_or_before(day)))
    given = objects_of(found.get(listed))
    movers, odd = [], 0
    for entry in given:
        ticker, price = text_of(entry.get("ticker")), number(entry.get("price"))
        change, volume = number(str(entry.get("change_percentage")).rstrip("%")), number(entry.get("volume"))
        if ticker is None or price is None or change is None or volume is None:
            lost("stock", ticker=ticker, price=price, change_percentage=change, volume=volume)
            continue
        if not is_same_change(price, number(entry.get("change_amount")), change):
            contradicted("stock", "whose change_percentage is not change_amount of the previous close")
            odd += 1
            continue
        if _TICKER.fullmatch(ticker):  # warrants, units and rights aren't stocks
            movers.append(Mover(ticker, ticker, price, change, volume, known_at))
    if given and not movers and (odd or not any(text_of(entry.get("ticker")) for entry in given)):
        raise Unreadable
    return tuple(movers) if calendar.on_or_before(day) >= session else ()


def held_of(answer: Any) -> tuple[SectorMember, ...]:
    """Return a fund's companies, the largest weight first as listed; cash and similar positions are left out."""
    found = object_of(answer)
    given = objects_of(found.get("holdings")) if found else []
    members = []
    for entry in given:
        ticker, weight = text_of(entry.get("symbol")), number(entry.get("weight"))
        symbol = ticker.replace(".", "-") if ticker else ""
        if _TICKER.fullmatch(symbol):
            name = text_of(entry.get("description")) or symbol
            members.append(SectorMember(symbol, name, weight=None if weight is None else 100 * weight))
    if given and not members:
        raise Unreadable
    return tuple(members)


def announced_of(text: str, *, start: date, end: date, now: datetime) -> tuple[EarningsEvent, ...]:
    """Return the earnings announced for the days [start, end], by day; known since the last close."""
    try:
        reader = csv.DictReader(io.StringIO(text))
        given, names = list(reader), set(reader.fieldnames or ())
    except csv.Error:
        raise Unreadable from None
    if not {"symbol", "reportDate"} <= names:
        raise Unreadable
    if given and not any(text_of(row["symbol"]) and day_of(row["reportDate"]) for row in given):
        raise Unreadable
    closed = sessions().close_of(sessions().last_closed(now))
    events = []
    for row in given:
        symbol, day = text_of(row.get("symbol")), day_of(row.get("reportDate"))
        if symbol is None or day is None:
            lost("company's date", since=SCHEDULED, symbol=symbol, reportDate=day)
            continue
        if not start <= day <= end:
            continue
        events.append(
            EarningsEvent(
                symbol=symbol.replace(".", "-"),
                name=text_of(row.get("name")) or symbol,
                day=day,
                known_at=closed,
                period_end=day_of(row.get("fiscalDateEnding")),
                eps_estimate=number(row.get("estimate")),
                currency=text_of(row.get("currency")) or "USD",
                shares_as_of=now,
            )
        )
    return tuple(sorted(events, key=lambda event: (event.day, event.symbol)))


def _kind(
    side: str | None, security: str, price: float | None
) -> Literal["buy", "sell", "grant", "gift", "exercise", "other"]:
    """Return a trade's kind from side, security and price; there is no transaction code."""
    if "common" not in security.lower() or side not in ("A", "D"):
        return "other"
    if not price:
        return "grant" if side == "A" else "other"
    return "buy" if side == "A" else "sell"


def _sector(name: str | None) -> str | None:
    usual = {"life sciences": "healthcare", "finance": "financials", "trade & services": "consumer-discretionary"}
    return usual.get(name.lower(), sector_key(name)) if name else None


def _updated(value: Any) -> tuple[date, datetime]:
    """Parse the day of a list and when it was taken: `2025-03-14 16:15:59 US/Eastern`, or the day alone."""
    stamp = re.match(r"(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d))?", str(value))
    day = day_of(stamp[1]) if stamp else None
    if stamp is None or day is None or day < FIRST_DAY:
        raise Unreadable
    try:
        taken = datetime.fromisoformat(f"{stamp[1]}T{stamp[2] or '23:59:59'}")
    except ValueError:
        raise Unreadable from None
    return day, taken.replace(tzinfo=_EASTERN).astimezone(UTC)


def _published(value: Any) -> datetime | None:
    try:
        return datetime.strptime(value, "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
    except (TypeError, ValueError):
        return None
