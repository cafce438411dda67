"""Renders a workbook as an XLSX file: formulas stay formulas, with their results beside them.

Texts come from vendors and callers: they are written as texts, and one that a spreadsheet could take for a formula gets
an apostrophe in front, so that it stays one when the sheet is copied or exported. The same workbook gives the same
bytes: the file's dates are those of the workbook.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tradingagents.errors import ConfigurationError
from tradingagents.files.plain_text import clean
from tradingagents.reports.workbook import Cell, Sheet, Workbook, column_letters

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook as Writer
    from xlsxwriter.worksheet import Worksheet

LONGEST_TEXT = 32_767
"""Characters that a cell can hold."""
_FORMULA_SIGNS, _FORMULA_SPACE = ("=", "+", "-", "@"), ("\t", "\r", "\n")
_EARLIEST = datetime(1980, 1, 1)  # noqa: DTZ001 - XlsxWriter takes instants without a zone
"""The date of a workbook without one."""
_UNENCODABLE = re.compile("[\ud800-\udfff\ufffe\uffff]")
_NUMBERS: Mapping[str, str] = {
    "text": "@",
    "number": "#,##0.00",
    "money": "#,##0.00;[Red]-#,##0.00",
    "percent": "0.00%",
    "factor": "0.000000",
    "whole": "0",
    "ratio": '0.00"x"',
}
_LOOKS: Mapping[str, Mapping[str, Any]] = {
    "title": {"bold": True, "font_size": 14},
    "group": {"bold": True, "top": 1},
    "head": {"bold": True, "bg_color": "#E8EDF3", "bottom": 1, "align": "center"},
    "label": {},
    "wrapped": {"text_wrap": True, "valign": "top"},
    "input": {"font_color": "#0000FF", "bg_color": "#FFF9E0", "border": 1, "border_color": "#D9C98A"},
    "result": {},
    "total": {"bold": True, "top": 1},
    "note": {"font_color": "#5B6675", "italic": True},
}


def to_xlsx(workbook: Workbook) -> bytes:
    """Render a workbook as the bytes of an XLSX file.

    Raises:
        ConfigurationError: The extra `xlsx` is not installed.
    """
    target = io.BytesIO()
    book = _writer(target)
    made = datetime.combine(workbook.as_of, datetime.min.time()) if workbook.as_of else _EARLIEST
    book.set_properties({"title": safe_text(workbook.title), "created": made})
    looks = _Formats(book)
    written = [(sheet, book.add_worksheet(sheet.title)) for sheet in workbook.sheets]
    for name, address in workbook.names.items():
        book.define_name(name, f"={address}")
    for sheet, page in written:
        _write(sheet, page, looks)
    book.close()
    return target.getvalue()


def safe_text(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula, without control characters, as long as a cell can hold.

    >>> safe_text("=1+1"), safe_text("Apple Inc.")
    ("'=1+1", 'Apple Inc.')
    """
    kept = _UNENCODABLE.sub("", clean(text))
    if kept.lstrip().startswith(_FORMULA_SIGNS) or kept.startswith(_FORMULA_SPACE):
        kept = f"'{kept}"
    return kept if len(kept) <= LONGEST_TEXT else f"{kept[: LONGEST_TEXT - 1]}…"


def _writer(target: io.BytesIO) -> Writer:
    try:
        import xlsxwriter
    except ImportError as error:
        raise ConfigurationError(
            "Writing XLSX needs XlsxWriter; install the extra: pip install 'tradingagents[xlsx]'."
        ) from error
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    return xlsxwriter.Workbook(target, options)


class _Formats:
    """The formats of a file, each made once."""

    def __init__(self, book: Writer) -> None:
        self._book = book
        self._made: dict[tuple[str, str], Format] = {}

    def of(self, cell: Cell) -> Format:
        """Return the format of a cell."""
        key = (cell.look, cell.format)
        if key not in self._made:
            self._made[key] = self._book.add_format({**_LOOKS[cell.look], "num_format": _NUMBERS[cell.format]})
        return self._made[key]


def _write(sheet: Sheet, page: Worksheet, looks: _Formats) -> None:
    for column, width in enumerate(sheet.widths):
        page.set_column(column, column, width)
    if any(sheet.frozen):
        page.freeze_panes(*sheet.frozen)
    for row, cells in sheet.rows():
        for column, cell in cells:
            _write_cell(page, row, column, cell, looks.of(cell))
            if cell.choices:
                page.data_validation(row, column, row, column, {"validate": "list", "source": list(cell.choices)})


def _write_cell(page: Worksheet, row: int, column: int, cell: Cell, look: Format) -> None:
    if cell.formula:
        failed = page.write_formula(row, column, f"={cell.formula}", look, _result(cell.value))
    elif isinstance(cell.value, str):
        failed = page.write_string(row, column, safe_text(cell.value), look)
    elif math.isfinite(cell.value):
        failed = page.write_number(row, column, cell.value, look)
    else:
        raise ValueError(
            f"{page.get_name()}!{column_letters(column)}{row + 1}: {cell.value!r} is no number for a cell."
        )
    if failed:
        raise ValueError(f"{page.get_name()}!{column_letters(column)}{row + 1} cannot be written (code {failed}).")


def _result(value: float | str) -> float | str:
    """Return the result of a formula as a file holds it: a number that is not finite is an error there."""
    if isinstance(value, str):
        return safe_text(value)
    return value if math.isfinite(value) else "#NUM!"
