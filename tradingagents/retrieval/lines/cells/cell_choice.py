"""Which of the cells that fit is meant: that whose label says least besides, where all such cells agree."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from tradingagents.retrieval.lines.cells.found_cells import FoundCell, LineFound, WantedLine
from tradingagents.retrieval.lines.rows.label_words import NAME_WORDS, NEUTRAL, head_words, stems_of

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
        nearest = nearest if agreeing else _totals(nearest)
        agreeing = all(same_value(cell.value, nearest[0].value) for cell in nearest)
    if len(kinds) > 1 or not agreeing:
        return LineFound(candidates=distinct(nearest))
    chosen = max(nearest, key=lambda cell: digits(cell.cell.text))
    alike = [cell for cell in cells if cell.extras == least and _is_of_one_name(cell, chosen)]
    others = [cell for cell in alike if not _stands_before(chosen, cell, nearest, wanted)]
    return LineFound(candidates=distinct((chosen, *others))) if others else LineFound(chosen)


def _totals(cells: list[FoundCell]) -> list[FoundCell]:
    """Return the cells of the columns of totals, where each row that fits has one; else all."""
    totals = [cell for cell in cells if _TOTAL.search(cell.column.header)]
    rows = {id(cell.row) for cell in totals}
    return totals if totals and all(id(cell.row) in rows for cell in cells) else cells


_TOTAL = re.compile(r"(?i)\btotal\b")


def _is_of_one_name(cell: FoundCell, chosen: FoundCell) -> bool:
    """Whether a cell of another table has the name of a row, and another figure that is none of scale or sign."""
    name, other = (stems_of(each.row.label) for each in (cell, chosen))
    apart = (cell.table.number, cell.table.section) != (chosen.table.number, chosen.table.section)
    by_sign = same_value(abs(cell.value), abs(chosen.value))
    return apart and name == other and cell.unit == chosen.unit and not by_sign


def _stands_before(chosen: FoundCell, other: FoundCell, nearest: Sequence[FoundCell], wanted: WantedLine) -> bool:
    """Whether a figure is the company's own beside one of its name in another table.

    It is where it stands in a statement, is tagged without a part or under no heading of a part, and the other is not
    so; or where the other is told as that of a part by its tag, the head of its column or its title.
    """
    if chosen.table.statement is not None and other.table.statement is None:
        return True
    if other.tag_members and (not chosen.tag_members or other.tag_extras > chosen.tag_extras):
        return True
    if len(other.table.title.split()) <= NAME_WORDS and other.tag_extras > chosen.tag_extras:
        return True  # its title is the name of a part, as `Canada:`
    heads = head_words(other.column) - head_words(chosen.column) - stems_of(wanted.phrase) - NEUTRAL
    if heads or (not any(cell.table.section for cell in nearest) and other.table.section):
        return True
    return bool(_OF_WHOLE.search(chosen.table.title)) and not _OF_WHOLE.search(other.table.title)


_OF_WHOLE = re.compile(r"(?i)\bconsolidated (?:(?:financial|operating) )?(?:highlights|results|performance|revenues)\b")
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
