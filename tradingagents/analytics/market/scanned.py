"""Shared parts of market scan results: tables, listed stocks and common notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta

from tradingagents.analytics.price.returns import last_day
from tradingagents.analytics.text import cut, one_line
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.metrics import MISSING
from tradingagents.schemas.record import Record

NAME_LENGTH = 60
LEAP = 40.0
"""Percent in one session above which a large company's move is likely an unrecorded split or spin-off."""
TODAY_S_EDITION = (
    "Which companies there are, and their sectors, is today's edition: those delisted or renamed since are missing."
)


class ScannedCompany(Record):
    """A company's name and sector."""

    name: str
    sector: str | None
    """Sector key; None where unknown."""


class SeenStock(ScannedCompany):
    """A stock that appeared in the scan's material: a candidate."""

    tools: list[str]
    """The tools whose answers named it, such as get_market_movers:day_gainers."""
    figures: dict[str, float]
    """Known figures in percent: change_1d, return_1w, return_1m."""


class ListedStock(Record):
    """A stock in a list."""

    symbol: str
    name: str


class StockQuote(ListedStock):
    """A stock with its price at a session."""

    price: float
    """Last price of the session, in `currency`; as traded, unless a note names the stock."""
    currency: str


def table(header: str, rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; cells must not contain bars (see `one_line`)."""
    rule = "|" + "---|" * (header.count("|") - 1)
    return "\n".join((header, rule, *(f"| {' | '.join(cells)} |" for cells in rows)))


def figure_name(words: str) -> str:
    """Return external text as the name of a figure: `Oil & Gas` gives oil_gas."""
    return re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_") or "unnamed"


def short_name(name: str) -> str:
    """Return a company's name, cleaned and shortened for a table cell; `n/a` if there is none."""
    return cut(one_line(name), NAME_LENGTH) or MISSING


def seen_stock(company: ScannedCompany, tool: str, figures: Mapping[str, float | None]) -> SeenStock:
    """Return a stock in the form of the scan's state.

    Args:
        tool: The tool and argument that listed it, such as `get_market_movers:day_gainers`.
        figures: Percent: `change_1d`, `return_1w`, `return_1m`; unknown ones are omitted.
    """
    known = {name: value for name, value in figures.items() if value is not None}
    return SeenStock(name=company.name, sector=company.sector, tools=[tool], figures=known)


def named_ahead(day: date, known_at: datetime) -> bool:
    """Return whether a calendar listed a day in advance; by two dates, so that time zones cannot cause it."""
    return known_at.date() < day - timedelta(days=1)


def current(series: Mapping[str, Prices]) -> dict[str, Prices]:
    """Return the series whose last bar is of the newest session among them; the others did not trade that day."""
    newest = max((last_day(prices) for prices in series.values()), default=None)
    return {symbol: prices for symbol, prices in series.items() if last_day(prices) == newest}


def session_note(newest: date, session: date) -> tuple[str, ...]:
    """Return a note if prices end before the requested session; else ()."""
    return (f"The newest prices are of {newest}, not of {session}.",) if newest < session else ()


def leap_note(symbols: Iterable[str]) -> tuple[str, ...]:
    """Return a note on stocks with extreme moves (see `LEAP`); () if there are none."""
    named = ", ".join(symbols)
    if not named:
        return ()
    return (f"Over {LEAP:.0f}% in one session, perhaps a corporate action the source did not record: {named}.",)
