"""Scenarios: several sets of inputs with probabilities, and the value expected over them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.valuation.canonical import canonical_json
from tradingagents.valuation.dcf import KERNEL_VERSION, Valuation, value_company
from tradingagents.valuation.inputs import InadmissibleInput, ValuationInputs
from tradingagents.valuation.limited_liability import floored

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


def _valued(scenario: Scenario) -> ScenarioValue:
    found = value_company(scenario.inputs)
    return ScenarioValue(scenario.name, scenario.probability, found, floored(found.value_per_share))
