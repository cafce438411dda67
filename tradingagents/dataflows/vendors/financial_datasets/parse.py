"""Convert Financial Datasets' JSON to rows, field by field, with pure functions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time
from typing import Any, Literal

from tradingagents.dataflows.models import (
    Frequency,
    InsiderTransaction,
    KnownBy,
    NewsItem,
    Profile,
    Statement,
    StatementKind,
)
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.currencies import NOT_STATED
from tradingagents.dataflows.reference.fiscal_periods import assumed_known_at, assumed_reported_at, fiscal_year
from tradingagents.dataflows.reference.sectors import sector_key
from tradingagents.dataflows.reference.symbols import listing_of
from tradingagents.dataflows.responses.lost_rows import lost, unread, without_zone

VENDOR = "financial_datasets"
ITEMS: Mapping[StatementKind, Mapping[str, str]] = {
    "income": {
        "revenue": "revenue",
        "cost_of_revenue": "cost_of_revenue",
        "gross_profit": "gross_profit",
        "research_and_development": "research_and_development",
        "selling_general_administrative": "selling_general_and_administrative_expenses",
        "operating_expenses": "operating_expense",
        "operating_income": "operating_income",
        "interest_expense": "interest_expense",
        "income_tax": "income_tax_expense",
        "net_income": "net_income",
        "eps_basic": "earnings_per_share",
        "eps_diluted": "earnings_per_share_diluted",
        "shares_basic": "weighted_average_shares",
        "shares_diluted": "weighted_average_shares_diluted",
    },
    "balance": {
        "cash": "cash_and_equivalents",
        "receivables": "trade_and_non_trade_receivables",
        "inventory": "inventory",
        "current_assets": "current_assets",
        "fixed_assets": "property_plant_and_equipment",
        "total_assets": "total_assets",
        "accounts_payable": "trade_and_non_trade_payables",
        "short_term_debt": "current_debt",
        "current_liabilities": "current_liabilities",
        "long_term_debt": "non_current_debt",
        "total_debt": "total_debt",
        "total_liabilities": "total_liabilities",
        "equity": "shareholders_equity",
        "retained_earnings": "retained_earnings",
        "short_term_investments": "current_investments",
        "long_term_investments": "non_current_investments",
    },
    "cashflow": {
        "operating_cash_flow": "net_cash_flow_from_operations",
        "capital_expenditure": "capital_expenditure",
        "free_cash_flow": "free_cash_flow",
        "investing_cash_flow": "net_cash_flow_from_investing",
        "financing_cash_flow": "net_cash_flow_from_financing",
        "dividends_paid": "dividends_and_other_cash_distributions",
        "share_repurchases": "issuance_or_purchase_of_equity_shares",
        "net_change_in_cash": "change_in_cash_and_equivalents",
    },
}
"""The library's items and Financial Datasets' names for them."""
_MONEY_OUT = ("capital_expenditure", "dividends_paid")
_FISCAL = re.compile(r"(\d{4})-(?:Q([1-4])|FY)")
_NOTHING = frozenset({"", "-", "none", "null", "nan", "n/a"})
InsiderKind = Literal["buy", "sell", "grant", "gift", "exercise", "other"]
_KINDS: tuple[tuple[str, InsiderKind], ...] = (
    ("tax", "other"),  # withheld shares, "payment of exercise price or tax": not the insider's choice
    ("payment", "other"),
    ("open market purchase", "buy"),
    ("open market sale", "sell"),
    ("gift", "gift"),
    ("award", "grant"),
    ("grant", "grant"),
    ("exercise", "exercise"),
    ("conversion", "exercise"),
)
"""Words in a transaction's type, in matching order."""


def profile_of(symbol: str, facts: Any) -> Profile | None:
    """Return the symbol's profile; None if the facts have no name."""
    found = facts if isinstance(facts, dict) else {}
    name = _text(found.get("name"))
    if name is None:
        return None
    fund = re.search(r"\b(ETF|ETN|fund)\b", _text(found.get("category")) or "", re.IGNORECASE)
    return Profile(
        symbol=symbol,
        name=name,
        kind="etf" if fund else "stock",
        sector=None if fund else sector_key(_text(found.get("sector"))),
        industry=_text(found.get("industry")),
        exchange=exchange_of(symbol),
        currency="USD",
        listing=listing_of(symbol, found.get("exchange")),
    )


def statements_of(symbol: str, kind: StatementKind, freq: Frequency, given: Iterable[Any]) -> tuple[Statement, ...]:
    """Return the statements, newest period first; those without a period or any item are left out."""
    found = (_statement(symbol, kind, freq, row) for row in given if isinstance(row, dict))
    return tuple(sorted((row for row in found if row), key=lambda row: row.period_end, reverse=True))


def _statement(symbol: str, kind: StatementKind, freq: Frequency, row: Mapping[str, Any]) -> Statement | None:
    period_end = _day(row.get("report_period"))
    period = _fiscal(row.get("fiscal_period"), freq, period_end) if period_end else None
    annual = freq == "annual" or period is None or period[1] == "Q4"
    known = _statement_known(row.get("filing_date"), period_end, annual=annual) if period_end else None
    since = known[0] if known else None
    items = _items(kind, row, since)
    if period_end is None or period is None or not items:
        lost("statement", since=since, report_period=period_end, fiscal_period=period, items=items or None)
        return None
    year, quarter = period
    if known is None:
        return None
    return Statement(
        symbol=symbol,
        kind=kind,
        frequency=freq,
        fiscal_year=year,
        fiscal_period=quarter,
        period_end=period_end,
        known_at=known[0],
        known_by=known[1],
        currency=(_text(row.get("currency")) or NOT_STATED).upper(),
        source=VENDOR,
        items=items,
    )


