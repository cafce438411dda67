"""Tables of a scan, read by the names of their columns: movers, indices, sectors, industries, companies, candidates.

Cells that hold a name hold an outsider's text: a bar inside one shifts no figure beside it, for the cells are counted
from both ends of the row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tradingagents.dataflows.reference.metrics import parse_number
from tradingagents.offline.headlines import quote
from tradingagents.offline.tables import Shown

Cells = Mapping[str, str]
"""One row: text by column, named as `column` does."""

DAY, WEEK, MONTH, YTD = "1 day", "1 week", "1 month", "ytd"
PERIODS = {DAY: "1-Day", WEEK: "1-Week", MONTH: "1-Month", YTD: "YTD"}
"""How the columns of returns are called in prose."""
CELL_LENGTH = 60
_SHORT = {"1d": DAY, "1w": WEEK, "1m": MONTH, "year to date": YTD}
_NAMES = ("name", "company")
_RULE = re.compile(r"^\|[-:|\s]+\|\s*$")


def column(header: str) -> str:
    """Return a column's name without case, marks and unit: `1-Month %`, `1M (%)` and `1 month` are the same."""
    plain = " ".join(re.findall(r"[a-z0-9]+", header.lower()))
    return _SHORT.get(plain, plain)


def rows_of(markdown: str, *columns: str) -> tuple[Cells, ...]:
    """Return the rows of the first table that has all of these columns; none where there is no such table.

    Of two columns of one name the second is called `name %`. A row with too few cells is left out, and so is one with
    too many where no name column can have held them.
    """
    lines = markdown.splitlines()
    for place in range(len(lines) - 1):
        if not (lines[place].startswith("|") and _RULE.match(lines[place + 1])):
            continue
        header = _header(lines[place])
        if set(columns) <= set(header):
            return tuple(cells for line in _body(lines[place + 2 :]) if (cells := _row(line, header)) is not None)
    return ()


def percent(cells: Cells, name: str) -> Shown | None:
    """Read a percentage such as `+3.21%` as it is shown; None where there is none."""
    parsed = parse_number(cells.get(name, ""))
    return Shown(parsed[0], cells[name]) if parsed and parsed[1] == "%" else None


def number(cells: Cells, name: str) -> Shown | None:
    """Read a number of any unit as it is shown; None where there is none."""
    parsed = parse_number(cells.get(name, ""))
    return Shown(parsed[0], cells[name]) if parsed else None


def cell(cells: Cells, name: str) -> str:
    """Return a cell fit to be quoted inside a report; `n/a` where there is none."""
    return quote(cells.get(name, ""), CELL_LENGTH) or "n/a"


def _header(line: str) -> list[str]:
    names: list[str] = []
    for text in _cells(line):
        name = column(text)
        names.append(f"{name} %" if name in names else name)
    return names


def _body(lines: Sequence[str]) -> list[str]:
    """Return the lines up to the first that is no row."""
    end = next((place for place, line in enumerate(lines) if not line.startswith("|")), len(lines))
    return list(lines[:end])


def _row(line: str, header: Sequence[str]) -> Cells | None:
    cells, surplus = _cells(line), len(_cells(line)) - len(header)
    if surplus > 0:
        place = next((header.index(name) for name in _NAMES if name in header), None)
        if place is None:
            return None
        cells = [*cells[:place], " / ".join(cells[place : place + surplus + 1]), *cells[place + surplus + 1 :]]
    return dict(zip(header, cells, strict=True)) if surplus >= 0 else None


def _cells(line: str) -> list[str]:
    return [text.strip().strip("*`") for text in line.strip().removeprefix("|").removesuffix("|").split("|")]
