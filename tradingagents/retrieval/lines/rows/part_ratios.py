"""A ratio of a part of a company, such as the operating margin of a segment: worked out of rows that are of one part.

Rows of one table come first. Rows of two tables are set against each other only where they name the part alike: the
operating income of `Walmart U.S.` over the revenues of `U.S. operations` is the margin of nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from tradingagents.retrieval.calculation import Calculation, CalculationRequest, calculate, operand_names
from tradingagents.retrieval.lines.cells.cell_choice import same_value
from tradingagents.retrieval.lines.cells.found_cells import FoundCell, WantedLine
from tradingagents.retrieval.lines.line_questions import AskedMeasure
from tradingagents.retrieval.lines.row_cells import cells_of_table, find_line, line_of_table, names_part_alike
from tradingagents.retrieval.lines.rows.label_words import NEUTRAL, stems_of
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.series.span import FiscalPeriod

ROUNDED = 0.06
"""Percentage points by which a ratio differs from its print to one decimal."""
ROUNDED_WHOLE = 0.51
"""The same of a print without decimals."""


@dataclass(frozen=True, slots=True)
class PartRatio:
    """A ratio of a part with the rows that it follows from, or why there is none."""

    result: Calculation | None = None
    cells: tuple[FoundCell, ...] = ()
    refusal: str = ""


def part_ratio(
    documents: Sequence[SourceDocument],
    measure: AskedMeasure,
    wanted: WantedLine,
    period: FiscalPeriod,
    printed: FoundCell | None,
) -> PartRatio:
    """Return a ratio of a part for a period.

    Args:
        documents: The best first; the first that gives the ratio is taken.
        measure: The ratio, a formula over line items.
        wanted: The part; its item is left open.
        period: The period.
        printed: The cell that prints the ratio, if one does: what is worked out has to agree with it.
    """
    part, _, whole = measure.expression.partition(" / ")
    if part == whole:
        return PartRatio(refusal="its part and its whole are read as one and the same item")
    for document in documents:
        together = list(_of_one_table(document, measure, wanted, period))
        if printed is not None:
            confirming = [found for found in together if _prints(printed, found)]
            confirming = confirming or [
                found for found in _of_any_rows(document, measure, wanted, period) if _prints(printed, found)
            ]
            if confirming:
                return confirming[0]
            if _is_called_so(printed, measure, wanted):
                return PartRatio()  # the rows around it are of more or of less than it
        if together:
            return _agreed(together)
        apart = _of_tables(document, measure, wanted, period)
        if apart is not None:
            return apart
    return PartRatio()


def _is_called_so(printed: FoundCell, measure: AskedMeasure, wanted: WantedLine) -> bool:
    """Whether a row names a ratio and a part with the very words asked for, as `Gross margin total automotive`."""
    label, asked = stems_of(printed.row.label), stems_of(wanted.phrase)
    words = asked | stems_of(measure.name)
    return bool(asked) and words <= label and not label - words - NEUTRAL


def _agreed(found: Sequence[PartRatio]) -> PartRatio:
    values = [each.result.value for each in found if each.result is not None and each.result.value is not None]
    if all(abs(value - values[0]) <= ROUNDED for value in values):
        return found[0]
    told = ", ".join(f"{value:,.2f}" for value in dict.fromkeys(values))
    return PartRatio(refusal=f"tables of {found[0].cells[0].document.info.name} give different ratios: {told}")


def _prints(printed: FoundCell, found: PartRatio) -> bool:
    if found.result is None or found.result.value is None:
        return False
    near = ROUNDED if "." in printed.cell.text else ROUNDED_WHOLE
    return abs(printed.value - found.result.value) <= near


def _ratio(measure: AskedMeasure, cells: Sequence[FoundCell]) -> PartRatio | None:
    operands = tuple(cell.operand(item) for cell, item in zip(cells, operand_names(measure.expression), strict=True))
    if len({operand.unit for operand in operands}) > 1 or len({id(cell.cell) for cell in cells}) < len(cells):
        return None  # a row that answers for both items is the ratio of nothing
    result = calculate(CalculationRequest(expression=measure.expression, operands=operands, output=measure.output))
    return PartRatio(result, tuple(cells)) if result.value is not None else None


def _of_one_table(
    document: SourceDocument, measure: AskedMeasure, wanted: WantedLine, period: FiscalPeriod
) -> Iterator[PartRatio]:
    """Yield the ratio of each table that has every item of it for the part."""
    items = operand_names(measure.expression)
    for table in document.tables:
        cells: list[FoundCell] = []
        for item in items:
            cell = line_of_table(document, table, replace(wanted, item=item, kind="money"), period)
            if cell is None:
                break
            cells.append(cell)
        if len(cells) == len(items) and _are_of_one_part(cells, wanted):
            ratio = _ratio(measure, cells)
            if ratio is not None:
                yield ratio


def _of_any_rows(
    document: SourceDocument, measure: AskedMeasure, wanted: WantedLine, period: FiscalPeriod
) -> Iterator[PartRatio]:
    """Yield the ratio of every choice of rows of a table that fit, such as of sales to customers outside alone."""
    items = operand_names(measure.expression)
    for table in document.tables:
        fitting = [cells_of_table(document, table, replace(wanted, item=item, kind="money"), period) for item in items]
        if not all(fitting):
            continue
        for cells in product(*fitting):
            ratio = _ratio(measure, cells)
            if ratio is not None:
                yield ratio


def _of_tables(
    document: SourceDocument, measure: AskedMeasure, wanted: WantedLine, period: FiscalPeriod
) -> PartRatio | None:
    """Return the ratio of rows of several tables that name the part alike; None where one is missing or of another."""
    found = [
        find_line([document], replace(wanted, item=item, kind="money"), period)
        for item in operand_names(measure.expression)
    ]
    cells: list[FoundCell] = []
    for each in found:
        cell = each.cell or _of_same_part(each.candidates, [other.cell for other in found], wanted)
        if cell is None:
            return None
        cells.append(cell)
    if not _are_of_one_part(cells, wanted):
        rows = " and ".join(repr(cell.shown) for cell in cells)
        return PartRatio(refusal=f"the rows {rows} name different parts, and no ratio is made of them")
    return _ratio(measure, cells)


def _of_same_part(
    candidates: Sequence[FoundCell], others: Sequence[FoundCell | None], wanted: WantedLine
) -> FoundCell | None:
    """Return the one of several rows that names the part as the other items of a ratio do; None where that is unclear.

    The revenue of `Display Technologies` rather than of `Display products`, where the net income is of the former.
    """
    known = [cell for cell in others if cell is not None]
    alike = [
        cell
        for cell in candidates
        if known and all(stems_of(cell.row.label) == stems_of(other.row.label) for other in known)
    ]
    agreed = alike and all(same_value(cell.value, alike[0].value) for cell in alike)
    return alike[0] if agreed and _are_of_one_part([alike[0], *known], wanted) else None


def _are_of_one_part(cells: Sequence[FoundCell], wanted: WantedLine) -> bool:
    return all(names_part_alike(cells[0], cell, wanted.phrase) for cell in cells[1:])
