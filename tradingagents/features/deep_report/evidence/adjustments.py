"""From evidence to value: capped adjustments of the base case, and what each item of evidence moves.

An item with an effect moves its driver, in the years of its horizon, by `change x confidence`; the change is limited
for each item (`CAPS[driver].item`), and the sum of all items for each driver and year (`CAPS[driver].total`). An item
that contradicts its hypothesis has its own effect as well: the sign of `change` says which way the driver moves. Of
items with the same claim and driver only the surest counts, however many sources and hypotheses carry it. An effect
that reaches the last year of the forecast also moves the terminal margin and the terminal cost of capital; terminal
growth is never moved, because it belongs to the economy and not to the company.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tradingagents.features.deep_report.evidence.contradictions import upheld
from tradingagents.schemas.evidence import DriverEffect, EvidenceItem, ValueDriver, claim_key
from tradingagents.valuation import InadmissibleInput, ValuationInputs, value_company


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


@dataclass(frozen=True, slots=True)
class ValueStep:
    """What one item of evidence asked for, and what it does to the value."""

    item_id: str
    driver: ValueDriver
    asked: float
    """The item's change."""
    weighted: float
    """After the limit of the item and its confidence; before the limit on the sum."""
    value_effect: float
    """Value per share with all items, less the value without this one. Effects do not add up to the whole change
    where drivers act on each other or a sum is limited; the rest is `AdjustedValue.interaction`."""
    limited: bool
    """Whether the limit of an item cut the change."""


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
        others, _ = adjusted_inputs(base, [one for one in moving if one.id != item.id])
        steps.append(
            ValueStep(
                item_id=item.id,
                driver=item.effect.driver,
                asked=item.effect.change,
                weighted=_weighted(item, item.effect),
                value_effect=value - value_company(others).value_per_share,
                limited=abs(item.effect.change) > CAPS[item.effect.driver].item,
            )
        )
    steps.sort(key=lambda step: (-abs(step.value_effect), step.item_id))
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
        asked = _sums(driver, base.years, items)
        moved[driver] = [_limit(one, cap.total) for one in asked]
        if moved[driver] != asked:
            limited.append(driver)
    if not any(any(path) for path in moved.values()):
        return base, tuple(limited)
    try:
        return _moved(base, moved), tuple(limited)
    except InadmissibleInput as error:
        raise InadmissibleInput(error.name, f"after the evidence: {str(error).partition(': ')[2]}") from error


def _moved(base: ValuationInputs, moved: Mapping[ValueDriver, Sequence[float]]) -> ValuationInputs:
    def added(path: Sequence[float], driver: ValueDriver) -> tuple[float, ...]:
        return tuple(one + change for one, change in zip(path, moved[driver], strict=True))

    return base.with_values(
        sales_growth=added(base.sales_growth, "growth"),
        oper_margin=added(base.oper_margin, "margin"),
        stable_margin=base.stable_margin + moved["margin"][-1],
        wacc=added(base.wacc, "cost_of_capital"),
        stable_wacc=base.stable_wacc + moved["cost_of_capital"][-1],
        sales_to_capital=tuple(
            one / (1 + change) for one, change in zip(base.sales_to_capital, moved["capital_intensity"], strict=True)
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
