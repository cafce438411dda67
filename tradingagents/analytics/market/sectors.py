"""Returns of the eleven sectors' funds, and of a company compared with its sector's fund over five horizons."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, ClassVar

from tradingagents.analytics.least_history import missing_returns_note
from tradingagents.analytics.market.scanned import current, session_note, table
from tradingagents.analytics.price.returns import (
    HORIZONS,
    PERIODS,
    SCAN_PERIODS,
    horizon_returns,
    last_day,
    percent,
    returns_alongside,
    scan_returns,
)
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTOR_ETF, SECTORS
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData
from tradingagents.schemas.records import SectorRecord

HEADER = "| Sector | 1-Day % | 1-Week % | 1-Month % | YTD % |"


class SectorReturns(SectorRecord):
    """One sector."""

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
        return table(
            HEADER, ((DISPLAY[row.sector], *(figure.text for figure in row.figures())) for row in self.sectors)
        )

    def kept(self) -> dict[str, Any]:
        """Return the sectors as JSON."""
        return {"sectors": [row.as_json() for row in self.sectors]}


def largest_moves(moves: Mapping[str, float | None], count: int) -> tuple[str, ...]:
    """Return the keys with the largest absolute moves, in descending order; ties in the order of `SECTORS`.

    Args:
        moves: Moves by sector key, in any common unit; None is skipped.
        count: Maximum number of keys.
    """
    moved = [(abs(move), sector) for sector in SECTORS if (move := moves.get(sector)) is not None]
    return tuple(sector for _, sector in sorted(moved, key=lambda pair: -pair[0])[:count])


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


LABELS: Mapping[str, str] = {"1w": "1-Week", "1m": "1-Month", "3m": "3-Month", "6m": "6-Month", "ytd": "YTD"}


class SectorRelative(Result):
    """Returns of a stock and its sector fund, and their difference. Dividends are included."""

    sector: str
    """Sector key."""
    etf: str | None
    """Symbol of the fund; None if the sector has no known fund."""
    stock_returns: Mapping[str, float | None]
    """Percent, by period: 1w, 1m, 3m, 6m (5, 21, 63, 126 sessions) and ytd."""
    etf_returns: Mapping[str, float | None]
    """Percent over the same days."""
    alpha: Mapping[str, float | None]
    """Percentage points: the stock's return minus the fund's."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"{self.symbol} against its sector"

    def figures(self) -> tuple[Figure, ...]:
        """Return stock, fund and difference of each period."""
        kinds = (("stock", self.stock_returns), ("etf", self.etf_returns), ("alpha", self.alpha))
        return tuple(Figure(f"{kind}_{period}", values[period], "%") for period in PERIODS for kind, values in kinds)

    def body(self) -> str:
        """Return the periods as a table."""
        name = DISPLAY.get(self.sector, self.sector)
        rows = (
            f"| {LABELS[period]} | {_percent(self.stock_returns[period])} | {_percent(self.etf_returns[period])} "
            f"| {_percent(self.alpha[period])} |"
            for period in PERIODS
        )
        table = "\n".join((f"| Period | {self.symbol} | {self.etf or 'fund'} | Alpha |", "|---|---|---|---|", *rows))
        return f"Sector: {name} ({self.etf or 'no fund'})\n\n{table}"


def sector_relative(
    stock: Prices,
    etf: Prices | None,
    *,
    as_of: date,
    sector: str,
    known_at: datetime,
) -> SectorRelative:
    """Compare a stock with its sector fund over the stock's own sessions.

    Args:
        stock: The company.
        etf: The fund; None makes its returns and the alphas n/a.
        sector: Sector key.
        known_at: When the last bar became known.

    Raises:
        NoData: The stock has no bars.
    """
    stock = stock.upto(as_of)
    if not len(stock):
        raise NoData(f"{stock.symbol} has no bars up to {as_of}; name a later date or check the symbol.")
    fund = etf.upto(as_of) if etf is not None else None
    symbol = fund.symbol if fund is not None else SECTOR_ETF.get(sector)
    ours = percents(horizon_returns(stock))
    theirs = percents(returns_alongside(fund, stock)) if fund is not None else dict.fromkeys(PERIODS)
    return SectorRelative(
        symbol=stock.symbol,
        as_of=as_of,
        source=vendors(stock, fund),
        currency=stock.currency,
        known_at=known_at,
        fetched_at=max(prices.fetched_at for prices in (stock, fund) if prices is not None),
        end=last_day(stock),
        rows=len(stock),
        inputs=(symbol,) if fund is not None and symbol else (),
        notes=_notes(stock, ours, theirs, symbol),
        sector=sector,
        etf=symbol,
        stock_returns=ours,
        etf_returns=theirs,
        alpha=alphas(ours, theirs),
    )


def percents(returns: Mapping[str, float | None]) -> dict[str, float | None]:
    """Return fractions by period as percentages."""
    return {period: percent(value) for period, value in returns.items()}


def alphas(ours: Mapping[str, float | None], theirs: Mapping[str, float | None]) -> dict[str, float | None]:
    """Return the differences of two sets of returns by period; None when either is missing."""
    found: dict[str, float | None] = {}
    for period, our in ours.items():
        their = theirs[period]
        found[period] = None if our is None or their is None else our - their
    return found


def vendors(*series: Prices | None) -> str:
    """Return the vendors of the series, joined by +."""
    return "+".join(dict.fromkeys(prices.vendor for prices in series if prices is not None))


def _notes(
    stock: Prices, ours: Mapping[str, float | None], theirs: Mapping[str, float | None], symbol: str | None
) -> tuple[str, ...]:
    notes = []
    short = {LABELS[period]: HORIZONS.get(period) for period in PERIODS if ours[period] is None}
    if short:
        notes.append(missing_returns_note(stock, short))
    gone = [LABELS[period] for period in PERIODS if theirs[period] is None and ours[period] is not None]
    if gone:
        notes.append(f"{symbol or 'A sector fund'} is not available for {', '.join(gone)}.")
    return tuple(notes)


def _percent(value: float | None) -> str:
    return Figure("", value, "%").text