def _fiscal(text: Any, freq: Frequency, period_end: date) -> tuple[int, str] | None:
    """Return the fiscal year and period; a missing year follows from the period's end, a missing quarter doesn't."""
    written = _FISCAL.fullmatch(text) if isinstance(text, str) else None
    if freq == "annual":
        return (int(written[1]) if written else fiscal_year(period_end)), "FY"
    return (int(written[1]), f"Q{written[2]}") if written and written[2] else None


def _statement_known(filed: Any, period_end: date, *, annual: bool) -> tuple[datetime, KnownBy] | None:
    """Return when a statement was known and how that was found; None for a period outside the calendar."""
    day = _day(filed)
    try:
        if day is not None and day > period_end:
            return sessions().next_open(day), "accepted"
        return assumed_known_at(period_end, annual=annual), "assumed"
    except ValueError:
        return None


def _items(kind: StatementKind, row: Mapping[str, Any], since: datetime | None) -> dict[str, float]:
    values = {item: number(row.get(name)) for item, name in ITEMS[kind].items()}
    items = {item: value for item, value in values.items() if value is not None}
    for item, name in ITEMS[kind].items():
        if values[item] is None:
            unread(name, row.get(name), since=since)
    for item in _MONEY_OUT:
        if item in items:
            items[item] = -abs(items[item])  # regardless of the source's sign
    if items.get("share_repurchases", -1.0) >= 0.0:
        del items["share_repurchases"]  # net of shares issued: more came in than went out
    if "operating_cash_flow" in items and "capital_expenditure" in items:
        items["free_cash_flow"] = items["operating_cash_flow"] + items["capital_expenditure"]
    return items


def insiders_of(symbol: str, given: Iterable[Any]) -> tuple[InsiderTransaction, ...]:
    """Return reported trades, newest first; rows without a person, a day or a number of shares are left out."""
    found = (_trade(symbol, row) for row in given if isinstance(row, dict))
    return tuple(sorted((row for row in found if row), key=lambda row: row.transaction_date, reverse=True))


def _trade(symbol: str, row: Mapping[str, Any]) -> InsiderTransaction | None:
    name, shares = _text(row.get("name")), number(row.get("transaction_shares"))
    traded, filed = _day(row.get("transaction_date")), _day(row.get("filing_date"))
    if name is None or traded is None or not shares:
        if shares != 0:
            lost("insider trade", name=name, transaction_date=traded, transaction_shares=shares)
        return None
    try:
        on_file = filed if filed is not None and filed >= traded else None
        known_at = sessions().next_open(on_file) if on_file else assumed_reported_at(traded)
    except ValueError:  # outside the calendar
        return None
    told = _text(row.get("transaction_type"))
    if "transaction_type" not in row:  # empty where the form names none
        lost("insider trade", since=known_at, transaction_type=None)
        return None
    if "title" not in row:  # null of who has no office
        lost("office of an insider", since=known_at, title=None)
    return InsiderTransaction(
        symbol=symbol,
        insider=name,
        relation=_text(row.get("title")) or ("Director" if row.get("is_board_director") is True else ""),
        kind=insider_kind(told or ""),
        shares=abs(shares),
        value=_value(row, shares),
        transaction_date=traded,
        known_at=known_at,
        known_by="assumed" if on_file is None else "accepted",
        text=", ".join(part for part in (told, _text(row.get("security_title"))) if part),
    )


def insider_kind(told: str) -> InsiderKind:
    """Return a transaction's kind from its type; `other` if unknown.

    Neither sign nor price decides: an exercise has a price too, and a sale may be written without a sign.
    """
    lowered = told.lower()
    return next((kind for word, kind in _KINDS if word in lowered), "other")


def _value(row: Mapping[str, Any], shares: float) -> float | None:
    value, price = number(row.get("transaction_value")), number(row.get("transaction_price_per_share"))
    return abs(value) if value else abs(shares * price) if price else None


def news_of(symbol: str, given: Iterable[Any]) -> tuple[NewsItem, ...]:
    """Return articles newest first, each title once; those without a title or a date are left out."""
    found: dict[str, NewsItem] = {}
    for row in given:
        item = _article(symbol, row) if isinstance(row, dict) else None
        if item is not None:
            found.setdefault(item.title.casefold(), item)
    return tuple(sorted(found.values(), key=lambda item: item.published_at, reverse=True))


def _article(symbol: str, row: Mapping[str, Any]) -> NewsItem | None:
    title, published = _text(row.get("title")), _published(row.get("date"))
    if title is None or published is None:
        lost("article", title=title, date=published)
        return None
    moment, day_only = published
    try:
        known_at = sessions().next_open(moment.date()) if day_only else moment
    except ValueError:  # outside the calendar
        return None
    return NewsItem(
        title=title,
        published_at=moment,
        known_at=known_at,
        source=_text(row.get("source")),
        url=_text(row.get("url")),
        symbol=symbol,
        day_only=day_only,
    )


def _published(text: Any) -> tuple[datetime, bool] | None:
    """Return an article's instant, and whether only its day is given; a time without a zone counts as a day."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            return moment.astimezone(UTC), False
        if moment.time() != time():
            without_zone("date", moment.date())
        return datetime.combine(moment.date(), time(), tzinfo=UTC), True
    except (TypeError, ValueError, OverflowError):
        return None


def number(value: Any) -> float | None:
    """Return a finite number unchanged; None for anything else, including text and booleans."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def _day(value: Any) -> date | None:
    try:
        return date.fromisoformat(value[:10])
    except (TypeError, ValueError):
        return None


def _text(value: Any) -> str | None:
    words = " ".join(value.split()) if isinstance(value, str) else ""
    return None if words.lower() in _NOTHING else words
