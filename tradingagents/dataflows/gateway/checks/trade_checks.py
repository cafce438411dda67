"""Validity of insider trades: each counted once, at a price that was possible on its day and is the one stated."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import InsiderTransaction, Prices

FURTHEST_PRICE = 3.0
"""A trade in the open market is made near the day's prices; of 310 recorded ones none is off the close by a factor of
1.5. Beyond this factor the price, the number of shares or the currency is wrong."""
STATED_NEAR, ROUNDING = 1.01, 0.005
"""How far a price may be off the one that its source states in words: of 422 recorded ones none was by 0.6 %."""
_NUMBER = r"(\d{1,9}(?:,\d{3}){0,3}(?:\.\d{1,6})?)"
_STATED = re.compile(rf"at price {_NUMBER}(?: - {_NUMBER})? per")
OPEN_MARKET = ("buy", "sell")
LONGEST_WAIT = np.timedelta64(7, "D")
"""How long before a trade the last close may be, over holidays and halts."""


def distinct_trades(
    trades: tuple[InsiderTransaction, ...], instant: datetime
) -> tuple[tuple[InsiderTransaction, ...], tuple[Fault, ...]]:
    """Return the trades without those that are reported again, as first reported, and a fault for each left out.

    An amended form repeats the trades of the form before, and some sources list a form twice. Sources that list a
    trade of two equal lots word them differently. Trades reported after the cut-off are not looked at.

    Args:
        instant: The cut-off.

    Returns:
        `trades` itself where none is repeated.
    """
    first: dict[tuple[object, ...], int] = {}
    kept: dict[int, InsiderTransaction] = {}
    faults: list[Fault] = []
    for place, trade in sorted(enumerate(trades), key=lambda found: found[1].known_at):
        if trade.known_at > instant or first.setdefault(_identity(trade), place) == place:
            kept[place] = trade
            continue
        what = f"{_words(trade)} is reported again on {trade.known_at:%Y-%m-%d}"
        faults.append(Fault(trade.symbol, trade.transaction_date, what, "it counts once", trade, "repeated-row"))
    if not faults:
        return trades, ()
    return tuple(kept[place] for place in sorted(kept)), tuple(faults)


def possible_trades(
    trades: Sequence[InsiderTransaction], prices: Prices
) -> tuple[tuple[InsiderTransaction, ...], tuple[Fault, ...]]:
    """Return the trades, those in the open market at a price that the day cannot have had withheld, and their faults.

    Whether such a trade's price or its number of shares is wrong cannot be told.

    Args:
        trades: In the shares that the prices are in.
        prices: Bars of the symbol, as traded at the cut-off.
    """
    found: list[InsiderTransaction] = []
    faults: list[Fault] = []
    for trade in trades:
        off = _off_price(trade, prices)
        if off is None:
            found.append(trade)
            continue
        fault = _price_fault(trade, off)
        faults.append(fault)
        found.append(replace(trade, value=None, withheld=fault.reason))
    return tuple(found), tuple(faults)


def _identity(trade: InsiderTransaction) -> tuple[object, ...]:
    name = " ".join(trade.insider.casefold().split())
    return name, trade.transaction_date, trade.kind, trade.shares, trade.value, trade.text


def _off_price(trade: InsiderTransaction, prices: Prices) -> str | None:
    """Return how a trade's price and what is known of it cannot both be; None where they can."""
    if trade.withheld or trade.kind not in OPEN_MARKET or not trade.value or not trade.shares:
        return None
    paid = abs(trade.value / trade.shares)
    return _off_words(trade, paid * trade.share_factor) or _off_market(trade, paid, prices)


def _off_words(trade: InsiderTransaction, paid: float) -> str | None:
    """Return a trade's price and the one that its source states in words, where they differ; None where not.

    Args:
        paid: A share of the day of the trade.
    """
    stated = _STATED.search(trade.text)
    if stated is None:
        return None
    low, high = (float(one.replace(",", "")) for one in (stated[1], stated[2] or stated[1]))
    if (low - ROUNDING) / STATED_NEAR <= paid <= (high + ROUNDING) * STATED_NEAR:
        return None
    words = stated[1] + (f" to {stated[2]}" if stated[2] else "")
    return f"at {paid:,.2f} a share, while its source states {words}"


def _off_market(trade: InsiderTransaction, paid: float, prices: Prices) -> str | None:
    """Return a trade's price and the close of its day where the two cannot both be; None where they can."""
    day = np.datetime64(trade.transaction_date, "D")
    place = int(np.searchsorted(prices.days, day, side="right")) - 1
    if place < 0 or day - prices.days[place] > LONGEST_WAIT:
        return None
    close = float(prices.close[place])
    far = max(paid / close, close / paid) > FURTHEST_PRICE
    return f"at {paid:,.2f} a share, while the close was {close:,.2f} {prices.currency}" if far else None


def _price_fault(trade: InsiderTransaction, how: str) -> Fault:
    return Fault(
        trade.symbol,
        trade.transaction_date,
        f"{_words(trade)} was made {how}",
        "its value and shares are in no sum",
        trade,
        kind="impossible-price",
        withholds=True,
    )


def _words(trade: InsiderTransaction) -> str:
    return f"a {trade.kind} of {abs(trade.shares):,.0f} shares by {' '.join(trade.insider.split())[:60]}"
