"""How a figure follows from the cells it rests on: a formula over named values, so that anyone can compute it again."""

from __future__ import annotations

from typing import Literal

from tradingagents.schemas.record import Number, Record

Output = Literal["number", "percent", "money", "per_share", "times", "days"]


class SourceCell(Record):
    """One value of the data that a figure rests on."""

    name: str
    """Name in the formula, such as `revenue@2024`."""
    value: Number
    """As given, not rounded."""
    unit: str
    where: str
    """Where it stands, such as `income statement, fiscal year 2024 to 2024-01-31`."""


class Derivation(Record):
    """The formula of a figure with its cells."""

    formula: str
    """Names of cells, numbers, `+ - * /`, brackets, `average`, `growth`, `cagr`, `absolute`."""
    output: Output
    """What kind of value the formula gives; a `percent` is the formula times 100."""
    cells: tuple[SourceCell, ...]
