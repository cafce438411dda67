"""The files of a valuation: a page and a workbook, as bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tradingagents.errors import DataError, UsageError

if TYPE_CHECKING:
    from tradingagents.features.valuation_report.report import ValuationReport
    from tradingagents.valuation import CostOfCapital, ScenarioValues, ValuationInputs, ValueDistribution
    from tradingagents.valuation.company.results import CompanyValuation, RelativeValuation

USUAL_AXES = ("wacc", "stable_growth")


@dataclass(frozen=True)
class ValuationContext:
    """What is shown next to a company's valuation."""

    capital: CostOfCapital | None = None
    """Parts of its cost of capital."""
    relative: RelativeValuation | None = None
    """Prices at the multiples of its peers."""
    refusals: tuple[str, ...] = ()
    """What could not be computed, and why."""


@dataclass(frozen=True, kw_only=True)
class ShownValuation:
    """A valuation with all that its files show."""

    company: CompanyValuation | None
    inputs: ValuationInputs | None
    """Of the model fcff; None for a company that is valued by another model."""
    scenarios: ScenarioValues | None = None
    distribution: ValueDistribution | None = None
    axes: tuple[str, str] = USUAL_AXES
    context: ValuationContext = ValuationContext()
    market_note: str | None = None
    """That the market is made up; None for a real one."""


def valuation_context(
    company: CompanyValuation, ask: Callable[[str, dict[str, Any]], Any], changes: Sequence[str] = ()
) -> ValuationContext:
    """Ask for the cost of capital of a valued company, and for its peers.

    Args:
        company: The company.
        ask: Answers a capability, by name and arguments, as of the day of the valuation.
        changes: Assumptions that replace data, such as `wacc=0.09`.
    """
    asked = {"model": company.model, "assumptions": "; ".join(changes), "ticker": company.symbol}
    built = ask("build_valuation_inputs", asked)
    try:
        relative = ask("relative_valuation", {"ticker": company.symbol})
    except DataError as error:
        return ValuationContext(built.capital, None, (f"Multiples of peers: {error}",))
    return ValuationContext(built.capital, relative)


def assert_workbook(company: CompanyValuation | None, way_out: str) -> None:
    """Check that a company's valuation can be shown as a workbook.

    Raises:
        UsageError: Its model has no workbook.
    """
    if company is not None and company.model not in ("fcff", "excess_returns"):
        raise UsageError(
            f"A workbook shows the models fcff and excess_returns, and {company.symbol} is valued by {company.model}; "
            f"{way_out}."
        )


def valuation_page(shown: ShownValuation) -> bytes:
    """Return the page of a valuation, which needs no network."""
    from tradingagents.reports.render.html import to_html

    if shown.inputs is None:
        from tradingagents.features.valuation_report.equity_valuation import equity_document

        context = shown.context
        document = equity_document(_company(shown), relative=context.relative, refusals=context.refusals)
    else:
        from tradingagents.features.valuation_report.valuation import valuation_document

        document = valuation_document(_report(shown, shown.inputs))
    return to_html(replace(document, market_note=shown.market_note)).encode()


def valuation_workbook_file(shown: ShownValuation) -> bytes:
    """Return the workbook of a valuation, with live formulas. Raises as `to_xlsx` does where the extra is missing."""
    from tradingagents.reports.render.xlsx import to_xlsx

    if shown.inputs is None:
        from tradingagents.features.valuation_report.sheets.excess_returns import excess_returns_workbook

        return to_xlsx(excess_returns_workbook(_company(shown)))
    from tradingagents.features.valuation_report.workbook import valuation_workbook

    return to_xlsx(valuation_workbook(_report(shown, shown.inputs)))


def _company(shown: ShownValuation) -> CompanyValuation:
    if shown.company is None:
        raise TypeError("a valuation without inputs of the model fcff belongs to a company")
    return shown.company


def _report(shown: ShownValuation, inputs: ValuationInputs) -> ValuationReport:
    from tradingagents.features.valuation_report.company_valuation import company_report
    from tradingagents.features.valuation_report.report import ValuationReport
    from tradingagents.valuation.sensitivity import check_driver

    drivers = (check_driver(shown.axes[0], inputs), check_driver(shown.axes[1], inputs))
    if shown.company is None:
        made = ValuationReport(inputs=inputs, scenarios=shown.scenarios, grid_drivers=drivers)
    else:
        made = company_report(
            shown.company,
            capital=shown.context.capital,
            relative=shown.context.relative,
            refusals=shown.context.refusals,
            scenarios=shown.scenarios,
            grid_drivers=drivers,
        )
    return replace(made, distribution=shown.distribution)
