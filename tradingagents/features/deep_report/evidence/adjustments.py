"""From evidence to value: capped adjustments of the base case, and what each item of evidence moves.

An item with an effect moves its driver, in the years of its horizon, by `change x confidence`; the change is limited
for each item (`CAPS[driver].item`), and the sum of all items for each driver and year (`CAPS[driver].total`). An item
that contradicts its hypothesis has its own effect as well: the sign of `change` says which way the driver moves. Of
items with the same claim and driver only the surest counts, however many sources and hypotheses carry it. An effect
that reaches the last year of the forecast also moves the terminal margin and the terminal cost of capital; terminal
growth is never moved, because it belongs to the economy and not to the company.

The bull case takes the evidence on its side, and growth and margin of the high case of the company's valuation, the
bear case those of its low case (`valuation.company.cases`): without evidence they are these cases. In each year a
driver has the level of the evidence or that of the case, whichever is farther from the base: the two are not added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tradingagents.features.deep_report.evidence.contradictions import upheld
from tradingagents.features.deep_report.schemas.thesis import PastRangeRecord, ValueStep
from tradingagents.schemas.evidence import DriverEffect, EvidenceItem, ValueDriver, claim_key
from tradingagents.valuation import InadmissibleInput, ValuationInputs, value_company
from tradingagents.valuation.company.answer_parts import ValueCases


@dataclass(frozen=True, slots=True)
class Cap:
    """How far evidence may move a driver, in the unit of `DriverEffect.change`."""

    item: float
    """One item, before its confidence."""
    total: float
    """All items together, in each year."""


CAPS: Mapping[ValueDriver, Cap] = {
    "growth": Cap(item=0.03, total=0.06),
    "margin": Cap(item=0.02, total=0.05),
    "cost_of_capital": Cap(item=0.005, total=0.015),
    "capital_intensity": Cap(item=0.10, total=0.30),
}
"""Judgement, not calibrated: one item moves a driver by less than half of what all may."""
HOLDS = 5
"""Years that a change of growth lasts before it fades to 0 in the last year, and in which a margin is reached."""
PastDriver = Literal["growth", "margin"]
_NAMES: Mapping[str, PastDriver] = {"growth": "growth", "operating margin": "margin"}
"""Drivers of the cases."""


@dataclass(frozen=True, slots=True)
class AdjustedValue:
    """The base case, the case after evidence, and the way from one to the other."""

    base: ValuationInputs
    adjusted: ValuationInputs
    base_value: float
    """Per share."""
    value: float
    """Per share, after the evidence."""
    steps: tuple[ValueStep, ...]
    """Largest effect on the value first."""
    limited_drivers: tuple[ValueDriver, ...]
    """Drivers for which the sum of all items was cut in some year."""

    @property
    def interaction(self) -> float:
        """Change of value per share that belongs to no single item."""
        return self.value - self.base_value - sum(step.value_effect for step in self.steps)


def adjust(base: ValuationInputs, items: Iterable[EvidenceItem]) -> AdjustedValue:
    """Return the base case after evidence. Items without an effect, and those that others overrule, change nothing.

    Raises:
        InadmissibleInput: The adjusted inputs cannot be valued.
    """
    moving = _distinct(upheld(list(items)))
    adjusted, limited = adjusted_inputs(base, moving)
    value = value_company(adjusted).value_per_share
    steps = []
    for item in moving:
        assert item.effect is not None  # noqa: S101 - filtered above
        others, _ = adjusted_inputs(base, [other for other in moving if other.id != item.id])
        steps.append(
            ValueStep(
                item=item.id,
                driver=item.effect.driver,
                asked=item.effect.change,
                weighted=_weighted(item, item.effect),
                value_effect=value - value_company(others).value_per_share,
                limited=abs(item.effect.change) > CAPS[item.effect.driver].item,
            )
        )
    steps.sort(key=lambda step: (-abs(step.value_effect), step.item))
    return AdjustedValue(base, adjusted, value_company(base).value_per_share, value, tuple(steps), limited)


def adjusted_inputs(
    base: ValuationInputs, items: Sequence[EvidenceItem]
) -> tuple[ValuationInputs, tuple[ValueDriver, ...]]:
    """Return inputs after the effects of items, and the drivers whose sum was limited.

    Raises:
        InadmissibleInput: The adjusted inputs cannot be valued.
    """
    moved: dict[ValueDriver, list[float]] = {}
    limited = []
    for driver, cap in CAPS.items():
        sums = _sums(driver, base.years, items)
        moved[driver] = [_limit(total, cap.total) for total in sums]
        if moved[driver] != sums:
            limited.append(driver)
    if not any(any(path) for path in moved.values()):
        return base, tuple(limited)
    try:
        return _moved(base, moved), tuple(limited)
    except InadmissibleInput as error:
        raise InadmissibleInput(error.name, f"after the evidence: {str(error).partition(': ')[2]}") from error


def _moved(base: ValuationInputs, moved: Mapping[ValueDriver, Sequence[float]]) -> ValuationInputs:
    def added(path: Sequence[float], driver: ValueDriver) -> tuple[float, ...]:
        return tuple(level + change for level, change in zip(path, moved[driver], strict=True))

    return base.with_values(
        sales_growth=added(base.sales_growth, "growth"),
        oper_margin=added(base.oper_margin, "margin"),
        stable_margin=base.stable_margin + moved["margin"][-1],
        wacc=added(base.wacc, "cost_of_capital"),
        stable_wacc=base.stable_wacc + moved["cost_of_capital"][-1],
        sales_to_capital=tuple(
            level / (1 + change)
            for level, change in zip(base.sales_to_capital, moved["capital_intensity"], strict=True)
        ),
    )


def _distinct(items: Iterable[EvidenceItem]) -> list[EvidenceItem]:
    """Return the surest item of each claim and driver, ordered by id."""
    surest: dict[tuple[str, ValueDriver], EvidenceItem] = {}
    for item in sorted(items, key=lambda item: (item.confidence, item.id)):
        if item.effect is not None:
            surest[claim_key(item.claim), item.effect.driver] = item
    return sorted(surest.values(), key=lambda item: item.id)


def _sums(driver: ValueDriver, years: int, items: Iterable[EvidenceItem]) -> list[float]:
    """Return the sum of weighted changes of a driver in each year."""
    sums = [0.0] * years
    for item in items:
        effect = item.effect
        if effect is not None and effect.driver == driver:
            for year in range(effect.first_year, min(effect.last_year, years) + 1):
                sums[year - 1] += _weighted(item, effect)
    return sums


def _weighted(item: EvidenceItem, effect: DriverEffect) -> float:
    return _limit(effect.change, CAPS[effect.driver].item) * item.confidence


def _limit(value: float, most: float) -> float:
    return max(-most, min(most, value))


def past_ranges(cases: ValueCases) -> list[PastRangeRecord]:
    """Return what the bull and the bear case take of the cases of a valuation; a driver that neither moves is left out.

    Args:
        cases: Of a company that is valued by its free cash flow.
    """
    low, base, high = (dict(case.levels) for case in cases.all)
    found = (_range(driver, low[name], base[name], high[name]) for name, driver in _NAMES.items())
    return [driver for driver in found if driver.bull_change or driver.bear_change]


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
    inputs, _ = adjusted_inputs(base, [item for item in items if sign * effects.get(item.id, 0.0) > 0])
    for driver in past:
        change = driver.bull_change if case == "bull" else driver.bear_change
        if change:
            inputs = _reached(inputs, base, driver.driver, change)
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


def _reached(inputs: ValuationInputs, base: ValuationInputs, driver: PastDriver, change: float) -> ValuationInputs:
    """Return inputs whose path is moved to that of the base case plus a change, in years where it is not farther."""
    farther: Callable[[float, float], float] = max if change > 0 else min
    years = range(1, base.years + 1)
    if driver == "growth":
        parts = [1.0 if year <= HOLDS else (base.years - year) / (base.years - HOLDS) for year in years]
        path = _path(farther, inputs.sales_growth, base.sales_growth, [change * part for part in parts])
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
    return tuple(farther(level, first + change) for level, first, change in zip(own, base, changes, strict=True))
