"""Scenarios: several sets of inputs with probabilities, and the value expected over them; Monte Carlo over drivers.

`growth_moved` and `margin_moved` are the one way in which a scenario gets another growth or margin than its base.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.random import PCG64, Generator

from tradingagents.errors import UsageError
from tradingagents.valuation.canonical import canonical_json
from tradingagents.valuation.dcf import KERNEL_VERSION, Valuation, value_company
from tradingagents.valuation.inputs import InadmissibleInput, ValuationInputs
from tradingagents.valuation.limited_liability import floored
from tradingagents.valuation.paths import HIGH_YEARS
from tradingagents.valuation.sensitivity import TORNADO_SHIFTS, Driver, check_driver, neutral, shift_stack, value_stack
from tradingagents.valuation.stack import Array, Stack

SUM_TOLERANCE = 1e-9
"""How far probabilities may miss 1."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A set of inputs and how likely it is."""

    name: str
    probability: float
    inputs: ValuationInputs


@dataclass(frozen=True, slots=True)
class ScenarioValue:
    """What a scenario is worth."""

    name: str
    probability: float
    valuation: Valuation
    """By arithmetic: it may lie below zero."""
    value_per_share: float
    """As a holder has it: nothing at the least."""


@dataclass(frozen=True, slots=True)
class ScenarioValues:
    """What all scenarios are worth, and the value expected over them."""

    scenarios: tuple[ScenarioValue, ...]
    expected_value: float
    """Value per share: the sum of probability times value, each nothing at the least."""
    worth_nothing: float
    """Probability of the scenarios whose claims exceed the operations, so that the share is worth nothing."""
    kernel_version: str = KERNEL_VERSION

    def to_json(self) -> str:
        """Return the scenarios as canonical JSON."""
        return canonical_json(self)


def value_scenarios(scenarios: Sequence[Scenario]) -> ScenarioValues:
    """Value every scenario and return the expected value per share.

    Raises:
        InadmissibleInput: A probability lies outside 0 to 1, they do not add up to 1, or two names are the same.
    """
    for scenario in scenarios:
        if not math.isfinite(scenario.probability) or not 0 <= scenario.probability <= 1:
            raise InadmissibleInput(
                "probability", f"of {scenario.name} must lie between 0 and 1, not {scenario.probability!r}."
            )
    total = math.fsum(scenario.probability for scenario in scenarios)
    if not scenarios or abs(total - 1) > SUM_TOLERANCE:
        raise InadmissibleInput("probability", f"of all scenarios must add up to 1, not {total:.12g}.")
    if len({scenario.name for scenario in scenarios}) < len(scenarios):
        raise InadmissibleInput("name", "two scenarios have the same name; rename one.")
    found = tuple(_valued(scenario) for scenario in scenarios)
    expected = math.fsum(scenario.probability * scenario.value_per_share for scenario in found)
    return ScenarioValues(
        found, expected, math.fsum(scenario.probability for scenario in found if scenario.value_per_share <= 0)
    )


def growth_moved(inputs: ValuationInputs, change: float) -> ValuationInputs:
    """Return inputs whose growth is higher by so much for five years; the change then fades to 0 in the last year.

    Growth that a builder lets fade to its terminal value still does.

    Raises:
        InadmissibleInput: That cannot be valued.
    """
    parts = fading_parts(inputs.years)
    path = tuple(rate + change * part for rate, part in zip(inputs.sales_growth, parts, strict=True))
    return inputs.with_values(sales_growth=path)


def margin_moved(inputs: ValuationInputs, change: float) -> ValuationInputs:
    """Return inputs whose operating margin is higher by so much from year 5 on and for ever, and on the way to it.

    Raises:
        InadmissibleInput: That cannot be valued.
    """
    path = tuple(rate + change * min(year, HIGH_YEARS) / HIGH_YEARS for year, rate in enumerate(inputs.oper_margin, 1))
    return inputs.with_values(oper_margin=path, stable_margin=inputs.stable_margin + change)


def fading_parts(years: int) -> tuple[float, ...]:
    """Return which part of a change each year has that holds for five years and is gone in the last.

    >>> fading_parts(10)
    (1.0, 1.0, 1.0, 1.0, 1.0, 0.8, 0.6, 0.4, 0.2, 0.0)
    """
    later = years - HIGH_YEARS
    return tuple(1.0 if year <= HIGH_YEARS else (years - year) / later for year in range(1, years + 1))


def _valued(scenario: Scenario) -> ScenarioValue:
    found = value_company(scenario.inputs)
    return ScenarioValue(scenario.name, scenario.probability, found, floored(found.value_per_share))


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
    chosen = {check_driver(name, inputs): distribution for name, distribution in distributions.items()}
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
