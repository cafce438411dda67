"""Drivers: the inputs that are varied, how far they may go, and what is left when one is shifted."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from tradingagents.errors import UsageError
from tradingagents.valuation.inputs import LEAST_SPREAD, ValuationInputs
from tradingagents.valuation.stack import Array, Stack

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
