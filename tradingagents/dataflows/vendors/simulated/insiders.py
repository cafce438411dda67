"""Trades of insiders: more purchases after falls, more sales after rises, and a grant to each officer every year."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal

import numpy as np

from tradingagents.dataflows.models import InsiderTransaction
from tradingagents.dataflows.vendors.simulated.shares import Share, before_split
from tradingagents.dataflows.vendors.simulated.streams import stream
from tradingagents.dataflows.vendors.simulated.timeline import Timeline

RELATIONS = ("Chief Executive Officer", "Chief Financial Officer", "General Counsel", "Director", "Director")
_FIRST_NAMES = ("Ada", "Bruno", "Celia", "Dario", "Edda", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Klara", "Leon")
_LAST_NAMES = (
    "Ashgrove", "Bellwater", "Crowmarsh", "Dunmere", "Elderfen", "Foxholt", "Greyhurst", "Hollowell",
    "Ivorsen", "Kestreldale", "Larchmont-Ives", "Moorcastle", "Nettlesby", "Oakvale", "Pinemoor", "Quarrington",
)  # fmt: skip
_LOOK_BACK = 60  # sessions
_BUY, _BUY_PER_FALL = 0.003, 0.06  # chance a session, and what each unit of a fall beyond a tenth adds
_SELL, _SELL_PER_RISE = 0.010, 0.03
_FILING_FROM = time(20, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Trade:
    position: int
    officer: int
    kind: Literal["buy", "sell", "grant"]
    dollars: float


def transactions_of(share: Share, seed: int, timeline: Timeline) -> tuple[InsiderTransaction, ...]:
    """Return the trades filed within the calendar, newest first."""
    delays = stream(seed, share.company.symbol, "insider-filings").random((len(timeline), 2))
    prices = share.series.close * before_split(share.company, timeline)
    filed = []
    for trade in (*_trades(share, seed, timeline), *_grants(share, timeline)):
        known_at = _filing(trade, delays[trade.position].tolist(), timeline)
        if known_at is not None:
            filed.append(_transaction(share, trade, float(prices[trade.position]), known_at, timeline))
    return tuple(sorted(filed, key=lambda row: (row.known_at, row.insider), reverse=True))


def _trades(share: Share, seed: int, timeline: Timeline) -> Iterator[_Trade]:
    """Yield purchases and sales in the open market."""
    count, close = len(timeline), share.series.close
    drawn = stream(seed, share.company.symbol, "insiders").random((count, 3))
    before = close[np.maximum(np.arange(count) - _LOOK_BACK, 0)]
    change = close / before - 1.0
    buys = _BUY + _BUY_PER_FALL * np.maximum(-change - 0.1, 0.0)
    sells = _SELL + _SELL_PER_RISE * np.maximum(change, 0.0)
    for position in np.flatnonzero(drawn[:, 0] < buys + sells).tolist():
        if position < share.series.first:
            continue
        chance, officer, size = drawn[position].tolist()
        buys_now = chance < buys[position]
        smallest, orders_of_magnitude = (4e4, 1.4) if buys_now else (1.5e5, 1.6)
        dollars = smallest * 10.0 ** (orders_of_magnitude * size)
        yield _Trade(position, int(officer * len(RELATIONS)), "buy" if buys_now else "sell", dollars)


def _grants(share: Share, timeline: Timeline) -> Iterator[_Trade]:
    """Yield a yearly grant of shares to each officer, two months after the fiscal year's end."""
    month = share.company.year_end % 12 + 2
    for year in range(timeline.days[0].year, timeline.days[-1].year + 1):
        position = timeline.position(date(year, min(month, 12), 10))
        if share.series.first <= position < len(timeline):
            yield from (_Trade(position, officer, "grant", 1e6 / (officer + 1)) for officer in range(len(RELATIONS)))


def _filing(trade: _Trade, chances: list[float], timeline: Timeline) -> datetime | None:
    """Return when a trade is filed: after the close one or two sessions later; None beyond the calendar."""
    position = trade.position + (1 if chances[0] < 0.4 else 2)
    if position >= len(timeline):
        return None
    session = timeline.days[position]
    close = max(timeline.calendar.close_of(session), datetime.combine(session, _FILING_FROM))
    return close + timedelta(minutes=5 + int(chances[1] * 55))


def _transaction(
    share: Share, trade: _Trade, price: float, known_at: datetime, timeline: Timeline
) -> InsiderTransaction:
    """Write a trade down, in the shares and at the price of its day."""
    number = max(round(trade.dollars / price / 10.0) * 10, 10)
    verb = {"buy": "Purchase", "sell": "Sale", "grant": "Grant"}[trade.kind]
    return InsiderTransaction(
        symbol=share.company.symbol,
        insider=officer_name(share.company.symbol, trade.officer),
        relation=RELATIONS[trade.officer],
        kind=trade.kind,
        shares=float(number),
        value=None if trade.kind == "grant" else round(number * price, 2),
        transaction_date=timeline.days[trade.position],
        known_at=known_at,
        text=f"{verb} of {number:,} shares" + ("" if trade.kind == "grant" else f" at {price:.2f} USD"),
    )


def officer_name(symbol: str, officer: int) -> str:
    """Return the fictional name of a company's officer; `officer` is a position in `RELATIONS`."""
    digest = hashlib.sha256(f"{symbol}/{officer}".encode()).digest()
    return f"{_FIRST_NAMES[digest[0] % len(_FIRST_NAMES)]} {_LAST_NAMES[digest[1] % len(_LAST_NAMES)]}"
