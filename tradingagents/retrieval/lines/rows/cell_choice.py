"""Which of the cells that fit is meant: that whose label says least besides, where all such cells agree."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from tradingagents.retrieval.lines.rows.found_cells import FoundCell, LineFound, WantedLine

SAME = 2e-3
"""Two prints of one figure differ by no more than rounding."""


def best_cell(cells: Sequence[FoundCell], wanted: WantedLine) -> LineFound:
    """Return the cell whose label says least besides what is wanted, where all such cells agree."""
    if not cells:
        return LineFound()
    cells = [
        cell for cell in cells if digits(cell.cell.text)
    ] or cells  # dashes agree with each other, and tell nothing
    strongest = max(cell.strength for cell in cells)
    cells = [cell for cell in cells if cell.strength == strongest]
    least = min(cell.extras for cell in cells)
    if least:
        return LineFound()
    nearest = [cell for cell in cells if cell.extras == least]
    fewest = min(cell.tag_extras for cell in nearest)
    nearest = [cell for cell in nearest if cell.tag_extras == fewest]
    tagged = [cell for cell in nearest if cell.cell.fact is not None]
    if tagged and all(differ_by_scale(cell, tagged) for cell in nearest):
        nearest = tagged
    kinds = {cell.unit for cell in nearest}
    agreeing = all(same_value(cell.value, nearest[0].value) for cell in nearest)
    if len(kinds) == 1 and not agreeing:
        shortest = [cell for cell in nearest if cell.unasked == min(each.unasked for each in nearest)]
        agreeing = all(same_value(cell.value, shortest[0].value) for cell in shortest)
        nearest = shortest if agreeing else preferred_cells(nearest, wanted)
        agreeing = all(same_value(cell.value, nearest[0].value) for cell in nearest)
    if len(kinds) == 1 and agreeing:
        return LineFound(max(nearest, key=lambda cell: digits(cell.cell.text)))
    return LineFound(candidates=distinct(nearest))


_OF_WHOLE = re.compile(r"(?i)\bconsolidated (?:financial )?(?:highlights|results|performance)\b")
"""A title of a table of the company as a whole, beside those of its parts."""


def preferred_cells(cells: list[FoundCell], wanted: WantedLine) -> list[FoundCell]:
    """Return those of cells that differ which are meant: net sales before all revenue, and what most tables print."""
    sales = [cell for cell in cells if re.search(r"(?i)\bnet sales\b", cell.row.label)]
    if (
        wanted.item == "revenue"
        and sales
        and all(re.search(r"(?i)\bsales|\brevenue", cell.row.label) for cell in cells)
    ):
        cells = sales
    whole = [cell for cell in cells if _OF_WHOLE.search(cell.table.title)]
    if whole and all(same_value(cell.value, whole[0].value) for cell in whole):
        return whole
    tables = [{other.table.number for other in cells if same_value(other.value, cell.value)} for cell in cells]
    most = max(map(len, tables))
    often = [cell for cell, own in zip(cells, tables, strict=True) if len(own) == most]
    return often if most > 1 and all(same_value(cell.value, often[0].value) for cell in often) else cells


def distinct(cells: Sequence[FoundCell]) -> tuple[FoundCell, ...]:
    """Return cells that differ in their names or values."""
    return tuple({(cell.shown, round(cell.value, 6)): cell for cell in cells}.values())


def same_value(value: float, other: float) -> bool:
    """Return whether two figures differ by no more than rounding."""
    return math.isclose(value, other, rel_tol=SAME, abs_tol=1e-9)


def digits(text: str) -> int:
    """Return how many digits a text has."""
    return sum(map(str.isdigit, text))


def differ_by_scale(cell: FoundCell, tagged: Sequence[FoundCell]) -> bool:
    """Whether a cell prints the digits of a tagged one, though a caption's scale was read otherwise."""
    return any(
        same_value(cell.value * factor, other.value) for other in tagged for factor in (1, 1e3, 1e6, 1e9, 1e-3, 1e-6)
    )
