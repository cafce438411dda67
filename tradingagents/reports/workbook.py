"""The model of a workbook: sheets of cells that hold a number, a text, or a formula with its result.

A renderer writes it as a file; `render.xlsx` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

Look = Literal["title", "group", "head", "label", "wrapped", "input", "result", "total", "note"]
"""`wrapped`: text over several lines; `input`: to be changed by the reader; `result`: computed."""
Format = Literal["text", "number", "money", "percent", "factor", "whole", "ratio"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell."""

    value: float | str
    """A number or a text; of a formula the result, for programs that show cells without computing them."""
    formula: str = ""
    """Without the equals sign; empty for a cell that holds its value itself."""
    look: Look = "result"
    format: Format = "number"
    choices: tuple[str | int, ...] = ()
    """All values that an input may take, where they are few."""


@dataclass(slots=True)
class Sheet:
    """A sheet that is filled cell by cell. Rows and columns are counted from 0."""

    title: str
    cells: dict[tuple[int, int], Cell] = field(default_factory=dict)
    widths: Sequence[float] = ()
    """Of the first columns, in characters."""
    frozen: tuple[int, int] = (0, 0)
    """Rows and columns that stay in view."""

    def put(self, row: int, column: int, cell: Cell) -> str:
        """Place a cell and return its address from another sheet."""
        self.cells[row, column] = cell
        return self.address(row, column)

    def text(self, row: int, column: int, words: str, look: Look = "label") -> None:
        """Place a text."""
        self.cells[row, column] = Cell(words, look=look, format="text")

    def value(self, row: int, column: int) -> float:
        """Return the number of a cell.

        Raises:
            TypeError: The cell holds a text.
        """
        found = self.cells[row, column].value
        if isinstance(found, str):
            raise TypeError(f"{self.address(row, column)} holds a text, not a number.")
        return found

    def address(self, row: int, column: int) -> str:
        """Return where a cell stands, as a formula of any sheet names it."""
        return f"{self.title}!${column_letters(column)}${row + 1}"

    def row_address(self, row: int, first: int, last: int) -> str:
        """Return a range within a row, as a formula of any sheet names it."""
        return f"{self.address(row, first)}:${column_letters(last)}${row + 1}"

    def rows(self) -> Iterator[tuple[int, list[tuple[int, Cell]]]]:
        """Yield the rows that hold something, in order, each with its cells in order."""
        by_row: dict[int, list[tuple[int, Cell]]] = {}
        for (row, column), cell in sorted(self.cells.items()):
            by_row.setdefault(row, []).append((column, cell))
        yield from by_row.items()


@dataclass(frozen=True, slots=True)
class Workbook:
    """Sheets in order, and the names that formulas use for cells."""

    title: str
    as_of: date | None
    """Stands in the file as the day it was made, so that the same workbook is the same bytes."""
    sheets: Sequence[Sheet]
    names: Mapping[str, str]
    """Address by name."""


def column_letters(column: int) -> str:
    """Return the letters of a column counted from 0.

    >>> column_letters(0), column_letters(25), column_letters(26)
    ('A', 'Z', 'AA')
    """
    letters = ""
    number = column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
