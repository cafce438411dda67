"""Rows of one name in the tables of several parts of a company: each is given with its part, and none instead of all.

`Fios video connections` of Verizon stands in the table of its Consumer and in that of its Business segment.
"""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.retrieval.lines.cells.found_cells import SEVERAL, FoundCell
from tradingagents.retrieval.lines.line_answer import LineValue
from tradingagents.retrieval.lines.line_questions import LineQuestion

_MOST_PARTS = 6


def of_each_part(
    asked: LineQuestion, values: Sequence[LineValue], candidates: Sequence[Sequence[FoundCell]]
) -> list[LineValue]:
    """Return a figure of each part for each period; none where something is computed, or the parts are not told.

    Args:
        asked: The question.
        values: The gaps of a line, a period each.
        candidates: The rows that fit, for each of them.
    """
    if asked.functions or asked.direction or asked.against or asked.alternatives or asked.combined:
        return []
    if not values or not all(value.gap.startswith(SEVERAL) for value in values):
        return []
    by_part = [{cell.table.section: cell for cell in cells} for cells in candidates]
    parts = list(by_part[0])
    told = (
        len(found) == len(cells) and set(found) == set(parts) for found, cells in zip(by_part, candidates, strict=True)
    )
    if not all(told) or not 1 < len(parts) <= _MOST_PARTS or not all(parts):
        return []
    if len({cell.unit for cells in candidates for cell in cells}) > 1:
        return []
    return [
        LineValue(
            company=value.company,
            line=f"{value.line} ({part})",
            period=value.period,
            value=found[part].value,
            unit=found[part].unit,
            operands=(found[part].operand(f"line@{value.period[-4:]}"),),
            row=found[part].shown,
        )
        for part in parts
        for value, found in zip(values, by_part, strict=True)
    ]
