"""`ValuationReport`: everything that the page, the Markdown and the workbook of a valuation show."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Literal

from tradingagents.schemas.facts import PriceRange
from tradingagents.valuation import (
    DRIVERS,
    CostOfCapital,
    Driver,
    ImpliedDriver,
    Projection,
    ScenarioValues,
    SensitivityGrid,
    Tornado,
    Valuation,
    ValuationInputs,
    ValueDistribution,
    grid,
    project,
    solve_driver,
    tornado,
    value_company,
)
from tradingagents.valuation.company.answer_parts import Kind, ValuationAssumption, ValueCases


@dataclass(frozen=True, kw_only=True)
class ValuationReport:
    """A valuation with what it stands on. Value, forecast, grid, tornado and expectations follow from the inputs."""

    inputs: ValuationInputs
    price: float | None = None
    """To compare with, in the currency of the inputs."""
    price_day: date | None = None
    assumptions: tuple[ValuationAssumption, ...] = ()
    """Numbers with their sources; inputs that are not among them are shown as given."""
    capital: CostOfCapital | None = None
    """Parts of the cost of capital, where it was built from them."""
    opening: tuple[str, ...] = ()
    """What the answer says first (`company.opening`); nothing where no company is valued."""
    cases: ValueCases | None = None
    """The low, the base and the high case that the opening names; None where no company is valued."""
    notes: tuple[str, ...] = ()
    """What a reader should know of the data."""
    refusals: tuple[str, ...] = ()
    """What could not be computed, and why."""
    ranges: tuple[PriceRange, ...] = ()
    """Prices by other methods, such as the multiples of peers."""
    scenarios: ScenarioValues | None = None
    distribution: ValueDistribution | None = None
    grid_drivers: tuple[Driver, Driver] = ("wacc", "stable_growth")
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What the report calls the company."""
        return self.inputs.company or self.inputs.ticker or "Company"

    @cached_property
    def valuation(self) -> Valuation:
        """The value."""
        return value_company(self.inputs)

    @cached_property
    def projection(self) -> Projection:
        """The forecast year by year."""
        return project(self.inputs)

    @cached_property
    def grid(self) -> SensitivityGrid:
        """Value per share over two drivers."""
        return grid(self.inputs, *self.grid_drivers)

    @cached_property
    def tornado(self) -> Tornado:
        """Value per share at a low and a high shift of each driver."""
        return tornado(self.inputs)

    @cached_property
    def implied(self) -> tuple[ImpliedDriver, ...]:
        """What each driver must be for the value to equal the price; nothing without a price."""
        if self.price is None:
            return ()
        drivers = (driver for driver in DRIVERS if driver != "stable_roic" or self.inputs.stable_roic is not None)
        return tuple(solve_driver(self.inputs, driver, self.price) for driver in drivers)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to look at before the value is used, each once."""
        return tuple(dict.fromkeys((*self.valuation.warnings, *self.notes)))

    @cached_property
    def sourced(self) -> tuple[ValuationAssumption, ...]:
        """The assumptions, and every input that is not among them."""
        return (*self.assumptions, *_not_listed(self.inputs, {assumption.name for assumption in self.assumptions}))


_BUILT_FROM = {
    "sales_growth": ("growth_years_1_to_5",),
    "oper_margin": ("margin_t0", "target_margin"),
    "tax_rate": ("effective_tax",),
    "sales_to_capital": ("turnover",),
    "wacc": ("unlevered_beta",),
    "stable_margin": ("target_margin",),
    "stable_tax": ("marginal_tax",),
}
"""Assumptions that stand for an input."""
GIVEN: Literal["given"] = "given"
NOT_GIVEN = "not given: the kernel's default"


def _not_listed(inputs: ValuationInputs, listed: set[str]) -> list[ValuationAssumption]:
    found: list[ValuationAssumption] = []
    for name, value in inputs.to_dict().items():
        if name in listed or listed & set(_BUILT_FROM.get(name, ())):
            continue
        if isinstance(value, list):
            found += [
                ValuationAssumption(f"{name}, year {year}", assumed, GIVEN, GIVEN)
                for year, assumed in enumerate(value, 1)
            ]
        elif isinstance(value, dict):
            found += [ValuationAssumption(f"{name}.{part}", one, GIVEN, GIVEN) for part, one in value.items()]
        elif isinstance(value, int | float) and not isinstance(value, bool):
            default = not value
            kind: Kind = "default" if default else GIVEN
            found.append(ValuationAssumption(name, float(value), kind, NOT_GIVEN if default else GIVEN))
    return found
