"""The files of a valuation: a page and a workbook, written where the caller says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradingagents.errors import UsageError

from .flags import Flags, read_both

if TYPE_CHECKING:
    from tradingagents.features.valuation_report.valuation_files import ValuationContext
    from tradingagents.valuation import ScenarioValues, ValuationInputs, ValueDistribution
    from tradingagents.valuation.company.results import CompanyValuation


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
    from tradingagents.features.valuation_report.valuation_files import (
        ShownValuation,
        ValuationContext,
        assert_workbook,
        valuation_page,
        valuation_workbook_file,
    )
    from tradingagents.memory.cohort import market_note_of

    if xlsx is not None:
        assert_workbook(company, "leave out --xlsx, and use --html or --json")
    shown = ShownValuation(
        company=company,
        inputs=inputs,
        scenarios=scenarios,
        distribution=distribution,
        axes=axes,
        context=ValuationContext() if company is None else _context(company, changes, flags),
        market_note=None if company is None else market_note_of(read_both(flags)[0]),
    )
    made: list[tuple[str, Path, bytes]] = []
    if html is not None:
        made.append(("html", html, valuation_page(shown)))
    if xlsx is not None:
        made.append(("xlsx", xlsx, valuation_workbook_file(shown)))
    return {kind: _write(kind, path, content) for kind, path, content in made}


def _write(kind: str, path: Path, content: bytes) -> str:
    from tradingagents.files.atomic import replace_whole

    target = path.expanduser().absolute()
    try:
        if target.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        replace_whole(target, content)
    except OSError as error:
        raise UsageError(f"Cannot write {target} ({error.strerror}); name another file with --{kind}.") from None
    return str(target)


def _context(company: CompanyValuation, changes: Sequence[str], flags: Flags) -> ValuationContext:
    """Return the parts of the cost of capital, the peers' multiples, and why there are none."""
    from tradingagents.features.valuation_report.valuation_files import valuation_context
    from tradingagents.service.kernel.ask import ask

    settings, _ = read_both(flags)

    def answer(name: str, arguments: dict[str, Any]) -> Any:
        return ask(name, as_of=company.as_of, settings=settings, **arguments)

    return valuation_context(company, answer, changes)
