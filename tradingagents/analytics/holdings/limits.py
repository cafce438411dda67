"""Limits on the positions of an account, as fractions of its value; backtests and lists of orders keep to them."""

from __future__ import annotations

from dataclasses import dataclass

UNKNOWN = "unknown"
"""The sector of symbols without one; it is limited like any other."""


def commission(shares: float, per_share: float, least: float) -> float:
    """Return the commission of an order, in the unit of `per_share` and `least`; 0 for no shares."""
    return max(shares * per_share, least) if shares else 0.0


@dataclass(frozen=True, slots=True)
class PositionLimits:
    """Limits on the weights of an account, as fractions of its value."""

    max_positions: int = 15
    max_position: float = 0.15
    max_sector: float = 0.35
    """Largest sum of the sizes of positions of a sector."""
    min_cash: float = 0.05
