"""Stops and targets once more: levels from decisions and splits, and what a bar does to them.

A second implementation of `features.backtest.exits`; it shares no code with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class SecondLevels:
    """Stop and target of a position; NaN for none, which no price reaches."""

    long: bool
    stop: float
    target: float

    @classmethod
    def of(cls, plan: Mapping[str, Any], *, long: bool) -> SecondLevels:
        """Read them from a decision or a posting."""
        stop, target = (math.nan if plan.get(name) is None else float(plan[name]) for name in ("stop", "target"))
        return cls(long, stop, target)

    @property
    def empty(self) -> bool:
        """Whether there is neither."""
        return math.isnan(self.stop) and math.isnan(self.target)

    def after(self, ratio: Fraction) -> SecondLevels:
        """Return them in shares after a split."""
        return SecondLevels(self.long, self.stop / float(ratio), self.target / float(ratio))

    def same(self, other: SecondLevels) -> bool:
        """Tell whether two are equal."""
        pairs = ((self.stop, other.stop), (self.target, other.target))
        near = (math.isclose(a, b, rel_tol=1e-9) or (math.isnan(a) and math.isnan(b)) for a, b in pairs)
        return self.long == other.long and all(near)

    def __str__(self) -> str:
        side = "long" if self.long else "short"
        return f"{side}, stop {self.stop:.6g}, target {self.target:.6g}"


@dataclass(frozen=True)
class DueExit:
    """What a bar does to a position."""

    why: str
    """`stop`, `target` or `both`."""
    at: float
    gap: bool


def decided_levels(decision: Mapping[str, Any], *, shorts: bool) -> SecondLevels | None:
    """Return the levels that a decision's JSON gives; None where it leaves earlier ones."""
    if decision["action"] == "BUY":
        return SecondLevels.of(decision, long=True)
    if decision["action"] == "SELL" and shorts and decision.get("sell_means") != "close":
        return SecondLevels.of(decision, long=False)
    return None


def due_exit(levels: SecondLevels, bar: Mapping[str, float]) -> DueExit | None:
    """Return the exit that a bar forces; None for none.

    Args:
        levels: Of the position.
        bar: Its open, high, low and close as traded; NaN for what is not known.
    """
    if (gap := void_at(levels, bar["open"])) is not None:
        return DueExit(gap, bar["open"], gap=True)
    seen = [price for price in bar.values() if not math.isnan(price)]
    lowest, highest = min(seen), max(seen)
    if levels.long:
        stopped, paid = lowest <= levels.stop, highest >= levels.target
    else:
        stopped, paid = highest >= levels.stop, lowest <= levels.target
    if stopped:
        return DueExit("both" if paid else "stop", levels.stop, gap=False)
    return DueExit("target", levels.target, gap=False) if paid else None


def void_at(levels: SecondLevels, opened: float) -> str | None:
    """Return which level an open lies at or beyond; None for neither."""
    if opened <= levels.stop if levels.long else opened >= levels.stop:
        return "stop"
    if opened >= levels.target if levels.long else opened <= levels.target:
        return "target"
    return None
