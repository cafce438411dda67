"""Selects the sectors for the deep dive from the sector scanner's typed result, or from its report without one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tradingagents.analytics.market.sectors import largest_moves
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTORS, sector_key
from tradingagents.schemas.records import SectorRecord

TOP_SECTORS = 3
PERIOD = "1m"
_NAMES: Mapping[str, str] = {
    **{key.replace("-", " "): key for key in SECTORS},
    **{name.lower(): key for key, name in DISPLAY.items()},
}
_ONE_MONTH = re.compile(r"1[\s-]*month|\b1\s*m\b|\bmonth\b", re.IGNORECASE)
_PERCENT = re.compile(r"[+\-\u2212]?(?<!\d)\d++(?:\.\d++)?(?=\s{0,9}%)")


def top_sectors(sectors: Sequence[SectorRecord], report: str, count: int = TOP_SECTORS) -> list[str]:
    """Return the keys of the sectors with the largest absolute one-month moves, the largest first.

    Args:
        sectors: The typed result; empty if it is not available.
        report: The sector scanner's report, read only where there is no typed result.
        count: How many.

    Returns:
        At most `count` keys; none if neither source has returns.
    """
    typed = {row.sector: row.returns.get(PERIOD) for row in sectors}
    return list(largest_moves(typed or moves_in(report), count))


def moves_in(report: str) -> dict[str, float | None]:
    """Read the one-month moves from a report's table or prose, in percent by sector key.

    In a table the column headed by a month counts; in a line that names one sector, the figure after the word month or
    the only percentage. The first mention of a sector counts.
    """
    found: dict[str, float | None] = {}
    column: int | None = None
    for line in report.splitlines():
        cells = [cell.strip(" *`") for cell in line.strip().strip("|").split("|")] if "|" in line else []
        if cells and (heading := _month_column(cells)) is not None:
            column = heading
        elif (named := _sector_in(cells[0] if cells else line)) and named not in found:
            move = _cell(cells, column) if cells else _prose(line)
            if move is not None:
                found[named] = move
    return found


def _month_column(cells: Sequence[str]) -> int | None:
    if _sector_in(cells[0]) or any(_PERCENT.search(cell) for cell in cells):
        return None
    return next((number for number, cell in enumerate(cells) if _ONE_MONTH.search(cell)), None)


def _sector_in(text: str) -> str | None:
    """Return the only sector that a text names, by display name, vendor's name or key; else None."""
    whole = sector_key(text.strip(" *`#-"))
    if whole:
        return whole
    lowered = f" {re.sub(r'[^a-z]+', ' ', text.lower())} "
    found = {key for name, key in _NAMES.items() if f" {name} " in lowered}
    return found.pop() if len(found) == 1 else None


def _cell(cells: Sequence[str], column: int | None) -> float | None:
    return _number(cells[column]) if column is not None and column < len(cells) else None


def _prose(line: str) -> float | None:
    after = _ONE_MONTH.search(line)
    if after and (move := _number(line[after.end() :])) is not None:
        return move
    figures = _PERCENT.findall(line)
    return _number(figures[0] + "%") if len(figures) == 1 else None


def _number(text: str) -> float | None:
    match = _PERCENT.search(text)
    return float(match[0].replace("\u2212", "-")) if match else None
