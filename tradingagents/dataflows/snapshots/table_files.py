"""Read a table file as people have them: CSV of any common dialect, Parquet, and the layouts of well-known exports.

What comes out has one header and one row a line. Two layouts are turned: the price table of `yfinance.download`, whose
header has two or three lines, and statements with a column for each period and a line for each item.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from tradingagents.dataflows.models import StatementKind
from tradingagents.dataflows.reference.line_items import ITEMS, UNLISTED
from tradingagents.dataflows.snapshots.cell_styles import days_between, period_day
from tradingagents.dataflows.vendors.yfinance.line_items import STATEMENT_ROWS
from tradingagents.errors import UsageError
from tradingagents.files.parquet import pa, pq
from tradingagents.files.regular_files import check_regular

DELIMITERS = (",", ";", "\t", "|")
ENCODINGS = ("utf-8-sig", "cp1252")
"""UTF-8, and what Excel writes in Western Europe; UTF-16 is told by its first two bytes."""
YAHOO_FIELDS = frozenset({"open", "high", "low", "close", "adjclose", "volume", "dividends", "stocksplits"})
QUARTER_GAP, YEAR_GAP = (80, 105), (350, 380)
"""Days between the ends of neighbouring quarters, and years."""
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file's table."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, Row], ...]
    """Each with its line, or in Parquet its number, counted from 1. Lines without any cell are not among them."""
    delimiter: str = ","
    """Of a CSV file; it tells how numbers are written where they do not."""


def read_file(path: Path) -> TableFile:
    """Read a `.csv` or `.parquet` file.

    Raises:
        UsageError: It is neither.
        OSError, ValueError, csv.Error, pa.ArrowException: It cannot be read.
    """
    if path.suffix.lower() not in (".csv", ".tsv", ".txt", ".parquet", ".pq"):
        raise UsageError(f"{path} is neither .csv nor .parquet; convert it to one of them.")
    check_regular(path)
    table = _csv(path) if path.suffix.lower() in (".csv", ".tsv", ".txt") else _parquet(path)
    return _with_one_header(table)


def bare(name: str) -> str:
    """Return a column's name in lower case without blanks and punctuation."""
    return re.sub(r"[^a-z0-9]+", "", name.lower())


