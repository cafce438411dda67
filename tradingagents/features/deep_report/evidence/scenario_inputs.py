"""The inputs of the bull and the bear case: evidence on one side, and the cases of the company's own record.

The bull case takes growth and margin of the high case of the company's valuation, the bear case those of its low case
(`valuation.company.cases`): without evidence they are these cases. In each year a driver has the level of the evidence
or that of the case, whichever is farther from the base: the two are not added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from tradingagents.features.deep_report.evidence.adjustments import adjusted_inputs
from tradingagents.features.deep_report.schemas.thesis import PastRangeRecord
from tradingagents.schemas.evidence import EvidenceItem
from tradingagents.valuation import ValuationInputs
from tradingagents.valuation.company.answer_parts import ValueCases

HOLDS = 5
"""Years that a change of growth lasts before it fades to 0 in the last year, and in which a margin is reached."""
PastDriver = Literal["growth", "margin"]
_NAMES: Mapping[str, PastDriver] = {"growth": "growth", "operating margin": "margin"}
"""Drivers of the cases."""


def past_ranges(cases: ValueCases) -> list[PastRangeRecord]:
    """Return what the bull and the bear case take of the cases of a valuation; a driver that neither moves is left out.

    Args:
        cases: Of a company that is valued by its free cash flow.
    """
    low, base, high = (dict(one.levels) for one in cases.all)
    found = (_range(driver, low[name], base[name], high[name]) for name, driver in _NAMES.items())
    return [one for one in found if one["bull_change"] or one["bear_change"]]


def scenario_inputs(
    base: ValuationInputs,
    items: Iterable[EvidenceItem],
    effects: Mapping[str, float],
    past: Sequence[PastRangeRecord],
    case: Literal["bull", "bear"],
) -> ValuationInputs:
    """Return the inputs of a case.

    Args:
        base: The base case from data.
        items: Evidence; of it the case takes what moves the value its way.
        effects: What each item moves a share's value by.
        past: From `past_ranges`.

    Raises:
        InadmissibleInput: The inputs cannot be valued.
    """
    sign = 1 if case == "bull" else -1
    inputs, _ = adjusted_inputs(base, [one for one in items if sign * effects.get(one.id, 0.0) > 0])
    for one in past:
        change = one["bull_change"] if case == "bull" else one["bear_change"]
        if change:
            inputs = _moved(inputs, base, one["driver"], change)
    return inputs


def _range(driver: PastDriver, of_low: float, base: float, of_high: float) -> PastRangeRecord:
    ends = sorted(((of_low, "low case"), (of_high, "high case")))
    return PastRangeRecord(
        driver=driver,
        base=base,
        low=ends[0][0],
        low_years=ends[0][1],
        high=ends[1][0],
        high_years=ends[1][1],
        bull_change=of_high - base,
        bear_change=of_low - base,
    )


def _moved(inputs: ValuationInputs, base: ValuationInputs, driver: PastDriver, change: float) -> ValuationInputs:
    """Return inputs whose path is moved to that of the base case plus a change, in years where it is not farther."""
    farther: Callable[[float, float], float] = max if change > 0 else min
    years = range(1, base.years + 1)
    if driver == "growth":
        parts = [1.0 if year <= HOLDS else (base.years - year) / (base.years - HOLDS) for year in years]
        path = _path(farther, inputs.sales_growth, base.sales_growth, [change * one for one in parts])
        return inputs.with_values(sales_growth=path)
    path = _path(farther, inputs.oper_margin, base.oper_margin, [change * min(year, HOLDS) / HOLDS for year in years])
    stable = farther(inputs.stable_margin, base.stable_margin + change)
    return inputs.with_values(oper_margin=path, stable_margin=stable)


def _path(
    farther: Callable[[float, float], float],
    own: Sequence[float],
    base: Sequence[float],
    changes: Sequence[float],
) -> tuple[float, ...]:
    return tuple(farther(one, first + change) for one, first, change in zip(own, base, changes, strict=True))
