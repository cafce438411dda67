"""From a company's valuation to its report: the adapter between the results of capabilities and their renderings."""

from __future__ import annotations

from tradingagents.features.valuation_report.report import ValuationReport
from tradingagents.schemas.facts import PriceRange
from tradingagents.valuation import CostOfCapital, Driver, ScenarioValues, ValuationInputs
from tradingagents.valuation.company.answer_parts import ValuationAssumption
from tradingagents.valuation.company.results import CompanyValuation, RelativeValuation
from tradingagents.valuation.relative import MULTIPLES


def company_report(
    found: CompanyValuation,
    *,
    capital: CostOfCapital | None = None,
    relative: RelativeValuation | None = None,
    refusals: tuple[str, ...] = (),
    scenarios: ScenarioValues | None = None,
    grid_drivers: tuple[Driver, Driver] = ("wacc", "stable_growth"),
) -> ValuationReport:
    """Return the report of a company that is valued by its free cash flow.

    Args:
        found: The valuation.
        capital: Parts of its cost of capital.
        relative: Prices at the multiples of its peers.
        refusals: What else could not be computed, and why.
        scenarios: Values of scenarios.
        grid_drivers: Drivers of the grid's rows and columns.

    Raises:
        TypeError: Its equity is valued, by another model.
    """
    inputs = found.kernel_inputs
    if not isinstance(inputs, ValuationInputs):
        raise TypeError(f"{found.symbol} is valued by {found.model}, not by its free cash flow.")
    return ValuationReport(
        inputs=inputs,
        price=found.price,
        price_day=found.price_day,
        assumptions=(*found.assumptions, *_not_listed(found, inputs)),
        capital=capital,
        opening=found.opening,
        cases=found.cases,
        notes=found.notes,
        refusals=(*refusals, *missing_multiples(relative)),
        ranges=peer_ranges(relative),
        scenarios=scenarios,
        grid_drivers=grid_drivers,
    )


def _not_listed(found: CompanyValuation, inputs: ValuationInputs) -> list[ValuationAssumption]:
    """Return the numbers from data that the valuation does not list among its assumptions."""
    listed = {one.name for one in found.assumptions}
    rows = [ValuationAssumption("price", found.price, "data", f"get_stock_data: close of {found.price_day}")]
    if inputs.book_capital is not None:
        source = "get_balance_sheet: equity + debt - cash and securities"
        rows.append(ValuationAssumption("book_capital", inputs.book_capital, "data", source))
    return [row for row in rows if row.name not in listed]


def peer_ranges(relative: RelativeValuation | None, *, least: int = 1) -> tuple[PriceRange, ...]:
    """Return the prices at the quartiles of each multiple of the peers, as far as there are any.

    Args:
        relative: The multiples.
        least: Peers that a multiple needs.
    """
    found = []
    for multiple in relative.ranges if relative is not None else ():
        if multiple.prices is not None and relative is not None and len(multiple.peers) >= least:
            own = "" if multiple.own is None else f"; {relative.symbol} itself {multiple.own:.1f}x"
            note = f"quartiles of {', '.join(symbol for symbol, _ in multiple.peers)}{own}"
            low, middle, high = multiple.prices
            label = f"{MULTIPLES[multiple.multiple]} of peers"
            found.append(PriceRange(label=label, low=low, middle=middle, high=high, note=note))
    return tuple(found)


def missing_multiples(relative: RelativeValuation | None) -> tuple[str, ...]:
    """Return the multiples that give no price, each with the reason."""
    ranges = relative.ranges if relative is not None else ()
    return tuple(f"{MULTIPLES[one.multiple]}: {one.reason}." for one in ranges if one.reason)
