"""Reverse valuation: what one driver would have to be for the value per share to equal a price."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tradingagents.errors import UsageError
from tradingagents.valuation.canonical import canonical_json
from tradingagents.valuation.dcf import KERNEL_VERSION, value_company
from tradingagents.valuation.inputs import InadmissibleInput, ValuationInputs
from tradingagents.valuation.limited_liability import floored
from tradingagents.valuation.sensitivity import (
    Driver,
    admissible_shifts,
    check_driver,
    level,
    shift_stack,
    shifted_level,
    value_stack,
)
from tradingagents.valuation.stack import Stack

POINTS = 2001
"""Shifts at which the value is computed to find where it crosses the price."""
PARTS = 64
"""Parts into which an interval is divided in each round."""
ROUNDS = 20
"""Rounds at most; a double has 53 bits, and a round adds six."""


@dataclass(frozen=True, slots=True)
class ImpliedDriver:
    """What one driver must be for a value per share."""

    driver: Driver
    target: float
    """Value per share that is asked for, such as the price."""
    base_value: float | None
    """Value per share of the inputs; None where an answer withholds it."""
    base_level: float
    """The driver in the inputs, named by a path's first year."""
    shift: float | None
    """By how much it moves (`sales_to_capital`: is multiplied); None where no shift gives the target."""
    level: float | None
    """The driver after the shift."""
    value_per_share: float | None
    """Value at the shift: the target, up to rounding."""
    solutions: int
    """Shifts that give the target. Of several, `shift` is the one nearest to the inputs."""
    lowest_value: float
    """Least value per share over the shifts that were looked at."""
    highest_value: float
    kernel_version: str = KERNEL_VERSION

    def to_json(self) -> str:
        """Return the answer as canonical JSON."""
        return canonical_json(self)


def solve_driver(
    inputs: ValuationInputs, driver: str, target: float, bounds: tuple[float, float] | None = None
) -> ImpliedDriver:
    """Find the shift of a driver that gives a value per share, by bisection.

    Args:
        inputs: The base.
        driver: The driver that is moved, see `drivers.Driver`.
        target: Value per share to reach.
        bounds: Lowest and highest shift to look at; None: as far as the inputs can be valued.

    Raises:
        UsageError: There is no such driver, or the target is no finite number above 0, or the bounds are not finite.
    """
    moved = check_driver(driver, inputs)
    if not (np.isfinite(target) and target > 0):
        raise UsageError(f"The value to reach must be a finite number above 0, not {target!r}.")
    low, high = bounds or admissible_shifts(inputs, moved)
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise UsageError(f"The bounds of {moved} must be two finite numbers, the lower one first.")
    shifts = np.linspace(low, high, POINTS)
    values, causes, reasons = value_stack(shift_stack(Stack.of(inputs, 1), moved, shifts))
    usable = causes == 0
    if not usable.any():
        raise InadmissibleInput(
            moved, f"no shift from {low:g} to {high:g} can be valued ({reasons[int(causes[0]) - 1]})."
        )
    shifts, values = shifts[usable], values[usable]
    above = values >= target
    crossings = np.flatnonzero(above[1:] != above[:-1])
    found = [_bisect(inputs, moved, target, shifts[one], shifts[one + 1]) for one in crossings]
    neutral = 1.0 if moved == "sales_to_capital" else 0.0
    shift = min(found, key=lambda one: abs(one - neutral), default=None)
    return ImpliedDriver(
        driver=moved,
        target=target,
        base_value=floored(value_company(inputs).value_per_share),
        base_level=level(inputs, moved),
        shift=shift,
        level=None if shift is None else shifted_level(inputs, moved, shift),
        value_per_share=None if shift is None else _value(inputs, moved, shift),
        solutions=len(found),
        lowest_value=float(values.min()),
        highest_value=float(values.max()),
    )


def _bisect(inputs: ValuationInputs, driver: Driver, target: float, low: float, high: float) -> float:
    """Narrow an interval at whose ends the value lies on both sides of the target, to neighbouring numbers.

    Each round divides it into `PARTS` at once, which takes as long as halving it.
    """
    below = _value(inputs, driver, low) < target
    for _ in range(ROUNDS):
        shifts = np.linspace(low, high, PARTS + 1)
        values, _causes, _reasons = value_stack(shift_stack(Stack.of(inputs, 1), driver, shifts))
        crossed = int(np.argmax((values < target) != below)) or PARTS
        narrower = float(shifts[crossed - 1]), float(shifts[crossed])
        if narrower == (low, high) or narrower[0] == narrower[1]:
            break
        low, high = narrower
    return float((low + high) / 2)


def _value(inputs: ValuationInputs, driver: Driver, shift: float) -> float:
    values, _, _ = value_stack(shift_stack(Stack.of(inputs), driver, np.asarray(shift)))
    return float(values)
