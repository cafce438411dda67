"""A session of the market: the five main US indices, and the stocks that rose, fell or traded most, ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, ClassVar

from tradingagents.analytics.least_history import YEAR, short_history_note
from tradingagents.analytics.market.scanned import (
    LEAP,
    TODAY_S_EDITION,
    ScannedCompany,
    StockQuote,
    current,
    leap_note,
    seen_stock,
    session_note,
    short_name,
    table,
)
from tradingagents.analytics.price.returns import last_day
from tradingagents.analytics.price.stock_data import year_range
from tradingagents.analytics.text import one_line
from tradingagents.dataflows.models import Mover, MoverCategory, Prices
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.reference.sectors import DISPLAY, FUNDS, INDICES
from tradingagents.dataflows.results import Result
from tradingagents.dataflows.vendors.universe import ranked
from tradingagents.errors import NoData
from tradingagents.schemas.records import IndexRecord

INSTEAD = (
    "The source has no indices: funds that track them are shown, with prices in USD instead of points; there is no VIX."
)
INDEX_HEADER = "| Index | Current Price | Change | Change % | 52W High | 52W Low |"


class IndexRow(IndexRecord):
    """One index at its last close."""

    def figures(self) -> tuple[Figure, ...]:
        """Return level, changes and range, named by the symbol."""
        return (
            Figure(f"{self.symbol}_last", self.last),
            Figure(f"{self.symbol}_change", self.change),
            Figure(f"{self.symbol}_change_pct", self.change_pct, "%"),
            Figure(f"{self.symbol}_high_52w", self.high_52w),
            Figure(f"{self.symbol}_low_52w", self.low_52w),
        )


class MarketIndices(Result):
    """The main indices at one session."""

    tabulated: ClassVar[bool] = True

    indices: tuple[IndexRow, ...]
    """In display order; indices without data of the session are missing. Funds if the source has no index."""

    @property
    def title(self) -> str:
        """Heading."""
        return "Market indices"

    def figures(self) -> tuple[Figure, ...]:
        """Return level, changes and range of every index."""
        return tuple(figure for row in self.indices for figure in row.figures())

    def body(self) -> str:
        """Return the indices as a table."""
        return table(
            INDEX_HEADER,
            ((f"{row.name} ({row.symbol})", *(figure.text for figure in row.figures())) for row in self.indices),
        )

    def kept(self) -> dict[str, Any]:
        """Return the indices as JSON."""
        return {"indices": [row.as_json() for row in self.indices]}


def market_indices(series: Mapping[str, Prices], *, as_of: date, session: date, known_at: datetime) -> MarketIndices:
    """Return the indices at their newest session.

    Args:
        series: Bars of `INDICES`, or of `FUNDS` if there are none, by symbol; one that is missing, ends before the
            others or has only one close is left out, and a note names it.
        session: The last closed session.
        known_at: When its bars became known.

    Raises:
        NoData: No index or fund has usable prices.
    """
    shown = INDICES if not series or any(symbol in series for symbol in INDICES) else FUNDS
    fresh = current({symbol: series[symbol] for symbol in shown if _has_change(series.get(symbol))})
    if not fresh:
        raise NoData(
            f"None of {', '.join(INDICES)} has prices of {session}; choose a vendor that has, or continue without it."
        )
    missing = [f"{name} ({symbol})" for symbol, name in shown.items() if symbol not in fresh]
    end = max(last_day(prices) for prices in fresh.values())
    return MarketIndices(
        as_of=as_of,
        source="+".join(sorted({prices.vendor for prices in fresh.values()})),
        known_at=known_at,
        fetched_at=max(prices.fetched_at for prices in fresh.values()),
        end=end,
        rows=sum(len(prices) for prices in fresh.values()),
        inputs=tuple(fresh),
        notes=(
            *session_note(end, session),
            *((INSTEAD,) if shown is FUNDS else ()),
            *((f"Left out for want of prices of {end}: {', '.join(missing)}.",) if missing else ()),
            *filter(None, (short_history_note(prices, ("high_52w", "low_52w")) for prices in fresh.values())),
        ),
        indices=tuple(_index_row(prices) for prices in fresh.values()),
    )


def _has_change(prices: Prices | None) -> bool:
    if prices is None or len(prices) < 2 or prices.is_cut(last_day(prices) - YEAR) or prices.spans_gap(2):
        return False
    return bool(prices.close[-2] > 0 and prices.close[-1] > 0)


def _index_row(prices: Prices) -> IndexRow:
    last, before = float(prices.close[-1]), float(prices.close[-2])
    high, low = year_range(prices)
    return IndexRow(
        symbol=prices.symbol,
        name=INDICES.get(prices.symbol) or FUNDS[prices.symbol],
        last=last,
        change=last - before,
        change_pct=100 * (last / before - 1),
        high_52w=high,
        low_52w=low,
    )


SHOWN = 15
"""Maximum number of stocks shown, as documented."""
MOVER_HEADER = "| Symbol | Name | Price | Change % | Volume | Market Cap | Sector |"


class MoverRow(StockQuote):
    """One stock of a ranking."""

    written_last: ClassVar[tuple[str, ...]] = ("currency",)

    change_pct: float
    """Percent since the previous close, dividends not included; as traded, unless a note names the stock."""
    volume: float
    """Shares traded in the session."""
    market_cap: float | None
    """In `currency`; None if the source has none."""
    sector: str | None
    """Sector key; None if unknown."""

    def figures(self) -> tuple[Figure, ...]:
        """Return price, change, volume and market value, named by the symbol."""
        return (
            Figure(f"{self.symbol}_price", self.price, self.currency),
            Figure(f"{self.symbol}_change_1d", self.change_pct, "%"),
            Figure(f"{self.symbol}_volume", round(self.volume), "shares"),
            Figure(f"{self.symbol}_market_cap", self.market_cap, self.currency),
        )


class MarketMovers(Result):
    """The stocks that rose, fell or traded most in one session."""

    tabulated: ClassVar[bool] = True

    category: MoverCategory
    session: date
    """The session of the moves."""
    movers: tuple[MoverRow, ...]
    """At most fifteen: by largest rise, by largest fall, or by shares traded."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Market movers: {self.category}"

    @property
    def subject(self) -> str | None:
        """The category."""
        return self.category

    def figures(self) -> tuple[Figure, ...]:
        """Return price, change, volume and market value of every stock shown."""
        return tuple(figure for row in self.movers for figure in row.figures())

    def body(self) -> str:
        """Return the stocks as a table."""
        if not self.movers:
            return f"No stock qualifies as {self.category} on {self.session}."
        return table(MOVER_HEADER, (_cells(row) for row in self.movers))

    def kept(self) -> dict[str, Any]:
        """Return the stocks listed, for the scan's state."""
        tool = f"get_market_movers:{self.category}"
        return {
            "seen": {
                row.symbol: seen_stock(
                    ScannedCompany(name=row.name, sector=row.sector), tool, {"change_1d": row.change_pct}
                )
                for row in self.movers
            }
        }