def _csv(path: Path) -> TableFile:
    text = _text(path.read_bytes())
    delimiter = _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    lines = [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    if not lines:
        return TableFile((), (), delimiter)
    header = _distinct([name.strip() for name in lines[0][1]])
    while len(lines) > 1 and header and not header[-1] and all(not any(cells[len(header) - 1 :]) for _, cells in lines):
        header.pop()  # Excel ends lines with empty cells
    rows: list[tuple[int, Row]] = []
    for number, cells in lines[1:]:
        if any(cell.strip() for cell in cells[len(header) :]):
            raise ValueError(f"line {number} has more cells than the header")
        rows.append((number, dict(zip(header, [*cells, *[None] * (len(header) - len(cells))], strict=False))))
    return TableFile(tuple(header), tuple(rows), delimiter)


def _distinct(names: Sequence[str]) -> list[str]:
    """Return column names of which each stands once: a second `Close` is `Close.1`, as pandas writes it."""
    found: list[str] = []
    for place, name in enumerate(names):
        before = list(names[:place]).count(name)
        found.append(f"{name}.{before}" if name and before else name)
    return found


def _text(content: bytes) -> str:
    if content.startswith(_UTF16):
        return content.decode("utf-16")
    for encoding in ENCODINGS[:-1]:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode(ENCODINGS[-1])


def _delimiter(text: str) -> str:
    """Return the sign that separates the cells of the first line: the one that makes most of them."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    counts = {sign: len(next(csv.reader([first], delimiter=sign), [])) for sign in DELIMITERS}
    return max(DELIMITERS, key=lambda sign: counts[sign])


def _parquet(path: Path) -> TableFile:
    table = pq.read_table(path)
    return TableFile(tuple(table.column_names), tuple(enumerate(table.to_pylist(), start=1)))


def _with_one_header(table: TableFile) -> TableFile:
    """Return a table of `yfinance.download` with one line a symbol and day; any other as it is.

    Its header has two lines, fields and symbols in either order, and often a third that names the first column.
    """
    if len(table.rows) < 2 or len(table.header) < 2:
        return table
    second = [str(table.rows[0][1].get(name) or "").strip() for name in table.header]
    header = [name.rpartition(".")[0] if re.fullmatch(r".+\.\d+", name) else name for name in table.header]
    if set(map(bare, header[1:])) <= YAHOO_FIELDS and bare(second[0]) in ("ticker", "tickers", "symbols", ""):
        pairs = list(zip(header[1:], second[1:], strict=True))
    elif set(map(bare, second[1:])) <= YAHOO_FIELDS and bare(header[0]) in ("ticker", "tickers", "symbols", ""):
        pairs = list(zip(second[1:], header[1:], strict=True))
    else:
        return table
    if not all(symbol and bare(symbol) not in YAHOO_FIELDS for _, symbol in pairs):
        return table
    return _a_line_a_symbol(table, pairs)


def _a_line_a_symbol(table: TableFile, pairs: Sequence[tuple[str, str]]) -> TableFile:
    first = table.header[0]
    fields = tuple(dict.fromkeys(field for field, _ in pairs))
    # Without adjusted closes the download was made with auto_adjust, yfinance's default: all levels are adjusted.
    basis = {} if "adjclose" in map(bare, fields) else {"basis": "fully_adjusted"}
    body = [row for row in table.rows[1:] if bare(str(row[1].get(first) or "")) not in ("date", "datetime", "")]
    rows: list[tuple[int, Row]] = []
    for number, row in body:
        cells = [row[name] for name in table.header[1:]]
        for symbol in dict.fromkeys(symbol for _, symbol in pairs):
            own = {field: cell for (field, of), cell in zip(pairs, cells, strict=True) if of == symbol}
            rows.append((number, {"Date": row[first], "Symbol": symbol, **own, **basis}))
    return TableFile(("Symbol", "Date", *fields, *basis), tuple(rows), table.delimiter)


def with_a_line_a_period(table: TableFile) -> TableFile:
    """Return statements that have a column for each period with a line for each; any other table as it is.

    The kind is told by the items, quarters and years by the distance of the periods, each if the file has no other
    column for it. A column of the last twelve months is no period and is left out.
    """
    periods = {name: day for name in table.header[1:] if (day := period_day(name)) is not None}
    others = [name for name in table.header[1:] if name not in periods and bare(name) not in ("ttm", "current")]
    if not periods or others or not table.rows:
        return table
    first = table.header[0]
    items = [(str(row.get(first) or "").strip(), row) for _, row in table.rows]
    known = {column: name for name, _ in items if (column := _item_column(name)) is not None}
    kind, frequency = _statement_kind(known), _frequency(sorted(periods.values(), reverse=True))
    told = {"statement": kind, "period": frequency}
    rows: list[tuple[int, Row]] = []
    for place, name in enumerate(periods, start=2):
        cells = {column: row.get(name) for written, row in items for column in (_item_column(written),) if column}
        filled = {column: cell for column, cell in cells.items() if str(cell or "").strip()}
        own = {key: value for key, value in told.items() if value is not None}
        rows.append((place, {"period_end": periods[name].isoformat(), **own, **filled}))
    header = tuple(dict.fromkeys(key for _, row in rows for key in row))
    return replace(table, header=header, rows=tuple(rows))


def _statement_kind(items: Iterable[str]) -> StatementKind | None:
    """Return the statement whose items these are; None where they are of more than one, or of none."""
    known = tuple(items)
    counts = {kind: sum(item in (*ITEMS[kind], *UNLISTED.get(kind, ())) for item in known) for kind in STATEMENT_ROWS}
    most = max(counts, key=lambda kind: counts[kind])
    return most if counts[most] and list(counts.values()).count(counts[most]) == 1 else None


def _frequency(newest_first: Sequence[Any]) -> Literal["quarterly", "annual"] | None:
    gaps = days_between(newest_first)
    if gaps and all(QUARTER_GAP[0] <= gap <= QUARTER_GAP[1] for gap in gaps):
        return "quarterly"
    return "annual" if gaps and all(YEAR_GAP[0] <= gap <= YEAR_GAP[1] for gap in gaps) else None


def _item_column(name: str) -> str | None:
    """Return our item for the name of a line, in our words or Yahoo's; None for any other line."""
    return _BY_BARE_NAME.get(bare(name))


def _item_names() -> dict[str, str]:
    found: dict[str, str] = {}
    for kind in STATEMENT_ROWS:
        for item in (*ITEMS[kind], *UNLISTED.get(kind, ())):
            found.setdefault(bare(item), item)
        for item, names in STATEMENT_ROWS[kind].items():
            for name in names[:1]:  # of several the preferred one: a second line would give an item two values
                found.setdefault(bare(name), item)
    return found


_BY_BARE_NAME = _item_names()
ITEM_ALIASES: Mapping[str, tuple[str, ...]] = {
    item: tuple(names) for rows in STATEMENT_ROWS.values() for item, names in rows.items()
}
"""Yahoo's names of items, for statements with a column for each item."""
READ_ERRORS = (OSError, ValueError, ArithmeticError, RecursionError, csv.Error, pa.ArrowException)
"""What reading a file may raise besides UsageError."""
