"""A low, a base and a high case of a company's value, built from its own record and without probabilities.

Low and high take each driver at the lower and the upper quartile of the company's own years, or leave it where the base
lies outside of them. With too few years they move it by the step of the tornado, and say so. A firm has cases of growth
and margin, a bank or insurer of its return on equity and the cost of equity, a payer of dividends of their growth and
the cost of equity. `cases_of` is the one range: the opening, the football field, and deep reports use it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tradingagents.valuation.company.answer_parts import CaseName, ValueCase, ValueCases
from tradingagents.valuation.company.assumptions import AnyInputs
from tradingagents.valuation.company.history import OwnRecord, YearlyFigures
from tradingagents.valuation.company.operations import GROWTH_BOUNDS
from tradingagents.valuation.equity_models import EquityInputs, ExcessReturnInputs
from tradingagents.valuation.inputs import LEAST_SPREAD, ValuationInputs
from tradingagents.valuation.limited_liability import share_value
from tradingagents.valuation.scenarios import fading_parts, growth_moved, margin_moved
from tradingagents.valuation.sensitivity import TORNADO_SHIFTS

EARNED: Mapping[str, str] = {
    "return_on_equity": "return on equity",
    "dividend_growth": "growth of dividends",
    "funds_growth": "growth of funds from operations",
}
"""The path of each model of the equity that its cases move, in words."""
_STEP = TORNADO_SHIFTS["sales_growth"][1]
_NO_BOUNDS = (-1.0, 1.0)


@dataclass(frozen=True, slots=True)
class DriverSpan:
    """Levels of one driver."""

    base: float
    reach: tuple[float, float]
    """Low and high, at most and at least the base."""
    basis: str
    """Where low and high come from, in words."""

    @property
    def low(self) -> float:
        """Of the low case."""
        return self.reach[0]

    @property
    def high(self) -> float:
        """Of the high case."""
        return self.reach[1]


def span_of(base: float, own: YearlyFigures, bounds: tuple[float, float] = _NO_BOUNDS) -> DriverSpan:
    """Return the levels of one driver.

    Args:
        base: Level of the inputs.
        own: Of the company's own years.
        bounds: Within which quartiles are taken.

    >>> span_of(0.02, YearlyFigures((0.10, 0.02, 0.06, 0.04), years=5)).high
    0.07
    """
    if own.quartiles is None:
        known = "no own year is" if not own.years else f"only {own.years} of its own years {_are(own.years)}"
        basis = f"1 point either way, for {known} known: no measure of the risk"
        return DriverSpan(base, (base - _STEP, base + _STEP), basis)
    lower, upper = (min(max(one, bounds[0]), bounds[1]) for one in own.quartiles)
    bounded = "" if (lower, upper) == own.quartiles else f", taken within {bounds[0]:.0%} and {bounds[1]:.0%}"
    basis = f"the quartiles of its own {own.years} years to {own.last}{bounded}, or the base where it lies outside"
    return DriverSpan(base, (min(base, lower), max(base, upper)), basis)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def firm_spans(inputs: ValuationInputs, record: OwnRecord) -> tuple[DriverSpan, DriverSpan]:
    """Return the levels of the growth of years 1 to 5 and of the operating margin from year 5 on."""
    growth = span_of(inputs.sales_growth[0], record.growth, GROWTH_BOUNDS)
    return growth, span_of(inputs.stable_margin, record.margin)


def cases_of(inputs: AnyInputs, record: OwnRecord | None = None) -> ValueCases:
    """Value the cases of a company.

    Args:
        inputs: The base.
        record: The company's own years; None: none is known.
    """
    own = record or OwnRecord()
    if isinstance(inputs, ValuationInputs):
        return _of_the_firm(inputs, own)
    return _of_the_equity(inputs, own)


def _of_the_firm(base: ValuationInputs, record: OwnRecord) -> ValueCases:
    growth, margin = firm_spans(base, record)

    def case(name: CaseName, level: float, choose: Callable[..., tuple[float, float]]) -> ValueCase:
        # Growth takes value where new capital earns less than its cost: the case has the rate that fits its name.
        at_margin = margin_moved(base, level - margin.base) if level != margin.base else base
        rates = (growth.base, growth.low, growth.high)
        worth, rate = choose((_grown(at_margin, rate - growth.base), rate) for rate in rates)
        return ValueCase(name, (("growth", rate), ("operating margin", level)), worth)

    middle = ValueCase("base", (("growth", growth.base), ("operating margin", margin.base)), share_value(base))
    low, high = case("low", margin.low, min), case("high", margin.high, max)
    return ValueCases(low, middle, high, _basis(("growth", growth), ("operating margin", margin)))


def _grown(inputs: ValuationInputs, change: float) -> float:
    return share_value(growth_moved(inputs, change) if change else inputs)


def _of_the_equity(base: EquityInputs, record: OwnRecord) -> ValueCases:
    path, rates = earned_path(base)
    earned = span_of(rates[0], record.return_on_equity if path == "return_on_equity" else YearlyFigures())
    name, step = EARNED[path], _cost_step(base)

    def case(called: CaseName, level: float, cost: float) -> ValueCase:
        moved = cost_of_equity_moved(earnings_moved(base, level - earned.base), cost)
        return ValueCase(called, ((name, level), ("cost of equity", moved.cost_of_equity[0])), share_value(moved))

    basis = f"{_basis((name, earned))} {_cost_basis(step)}"
    low, high = case("low", earned.low, step), case("high", earned.high, -step)
    return ValueCases(low, case("base", earned.base, 0.0), high, basis)


def earned_path(inputs: EquityInputs) -> tuple[str, tuple[float, ...]]:
    """Return the name and the years of what a model of the equity earns (`EARNED`)."""
    name = next(name for name in EARNED if hasattr(inputs, name))
    return name, tuple(getattr(inputs, name))


def earnings_moved(inputs: EquityInputs, change: float) -> EquityInputs:
    """Return inputs whose return on equity, or growth of dividends, is higher by so much for five years.

    The change then fades to 0 in the last year.
    """
    if not change:
        return inputs
    name, path = earned_path(inputs)
    moved = tuple(rate + change * part for rate, part in zip(path, fading_parts(len(path)), strict=True))
    changes: dict[str, Any] = {name: moved}
    return replace(inputs, **changes)


def cost_of_equity_moved(inputs: EquityInputs, change: float) -> EquityInputs:
    """Return inputs whose cost of equity is higher by so much, for ever; a return that is to equal it moves with it."""
    if not change:
        return inputs
    costs = tuple(cost + change for cost in inputs.cost_of_equity)
    later = inputs.stable_cost_of_equity + change
    if isinstance(inputs, ExcessReturnInputs) and inputs.stable_return_on_equity == inputs.stable_cost_of_equity:
        last = inputs.return_on_equity[-1]
        reached = later if last == inputs.stable_return_on_equity else last
        path = (*inputs.return_on_equity[:-1], reached)
        inputs = replace(inputs, return_on_equity=path, stable_return_on_equity=later, stable_cost_of_equity=later)
    return replace(inputs, cost_of_equity=costs, stable_cost_of_equity=later)


def _cost_step(inputs: EquityInputs) -> float:
    """Return the step of the cost of equity: that of the tornado, and half of what growth leaves where that is less."""
    room = inputs.stable_cost_of_equity - inputs.stable_growth - LEAST_SPREAD
    return min(TORNADO_SHIFTS["wacc"][1], room / 2, min(inputs.cost_of_equity) / 2)


def _cost_basis(step: float) -> str:
    points = f"{100 * step:.2g} point{'' if step == TORNADO_SHIFTS['wacc'][1] else 's'}"
    return f"Cost of equity: {points} above and below the base."


def _basis(*drivers: tuple[str, DriverSpan]) -> str:
    """Say where the levels come from; once for drivers of one basis."""
    names: dict[str, list[str]] = {}
    for name, span in drivers:
        names.setdefault(span.basis, []).append(name)
    return " ".join(f"{' and '.join(named).capitalize()}: {basis}." for basis, named in names.items())
