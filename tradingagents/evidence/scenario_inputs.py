"""The inputs of the bull and the bear case: evidence on one side, and the range of the company's own past.

The range of growth and of margin is that of the company's own years: the lowest and the highest over three years in a
row, of single years where fewer than five are known. The bull case takes the end that raises the value, the bear case
the other, as far from the base case as all evidence together may move the driver (`CAPS`). In each year a driver has
the level of the evidence or that of the past, whichever is farther: the two are not added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from statistics import fmean
from typing import Literal

from tradingagents.evidence.adjustments import CAPS, adjusted_inputs
from tradingagents.schemas.evidence import EvidenceItem
from tradingagents.schemas.thesis import FiscalYearRecord, PastRangeRecord
from tradingagents.valuation import InadmissibleInput, ValuationInputs, value_company

SPAN = 3
"""Years in a row whose growth or mean margin is one level."""
LEAST_LEVELS = 2
HOLDS = 5
"""Years that a change of growth lasts before it fades to 0 in the last year, and in which a margin is reached."""
PastDriver = Literal["growth", "margin"]
Level = tuple[float, str]
"""A level, and the years that had it in words."""


def past_ranges(years: Sequence[FiscalYearRecord], base: ValuationInputs) -> list[PastRangeRecord]:
    """Return the range of growth and of margin in the past; a driver with fewer than two levels is left out.

    Args:
        years: Oldest first; those before a gap in revenue are left out.
        base: The base case, on which the changes of the cases are counted.
    """
    known = list(takewhile(lambda one: (one["revenue"] or 0.0) > 0, reversed(years)))[::-1]
    span = SPAN if len(known) > SPAN + 1 else 1
    levels: dict[PastDriver, list[Level]] = {"growth": _growth(known, span), "margin": _margins(known, span)}
    found = (_range(driver, own, base) for driver, own in levels.items() if len(own) >= LEAST_LEVELS)
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


def _growth(years: Sequence[FiscalYearRecord], span: int) -> list[Level]:
    """Return the yearly growth of revenue over each span."""
    ends = [(one["revenue"] or 0.0, one["end"]) for one in years]
    return [
        ((last / first) ** (1 / span) - 1, f"{begin} to {end}")
        for (first, begin), (last, end) in zip(ends, ends[span:], strict=False)
    ]


def _margins(years: Sequence[FiscalYearRecord], span: int) -> list[Level]:
    """Return the mean operating margin over each span."""
    margins = [one["operating_margin"] for one in years]
    found = []
    for at in range(len(years) - span + 1):
        own = [one for one in margins[at : at + span] if one is not None]
        if len(own) == span:
            ends = (years[at]["end"], years[at + span - 1]["end"])
            found.append((fmean(own), f"twelve months to {' … '.join(dict.fromkeys(ends))}"))
    return found


def _range(driver: PastDriver, levels: Sequence[Level], base: ValuationInputs) -> PastRangeRecord:
    low, high = min(levels), max(levels)
    now = base.sales_growth[0] if driver == "growth" else base.oper_margin[-1]
    most = CAPS[driver].total
    changes = (max(-most, min(0.0, low[0] - now)), min(most, max(0.0, high[0] - now)))
    worth = value_company(base).value_per_share
    effects = {round(change, 6): _effect(base, driver, change, worth) for change in changes}
    best, worst = max(effects, key=effects.__getitem__), min(effects, key=effects.__getitem__)
    return PastRangeRecord(
        driver=driver,
        base=now,
        low=low[0],
        low_years=low[1],
        high=high[0],
        high_years=high[1],
        bull_change=best if effects[best] > 0 else 0.0,
        bear_change=worst if effects[worst] < 0 else 0.0,
    )


def _effect(base: ValuationInputs, driver: PastDriver, change: float, worth: float) -> float:
    """Return what a change moves a share's value by; 0 where it cannot be valued."""
    try:
        return value_company(_moved(base, base, driver, change)).value_per_share - worth if change else 0.0
    except InadmissibleInput:
        return 0.0


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
