"""Computes the formulas of a workbook anew, from the file alone: what a spreadsheet would show.

Knows nothing of how the workbook was written. Reads cells and names with openpyxl and evaluates the operators and the
few functions below; anything else is an error.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable
from typing import Any

import openpyxl
from openpyxl.utils import get_column_letter, range_boundaries

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?)
    | (?P<text>"(?:[^"]|"")*")
    | (?P<area>(?:[A-Za-z]+!)?\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?(?![A-Za-z0-9_(.]))
    | (?P<call>[A-Za-z_][A-Za-z0-9_.]*)\(
    | (?P<name>[A-Za-z_][A-Za-z0-9_.]*)
    | (?P<sign><>|<=|>=|[-+*/^(),=<>])
    )""",
    re.VERBOSE,
)


class NotAvailable(Exception):
    """What a spreadsheet shows as #N/A."""


class Spreadsheet:
    """A workbook file whose cells can be changed and read as computed."""

    def __init__(self, content: bytes) -> None:
        book = openpyxl.load_workbook(io.BytesIO(content))
        self.names = {name: one.attr_text.lstrip("=") for name, one in book.defined_names.items()}
        self.cells: dict[tuple[str, str], Any] = {
            (sheet.title, cell.coordinate): cell.value
            for sheet in book
            for row in sheet.iter_rows()
            for cell in row
            if cell.value is not None
        }
        self.texts = {
            (sheet.title, cell.coordinate)
            for sheet in book
            for row in sheet.iter_rows()
            for cell in row
            if cell.data_type == "s"
        }
        shown = openpyxl.load_workbook(io.BytesIO(content), data_only=True)
        self.shown = {key: shown[key[0]][key[1]].value for key in self.cells}
        self._done: dict[tuple[str, str], Any] = {}

    def set(self, name: str, value: float | str, year: int | None = None) -> None:
        """Change the cell that a name stands for, or one year of a named range."""
        sheet, first = self._first(self.names[name])
        if year is not None:
            column, row, *_ = range_boundaries(first)
            first = f"{get_column_letter(column + year - 1)}{row}"
        assert not self.is_formula((sheet, first)), f"{name} is a formula, not an input"
        self.cells[sheet, first] = value
        self._done.clear()

    def get(self, name: str) -> Any:
        """Return what a name stands for, computed: a value, or a list for a range."""
        return self._area(self.names[name], "")

    def is_formula(self, key: tuple[str, str]) -> bool:
        value = self.cells.get(key)
        return isinstance(value, str) and value.startswith("=") and key not in self.texts

    def formulas(self) -> list[tuple[str, str]]:
        return [key for key in self.cells if self.is_formula(key)]

    def cell(self, key: tuple[str, str]) -> Any:
        """Return a cell as computed."""
        if key not in self._done:
            value = self.cells.get(key)
            self._done[key] = _Parser(self, key[0], value[1:]).value() if self.is_formula(key) else value
        return self._done[key]

    def _first(self, address: str) -> tuple[str, str]:
        sheet, _, area = address.rpartition("!")
        return sheet, area.replace("$", "").partition(":")[0]

    def _area(self, address: str, sheet: str) -> Any:
        named, _, area = address.rpartition("!")
        bounds = range_boundaries(area.replace("$", ""))
        found = [
            self.cell((named or sheet, f"{get_column_letter(column)}{row}"))
            for row in range(bounds[1], bounds[3] + 1)
            for column in range(bounds[0], bounds[2] + 1)
        ]
        return found if ":" in area else found[0]


