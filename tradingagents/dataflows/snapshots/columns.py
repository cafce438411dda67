"""Read your own CSV or Parquet tables: column aliases and cell parsing."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, Literal

from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.line_items import ITEMS, UNLISTED
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.dataflows.snapshots.cell_styles import (
    Decimal,
    UnclearStyle,
    day_text,
    decimal_of,
    number_text,
    order_of,
)
from tradingagents.dataflows.snapshots.table_files import (
    ITEM_ALIASES,
    READ_ERRORS,
    bare,
    read_file,
    with_a_line_a_period,
)
from tradingagents.errors import BadSymbol, DataError, UsageError
from tradingagents.files.plain_text import bounded

Kind = Literal["prices", "statements", "news", "insiders", "actions", "profiles"]

ALIASES: Mapping[str, tuple[str, ...]] = {
    "symbol": ("ticker", "code", "instrument"),
    "date": ("day", "datetime", "timestamp", "time", "session", "exdate"),
    "open": ("o", "openprice"),
    "high": ("h", "highprice"),
    "low": ("l", "lowprice"),
    "close": ("c", "closeprice", "last", "price", "closelast", "closeclosepriceadjustedforsplits"),
    "adj_close": (
        *("adjclose", "adjustedclose", "adjclosed", "closeadj"),
        "adjcloseadjustedclosepriceadjustedforsplitsanddividendandorcapitalgaindistributions",
    ),
    "volume": ("v", "vol", "shares traded"),
    "action": ("type", "event"),
    "value": ("amount", "ratio"),
    "statement": ("kind", "statementtype"),
    "period": ("frequency", "freq"),
    "period_end": ("date", "reportdate", "fiscaldateending", "reportperiod", "enddate", "periodending"),
    "period_start": ("startdate",),
    "fiscal_year": ("year", "fy"),
    "fiscal_period": ("quarter", "fp"),
    "filed_at": ("filed", "filingdate", "filedon", "accepted", "acceptedat", "reporteddate", "publishdate"),
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
    "actions": (("symbol", "date", "action", "value"), ("into", "into_shares")),
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
_KEYS = ("symbol", "date", "basis", "statement", "period", "period_end")
_DAYS = ("date", "period_end", "period_start", "filed_at", "published_at", "transaction_date", "shares_as_of")
_TEXTS = (
    *(
        "symbol",
        "action",
        "into",
        "basis",
        "name",
        "kind",
        "sector",
        "industry",
        "exchange",
        "currency",
        "title",
        "summary",
    ),
    *("source", "url", "insider", "relation", "text", "statement", "period", "fiscal_period", "value_text", *_DAYS),
)
"""Columns that hold no numbers."""
_BLANK = ("", "-", "--", "N/A", "n/a", "NaN", "nan", "None", "null", "#N/A")
_ACTION = re.compile(
    r"(?P<paid>\d+(?:\.\d+)?) Dividend|(?P<new>\d+(?:\.\d+)?)(?::|/|-for-| for )(?P<old>\d+(?:\.\d+)?) Stock Splits?"
)
"""A line of Yahoo's page of historical prices that is no bar."""


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
    is_bar: bool = True
    """False for a line that only tells a dividend or a split, as Yahoo's page lists them among the bars."""


@dataclass(frozen=True, slots=True)
class ReadTable:
    """The rows of a file."""

    lines: tuple[TableLine, ...]
    empty: tuple[str, ...]
    """Rows without any value, which are left out: `line 7 (2025-01-09)`."""


@dataclass(frozen=True, slots=True)
class TableTerms:
    """How a file is read, where its columns and cells do not say."""

    symbol: str | None = None
    """Whose rows they are, if there is no symbol column."""
    named: Mapping[str, str] = field(default_factory=dict)
    """The library's column names to the file's, if neither name nor alias matches."""
    constant: Mapping[str, str] = field(default_factory=dict)
    """Values of the library's columns that the file lacks, the same for all rows."""
    decimal: Decimal | None = None
    """The decimal sign of its numbers; None: as the numbers show it."""


TABLE_TERMS = TableTerms()
"""Everything as the file says."""


def read_table(path: Path, kind: Kind, terms: TableTerms = TABLE_TERMS) -> ReadTable:
    """Read a file's rows by column names; other columns are ignored, rows without any value left out and named.

    Args:
        path: A `.csv` or `.parquet` file.
        kind: The kind of data.
        terms: What the file does not say.

    Raises:
        UnusableFile: It is unreadable, or lacks a column, or its numbers or days can be read in two ways.
        UsageError: The terms name an unknown column.
    """
    own = {**({} if terms.symbol is None else {"symbol": terms.symbol}), **_constants(terms.constant, kind)}
    try:
        table = read_file(path)
        if kind == "statements":
            table = with_a_line_a_period(table)
    except READ_ERRORS as error:
        raise UnusableFile(f"{path} cannot be read ({type(error).__name__}: {error}); fix the file.") from error
    columns = _columns(list(table.header), kind, terms.named, path, given=own)
    rows = [(number, {ours: row.get(theirs) for ours, theirs in columns.items()}) for number, row in table.rows]
    actions = [_action_of(cells) if kind == "prices" else None for _, cells in rows]
    cells_of_bars = [cells for (_, cells), action in zip(rows, actions, strict=True) if action is None]
    try:
        plain = _plain_writing(cells_of_bars, table.delimiter, terms.decimal)
    except UnclearStyle as error:
        raise UnusableFile(f"{path}: {error}; nothing was imported.") from None
    lines: list[TableLine] = []
    for (number, cells), action in zip(rows, actions, strict=True):
        told = {**_key(cells), **action} if action else cells
        lines.append(TableLine(number, {**own, **plain(told)}, is_bar=action is None))
    if any(actions):  # the page lists every split of the period, so that none is a list too
        lines = [replace(line, cells={"split": None, "dividend": None, **line.cells}) for line in lines]
    filled = tuple(line for line in lines if not _is_empty(line.cells))
    return ReadTable(filled, tuple(_place(line) for line in lines if _is_empty(line.cells)))


