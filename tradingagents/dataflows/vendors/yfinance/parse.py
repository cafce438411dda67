"""Convert yfinance's results to rows: pure functions of frames, dicts and lists."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tradingagents.dataflows.models import (
    Dividend,
    Frequency,
    InsiderTransaction,
    NewsItem,
    Prices,
    Profile,
    Ratios,
    Split,
    Statement,
    StatementKind,
)
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.fiscal_periods import (
    assumed_known_at,
    assumed_reported_at,
    fiscal_quarter,
    fiscal_year,
)
from tradingagents.dataflows.reference.sectors import sector_key
from tradingagents.dataflows.reference.symbols import listing_of
from tradingagents.dataflows.responses.lost_rows import contradicted, lost
from tradingagents.dataflows.vendors.yfinance.answers import EARLIEST, LATEST
from tradingagents.dataflows.vendors.yfinance.line_items import (
    FRACTIONS,
    KINDS,
    QUOTED,
    RATIOS,
    STATEMENT_ROWS,
    currency_unit,
)

if TYPE_CHECKING:
    import pandas as pd

VENDOR = "yfinance"
PRICE_COLUMNS = ["Open", "High", "Low", "Close", "Adj Close"]

_NAMELESS = {"", "-", "--", "n/a", "na", "none", "null", "unknown"}
_MORNINGSTAR_ID = re.compile(r"\b0P[0-9A-Z]{8}\b")
_PRICES = re.compile(r"at price (\d[\d,]*\.?\d*)(?: - (\d[\d,]*\.?\d*))? per share")
PRICE_ROUNDED = 0.05
"""By how much the price of a trade's text may differ from its value: several sales are told as one."""
InsiderKind = Literal["buy", "sell", "grant", "gift", "exercise", "other"]
_INSIDER_KINDS: tuple[tuple[str, InsiderKind], ...] = (
    ("gift", "gift"),
    ("award", "grant"),
    ("grant", "grant"),
    ("exercise", "exercise"),
    ("conversion", "exercise"),
    ("sale", "sell"),
    ("purchase", "buy"),
    ("bought", "buy"),
)
"""Words in a transaction's text, in matching order."""


def prices_of(
    symbol: str, frame: pd.DataFrame, *, currency: str | None, start: date, end: date, now: datetime
) -> Prices | None:
    """Return the bars of [start, end] from a history through today; None if there are none.

    Bars without a price are dropped, and so is the bar of an open session. Splits run through today, since Yahoo's
    prices are adjusted for all of them.
    """
    iso, unit = currency_unit(currency)
    days = np.array([stamp.date() for stamp in frame.index], dtype="datetime64[D]")
    bars = frame[PRICE_COLUMNS].to_numpy(dtype=float)
    last = min(end, sessions(exchange_of(symbol)).last_closed(now))
    wanted = np.isfinite(bars).all(axis=1) & (days >= np.datetime64(start, "D")) & (days <= np.datetime64(last, "D"))
    if not wanted.any():
        return None
    opened, high, low, close, adjusted = (bars[wanted] * unit).T
    return Prices(
        symbol=symbol,
        days=days[wanted],
        open=opened,
        high=high,
        low=low,
        close=close,
        adj_close=adjusted,
        volume=frame["Volume"].to_numpy(dtype=float)[wanted],
        currency=iso,
        vendor=VENDOR,
        fetched_at=now,
        splits=tuple(Split(day, ratio) for day, ratio in _events(frame["Stock Splits"])),
        splits_since=start,
        dividends=tuple(Dividend(day, amount * unit) for day, amount in _events(_paid(frame)) if start <= day <= end),
        basis="index" if symbol.startswith("^") else "split_adjusted",
    )


def _paid(frame: pd.DataFrame) -> pd.Series[Any]:
    """Return what a share or a fund paid: a fund's capital gains lie in its adjusted close like dividends."""
    paid: pd.Series[Any] = frame["Dividends"]
    return paid + frame["Capital Gains"] if "Capital Gains" in frame else paid


def _events(column: pd.Series[Any]) -> list[tuple[date, float]]:
    return [(stamp.date(), float(value)) for stamp, value in column.items() if value]  # type: ignore[attr-defined]


def profile_of(symbol: str, info: Mapping[str, Any]) -> Profile | None:
    """Return the symbol's profile; None if Yahoo has no quote of it, or an unsupported type."""
    kind = KINDS.get(str(info.get("quoteType", "")).upper())
    if kind is None:
        return None
    return Profile(
        symbol=stated_symbol(symbol, info),
        name=name_of(info) or symbol,
        kind=kind,
        sector=sector_key(info.get("sector")),
        industry=info.get("industry") or None,
        exchange=exchange_of(symbol),
        currency=currency_unit(info.get("currency"))[0],
        listing=listing_of(symbol, info.get("exchange")),
    )


