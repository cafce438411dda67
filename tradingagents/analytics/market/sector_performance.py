"""Returns of the eleven sectors' funds over a session, a week, a month and the year to date."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.market.scanned import current, session_note, table
from tradingagents.analytics.price.returns import SCAN_PERIODS, last_day, percent, scan_returns
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTOR_ETF, SECTORS
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData
from tradingagents.schemas.records import SectorRecord

HEADER = "| Sector | 1-Day % | 1-Week % | 1-Month % | YTD % |"


class SectorReturns(BaseModel):
    """One sector."""

    model_config = ConfigDict(frozen=True)

    sector: str
    """Sector key."""
    etf: str
    """Symbol of the sector's fund."""
    returns: Mapping[str, float | None]
    """Percent, by period: 1d, 1w, 1m (1, 5, 21 sessions) and ytd; dividends are included. None when the fund's history
    is missing or too short."""

    def figures(self) -> tuple[Figure, ...]:
        """Return the returns, named by the sector key."""
        return tuple(Figure(f"{self.sector}_{period}", self.returns[period], "%") for period in SCAN_PERIODS)


class SectorPerformance(Result):
    """The eleven sectors at one session."""

    tabulated: ClassVar[bool] = True

    sectors: tuple[SectorReturns, ...]
    """All eleven, in the order of `dataflows.reference.sectors.SECTORS`."""

    @property
    def title(self) -> str:
        """Heading."""
        return "Sector performance"

    def figures(self) -> tuple[Figure, ...]:
        """Return every sector's returns."""
        return tuple(figure for row in self.sectors for figure in row.figures())

    def body(self) -> str:
        """Return the sectors as a table."""
        return table(HEADER, ((DISPLAY[row.sector], *(one.text for one in row.figures())) for row in self.sectors))

    def kept(self) -> dict[str, Any]:
        """Return the sectors in the form of the scan's record."""
        return {
            "sectors": [SectorRecord(sector=row.sector, etf=row.etf, returns=dict(row.returns)) for row in self.sectors]
        }


def largest_moves(moves: Mapping[str, float | None], count: int) -> tuple[str, ...]:
    """Return the keys with the largest absolute moves, in descending order; ties in the order of `SECTORS`.

    Args:
        moves: Moves by sector key, in any common unit; None is skipped.
        count: Maximum number of keys.
    """
    moved = [(abs(move), sector) for sector in SECTORS if (move := moves.get(sector)) is not None]
    return tuple(sector for _, sector in sorted(moved, key=lambda one: -one[0])[:count])


def sector_performance(
    series: Mapping[str, Prices], *, as_of: date, session: date, known_at: datetime
) -> SectorPerformance:
    """Compute the returns of the sectors at the newest session of their funds.

    Args:
        series: Bars of the funds, by symbol; a sector whose fund is missing or ends before the others has no returns,
            and a note names it.
        session: The last closed session.
        known_at: When its bars became known.

    Raises:
        NoData: No fund has bars.
    """
    funds = current({fund: series[fund] for fund in SECTOR_ETF.values() if fund in series and len(series[fund])})
    if not funds:
        raise NoData(
            f"No sector fund ({', '.join(SECTOR_ETF.values())}) has prices of {session}; choose another vendor."
        )
    missing = [f"{DISPLAY[sector]} ({fund})" for sector, fund in SECTOR_ETF.items() if fund not in funds]
    end = max(last_day(prices) for prices in funds.values())
    return SectorPerformance(
        as_of=as_of,
        source="+".join(sorted({prices.vendor for prices in funds.values()})),
        known_at=known_at,
        fetched_at=max(prices.fetched_at for prices in funds.values()),
        end=end,
        rows=sum(len(prices) for prices in funds.values()),
        inputs=tuple(funds),
        notes=(
            *session_note(end, session),
            *((f"No prices of {end} for {', '.join(missing)}.",) if missing else ()),
        ),
        sectors=tuple(_row(sector, fund, funds.get(fund)) for sector, fund in SECTOR_ETF.items()),
    )


def _row(sector: str, fund: str, prices: Prices | None) -> SectorReturns:
    found = scan_returns(prices) if prices is not None else dict.fromkeys(SCAN_PERIODS)
    returns = {period: percent(value) for period, value in found.items()}
    return SectorReturns(sector=sector, etf=fund, returns=returns)
