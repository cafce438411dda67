"""What a second vendor gives for the figures of a world: those of its vendor, as Yahoo or EDGAR calls them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import product
from typing import Any, get_args

from tests.dataflows.vendors.sec_payloads import Facts, entry, submissions
from tests.support import yahoo_server as yahoo
from tradingagents.dataflows.models import Frequency, Prices, Statement, StatementKind
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES
from tradingagents.dataflows.reference.xbrl_tags import RECIPES
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.yfinance.line_items import STATEMENT_ROWS
from tradingagents.errors import TradingAgentsError

REACH = {"quarterly": 5, "annual": 4}
"""Periods that Yahoo gives."""
YEARS = timedelta(days=1200)
FILED_AFTER = timedelta(days=40)
"""How long after its end a period is filed, where no filing is recorded."""
QUARTER = timedelta(days=90)


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
    for freq, rows in _statements(vendor, symbol):
        newest = {row.period_end: row for row in sorted(rows, key=lambda row: row.known_at)}
        for end in sorted(newest, reverse=True)[: REACH[freq]]:
            _add(found, newest[end], freq)
    return found


def _statements(vendor: Vendor, symbol: str) -> Iterator[tuple[Frequency, tuple[Statement, ...]]]:
    """Yield the statements of each kind and frequency that a vendor has."""
    kinds: tuple[StatementKind, ...] = get_args(StatementKind)
    frequencies: tuple[Frequency, ...] = get_args(Frequency)
    for kind, freq in product(kinds, frequencies):
        try:
            yield freq, vendor.get_statements(symbol, kind, freq)
        except (TradingAgentsError, NotImplementedError):
            continue


def _add(found: dict[str, dict[str, float]], row: Statement, freq: Frequency) -> None:
    for item, names in STATEMENT_ROWS[row.kind].items():
        if item in row.items:
            found.setdefault(f"{freq}{names[0]}", {})[row.period_end.isoformat()] = row.items[item]


def as_of_edgar(vendor: Vendor, symbol: str) -> Any:
    """Return the facts of the company's own filings, with the figures that a vendor gives."""
    facts, numbers = Facts(), dict[date, int]()
    for freq, rows in _statements(vendor, symbol):
        for row in rows:
            number = numbers.setdefault(row.period_end, len(numbers) + 1)
            filed = (row.period_end + FILED_AFTER).isoformat()
            form = "10-K" if freq == "annual" or row.fiscal_period == "Q4" else "10-Q"
            days = (4 * QUARTER if freq == "annual" else QUARTER) + timedelta(days=1)
            first, last = (row.period_end - days).isoformat(), row.period_end.isoformat()
            period = last if row.kind == "balance" else (first, last)
            for item, value in row.items.items():
                unit = f"{row.currency}/shares" if item in PER_SHARE else "shares" if item in SHARES else row.currency
                recipe = RECIPES["us-gaap"][row.kind].get(item, (("",),))[0]
                if len(recipe) == 1 and recipe[0]:
                    facts.add(number, form, filed, period, unit, **{recipe[0]: value})
    return facts.page()


def index_of(facts: Any, name: str) -> Any:
    """Return EDGAR's index of the filings that hold facts."""
    forms: dict[str, tuple[str, str, str]] = {}
    tags = [tag for name, tags in facts["facts"].items() if name != "dei" for tag in tags.values()]
    for row in (row for tag in tags for rows in tag["units"].values() for row in rows):
        known = forms.get(row["accn"], ("", "", ""))
        forms[row["accn"]] = (row["filed"], row["form"], max(known[2], row["end"]))
    lines = [
        entry(0, form, f"{filed}T21:05:00.000Z", accessionNumber=number, reportDate=end)
        for number, (filed, form, end) in sorted(forms.items(), key=lambda item: item[1], reverse=True)
    ]
    return submissions(*lines, name=name)