def stated_symbol(symbol: str, info: Mapping[str, Any]) -> str:
    """Return the symbol that an answer says it is about; the one asked for where it does not say.

    Yahoo answers under another symbol where it has forwarded one; whether that is the same company, it does not say.
    """
    stated = info.get("symbol")
    return stated if isinstance(stated, str) and stated else symbol


def name_of(info: Mapping[str, Any]) -> str | None:
    """Return the fullest name in a quote, on one line; None if it has only a placeholder."""
    for key in ("longName", "shortName", "displayName"):
        name = " ".join(str(info.get(key) or "").split())
        if name.lower() not in _NAMELESS and not _MORNINGSTAR_ID.search(name):
            return name
    return None


def ratios_of(symbol: str, info: Mapping[str, Any], *, now: datetime) -> Ratios:
    """Return Yahoo's ratios of today; missing and `Infinity` values are left out.

    Earnings per share and free cash flow are in the currency of the reports: they are left out if the symbol is quoted
    in another one (or in hundredths of it).
    """
    iso, unit = currency_unit(info.get("currency"))
    values = {name: first_number(info, keys) for name, keys in RATIOS.items()}
    values |= {name: times(first_number(info, keys), unit) for name, keys in QUOTED.items()}
    values |= {name: times(first_number(info, keys), 100.0) for name, keys in FRACTIONS.items()}
    if info.get("financialCurrency", info.get("currency")) == info.get("currency"):
        values["eps_ttm"] = first_number(info, ("trailingEps", "epsTrailingTwelveMonths"))
        free_cash, market_cap = first_number(info, ("freeCashflow",)), values["market_cap"]
        if free_cash is not None and market_cap:
            values["fcf_yield"] = 100.0 * free_cash / market_cap
    known = {name: value for name, value in values.items() if value is not None}
    business = info.get("longBusinessSummary")
    return Ratios(
        symbol=symbol,
        values=known,
        vendor=VENDOR,
        fetched_at=now,
        currency=iso,
        business=business.strip() or None if isinstance(business, str) else None,
    )


def first_number(info: Mapping[str, Any], keys: Iterable[str]) -> float | None:
    """Return the first of the keys with a finite number; None if there is none."""
    for key in keys:
        value = info.get(key)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
    return None


def times(value: float | None, factor: float) -> float | None:
    """Return a number in another unit; None stays None."""
    return None if value is None else value * factor


def statements_of(
    symbol: str,
    kind: StatementKind,
    freq: Frequency,
    frame: pd.DataFrame,
    *,
    currency: str,
    year_end: date | None,
    now: datetime,
) -> tuple[Statement, ...]:
    """Return the statements of a frame of items by period end, newest first. Periods without any item are left out.

    Args:
        freq: Quarters or years.
        frame: Yahoo's rows by name, one column a period.
        currency: ISO code of the amounts.
        year_end: Last day of some fiscal year; None if unknown: calendar years are assumed.
        now: When they were read: Yahoo restates share counts and per-share figures for every split by then.
    """
    found = []
    stamps: Any = frame.columns
    for stamp in stamps:
        items = _items(frame[stamp], STATEMENT_ROWS[kind])
        if not items:
            continue
        period_end = stamp.date()
        year, quarter = (
            (fiscal_year(period_end), "FY") if freq == "annual" else fiscal_quarter(period_end, year_end=year_end)
        )
        found.append(
            Statement(
                symbol=symbol,
                kind=kind,
                frequency=freq,
                fiscal_year=year,
                fiscal_period=quarter,
                period_end=period_end,
                known_at=assumed_known_at(period_end, annual=quarter in ("FY", "Q4")),
                known_by="assumed",
                currency=currency,
                source=VENDOR,
                items=items,
                shares_as_of=now,
            )
        )
    return tuple(sorted(found, key=lambda statement: statement.period_end, reverse=True))


def rows_of(frame: pd.DataFrame) -> dict[str, dict[date, float]]:
    """Return the numbers of a frame of statements, by Yahoo's name of the row and the end of the period."""
    stamps: Any = frame.columns
    found: dict[str, dict[date, float]] = {}
    for stamp in stamps:
        for name, value in frame[stamp].items():
            if math.isfinite(value):
                found.setdefault(str(name), {})[stamp.date()] = float(value)
    return found


