"""What a second vendor gives for the figures of a world: those of its vendor, as Yahoo calls them."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import product
from typing import Any, get_args

from tests.support import yahoo_server as yahoo
from tradingagents.dataflows.models import Frequency, Prices, Statement, StatementKind
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.yfinance.line_items import STATEMENT_ROWS
from tradingagents.errors import TradingAgentsError

REACH = {"quarterly": 5, "annual": 4}
"""Periods that Yahoo gives."""
YEARS = timedelta(days=1200)


def as_of_yahoo(vendor: Vendor, symbol: str, day: date) -> tuple[Any, Any]:
    """Return a chart, None where the vendor has no prices, and time series.

    Args:
        vendor: Whose figures they are.
        symbol: Of the company.
        day: The last day.
    """
    return _chart(vendor, symbol, day), _series(vendor, symbol)


def _chart(vendor: Vendor, symbol: str, day: date) -> Any:
    prices = None
    for days in (YEARS, timedelta(days=130)):  # a free plan goes back a hundred sessions
        try:
            prices = prices or vendor.get_stock_data(symbol, day - days, day)
        except (TradingAgentsError, NotImplementedError):
            continue
    return None if prices is None else chart_of(prices)


def chart_of(prices: Prices) -> Any:
    """Return prices as Yahoo's chart, with the splits and dividends of its days."""
    columns = zip(prices.open, prices.high, prices.low, prices.close, prices.adj_close, prices.volume, strict=True)
    bars = {str(day): tuple(map(float, row)) for day, row in zip(prices.days, columns, strict=True)}
    splits = {str(split.day): _ratio(split.ratio) for split in prices.splits if str(split.day) in bars}
    paid = {str(one.day): one.amount for one in prices.dividends if str(one.day) in bars}
    return yahoo.chart(prices.symbol, bars, splits=splits, dividends=paid)


def _ratio(ratio: float) -> tuple[int, int]:
    return (round(ratio), 1) if ratio >= 1 else (1, round(1 / ratio))


def _series(vendor: Vendor, symbol: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    kinds: tuple[StatementKind, ...] = get_args(StatementKind)
    frequencies: tuple[Frequency, ...] = get_args(Frequency)
    for kind, freq in product(kinds, frequencies):
        try:
            rows = vendor.get_statements(symbol, kind, freq)
        except (TradingAgentsError, NotImplementedError):
            continue
        newest = {row.period_end: row for row in sorted(rows, key=lambda row: row.known_at)}
        for end in sorted(newest, reverse=True)[: REACH[freq]]:
            _add(found, newest[end], freq)
    return found


def _add(found: dict[str, dict[str, float]], row: Statement, freq: Frequency) -> None:
    for item, names in STATEMENT_ROWS[row.kind].items():
        if item in row.items:
            found.setdefault(f"{freq}{names[0]}", {})[row.period_end.isoformat()] = row.items[item]
