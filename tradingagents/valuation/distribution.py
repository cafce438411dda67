"""Monte Carlo: the distribution of the value per share over stated distributions of the drivers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.random import PCG64, Generator

from tradingagents.errors import UsageError
from tradingagents.valuation.canonical import canonical_json
from tradingagents.valuation.dcf import KERNEL_VERSION
from tradingagents.valuation.drivers import Driver, check_driver, neutral, shift_stack
from tradingagents.valuation.inputs import ValuationInputs
from tradingagents.valuation.sensitivity import TORNADO_SHIFTS, value_stack
from tradingagents.valuation.stack import Array, Stack

Shape = Literal["normal", "uniform", "triangular"]
QUANTILES = (0.05, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95)
MOST_DRAWS = 1_000_000


@dataclass(frozen=True, slots=True)
class DriverDistribution:
    """How the shift of a driver is distributed (`sales_to_capital`: its factor).

    `normal` takes mean and standard deviation, `uniform` low and high, `triangular` low, mode and high.
    """

    shape: Shape
    parameters: tuple[float, ...]

    def __post_init__(self) -> None:
        """Refuse what is no distribution.

        Raises:
            UsageError: Says what it needs.
        """
        needed = {"normal": 2, "uniform": 2, "triangular": 3}
        if self.shape not in get_args(Shape):
            raise UsageError(f"{self.shape!r} is no distribution; choose one of {', '.join(needed)}.")
        if len(self.parameters) != needed[self.shape] or not all(map(math.isfinite, self.parameters)):
            raise UsageError(f"A {self.shape} distribution takes {needed[self.shape]} finite numbers.")
        if self.shape == "normal" and self.parameters[1] < 0:
            raise UsageError("The standard deviation of a normal distribution must not be negative.")
        if self.shape != "normal" and list(self.parameters) != sorted(self.parameters):
            raise UsageError(f"The numbers of a {self.shape} distribution must ascend.")
        if self.shape == "triangular" and self.parameters[0] == self.parameters[-1]:
            raise UsageError("The low and the high of a triangular distribution must differ.")


@dataclass(frozen=True, slots=True)
class ValueDistribution:
    """How the value per share is distributed over the draws that can be valued."""

    draws: int
    without_value: int
    """Draws whose inputs cannot be valued, such as a growth above the cost of capital; left out of the figures."""
    worth_nothing: float
    """Part of the valued draws whose claims exceed the operations: the share is worth nothing, and counts as 0."""
    seed: int
    mean: float
    deviation: float
    quantiles: tuple[tuple[float, float], ...]
    """Probability and value per share, ascending."""
    lowest: float
    highest: float
    above_price: float | None
    """Part of the draws whose value exceeds the price; None without one."""
    drivers: tuple[tuple[Driver, DriverDistribution], ...] = ()
    """The drivers that were drawn, independently of each other, by name."""
    kernel_version: str = KERNEL_VERSION

    def to_json(self) -> str:
        """Return the distribution as canonical JSON."""
        return canonical_json(self)


def default_distributions(inputs: ValuationInputs) -> dict[Driver, DriverDistribution]:
    """Return a normal distribution of each driver's shift, with the shift of the tornado as standard deviation.

    A convention, not an estimate: 1 percentage point for growth, margin and cost of capital, 0.5 for the growth after
    the forecast, 2 for the return on new capital after it, a tenth for sales to capital.
    """
    return {
        driver: DriverDistribution("normal", (neutral(driver), round((high - low) / 2, 12)))
        for driver, (low, high) in TORNADO_SHIFTS.items()
        if not (driver == "stable_roic" and inputs.stable_roic is None)
    }


def simulate(
    inputs: ValuationInputs,
    distributions: Mapping[Driver, DriverDistribution] | Mapping[str, DriverDistribution],
    *,
    draws: int = 10_000,
    seed: int = 0,
    price: float | None = None,
) -> ValueDistribution:
    """Draw the drivers independently of each other and value every draw.

    Args:
        inputs: The base.
        distributions: By driver.
        draws: How many.
        seed: The same seed gives the same draws.
        price: To compare with.

    Raises:
        UsageError: A driver or number of draws cannot be, or no draw can be valued.
    """
    if not 1 <= draws <= MOST_DRAWS:
        raise UsageError(f"draws must lie between 1 and {MOST_DRAWS}, not {draws}.")
    if not distributions:
        raise UsageError("Name at least one driver with its distribution.")
    chosen = {check_driver(name, inputs): one for name, one in distributions.items()}
    stack, random = Stack.of(inputs, 1), Generator(PCG64(seed))
    for driver in sorted(chosen):
        stack = shift_stack(stack, driver, _draw(chosen[driver], random, draws))
    values, causes, reasons = value_stack(stack)
    usable = np.sort(values[causes == 0])
    if not len(usable):
        raise UsageError(f"No draw can be valued ({reasons[int(causes[0]) - 1]}); narrow the distributions.")
    return ValueDistribution(
        draws=draws,
        without_value=draws - len(usable),
        worth_nothing=float((usable <= 0).mean()),
        seed=seed,
        mean=float(usable.mean()),
        deviation=float(usable.std()),
        quantiles=tuple((one, float(np.quantile(usable, one))) for one in QUANTILES),
        lowest=float(usable[0]),
        highest=float(usable[-1]),
        above_price=None if price is None else float((usable > price).mean()),
        drivers=tuple((driver, chosen[driver]) for driver in sorted(chosen)),
    )


def _draw(one: DriverDistribution, random: Generator, draws: int) -> Array:
    makers: Mapping[str, Callable[..., Array]] = {
        "normal": random.normal,
        "uniform": random.uniform,
        "triangular": random.triangular,
    }
    return makers[one.shape](*one.parameters, size=draws)
