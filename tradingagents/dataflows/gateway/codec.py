"""What vendors answer, as JSON and back: for the cache, for recordings, and for recorded answers of a snapshot."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from tradingagents.dataflows.interface import vendor_method
from tradingagents.dataflows.models import (
    Dividend,
    EarningsEvent,
    EconomicEvent,
    Filing,
    InsiderTransaction,
    MacroSeries,
    Mover,
    NewsItem,
    Prices,
    Profile,
    Ratios,
    SectorMember,
    SocialPost,
    Split,
    Statement,
)

_STATEMENTS = TypeAdapter(tuple[Statement, ...])
_TYPES: dict[str, TypeAdapter[Any]] = {
    "get_profile": TypeAdapter(Profile),
    "get_peers": TypeAdapter(tuple[str, ...]),
    "get_fundamentals": TypeAdapter(Ratios),
    "get_statements": _STATEMENTS,
    "get_news": TypeAdapter(tuple[NewsItem, ...]),
    "get_global_news": TypeAdapter(tuple[NewsItem, ...]),
    "get_topic_news": TypeAdapter(tuple[NewsItem, ...]),
    "get_insider_transactions": TypeAdapter(tuple[InsiderTransaction, ...]),
    "get_market_movers": TypeAdapter(tuple[Mover, ...]),
    "get_industry_performance": TypeAdapter(tuple[SectorMember, ...]),
    "get_earnings_calendar": TypeAdapter(tuple[EarningsEvent, ...]),
    "get_economic_calendar": TypeAdapter(tuple[EconomicEvent, ...]),
    "get_macro_indicators": TypeAdapter(MacroSeries),
    "get_social_posts": TypeAdapter(tuple[SocialPost, ...]),
    "get_filings": TypeAdapter(tuple[Filing, ...]),
}
"""What a vendor's method answers, where it is not prices."""
ARRAYS = ("open", "high", "low", "close", "adj_close", "volume")


def encode(method: str, answer: Any) -> Any:
    """Return a vendor's answer as plain values for JSON; a NaN among prices stays one.

    Args:
        method: A documented tool method.
        answer: What the vendor's method of it returned.
    """
    if isinstance(answer, Prices):
        plain = {name: getattr(answer, name).tolist() for name in ARRAYS}
        plain["days"] = np.datetime_as_string(answer.days, unit="D").tolist()
        for name in ("symbol", "currency", "vendor", "basis", "splits_listed"):
            plain[name] = getattr(answer, name)
        plain["fetched_at"] = answer.fetched_at.isoformat()
        plain["splits_since"] = answer.splits_since.isoformat() if answer.splits_since else None
        plain["splits"] = [[split.day.isoformat(), split.ratio] for split in answer.splits]
        plain["dividends"] = [[paid.day.isoformat(), paid.amount] for paid in answer.dividends]
        return plain
    return _TYPES[vendor_method(method)].dump_python(answer, mode="json")


def decode(method: str, plain: Any) -> Any:
    """Return the answer that `encode` made plain.

    Raises:
        ValueError: It is none of this method; KeyError, TypeError likewise where prices are asked for.
    """
    if vendor_method(method) == "get_stock_data":
        return _prices(plain)
    return _TYPES[vendor_method(method)].validate_python(plain, strict=False)


def _prices(plain: dict[str, Any]) -> Prices:
    arrays = {name: np.array(plain[name], dtype=np.float64) for name in ARRAYS}
    return Prices(
        symbol=plain["symbol"],
        days=np.array(plain["days"], dtype="datetime64[D]"),
        currency=plain["currency"],
        vendor=plain["vendor"],
        basis=plain["basis"],
        splits_listed=plain.get("splits_listed", True),
        splits_since=date.fromisoformat(plain["splits_since"]) if plain.get("splits_since") else None,
        fetched_at=datetime.fromisoformat(plain["fetched_at"]),
        splits=tuple(Split(date.fromisoformat(day), ratio) for day, ratio in plain["splits"]),
        dividends=tuple(Dividend(date.fromisoformat(day), amount) for day, amount in plain["dividends"]),
        **arrays,
    )
