"""Returns of a company compared with its sector's fund over five horizons."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

from tradingagents.analytics.least_history import missing_returns_note
from tradingagents.analytics.price.returns import (
    HORIZONS,
    PERIODS,
    horizon_returns,
    last_day,
    percent,
    returns_alongside,
)
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTOR_ETF
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

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
