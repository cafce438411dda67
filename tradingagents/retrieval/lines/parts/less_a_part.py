"""A figure less a part of it, where one table states both: `net sales excluding SRS` is a subtraction that is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tradingagents.retrieval.calculation import Calculation, CalculationRequest, calculate
from tradingagents.retrieval.lines.cells.found_cells import FoundCell, WantedLine
from tradingagents.retrieval.lines.row_cells import line_of_table
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.series.span import FiscalPeriod

_CONTINUATIONS = 1
"""How many of the next tables may continue a table on the following page."""
MOST_PARTS = 4
"""Parts that are left out together."""
_PLACE = re.compile(
    r"(?i)\b(?:u\.s\.|us|united states|international|domestic|foreign|americas?|europe|asia|china|japan|africa|emea"
    r"|world\w*)"
)
SAME = 2e-3
"""Two differences of one figure differ by no more than rounding."""


@dataclass(frozen=True, slots=True)
class LessAPart:
    """A figure less a part of it."""

    result: Calculation
    rows: str
    """The rows, the whole first."""
    document: str


def less_a_part(
    documents: Sequence[SourceDocument], whole: WantedLine, left_out: str, period: FiscalPeriod
) -> LessAPart | None:
    """Return a figure less the same figure of what is left out, where one table states both; None where none does."""
    part = replace(whole, phrase=f"{whole.phrase} {left_out}".strip())
    found = whole_and_part(documents, whole, part, period)
    if found is None:
        return _less_several(documents, whole, left_out.split(" and "), period)
    operands = tuple(cell.operand(name) for cell, name in zip(found, ("whole", "part"), strict=True))
    result = calculate(CalculationRequest(expression="whole - part", operands=operands))
    if result.value is None:
        return None
    return LessAPart(result, " less ".join(cell.shown for cell in found), found[0].document.info.name)


def _less_several(
    documents: Sequence[SourceDocument], whole: WantedLine, left_out: Sequence[str], period: FiscalPeriod
) -> LessAPart | None:
    """Return a figure less several parts of it that stand beside each other in one table; None where they do not.

    Parts under different headings, or of which one is a place, may have something in common that is taken off twice.
    """
    if not 1 < len(left_out) <= MOST_PARTS:
        return None
    for document in documents:
        wanted = [replace(whole, phrase=f"{whole.phrase} {each}".strip()) for each in left_out]
        found = [whole_and_part([document], whole, part, period) for part in wanted]
        pairs = [pair for pair in found if pair is not None]
        if not pairs:
            continue
        (first, *_), parts = pairs[0], [part for _, part in pairs]
        beside = {(part.table.page, part.table.start, part.row.headings[-1:], part.unit) for part in parts}
        rows = {(part.row.label, part.row.headings) for part in parts}
        if len(pairs) < len(left_out) or len(beside) > 1 or len(rows) < len(parts) or any(map(_is_place, parts)):
            return None
        if any(above.value != first.value for above, _ in pairs) or sum(part.value for part in parts) >= first.value:
            return None
        names = [f"part_{number}" for number in range(1, len(parts) + 1)]
        cells = zip((first, *parts), ("whole", *names), strict=True)
        operands = tuple(cell.operand(name) for cell, name in cells)
        result = calculate(CalculationRequest(expression=" - ".join(("whole", *names)), operands=operands))
        shown = " less ".join(cell.shown for cell in (first, *parts))
        return None if result.value is None else LessAPart(result, shown, document.info.name)
    return None


def _is_place(cell: FoundCell) -> bool:
    return bool(_PLACE.search(cell.row.label))


def whole_and_part(
    documents: Sequence[SourceDocument], whole: WantedLine, part: WantedLine, period: FiscalPeriod
) -> tuple[FoundCell, FoundCell] | None:
    """Return the cells of a figure and of a part of it, of one table; None where none has both or two tables differ.

    Args:
        documents: The best first; the first that has both is taken.
        whole: The figure, such as net sales of the company.
        part: The same figure of what is left out.
        period: Of both.
    """
    for document in documents:
        found = list(_pairs(document, whole, part, period))
        if found:
            # the sales of all segments may be less than those of the statement
            found = [pair for pair in found if pair[0].table.statement is not None] or found
            less = [above.value - below.value for above, below in found]
            return found[0] if all(abs(each - less[0]) <= SAME * abs(less[0]) for each in less) else None
    return None


def _pairs(
    document: SourceDocument, whole: WantedLine, part: WantedLine, period: FiscalPeriod
) -> Iterator[tuple[FoundCell, FoundCell]]:
    for at, table in enumerate(document.tables):
        below = line_of_table(document, table, part, period)
        if below is None:
            continue
        for other in document.tables[at : at + 1 + _CONTINUATIONS]:  # a long table continues on the next page
            if len(other.columns) != len(table.columns) or other.page - table.page > 1:
                continue
            above = line_of_table(document, other, whole, period, of_all=not whole.phrase)
            if above is not None and above.unit == below.unit and 0 < below.value < above.value:
                yield above, below
                break
