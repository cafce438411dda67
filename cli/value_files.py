"""The files of a valuation: a page and a workbook, written where the caller says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tradingagents.errors import DataError, UsageError

from .flags import Flags, read_both

if TYPE_CHECKING:
    from tradingagents.reports.valuation_report import ValuationReport
    from tradingagents.valuation import CostOfCapital, ScenarioValues, ValuationInputs, ValueDistribution
    from tradingagents.valuation.company.results import CompanyValuation, RelativeValuation

    _Beside: TypeAlias = tuple[CostOfCapital | None, RelativeValuation | None, tuple[str, ...]]


def write_files(
    company: CompanyValuation | None,
    inputs: ValuationInputs | None,
    scenarios: ScenarioValues | None,
    distribution: ValueDistribution | None,
    axes: tuple[str, str],
    changes: Sequence[str],
    flags: Flags,
    *,
    html: Path | None,
    xlsx: Path | None,
) -> dict[str, str]:
    """Write the files that are asked for, and return where each one is, by kind.

    For a company its cost of capital and its peers are asked for, too.

    Raises:
        UsageError: A file cannot be written, or the company's model has no workbook.
    """
    if html is None and xlsx is None:
        return {}
    if xlsx is not None and company is not None and company.model == "dividend_discount":
        raise UsageError(
            f"--xlsx shows the models fcff and excess_returns, and {company.symbol} is valued by {company.model}; "
            f"use --html or --json."
        )
    capital, relative, refusals = (None, None, ()) if company is None else _beside(company, changes, flags)
    made: list[tuple[str, Path, bytes]] = []
    if inputs is None and company is not None and html is not None:
        from tradingagents.reports.equity_valuation import equity_document
        from tradingagents.reports.render.html import to_html

        page = to_html(equity_document(company, relative=relative, refusals=refusals))
        made.append(("html", html, page.encode()))
    if inputs is None and company is not None and xlsx is not None:
        from tradingagents.reports.render.xlsx import to_xlsx
        from tradingagents.reports.valuation_sheets.excess_returns import excess_returns_workbook

        made.append(("xlsx", xlsx, to_xlsx(excess_returns_workbook(company))))
    if inputs is not None:
        report = _report(company, inputs, scenarios, axes, (capital, relative, refusals))
        made += _rendered(replace(report, distribution=distribution), html, xlsx)
    return {kind: _write(kind, path, content) for kind, path, content in made}


def _report(
    company: CompanyValuation | None,
    inputs: ValuationInputs,
    scenarios: ScenarioValues | None,
    axes: tuple[str, str],
    beside: _Beside,
) -> ValuationReport:
    from tradingagents.reports.company_valuation import company_report
    from tradingagents.reports.valuation_report import ValuationReport
    from tradingagents.valuation.drivers import check_driver

    drivers = (check_driver(axes[0], inputs), check_driver(axes[1], inputs))
    if company is None:
        return ValuationReport(inputs=inputs, scenarios=scenarios, grid_drivers=drivers)
    capital, relative, refusals = beside
    return company_report(
        company, capital=capital, relative=relative, refusals=refusals, scenarios=scenarios, grid_drivers=drivers
    )


def _rendered(report: ValuationReport, html: Path | None, xlsx: Path | None) -> list[tuple[str, Path, bytes]]:
    made: list[tuple[str, Path, bytes]] = []
    if html is not None:
        from tradingagents.reports.render.html import to_html
        from tradingagents.reports.valuation import valuation_document

        made.append(("html", html, to_html(valuation_document(report)).encode()))
    if xlsx is not None:
        from tradingagents.reports.render.xlsx import to_xlsx
        from tradingagents.reports.valuation_workbook import valuation_workbook

        made.append(("xlsx", xlsx, to_xlsx(valuation_workbook(report))))
    return made


def _write(kind: str, path: Path, content: bytes) -> str:
    from tradingagents.store.atomic import replace_whole

    target = path.expanduser().absolute()
    try:
        if target.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        replace_whole(target, content)
    except OSError as error:
        raise UsageError(f"Cannot write {target} ({error.strerror}); name another file with --{kind}.") from None
    return str(target)


def _beside(company: CompanyValuation, changes: Sequence[str], flags: Flags) -> _Beside:
    """Return the parts of the cost of capital, the peers' multiples, and why there are none."""
    from tradingagents.capabilities.ask import ask

    settings, _ = read_both(flags)
    asked: dict[str, Any] = {"as_of": company.as_of, "settings": settings, "ticker": company.symbol}
    built: Any = ask("build_valuation_inputs", model=company.model, assumptions="; ".join(changes), **asked)
    try:
        relative: Any = ask("relative_valuation", **asked)
    except DataError as error:
        return built.capital, None, (f"Multiples of peers: {error}",)
    return built.capital, relative, ()
