"""What the answers of a market scan have in common: tables, the stocks that stand in them, and shared doubts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.price.returns import last_day
from tradingagents.analytics.text import cut, one_line
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.metrics import MISSING

NAME_LENGTH = 60
LEAP = 40.0
"""Percent in one session beyond which a move of a large company is as likely a split or spin-off nobody recorded."""
TODAY_S_EDITION = (
    "Which companies there are, and their sectors, is today's edition: those delisted or renamed since are missing."
)


class ScannedCompany(BaseModel):
    """Who a ticker is, as far as the scan needs it."""

    model_config = ConfigDict(frozen=True)

    name: str
    sector: str | None
    """Sector key; None where unknown."""


def table(header: str, rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table under a header line; cells must hold no bars (`one_line` sees to that)."""
    rule = "|" + "---|" * (header.count("|") - 1)
    return "\n".join((header, rule, *(f"| {' | '.join(cells)} |" for cells in rows)))


def figure_name(words: str) -> str:
    """Return words from outside as the name of a figure: `Oil & Gas` oil_gas."""
    return re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_") or "unnamed"


def short_name(name: str) -> str:
    """Return a company's name from outside, safe and short enough for a cell; `n/a` for none."""
    return cut(one_line(name), NAME_LENGTH) or MISSING


def seen_stock(company: ScannedCompany, tool: str, figures: Mapping[str, float | None]) -> dict[str, Any]:
    """Return a stock as a scan's state keeps it.

    Args:
        company: Who it is.
        tool: In whose answer it stood, such as `get_market_movers:day_gainers`.
        figures: Percent: `change_1d`, `return_1w`, `return_1m`; unknown ones are left out.
    """
    known = {name: value for name, value in figures.items() if value is not None}
    return {"name": company.name, "sector": company.sector, "tools": [tool], "figures": known}


def named_ahead(day: date, known_at: datetime) -> bool:
    """Tell whether a calendar named a day before it came; two dates apart, so that no time zone makes it seem so."""
    return known_at.date() < day - timedelta(days=1)


def current(series: Mapping[str, Prices]) -> dict[str, Prices]:
    """Keep the series whose last bar is of the newest session among them: the others did not trade that day."""
    newest = max((last_day(prices) for prices in series.values()), default=None)
    return {symbol: prices for symbol, prices in series.items() if last_day(prices) == newest}


def session_note(newest: date, session: date) -> tuple[str, ...]:
    """Return the note that prices end before the session asked about; () where they do not."""
    return (f"The newest prices are of {newest}, not of {session}.",) if newest < session else ()


def leap_note(symbols: Iterable[str]) -> tuple[str, ...]:
    """Return the note on stocks that leapt (see `LEAP`); () for none."""
    named = ", ".join(symbols)
    if not named:
        return ()
    return (f"Over {LEAP:.0f}% in one session, perhaps a corporate action the source did not record: {named}.",)