def _constants(given: Mapping[str, str], kind: Kind) -> dict[str, str]:
    known = (*COLUMNS[kind][0], *COLUMNS[kind][1])
    for name in given:
        if name not in known:
            raise UsageError(f"{name} is not a column of {kind}; name one of: {', '.join(known[:_SHOWN])}.")
    return dict(given)


def _plain_writing(
    rows: Sequence[Mapping[str, Any]], delimiter: str, decimal: Decimal | None
) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return what writes the numbers and days of a row in one plain way, as the whole file tells.

    Raises:
        UnclearStyle: See `cell_styles`.
    """
    columns = rows[0].keys() if rows else ()
    numbers, days = [name for name in columns if name not in _TEXTS], [name for name in columns if name in _DAYS]
    sign = decimal or decimal_of((row[name] for row in rows for name in numbers), delimiter=delimiter)
    order = order_of(row[name] for row in rows for name in days)

    def plain(row: Mapping[str, Any]) -> dict[str, Any]:
        written = {name: number_text(row[name], sign) for name in numbers if name in row}
        return {**row, **written, **{name: day_text(row[name], order) for name in days if name in row}}

    return plain


def _is_empty(cells: Mapping[str, Any]) -> bool:
    """Return whether a row has no value besides its key."""
    return all(_empty(cell) or _is_blank(cell) for name, cell in cells.items() if name not in _KEYS)


def _place(line: TableLine) -> str:
    day = next((str(line.cells[name]) for name in _DAYS if line.cells.get(name)), "")
    return f"line {line.number}{f' ({bounded(day)})' if day else ''}"


def _key(cells: Mapping[str, Any]) -> dict[str, Any]:
    return {name: cells[name] for name in ("symbol", "date") if name in cells}


def _action_of(cells: Mapping[str, Any]) -> dict[str, str] | None:
    """Return the dividend or split that a line of Yahoo's page tells in place of a bar; None for any other line."""
    for cell in cells.values():
        if isinstance(cell, str) and (action := _ACTION.fullmatch(" ".join(cell.split()))):
            if action["paid"]:
                return {"dividend": action["paid"]}
            new, old = float(action["new"]), float(action["old"])
            return {"split": repr(new / old)} if old else None
    return None


def _columns(
    header: list[str], kind: Kind, named: Mapping[str, str], path: Path, *, given: Mapping[str, str]
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
    by_bare = {bare(theirs): theirs for theirs in reversed(header)}
    for ours, spelling in (
        *((ours, ours) for ours in known),
        *((o, alias) for o in known for alias in (*ALIASES.get(o, ()), *ITEM_ALIASES.get(o, ()))),
    ):
        column = by_bare.get(bare(spelling))
        if ours not in found and column is not None and column not in taken:
            found[ours] = column
            taken.add(column)
    missing = [ours for ours in needed if ours not in found and ours not in given]
    if missing:
        hint = f"named={{'{missing[0]}': 'COLUMN'}}"
        hint = f"symbol='S' or {hint}" if missing == ["symbol"] else f"{hint} or constant={{'{missing[0]}': 'VALUE'}}"
        raise UnusableFile(
            f"{path} has no column for {', '.join(missing)}; it has: {', '.join(header)}. Name it with {hint}."
        )
    return found


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
    if _empty(cell) or _is_blank(cell):
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


def as_session(cell: Any, symbol: str) -> date:
    """Parse the day of a bar: a day, or an instant that is midnight somewhere or lies in the exchange's session.

    Sources stamp a daily bar by midnight, by the session's open or by its close, often in UTC.
    """
    moment = _moment(cell)
    if not isinstance(moment, datetime) or moment.tzinfo is None or moment.time() == time.min:
        return as_day(cell)
    calendar = sessions(exchange_of(symbol))
    local = moment.astimezone(calendar.zone)
    if local.time() == time.min:
        return local.date()
    day = calendar.on_or_before(local.date())
    opened = calendar.next_open(local.date() - timedelta(days=1))
    if day != local.date() or not opened <= moment <= calendar.close_of(day):
        raise BadCell(f"{cell} lies in no session of the exchange of {symbol}; write the day like 2025-03-14")
    return day


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


def _is_blank(cell: Any) -> bool:
    return isinstance(cell, str) and cell.strip() in _BLANK


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
