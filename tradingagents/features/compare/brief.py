"""What the rule of comparisons reads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparableRow:
    """One row of the table: the figures that may be compared."""

    topic: str
    label: str
    period: str
    unit: str
    values: tuple[tuple[str, float, str], ...]
    """Ticker, value, and the value as shown."""


@dataclass(frozen=True, kw_only=True)
class ComparisonBrief:
    """What the comparing agent knows."""

    tickers: tuple[str, ...]
    rows: tuple[ComparableRow, ...]
    failed: tuple[str, ...] = ()
    """Companies whose research failed."""
