"""The market of a capability that is asked outside a run, with the settings of `dataflows.config`.

The question may name its day. Else it is dated by its latest date argument, so that nothing known only later is in the
answer; one with a date in the future is dated by today, one without a date by `default_day`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from tradingagents.dataflows.config import current_settings
from tradingagents.dataflows.cutoff import Moment, latest_day, utc_now
from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache, Memo
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.look_up import default_day
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.reference.symbols import MARKET, normalise
from tradingagents.errors import BadSymbol
from tradingagents.settings import Settings


def open_market(
    arguments: Mapping[str, Any],
    *,
    as_of: date | None = None,
    settings: Settings | None = None,
    vendors: Vendors | None = None,
    memo: Memo | None = None,
) -> MarketData:
    """Return the market as of the day of a question.

    Args:
        arguments: Those of the question, checked.
        as_of: The day, where it is named; None: the latest date among the arguments.
        settings: Chooses the vendors; None: those of `dataflows.config`.
        vendors: Where they live; None makes them.
        memo: Answers that questions share; None for none.
    """
    settings = settings or current_settings()
    symbol = symbol_of(arguments)
    exchange = exchange_of(symbol)
    if as_of is None:
        dates = [value for value in arguments.values() if isinstance(value, date)]
        as_of = min(max(dates), latest_day(exchange, utc_now())) if dates else default_day(settings, symbol)
    cache = DiskCache(settings.home_dir / CACHE_FILE)
    return MarketData(
        settings,
        as_of,
        exchange=exchange,
        vendors=vendors or Vendors(settings),
        cache=cache,
        memo=memo,
        moment=Moment(at=settings.decide_at),
    )


def symbol_of(arguments: Mapping[str, Any]) -> str:
    """Return the symbol that a question is about, in our spelling; the market's where it names none."""
    named = next((arguments[name] for name in ("symbol", "ticker") if name in arguments), None)
    return _symbol(named) if isinstance(named, str) else MARKET


def _symbol(named: str) -> str:
    """Return a symbol in our spelling; where a company is named in words, the market stands for it."""
    try:
        return normalise(named)
    except BadSymbol:
        return MARKET
