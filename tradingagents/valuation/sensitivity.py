"""Sensitivity: the drivers, a grid of values over two of them, and the tornado of one at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from tradingagents.errors import UsageError
from tradingagents.valuation.canonical import canonical_json, plain
from tradingagents.valuation.dcf import KERNEL_VERSION, value_company
from tradingagents.valuation.inputs import LEAST_SPREAD, ValuationInputs
from tradingagents.valuation.limited_liability import at_least_nothing, floored
from tradingagents.valuation.stack import Array, Stack, compute

Driver = Literal["wacc", "stable_growth", "sales_growth", "oper_margin", "sales_to_capital", "stable_roic"]
"""`wacc` and `oper_margin` move the path and the terminal value, `sales_growth` the years of the forecast only.
`sales_to_capital` is multiplied; the others are moved by so much."""
DRIVERS: tuple[Driver, ...] = get_args(Driver)
FACTORS: frozenset[Driver] = frozenset({"sales_to_capital"})
"""Drivers that are multiplied; the neutral shift is 1."""
_MARGIN = 1e-9


def check_driver(name: str, inputs: ValuationInputs) -> Driver:
    """Return a name as a driver of these inputs.

    Raises:
        UsageError: There is no such driver, or these inputs do not have it.
    """
    for driver in DRIVERS:
        if driver == name:
            if driver == "stable_roic" and inputs.stable_roic is None:
                raise UsageError("stable_roic is not among these inputs; vary another driver.")
            return driver
    raise UsageError(f"{name!r} is no driver of a valuation; choose one of {', '.join(DRIVERS)}.")


def neutral(driver: Driver) -> float:
    """Return the shift that leaves a driver as it is."""
    return 1.0 if driver in FACTORS else 0.0


def level(inputs: ValuationInputs, driver: Driver) -> float:
    """Return the number by which a driver is named: a path's first year, a terminal rate's own value."""
    value = getattr(inputs, driver)
    return float(value[0] if isinstance(value, tuple) else value)


def shifted_level(inputs: ValuationInputs, driver: Driver, shift: float) -> float:
    """Return what `level` is after a shift."""
    base = level(inputs, driver)
    return base * shift if driver in FACTORS else base + shift


def shift_stack(stack: Stack, driver: Driver, shift: Array) -> Stack:
    """Return a stack with a driver shifted; the shape of the shifts is that of the stack."""
    if driver == "wacc":
        return stack.with_arrays(wacc=stack.wacc + shift, stable_wacc=stack.stable_wacc + shift)
    if driver == "oper_margin":
        return stack.with_arrays(oper_margin=stack.oper_margin + shift, stable_margin=stack.stable_margin + shift)
    if driver == "sales_growth":
        return stack.with_arrays(sales_growth=stack.sales_growth + shift)
    if driver == "stable_growth":
        return stack.with_arrays(stable_growth=stack.stable_growth + shift)
    if driver == "sales_to_capital":
        return stack.with_arrays(sales_to_capital=stack.sales_to_capital * shift)
    assert stack.stable_roic is not None  # noqa: S101 - check_driver
    return stack.with_arrays(stable_roic=stack.stable_roic + shift)


def shift_inputs(inputs: ValuationInputs, driver: Driver, shift: float) -> ValuationInputs:
    """Return inputs with a driver shifted, as a grid shifts it.

    Raises:
        InadmissibleInput: The shifted inputs cannot be valued.
    """
    moved = shift_stack(Stack.of(inputs), driver, np.asarray(shift))
    path = {name: tuple(getattr(moved, name).tolist()) for name in ("sales_growth", "oper_margin", "wacc")}
    return inputs.with_values(
        **path,
        sales_to_capital=tuple(moved.sales_to_capital.tolist()),
        stable_growth=float(moved.stable_growth),
        stable_margin=float(moved.stable_margin),
        stable_wacc=float(moved.stable_wacc),
        stable_roic=None if moved.stable_roic is None else float(moved.stable_roic),
    )


def admissible_shifts(inputs: ValuationInputs, driver: Driver) -> tuple[float, float]:
    """Return the lowest and the highest shift of a driver that can be valued, within plain limits."""
    spread = inputs.stable_wacc - LEAST_SPREAD - inputs.stable_growth
    if driver == "wacc":
        return max(-min(*inputs.wacc, inputs.stable_wacc), -spread) + _MARGIN, 1.0
    if driver == "stable_growth":
        return max(-1.0 - inputs.stable_growth, -0.5) + _MARGIN, spread - _MARGIN
    if driver == "sales_growth":
        return -1.0 - min(inputs.sales_growth) + _MARGIN, 2.0
    if driver == "sales_to_capital":
        return 0.01, 100.0
    if driver == "stable_roic":
        return -(inputs.stable_roic or 0.0) + 0.001, 2.0
    return -1.0, 1.0


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
