"""Sensitivity: a grid of values over two drivers, computed at once, and the tornado of one driver at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tradingagents.errors import UsageError
from tradingagents.valuation.canonical import canonical_json, plain
from tradingagents.valuation.dcf import KERNEL_VERSION, value_company
from tradingagents.valuation.drivers import (
    FACTORS,
    Driver,
    check_driver,
    neutral,
    shift_stack,
    shifted_level,
)
from tradingagents.valuation.inputs import ValuationInputs
from tradingagents.valuation.limited_liability import at_least_nothing, floored
from tradingagents.valuation.stack import Array, Stack, compute

BLOCK = 8_192
"""Cells computed together; so many fit into a processor's cache."""
DEFAULT_SHIFTS: Mapping[Driver, tuple[float, ...]] = {
    "wacc": (-0.01, -0.005, 0.0, 0.005, 0.01),
    "stable_growth": (-0.01, -0.005, 0.0, 0.005, 0.01),
    "sales_growth": (-0.02, -0.01, 0.0, 0.01, 0.02),
    "oper_margin": (-0.02, -0.01, 0.0, 0.01, 0.02),
    "sales_to_capital": (0.8, 0.9, 1.0, 1.1, 1.2),
    "stable_roic": (-0.04, -0.02, 0.0, 0.02, 0.04),
}
"""Steps of a grid of five by five."""
TORNADO_SHIFTS: Mapping[Driver, tuple[float, float]] = {
    "sales_growth": (-0.01, 0.01),
    "oper_margin": (-0.01, 0.01),
    "wacc": (-0.01, 0.01),
    "sales_to_capital": (0.9, 1.1),
    "stable_growth": (-0.005, 0.005),
    "stable_roic": (-0.02, 0.02),
}


@dataclass(frozen=True, slots=True, eq=False)
class SensitivityGrid:
    """Value per share over shifts of two drivers."""

    rows: Driver
    columns: Driver
    row_shifts: tuple[float, ...]
    column_shifts: tuple[float, ...]
    row_levels: tuple[float, ...]
    """The rows' driver at each shift, named by a path's first year."""
    column_levels: tuple[float, ...]
    values: Array
    """By row and column; not a number where the inputs cannot be valued."""
    causes: npt.NDArray[np.uint8]
    """0 where there is a value, else which of `reasons`, counted from 1."""
    reasons: tuple[str, ...]
    base_value: float
    kernel_version: str = KERNEL_VERSION

    @property
    def base_cell(self) -> tuple[int, int] | None:
        """Row and column of the unshifted inputs; None where the shifts leave them out."""
        try:
            return self.row_shifts.index(neutral(self.rows)), self.column_shifts.index(neutral(self.columns))
        except ValueError:
            return None

    def reason(self, row: int, column: int) -> str | None:
        """Return why a cell has no value; None where it has one."""
        cause = int(self.causes[row, column])
        return self.reasons[cause - 1] if cause else None

    def to_dict(self) -> dict[str, Any]:
        """Return the grid as JSON values; a cell without a value is null, and `without_value` says why."""
        missing = [
            {"row": int(row), "column": int(column), "reason": self.reason(int(row), int(column))}
            for row, column in np.argwhere(self.causes)
        ]
        names = [name for name in self.__slots__ if name not in ("causes", "reasons")]
        return {**{name: plain(getattr(self, name)) for name in names}, "without_value": missing}

    def to_json(self) -> str:
        """Return the grid as canonical JSON."""
        return canonical_json(self)


@dataclass(frozen=True, slots=True)
class TornadoBar:
    """Value per share at a low and at a high shift of one driver."""

    driver: Driver
    low_shift: float
    high_shift: float
    low: float | None
    """Value per share at the low shift; None where that cannot be valued."""
    high: float | None
    reason: str | None
    """Why a value is missing."""

    @property
    def swing(self) -> float:
        """Distance between the two values; 0 where one is missing."""
        return abs(self.high - self.low) if self.low is not None and self.high is not None else 0.0


@dataclass(frozen=True, slots=True)
class Tornado:
    """One bar a driver, the widest first."""

    base_value: float
    bars: tuple[TornadoBar, ...]
    kernel_version: str = KERNEL_VERSION

    def to_json(self) -> str:
        """Return the tornado as canonical JSON."""
        return canonical_json(self)