def market_movers(
    movers: Sequence[Mover],
    *,
    as_of: date,
    category: MoverCategory,
    session: date,
    live: bool,
    trading: bool,
    fetched_at: datetime,
    source: str,
) -> MarketMovers:
    """Rank stocks by their move or volume in a session.

    Args:
        movers: Stocks given by the vendor, in any order; may be empty.
        category: The ranking.
        live: Whether the session is the latest one, so that today's list of companies applies to it.
        trading: Whether the session is still open.
        fetched_at: When the vendor delivered them.
    """
    shown = ranked(category, movers, SHOWN)
    currencies = {mover.currency for mover in shown}
    return MarketMovers(
        as_of=as_of,
        source=source,
        currency=currencies.pop() if len(currencies) == 1 else None,
        known_at=max((mover.known_at for mover in shown), default=None),
        fetched_at=fetched_at,
        start=session,
        end=session,
        rows=len(shown),
        notes=_notes(shown, session, live=live, trading=trading),
        category=category,
        session=session,
        movers=tuple(_mover_row(mover) for mover in shown),
    )


def _notes(shown: Sequence[Mover], session: date, *, live: bool, trading: bool) -> tuple[str, ...]:
    adjusted = ", ".join(mover.symbol for mover in shown if mover.adjusted)
    among = max((mover.among for mover in shown if mover.among is not None), default=None)
    under_way = f"The session of {session} is under way: prices, changes and volumes are those of the moment."
    as_traded = f"Prices and volumes adjusted for dividends and splits since, so not as traded: {adjusted}."
    return (
        *((under_way,) if trading else ()),
        *((f"Ranked among the {among} stocks the source has of this session.",) if among is not None else ()),
        *leap_note(mover.symbol for mover in shown if abs(mover.change_pct) > LEAP),
        *((as_traded,) if adjusted else ()),
        *(() if live else (TODAY_S_EDITION,)),
    )


def _mover_row(mover: Mover) -> MoverRow:
    return MoverRow(
        symbol=one_line(mover.symbol),
        name=short_name(mover.name),
        price=mover.price,
        change_pct=mover.change_pct,
        volume=mover.volume,
        market_cap=mover.market_cap,
        sector=mover.sector,
        currency=mover.currency,
    )


def _cells(row: MoverRow) -> tuple[str, ...]:
    sector = DISPLAY.get(row.sector, MISSING) if row.sector else MISSING
    return (row.symbol, row.name, *(figure.text for figure in row.figures()), sector)
