"""How far values of the method lie from prices: a measured, dated table in the package.

`valuation_lean.json` is written by `python -m benchmarks.valuation_range --write`: value over price by the default
inputs, of every recorded company with statements, on four days a year, older figures accepted. It describes the method
on large companies of today and moves no value. `lean_of` is the sentence about it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from tradingagents.dataflows.reference.sectors import DISPLAY, sector_key

FILE = "valuation_lean.json"
NEAR = (0.85, 1.15)
"""Medians of value over price within which the method finds companies neither dear nor cheap."""


@dataclass(frozen=True, slots=True)
class MeasuredLean:
    """Value over price of a group of companies."""

    companies: int
    values: int
    median: float

    @property
    def finding(self) -> str:
        """How the method finds them."""
        low, high = NEAR
        return "dear" if self.median < low else "cheap" if self.median > high else "near their value"


@dataclass(frozen=True, slots=True)
class LeanTable:
    """What was measured, on which days."""

    measured: date
    """Day on which the table was computed."""
    days: tuple[date, ...]
    """Days of the values, ascending."""
    every: MeasuredLean
    """All companies."""
    older: int
    """Values among them on figures whose successors were overdue, accepted as they were."""
    sectors: Mapping[str, MeasuredLean]
    """By the sector's name, those with enough companies and values."""


@cache
def lean_table() -> LeanTable:
    """Return the table of the package."""
    text = files("tradingagents.valuation.company").joinpath(FILE).read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return LeanTable(
        measured=date.fromisoformat(found["measured"]),
        days=tuple(map(date.fromisoformat, found["days"])),
        every=MeasuredLean(**found["all"]),
        older=found["older"],
        sectors={name: MeasuredLean(**row) for name, row in found["sectors"].items()},
    )


def lean_of(sector: str | None, day: date, table: LeanTable | None = None) -> str:
    """Say how far the method's values of large companies lie from their prices, as a clause.

    Args:
        sector: Of the company valued, in the words of any source; None where it is not known.
        day: On which it is valued. Where the table was measured on later days, the clause says so.
        table: None: the package's.
    """
    found = table or lean_table()
    key = sector_key(sector)
    name = DISPLAY[key] if key else ""
    own = found.sectors.get(name)
    of_sector = "" if own is None else f" ({name} {own.median:.2f} of {own.values})"
    finds = f"this method finds large companies {found.every.finding}"
    if own is not None and own.finding != found.every.finding:
        finds += f", and those of this sector {own.finding}"
    first, last = found.days[0], found.days[-1]
    later = "; measured on later days too, it describes the method and no price of this day" if day < last else ""
    return (
        f"by default inputs the median of {found.every.values} values of {found.every.companies} large companies of "
        f"today, on {len(found.days)} days from {first} to {last}, was {found.every.median:.2f} of the price"
        f"{of_sector}: {finds}{later}"
    )
