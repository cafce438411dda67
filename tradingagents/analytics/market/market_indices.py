"""The five main US indices at the last session: level, change and 52-week range."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.least_history import YEAR, short_history_note
from tradingagents.analytics.market.scanned import current, session_note, table
from tradingagents.analytics.price.returns import last_day
from tradingagents.analytics.price.stock_data import year_range
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.sectors import FUNDS, INDICES
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData
from tradingagents.schemas.records import IndexRecord

INSTEAD = (
    "The source has no indices: funds that track them are shown, with prices in USD instead of points; there is no VIX."
)
HEADER = "| Index | Current Price | Change | Change % | 52W High | 52W Low |"


class IndexRow(BaseModel):
    """One index at its last close."""

    model_config = ConfigDict(frozen=True)

    symbol: str
    name: str
    last: float
    """Last close, points."""
    change: float
    """Points since the previous close."""
    change_pct: float
    """Percent since the previous close."""
    high_52w: float | None
    """Highest high of the last 365 days, in points; None when the history is shorter."""
    low_52w: float | None
    """Lowest low of the same days."""

    def figures(self) -> tuple[Figure, ...]:
        """Return level, changes and range, named by the symbol."""
        return (
            Figure(f"{self.symbol}_last", self.last),
            Figure(f"{self.symbol}_change", self.change),
            Figure(f"{self.symbol}_change_pct", self.change_pct, "%"),
            Figure(f"{self.symbol}_high_52w", self.high_52w),
            Figure(f"{self.symbol}_low_52w", self.low_52w),
        )

    def to_record(self) -> IndexRecord:
        """Return the index in the form of the scan's record."""
        return IndexRecord(
            symbol=self.symbol,
            name=self.name,
            last=self.last,
            change=self.change,
            change_pct=self.change_pct,
            high_52w=self.high_52w,
            low_52w=self.low_52w,
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
            HEADER,
            ((f"{row.name} ({row.symbol})", *(figure.text for figure in row.figures())) for row in self.indices),
        )

    def kept(self) -> dict[str, Any]:
        """Return the indices in the form of the scan's record."""
        return {"indices": [row.to_record() for row in self.indices]}


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
        indices=tuple(_row(prices) for prices in fresh.values()),
    )


def _has_change(prices: Prices | None) -> bool:
    if prices is None or len(prices) < 2 or prices.is_cut(last_day(prices) - YEAR) or prices.spans_gap(2):
        return False
    return bool(prices.close[-2] > 0 and prices.close[-1] > 0)


def _row(prices: Prices) -> IndexRow:
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
