"""What stands above a table of plain text, on its page."""

from __future__ import annotations

from tradingagents.retrieval.models import FiledTable, Page


def first_figure(table: FiledTable) -> int | None:
    """Return where the first figure of a table stands on its page; None where no place is known."""
    places = (cell.place for row in table.rows for cell in row.cells if cell is not None and cell.place is not None)
    return min((place.start for place in places if place.page == table.page), default=None)


def lines_above(page: Page, begin: int) -> list[str]:
    """Return the lines of a page above that of a character."""
    return page.text[: page.text.rfind("\n", 0, begin) + 1].splitlines()


def is_tagged(table: FiledTable) -> bool:
    """Tell whether a figure of a table is tagged: tags tell periods better than what stands above."""
    return any(cell is not None and cell.fact is not None for row in table.rows for cell in row.cells)
