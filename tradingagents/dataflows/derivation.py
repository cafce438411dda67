"""How a figure follows from the cells it rests on: a formula over named values, so that anyone can compute it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Output = Literal["number", "percent", "money", "per_share", "times", "days"]


@dataclass(frozen=True, slots=True)
class SourceCell:
    """One value of the data that a figure rests on."""

    name: str
    """Name in the formula, such as `revenue@2024`."""
    value: float
    """As given, not rounded."""
    where: str
    """Where it stands, such as `income statement, fiscal year 2024 to 2024-01-31`."""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Derivation:
    """The formula of a figure with its cells."""

    formula: str
    """Names of cells, numbers, `+ - * /`, brackets, `average`, `growth`, `cagr`, `absolute`."""
    cells: tuple[SourceCell, ...]
    output: Output = "number"
    """What kind of value the formula gives; a `percent` is the formula times 100."""