def grid(
    inputs: ValuationInputs,
    rows: str,
    columns: str,
    row_shifts: Sequence[float] | None = None,
    column_shifts: Sequence[float] | None = None,
) -> SensitivityGrid:
    """Value a company over every pair of shifts of two drivers, at once.

    Args:
        inputs: The base.
        rows: Driver of the rows, see `drivers.Driver`.
        row_shifts: By how much it is moved, or multiplied; None: `DEFAULT_SHIFTS`.
        column_shifts: Likewise.

    Raises:
        UsageError: There is no such driver, both are the same, or a shift is not a finite number.
    """
    across, along = check_driver(rows, inputs), check_driver(columns, inputs)
    if across == along:
        raise UsageError(f"A grid needs two different drivers, not {across} twice.")
    down = _shifts(across, row_shifts)
    right = _shifts(along, column_shifts)
    values, causes = np.empty((len(down), len(right))), np.empty((len(down), len(right)), dtype=np.uint8)
    base = shift_stack(Stack.of(inputs, 2), along, right.reshape(1, -1))
    height = max(1, BLOCK // len(right))
    reasons: tuple[str, ...] = ()
    for first in range(0, len(down), height):
        block = slice(first, first + height)
        stack = shift_stack(base, across, down[block].reshape(-1, 1))
        values[block], causes[block], reasons = value_stack(stack)
    return SensitivityGrid(
        rows=across,
        columns=along,
        row_shifts=tuple(down.tolist()),
        column_shifts=tuple(right.tolist()),
        row_levels=tuple(shifted_level(inputs, across, shift) for shift in down.tolist()),
        column_levels=tuple(shifted_level(inputs, along, shift) for shift in right.tolist()),
        values=values,
        causes=causes,
        reasons=reasons,
        base_value=floored(value_company(inputs).value_per_share),
    )


def tornado(inputs: ValuationInputs, shifts: Mapping[Driver, tuple[float, float]] | None = None) -> Tornado:
    """Value a company at a low and a high shift of each driver; the driver that matters most comes first.

    Args:
        inputs: The base.
        shifts: Low and high by driver; None: `TORNADO_SHIFTS`, as far as the inputs have the driver.
    """
    chosen = TORNADO_SHIFTS if shifts is None else {check_driver(name, inputs): both for name, both in shifts.items()}
    bars = [
        _bar(inputs, driver, *both)
        for driver, both in chosen.items()
        if not (driver == "stable_roic" and inputs.stable_roic is None)
    ]
    bars.sort(key=lambda bar: -bar.swing)
    return Tornado(base_value=floored(value_company(inputs).value_per_share), bars=tuple(bars))


def value_stack(stack: Stack) -> tuple[Array, npt.NDArray[np.uint8], tuple[str, ...]]:
    """Return the value per share of every member (0 at the least), what is wrong (0: nothing), reasons from 1 on."""
    problems = stack.problems()
    with np.errstate(all="ignore"):
        values = at_least_nothing(np.asarray(compute(stack).per_share))
    reasons = (*(reason for reason, _ in problems), "the value is not finite")
    causes = np.where(np.isfinite(values), 0, len(reasons)).astype(np.uint8)
    for number, (_, holds) in reversed(tuple(enumerate(problems, start=1))):
        causes = np.where(holds, np.uint8(number), causes)
    return np.where(causes == 0, values, np.nan), causes, reasons


def _bar(inputs: ValuationInputs, driver: Driver, low: float, high: float) -> TornadoBar:
    stack = shift_stack(Stack.of(inputs, 1), driver, np.array([low, high]))
    values, causes, reasons = value_stack(stack)
    found = [None if cause else float(value) for value, cause in zip(values, causes, strict=True)]
    why = next((reasons[int(cause) - 1] for cause in causes if cause), None)
    return TornadoBar(driver, low, high, found[0], found[1], why)


def _shifts(driver: Driver, given: Sequence[float] | None) -> Array:
    shifts = np.array(DEFAULT_SHIFTS[driver] if given is None else given, dtype=np.float64)
    if shifts.ndim != 1 or not len(shifts) or not np.isfinite(shifts).all():
        kind = "factors" if driver in FACTORS else "shifts"
        raise UsageError(f"The {kind} of {driver} must be finite numbers, at least one.")
    return shifts