def _items(column: pd.Series[Any], names: Mapping[str, tuple[str, ...]]) -> dict[str, float]:
    known = {str(name): float(value) for name, value in column.items() if math.isfinite(value)}
    chosen = {item: next((known[row] for row in rows if row in known), None) for item, rows in names.items()}
    return {item: value for item, value in chosen.items() if value is not None}


def news_of(articles: Iterable[Mapping[str, Any]], *, symbol: str | None) -> tuple[NewsItem, ...]:
    """Return articles newest first; otherwise as `articles_of`."""
    found = articles_of(articles, symbol=symbol)
    return tuple(sorted(found, key=lambda item: item.published_at, reverse=True))


def articles_of(articles: Iterable[Mapping[str, Any]], *, symbol: str | None) -> tuple[NewsItem, ...]:
    """Return articles in Yahoo's order without duplicate titles; those without a title or an instant are dropped.

    Yahoo's stream nests an article in `content`, its search doesn't.
    """
    found: dict[str, NewsItem] = {}
    for article in articles:
        item = _article(article.get("content") or article, symbol)
        if item is not None:
            found.setdefault(item.title.casefold(), item)
    return tuple(found.values())


def _article(article: Mapping[str, Any], symbol: str | None) -> NewsItem | None:
    title = " ".join(str(article.get("title") or "").split())
    published = _published(article)
    if not title or published is None:
        lost("article", title=title or None, pubDate=published)
        return None
    link = article.get("canonicalUrl") or article.get("clickThroughUrl") or {}
    return NewsItem(
        title=title,
        published_at=published,
        known_at=published,
        source=(article.get("provider") or {}).get("displayName") or article.get("publisher"),
        summary=article.get("summary") or article.get("description") or None,
        url=link.get("url") or article.get("link"),
        symbol=symbol,
    )


def _published(article: Mapping[str, Any]) -> datetime | None:
    seconds = article.get("providerPublishTime")
    if isinstance(seconds, (int, float)):
        return datetime.fromtimestamp(seconds, UTC) if EARLIEST < seconds < LATEST else None
    text = article.get("pubDate") or article.get("displayTime")
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def insiders_of(symbol: str, frame: pd.DataFrame) -> tuple[InsiderTransaction, ...]:
    """Return reported trades, newest first; rows without a date or a number of shares are dropped.

    Yahoo has no filing dates. A trade must be reported within two business days: it is assumed to be known from the
    open of the session after the second one that follows it.
    """
    found = []
    trades: Any = frame.to_dict("records")
    for row in trades:
        day, shares, value = row.get("Start Date"), row.get("Shares"), row.get("Value")
        if _missing(day) or _missing(shares):
            lost("insider trade", startDate=None if _missing(day) else day, shares=None if _missing(shares) else shares)
            continue
        if "Insider" not in row:  # empty where Yahoo does not know who it was
            lost("insider trade", since=day, filerName=None)
            continue
        text = str(row.get("Text") or "").strip()
        if not _missing(value) and not _is_at_its_price(float(shares), float(value), text):
            contradicted("insider trade", "whose value is not shares times the price of transactionText", since=day)
            continue
        traded = day.date()
        found.append(
            InsiderTransaction(
                symbol=symbol,
                insider=str(row.get("Insider") or "").strip(),
                relation=str(row.get("Position") or "").strip(),
                kind=insider_kind(text),
                shares=float(shares),
                value=None if _missing(value) else float(value),
                transaction_date=traded,
                known_at=assumed_reported_at(traded, exchange=exchange_of(symbol)),
                known_by="assumed",
                text=text,
            )
        )
    return tuple(sorted(found, key=lambda trade: trade.transaction_date, reverse=True))


def _is_at_its_price(shares: float, value: float, text: str) -> bool:
    """Tell whether a trade's value is its shares times the price, or a price between those, that its text names."""
    named = _PRICES.search(text)
    if named is None or not value:
        return True
    low = float(named[1].replace(",", ""))
    high = float((named[2] or named[1]).replace(",", ""))
    return low * (1 - PRICE_ROUNDED) * shares - 1 <= value <= high * (1 + PRICE_ROUNDED) * shares + 1


def _missing(value: Any) -> bool:
    return value is None or bool(value != value)  # NaN and NaT differ from themselves


def insider_kind(text: str) -> InsiderKind:
    """Return a transaction's kind from its text; `other` if unknown."""
    lowered = text.lower()
    return next((kind for word, kind in _INSIDER_KINDS if word in lowered), "other")
