"""The stocks that rose, fell or traded most in a session, ranked; the first fifteen are shown."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.market.scanned import (
    LEAP,
    TODAY_S_EDITION,
    ScannedCompany,
    leap_note,
    seen_stock,
    short_name,
    table,
)
from tradingagents.analytics.text import one_line
from tradingagents.dataflows.models import Mover, MoverCategory
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.dataflows.results import Result
from tradingagents.dataflows.vendors.universe import ranked

SHOWN = 15
"""Maximum number of stocks shown, as documented."""
HEADER = "| Symbol | Name | Price | Change % | Volume | Market Cap | Sector |"


class MoverRow(BaseModel):
    """One stock of a ranking."""

    model_config = ConfigDict(frozen=True)

    symbol: str
    name: str
    price: float
    """Last price of the session, in `currency`; as traded, unless a note names the stock."""
    change_pct: float
    """Percent since the previous close, dividends not included; as traded, unless a note names the stock."""
    volume: float
    """Shares traded in the session."""
    market_cap: float | None
    """In `currency`; None if the source has none."""
    sector: str | None
    """Sector key; None if unknown."""
    currency: str

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
        return table(HEADER, (_cells(row) for row in self.movers))

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
        movers=tuple(_row(mover) for mover in shown),
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


def _row(mover: Mover) -> MoverRow:
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
