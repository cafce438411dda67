"""Figures over a series: growth, compound growth, average, sum, highest and lowest, each with its formula and cells.

They are computed by the one calculator (`retrieval.calculation`). A figure is withheld, with the reason, where a period
that it needs is missing or where the figures do not add up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

from tradingagents.errors import UsageError
from tradingagents.retrieval.calculation import Calculation, CalculationRequest, CitedOperand, calculate
from tradingagents.retrieval.series.fact import MissingPeriod, Series, SeriesFact
from tradingagents.retrieval.series.items import is_additive, output_of
from tradingagents.retrieval.series.span import FiscalPeriod
from tradingagents.schemas.derivation import Output

SeriesFunction = Literal["growth", "cagr", "average", "sum", "highest", "lowest"]
"""What can be computed over a series.

* `growth`: the last figure over the first, in per cent of the size of the first.
* `cagr`: the same a year, compounded over the years between the two.
* `average`: the mean of all figures.
* `sum`: all figures added, such as those of four quarters; of money over time alone.
* `highest`, `lowest`: the period with the largest or smallest figure.
"""
_QUARTERS = 4


@dataclass(frozen=True, slots=True)
class SeriesFigure:
    """A figure computed over a series, or why there is none."""

    function: SeriesFunction
    periods: tuple[FiscalPeriod, ...] = ()
    """Those it is about: the first and the last, all of them, or the one with the highest or lowest figure."""
    calculation: Calculation | None = None
    """The formula over named operands with its value; a percentage is 4.8 for 4.8 %. None where none was tried."""
    facts: tuple[SeriesFact, ...] = ()
    """Those that it rests on, in the order of the operands."""
    withheld: str = ""
    """Why there is no value, in one sentence; empty where there is one."""

    @property
    def value(self) -> float | None:
        """The value in `unit`; None where it is withheld."""
        return None if self.calculation is None else self.calculation.value

    @property
    def unit(self) -> str:
        """`percent`, or the unit of the series; empty without a value."""
        return "" if self.calculation is None else self.calculation.unit


def over_series(found: Series, function: SeriesFunction) -> SeriesFigure:
    """Compute a figure over all periods of a series.

    Raises:
        UsageError: There is no such function.
    """
    if function not in get_args(SeriesFunction):
        raise UsageError(f"There is no function {function!r} of a series; take {', '.join(get_args(SeriesFunction))}.")
    refusal = _refusal(found, function)
    if refusal:
        return SeriesFigure(function, withheld=refusal)
    return _FUNCTIONS[function](found, function)


def growth_by_period(found: Series) -> tuple[SeriesFigure, ...]:
    """Return the growth of each period over the one before it; withheld where that one is missing."""
    missing = {row.period for row in found.missing}
    figures = []
    for before, after in pairwise(found.rows):
        first, last = before.period.fiscal, after.period.fiscal
        if first is None or last is None:
            continue
        if last.before != first:
            absent = last.before
            why = "is missing" if absent in missing else "is not part of the span"
            figures.append(SeriesFigure("growth", periods=(last,), withheld=f"{absent.label} {why}."))
        else:
            figures.append(
                _computed(
                    "growth", f"growth({operand_name(before)}, {operand_name(after)})", (before, after), "percent"
                )
            )
    return tuple(figures)


def _refusal(found: Series, function: SeriesFunction) -> str:
    """Return why a function has no value; empty where nothing stands in its way."""
    if not found.rows:
        return _because(found.missing) or "The span has no figure."
    if function in ("growth", "cagr"):
        if len(found.rows) < 2:
            return _because(found.missing) or "It takes two periods; the span has one."
        ends = [row for row in found.missing if not _within(row.period, found)]
        return _because(ends)
    if function == "sum" and found.is_instant:
        return "Figures of single days do not add up over time."
    if function == "sum" and not is_additive(found.item, found.unit):
        return f"Figures in {found.unit} do not add up over time."
    return _because(found.missing)


def _because(missing: tuple[MissingPeriod, ...] | list[MissingPeriod]) -> str:
    return "; ".join(f"{row.period.label} is missing: {row.reason}" for row in missing[:3]) + "." if missing else ""


def _within(period: FiscalPeriod, found: Series) -> bool:
    first, last = found.rows[0].period.fiscal, found.rows[-1].period.fiscal
    return first is not None and last is not None and first < period < last


def _growth(found: Series, function: SeriesFunction) -> SeriesFigure:
    ends = (found.rows[0], found.rows[-1])
    return _computed(function, f"growth({operand_name(ends[0])}, {operand_name(ends[1])})", ends, "percent")


def _cagr(found: Series, function: SeriesFunction) -> SeriesFigure:
    ends = (found.rows[0], found.rows[-1])
    years = _years_between(ends[0], ends[1])
    return _computed(function, f"cagr({operand_name(ends[0])}, {operand_name(ends[1])}, {years:g})", ends, "percent")


def _average(found: Series, function: SeriesFunction) -> SeriesFigure:
    names = ", ".join(map(operand_name, found.rows))
    return _computed(function, f"average({names})", found.rows, output_of(found.unit))


def _sum(found: Series, function: SeriesFunction) -> SeriesFigure:
    return _computed(function, " + ".join(map(operand_name, found.rows)), found.rows, output_of(found.unit))


def _extreme(found: Series, function: SeriesFunction) -> SeriesFigure:
    choose: Callable[..., SeriesFact] = max if function == "highest" else min
    # Of equal figures the newest is meant.
    best = choose(reversed(found.rows), key=lambda row: row.value)
    return _computed(function, operand_name(best), (best,), output_of(found.unit))


def _computed(function: SeriesFunction, expression: str, rows: tuple[SeriesFact, ...], output: Output) -> SeriesFigure:
    operands = tuple(
        CitedOperand(
            name=operand_name(row),
            label=row.tag,
            column=row.period.label,
            value=row.value,
            unit=row.unit,
            scale=row.scale,
            document_name=row.place.name,
            place=row.place.cell,
        )
        for row in rows
    )
    result = calculate(CalculationRequest(expression=expression, operands=operands, output=output))
    periods = tuple(period for row in rows if (period := row.period.fiscal) is not None)
    return SeriesFigure(function, periods, result, rows, result.refusal)


def operand_name(row: SeriesFact) -> str:
    """Return what a formula calls a row: `revenue@2024`, or `revenue_q3@2024` for a quarter."""
    name = re.sub(r"\W+", "_", row.item or row.tag.rpartition(":")[2])
    quarter = f"_q{row.period.fiscal_quarter}" if row.period.fiscal_quarter else ""
    return f"{name}{quarter}@{row.period.fiscal_year}"


def _years_between(first: SeriesFact, last: SeriesFact) -> float:
    start, end = first.period.fiscal, last.period.fiscal
    if start is None or end is None:
        return 0.0
    quarters = (end.year - start.year) * _QUARTERS + (end.quarter or 0) - (start.quarter or 0)
    return quarters / _QUARTERS


_FUNCTIONS: Mapping[SeriesFunction, Callable[[Series, SeriesFunction], SeriesFigure]] = {
    "growth": _growth,
    "cagr": _cagr,
    "average": _average,
    "sum": _sum,
    "highest": _extreme,
    "lowest": _extreme,
}
