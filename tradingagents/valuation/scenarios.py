"""Scenarios: several sets of inputs with probabilities, and the value expected over them.

`growth_moved` and `margin_moved` are the one way in which a scenario gets another growth or margin than its base.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.valuation.canonical import canonical_json
from tradingagents.valuation.dcf import KERNEL_VERSION, Valuation, value_company
from tradingagents.valuation.inputs import InadmissibleInput, ValuationInputs
from tradingagents.valuation.limited_liability import floored
from tradingagents.valuation.paths import HIGH_YEARS

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
    for one in scenarios:
        if not math.isfinite(one.probability) or not 0 <= one.probability <= 1:
            raise InadmissibleInput("probability", f"of {one.name} must lie between 0 and 1, not {one.probability!r}.")
    total = math.fsum(one.probability for one in scenarios)
    if not scenarios or abs(total - 1) > SUM_TOLERANCE:
        raise InadmissibleInput("probability", f"of all scenarios must add up to 1, not {total:.12g}.")
    if len({one.name for one in scenarios}) < len(scenarios):
        raise InadmissibleInput("name", "two scenarios have the same name; rename one.")
    found = tuple(_valued(one) for one in scenarios)
    expected = math.fsum(one.probability * one.value_per_share for one in found)
    return ScenarioValues(found, expected, math.fsum(one.probability for one in found if one.value_per_share <= 0))


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
