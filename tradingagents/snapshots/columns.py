"""Read your own CSV or Parquet tables: column aliases and cell parsing."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from tradingagents.dataflows.reference.line_items import ITEMS, UNLISTED
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadSymbol, DataError, UsageError
from tradingagents.files.regular_files import check_regular
from tradingagents.plain_text import bounded

Kind = Literal["prices", "statements", "news", "insiders", "actions", "profiles"]

ALIASES: Mapping[str, tuple[str, ...]] = {
    "symbol": ("ticker", "code", "instrument"),
    "date": ("day", "datetime", "timestamp", "time", "session", "exdate"),
    "open": ("o", "openprice"),
    "high": ("h", "highprice"),
    "low": ("l", "lowprice"),
    "close": ("c", "closeprice", "last", "price", "closelast"),
    "adj_close": ("adjclose", "adjustedclose", "adjclosed", "closeadj"),
    "volume": ("v", "vol", "shares traded"),
    "action": ("type", "event"),
    "value": ("amount", "ratio"),
    "statement": ("kind", "statementtype"),
    "period": ("frequency", "freq"),
    "period_end": ("date", "reportdate", "fiscaldateending", "reportperiod", "enddate"),
    "period_start": ("startdate",),
    "fiscal_year": ("year", "fy"),
    "fiscal_period": ("quarter", "fp"),
    "filed_at": ("filed", "filingdate", "filedon", "accepted", "acceptedat", "reporteddate"),
    "published_at": ("published", "publishedutc", "date", "datetime", "time", "timepublished", "pubdate"),
    "title": ("headline",),
    "summary": ("description", "text", "abstract"),
    "source": ("publisher", "provider"),
    "url": ("link", "articleurl"),
    "transaction_date": ("date", "startdate", "tradedate", "traded"),
    "insider": ("name", "owner", "reportingname"),
    "relation": ("position", "title", "role"),
    "kind": ("type", "transaction", "transactiontype"),
    "shares": ("quantity", "amount"),
    "name": ("company", "companyname", "longname", "shortname"),
    "sector": ("gicssector",),
    "industry": ("gicssubindustry", "subindustry"),
    "currency": ("ccy",),
    "exchange": ("mic",),
    "split": ("stocksplits", "splits", "splitratio", "splitfactor"),
    "dividend": ("dividends", "divcash"),
    "basis": ("adjustment",),
    "shares_as_of": ("restatedasof",),
}
"""Accepted column aliases, without case, blanks and punctuation."""
COLUMNS: Mapping[Kind, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "prices": (
        ("symbol", "date", "open", "high", "low", "close"),
        ("adj_close", "volume", "split", "dividend", "basis"),
    ),
    "actions": (("symbol", "date", "action", "value"), ()),
    "profiles": (("symbol", "name"), ("kind", "sector", "industry", "exchange", "currency")),
    "news": (("symbol", "published_at", "title"), ("summary", "source", "url")),
    "insiders": (
        ("symbol", "transaction_date", "insider", "shares"),
        ("filed_at", "relation", "kind", "value", "text"),
    ),
    "statements": (
        ("symbol", "statement", "period", "period_end"),
        (
            *("filed_at", "period_start", "fiscal_year", "fiscal_period", "currency", "source", "shares_as_of"),
            *dict.fromkeys(item for items in (*ITEMS.values(), *UNLISTED.values()) for item in items),
        ),
    ),
}
"""Required and optional columns by kind."""
_SHOWN = 20


class UnusableFile(DataError):
    """A file that can't be imported.

    Attributes:
        problems: One sentence for each faulty line.
    """

    def __init__(self, message: str, problems: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


@dataclass(frozen=True, slots=True)
class TableLine:
    """One row of a file, by column names."""

    number: int
    """The line of a CSV file, or the row of a Parquet file, counted from 1."""
    cells: Mapping[str, Any]


def read_table(
    path: Path, kind: Kind, *, symbol: str | None = None, named: Mapping[str, str] | None = None
) -> tuple[TableLine, ...]:
    """Read a file's rows by column names; other columns are ignored.

    Args:
        path: A `.csv` or `.parquet` file.
        kind: The kind of data.
        symbol: Used if there is no symbol column.
        named: The library's column names to the file's, if neither name nor alias matches.

    Raises:
        UnusableFile: It is unreadable, or lacks a column.
        UsageError: `named` contains an unknown column of either side.
    """
    if path.suffix.lower() not in (".csv", ".parquet", ".pq"):
        raise UsageError(f"{path} is neither .csv nor .parquet; convert it to one of them.")
    try:
        check_regular(path)
        header, rows = _parquet(path) if path.suffix.lower() != ".csv" else _csv(path)
    except (OSError, ValueError, ArithmeticError, RecursionError, csv.Error, pa.ArrowException) as error:
        raise UnusableFile(f"{path} cannot be read ({type(error).__name__}: {error}); fix the file.") from error
    columns = _columns(header, kind, named or {}, path, has_symbol=symbol is not None)
    own = {} if symbol is None else {"symbol": symbol}
    return tuple(
        TableLine(number, {**{ours: row.get(theirs) for ours, theirs in columns.items()}, **own})
        for number, row in rows
    )


def _csv(path: Path) -> tuple[list[str], list[tuple[int, Mapping[str, Any]]]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        header = [name or "" for name in reader.fieldnames or ()]
        rows: list[tuple[int, Mapping[str, Any]]] = []
        for row in reader:
            if None in row:
                raise ValueError(f"line {reader.line_num} has more cells than the header")
            rows.append((reader.line_num, row))
        return header, rows


def _parquet(path: Path) -> tuple[list[str], list[tuple[int, Mapping[str, Any]]]]:
    table = pq.read_table(path)
    return table.column_names, list(enumerate(table.to_pylist(), start=1))


def _columns(
    header: list[str], kind: Kind, named: Mapping[str, str], path: Path, *, has_symbol: bool
) -> dict[str, str]:
    """Return the file's column for each of the library's: as named, else by name, else by alias."""
    needed, optional = COLUMNS[kind]
    known = (*needed, *optional)
    for ours, theirs in named.items():
        if ours not in known:
            raise UsageError(f"{ours} is not a column of {kind}; name one of: {', '.join(known[:_SHOWN])}.")
        if theirs not in header:
            raise UsageError(f"{path} has no column {theirs}; name one of: {', '.join(header)}.")
    found = dict(named)
    taken = set(named.values())
    by_bare = {_bare(theirs): theirs for theirs in reversed(header)}
    for ours, spelling in (
        *((ours, ours) for ours in known),
        *((o, alias) for o in known for alias in ALIASES.get(o, ())),
    ):
        column = by_bare.get(_bare(spelling))
        if ours not in found and column is not None and column not in taken:
            found[ours] = column
            taken.add(column)
    missing = [ours for ours in needed if ours not in found and not (ours == "symbol" and has_symbol)]
    if missing:
        hint = f"named={{'{missing[0]}': 'COLUMN'}}"
        hint = f"symbol='S' or {hint}" if missing == ["symbol"] else hint
        raise UnusableFile(
            f"{path} has no column for {', '.join(missing)}; it has: {', '.join(header)}. Name it with {hint}."
        )
    return found


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", name.lower())


# Cells


class BadCell(ValueError):
    """An invalid cell; describes the fault briefly, however long the cell is."""

    def __init__(self, said: str) -> None:
        super().__init__(bounded(said))


def as_symbol(cell: Any) -> str:
    """Parse a symbol and normalize its spelling."""
    try:
        return normalise(as_text(cell) or "")
    except BadSymbol:
        raise BadCell(f"{cell!r} is not a symbol") from None


def as_text(cell: Any) -> str | None:
    """Return a text without surrounding blanks; None for an empty one."""
    return None if _empty(cell) else str(cell).strip() or None


def as_number(cell: Any) -> float | None:
    """Parse a finite number with thousands separators or a dollar sign; None for an empty cell."""
    if _empty(cell) or (isinstance(cell, str) and cell.strip() in ("", "-", "--", "N/A", "n/a", "None", "null", "nan")):
        return None
    try:
        number = float(str(cell).strip().lstrip("$").replace(",", ""))
    except ValueError:
        raise BadCell(f"{cell!r} is not a number") from None
    if not math.isfinite(number):
        raise BadCell(f"{cell!r} is not a finite number")
    return number


def as_day(cell: Any) -> date:
    """Parse a day: a date, `2025-03-14`, `20250314`, or an instant at midnight of some zone.

    Ambiguous forms of day and month are refused.
    """
    moment = _moment(cell)
    if isinstance(moment, datetime):
        if moment.time() != time.min:
            raise BadCell(f"{cell} has a time of day, where a day is asked for")
        return moment.date()
    return moment


def as_dated(cell: Any) -> str:
    """Parse a day or an instant and format it for a snapshot; an instant needs a zone."""
    moment = _moment(cell)
    if not isinstance(moment, datetime):
        return moment.isoformat()
    if moment.tzinfo is None:
        raise BadCell(f"{cell} names no time zone; write it like 2025-03-14T13:05:00Z, or as a day")
    try:
        return moment.astimezone(UTC).isoformat()
    except OverflowError:
        raise BadCell(f"{cell!r} lies outside all calendars") from None


def _moment(cell: Any) -> date | datetime:
    if isinstance(cell, date):
        return cell
    text = (as_text(cell) or "").replace("/", "-")
    try:
        return date.fromisoformat(text) if len(text) in (8, 10) else datetime.fromisoformat(text)
    except ValueError:
        raise BadCell(f"{cell!r} is not an unambiguous date; write it like 2025-03-14") from None


def _empty(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def each(
    lines: tuple[TableLine, ...], convert: Callable[[Mapping[str, Any]], Any], path: Path
) -> Iterator[tuple[int, Any]]:
    """Yield every converted row with its line.

    Raises:
        UnusableFile: Rows are invalid; names each by its line. Nothing is yielded then.
    """
    done: list[tuple[int, Any]] = []
    problems: list[str] = []
    for line in lines:
        try:
            done.append((line.number, convert(line.cells)))
        except BadCell as error:
            problems.append(f"line {line.number}: {error}.")
    if problems:
        raise UnusableFile(
            f"{path}: {len(problems)} of {len(lines)} rows cannot be used, the first in {problems[0]} "
            f"Nothing was imported: fix the file.",
            tuple(problems),
        )
    yield from done
