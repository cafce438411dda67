"""The sectors' returns as a heat map: rows by the month's move, each number with its position on a color scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.reports import formatting as words
from tradingagents.schemas.records import SectorRecord

STEPS = 5
"""Colours on each side of the neutral one."""
PERIODS = {"1d": "1 day", "1w": "1 week", "1m": "1 month", "ytd": "YTD"}
_SORTED_BY = "1m"


@dataclass(frozen=True, slots=True)
class HeatMapCell:
    """One return."""

    text: str
    """With its sign; n/a if unknown."""
    step: int | None
    """Color from -STEPS (a loss as large as the column's largest move) over 0 to STEPS; None if unknown."""


@dataclass(frozen=True, slots=True)
class Row:
    """One sector."""

    name: str
    etf: str
    deep_dive: int | None
    """Rank in the deep dive, 1 for the first sector; None if not selected."""
    cells: tuple[HeatMapCell, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """One period and the end of its color scale."""

    name: str
    reach: float | None
    """Largest absolute return of the column, in percent: the scale is symmetric around 0. None without any."""


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Columns by period, rows from the largest gain of the month to the largest loss, unknown ones last."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


def heat_map(sectors: Sequence[SectorRecord], top_sectors: Sequence[str]) -> HeatMap:
    """Lay out sector returns.

    The scale of each column is symmetric: equal moves up and down are equally far from neutral, and the strongest
    colour is the column's largest absolute move. Equal months keep the order given.

    Args:
        sectors: Returns in percent.
        top_sectors: Keys of the deep dive's sectors, in its order.
    """
    reaches = {period: _reach(sectors, period) for period in PERIODS}
    return HeatMap(
        columns=tuple(Column(name, reaches[period]) for period, name in PERIODS.items()),
        rows=tuple(
            Row(
                name=DISPLAY.get(sector.sector, sector.sector),
                etf=sector.etf,
                deep_dive=top_sectors.index(sector.sector) + 1 if sector.sector in top_sectors else None,
                cells=tuple(_cell(_return(sector, period), reaches[period]) for period in PERIODS),
            )
            for sector in sorted(sectors, key=_loss_of_the_month)
        ),
    )


def step(value: float, reach: float) -> int:
    """Return the colour of a value on a scale from -`reach` to `reach`, -STEPS to STEPS; halves go outwards."""
    if reach <= 0:
        return 0
    size = math.floor(min(1.0, abs(value) / reach) * STEPS + 0.5)
    return size if value > 0 else -size


def _cell(value: float | None, reach: float | None) -> HeatMapCell:
    return HeatMapCell(words.change(value), None if value is None or reach is None else step(value, reach))


def _reach(sectors: Sequence[SectorRecord], period: str) -> float | None:
    known = [abs(value) for sector in sectors if (value := _return(sector, period)) is not None]
    return max(known, default=None)


def _return(sector: SectorRecord, period: str) -> float | None:
    value = sector.returns.get(period)
    return value if value is not None and math.isfinite(value) else None


def _loss_of_the_month(sector: SectorRecord) -> float:
    value = _return(sector, _SORTED_BY)
    return math.inf if value is None else -value
