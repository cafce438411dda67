"""The files of a valuation: a page and a workbook, written where the caller says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradingagents.errors import DataError, UsageError

from .flags import Flags, read_both

if TYPE_CHECKING:
    from tradingagents.reports.valuation_report import ValuationReport
    from tradingagents.valuation import CostOfCapital, ScenarioValues, ValuationInputs
    from tradingagents.valuation.company.results import CompanyValuation, RelativeValuation


def report_of(
    company: CompanyValuation | None,
    inputs: ValuationInputs | None,
    scenarios: ScenarioValues | None,
    axes: tuple[str, str],
    changes: Sequence[str],
    flags: Flags,
) -> ValuationReport:
    """Return what the files show; for a company its cost of capital and its peers are asked for, too.

    Raises:
        UsageError: The company is valued by a model of its equity, which has no files.
    """
    from tradingagents.reports.company_valuation import company_report
    from tradingagents.reports.valuation_report import ValuationReport
    from tradingagents.valuation.drivers import check_driver

    if inputs is None:
        symbol, model = (company.symbol, company.model) if company is not None else ("", "")
        raise UsageError(
            f"--html and --xlsx show the model fcff, and {symbol} is valued by {model}; use --json or leave them out."
        )
    drivers = (check_driver(axes[0], inputs), check_driver(axes[1], inputs))
    if company is None:
        return ValuationReport(inputs=inputs, scenarios=scenarios, grid_drivers=drivers)
    capital, relative, refusals = _beside(company, changes, flags)
    return company_report(
        company, capital=capital, relative=relative, refusals=refusals, scenarios=scenarios, grid_drivers=drivers
    )


def write_files(report: ValuationReport, html: Path | None, xlsx: Path | None) -> dict[str, str]:
    """Write the files that are asked for, and return where each one is, by kind.

    Raises:
        UsageError: A file cannot be written.
    """
    made: list[tuple[str, Path, bytes]] = []
    if html is not None:
        from tradingagents.reports.render.html import to_html
        from tradingagents.reports.valuation import valuation_document

        made.append(("html", html, to_html(valuation_document(report)).encode()))
    if xlsx is not None:
        from tradingagents.reports.render.xlsx import to_xlsx
        from tradingagents.reports.valuation_workbook import valuation_workbook

        made.append(("xlsx", xlsx, to_xlsx(valuation_workbook(report))))
    return {kind: _write(kind, path, content) for kind, path, content in made}


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


def _beside(
    company: CompanyValuation, changes: Sequence[str], flags: Flags
) -> tuple[CostOfCapital | None, RelativeValuation | None, tuple[str, ...]]:
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