class _Parser:
    """Recursive descent over one formula; what IF does not choose is never computed."""

    def __init__(self, book: Spreadsheet, sheet: str, text: str) -> None:
        self.book, self.sheet = book, sheet
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            assert found is not None, f"cannot read {text[at:]!r} of ={text}"
            self.tokens.append((found.lastgroup or "", found[found.lastgroup or ""]))
            at = found.end()
        self.at = 0

    def value(self) -> Any:
        found = self.comparison()
        assert self.at == len(self.tokens), self.tokens[self.at :]
        return found()

    def peek(self) -> str:
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        return text if kind == "sign" else ""

    def take(self, sign: str) -> None:
        assert self.peek() == sign, f"{sign} expected at {self.tokens[self.at :]}"
        self.at += 1

    def comparison(self) -> Callable[[], Any]:
        left = self.chain(self.product, {"+": lambda a, b: a + b, "-": lambda a, b: a - b})
        tests: dict[str, Callable[[Any, Any], bool]] = {
            "=": lambda a, b: (type(a) is type(b) and a == b) or (_number(a) and _number(b) and a == b),
            "<>": lambda a, b: a != b,
            "<": lambda a, b: a < b,
            ">": lambda a, b: a > b,
            "<=": lambda a, b: a <= b,
            ">=": lambda a, b: a >= b,
        }
        if self.peek() not in tests:
            return left
        test = tests[self.peek()]
        self.at += 1
        right = self.chain(self.product, {"+": lambda a, b: a + b, "-": lambda a, b: a - b})
        return lambda: test(left(), right())

    def product(self) -> Callable[[], Any]:
        return self.chain(self.power, {"*": lambda a, b: a * b, "/": lambda a, b: a / b})

    def power(self) -> Callable[[], Any]:
        return self.chain(self.unary, {"^": lambda a, b: a**b})

    def chain(self, part: Callable[[], Callable[[], Any]], signs: dict[str, Callable[[Any, Any], Any]]) -> Any:
        left = part()
        while self.peek() in signs:
            apply = signs[self.peek()]
            self.at += 1
            left = self._applied(apply, left, part())
        return left

    @staticmethod
    def _applied(apply: Callable[[Any, Any], Any], left: Callable[[], Any], right: Callable[[], Any]) -> Any:
        return lambda: apply(_numeric(left()), _numeric(right()))

    def unary(self) -> Callable[[], Any]:
        if self.peek() == "-":
            self.at += 1
            inner = self.unary()
            return lambda: -_numeric(inner())
        return self.atom()

    def atom(self) -> Callable[[], Any]:
        if self.peek() == "(":
            self.take("(")
            inner = self.comparison()
            self.take(")")
            return inner
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return lambda: float(text)
        if kind == "text":
            return lambda: text[1:-1].replace('""', '"')
        if kind == "area":
            return lambda: self.book._area(text, self.sheet)
        if kind == "call":
            return self.call(text.removeprefix("_xlfn."))
        assert kind == "name", f"unexpected {text!r}"
        return lambda: True if text == "TRUE" else self.book.get(text)

    def call(self, name: str) -> Callable[[], Any]:
        given: list[Callable[[], Any]] = []
        while self.peek() != ")":
            given.append(self.comparison())
            if self.peek() == ",":
                self.take(",")
        self.take(")")
        if name == "IF":
            return lambda: given[1]() if given[0]() else given[2]()
        return lambda: _FUNCTIONS[name](*(one() for one in given))


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _numeric(value: Any) -> float:
    assert _number(value), f"{value!r} in arithmetic"
    return float(value)


def _flat(*given: Any) -> list[float]:
    return [_numeric(one) for part in given for one in (part if isinstance(part, list) else [part])]


def _not_available() -> float:
    raise NotAvailable


def _normal(value: float, cumulative: bool) -> float:
    assert cumulative is True
    return math.erfc(-value / math.sqrt(2)) / 2


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "SUM": lambda *given: math.fsum(_flat(*given)),
    "SUMPRODUCT": lambda one, other: math.fsum(a * b for a, b in zip(_flat(one), _flat(other), strict=True)),
    "MIN": lambda *given: min(_flat(*given)),
    "MAX": lambda *given: max(_flat(*given)),
    "INDEX": lambda area, row, column: area[round(column) - 1] if row == 1 else None,
    "LN": math.log,
    "EXP": math.exp,
    "NA": _not_available,
    "NORM.S.DIST": _normal,
}
