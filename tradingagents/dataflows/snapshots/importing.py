"""Import your own files into a snapshot folder: validate and merge all rows, or import nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.gateway.checks.price_checks import HIGHEST_PRICE, HIGHEST_VOLUME, is_split
from tradingagents.dataflows.gateway.checks.price_days import off_calendar
from tradingagents.dataflows.gateway.checks.row_checks import FIRST_YEAR, LARGEST, is_currency
from tradingagents.dataflows.models import Split
from tradingagents.dataflows.snapshots.check_prices import doubts_in
from tradingagents.dataflows.snapshots.check_statements import statement_doubts
from tradingagents.dataflows.snapshots.columns import (
    TABLE_TERMS,
    BadCell,
    Kind,
    ReadTable,
    TableLine,
    TableTerms,
    UnusableFile,
    as_symbol,
    each,
    read_table,
)
from tradingagents.dataflows.snapshots.journal import FILE as JOURNAL
from tradingagents.dataflows.snapshots.journal import OtherRecording, alone
from tradingagents.dataflows.snapshots.merging import MERGE, key_of
from tradingagents.dataflows.snapshots.own_rows import (
    CONVERT,
    Basis,
    actions_in,
    basis_of,
    lists_splits,
    one_basis_each,
    refuse_unadjusted,
    respelled,
)
from tradingagents.dataflows.snapshots.writing import put_files
from tradingagents.dataflows.vendors.snapshot.folder import FORMAT, MANIFEST, open_folder, read_json
from tradingagents.errors import UsageError

Row = dict[str, Any]
_AHEAD: Mapping[Kind, timedelta] = {"actions": timedelta(days=366)}
"""How far in the future a day may be: splits and dividends are announced ahead; for anything else one day, for time
zones."""
_A_DAY = timedelta(days=1)
_DAYS = ("date", "period_end", "period_start", "filed_at", "published_at", "transaction_date")


def check_imported(row: Row, kind: Kind, today: date) -> Row:
    """Return a valid row.

    Args:
        row: The row to write.
        kind: The kind of data.
        today: The current day, UTC.

    Raises:
        BadCell: It is invalid.
    """
    for name in _DAYS:
        if row.get(name):
            _check_day(name, date.fromisoformat(str(row[name])[:10]), today + _AHEAD.get(kind, _A_DAY))
    if kind == "prices":
        _check_bar(row)
    elif kind == "actions":
        _check_action(row)
    currency = row.get("currency")
    if currency is not None and not is_currency(currency):
        raise BadCell(f"{currency!r} is not a currency; write it like USD")
    numbers = {
        **row.get("items", {}),
        **{name: row.get(name) for name in ("shares", "value", "fiscal_year", "into_shares")},
    }
    for name, value in numbers.items():
        if value is not None and not -LARGEST <= value <= LARGEST:
            raise BadCell(f"{name} is {value:g}, which is not valid")
    return row


def _check_day(name: str, day: date, last: date) -> None:
    if day.year < FIRST_YEAR:
        raise BadCell(f"{name} is {day}, before all calendars")
    if day > last:
        raise BadCell(f"{name} is {day}, which lies in the future")


def _check_bar(row: Row) -> None:
    high = max(row[name] for name in ("open", "high", "low", "close", "adj_close"))
    if high > HIGHEST_PRICE:
        raise BadCell(f"{high:g} is not a valid price")
    if row["volume"] > HIGHEST_VOLUME:
        raise BadCell(f"{row['volume']:g} is not a valid volume")
    if off_calendar(row["symbol"], np.array([row["date"]], "datetime64[D]"))[0]:
        raise BadCell(f"{row['date']} is not a session of the exchange of {row['symbol']}")


def _check_action(row: Row) -> None:
    if row["action"] == "split" and not is_split(Split(date.fromisoformat(row["date"]), row["value"])):
        raise BadCell(f"{row['value']:g} is not a valid split ratio")
    if (row["value"] or 0.0) > HIGHEST_PRICE:
        raise BadCell(f"{row['value']:g} is not a valid dividend")


FILES: Mapping[Kind, str] = {
    "prices": "prices.parquet",
    "actions": "actions.csv",
    "profiles": "profiles.json",
    "statements": "statements.jsonl.gz",
    "news": "news.jsonl.gz",
    "insiders": "insider.jsonl.gz",
}
KEYS: Mapping[Kind, tuple[str, ...]] = {
    "prices": ("symbol", "date"),
    "actions": ("symbol", "date", "action"),
    "profiles": ("symbol",),
    "statements": ("symbol", "statement", "period", "period_end", "filed_at"),
    "news": ("symbol", "published_at", "title"),
    "insiders": ("symbol", "transaction_date", "insider", "kind", "shares", "value", "text"),
}
"""Key fields by kind: rows with equal keys replace each other."""
_DATED: Mapping[Kind, str] = {
    "prices": "date",
    "actions": "date",
    "statements": "period_end",
    "news": "published_at",
    "insiders": "transaction_date",
}


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import."""

    kind: Kind
    folder: Path
    rows: int
    """Rows imported, without duplicates."""
    repeated: int
    """Duplicate rows in the file."""
    replaced: int
    """Existing rows that were replaced."""
    symbols: tuple[str, ...]
    first: date | None
    last: date | None
    """First and last day of the imported rows; None for profiles."""
    respelled: Mapping[str, str] = field(default_factory=dict)
    """Symbols of the file that are stored under another spelling."""
    indices: tuple[str, ...] = ()
    """Symbols whose prices were taken as those of an index."""
    splits_listed: bool = True
    """False where prices were taken into a folder that has no list of splits."""
    doubts: tuple[str, ...] = ()
    """Why runs withhold figures on the imported prices or statements, as the gate says it."""
    empty: tuple[str, ...] = ()
    """Rows of the file without any value, which were left out."""


def import_file(
    path: Path,
    folder: Path,
    kind: Kind,
    terms: TableTerms = TABLE_TERMS,
    *,
    basis: Basis = "split_adjusted",
    no_splits: bool = False,
    now: Callable[[], datetime] = utc_now,
) -> Imported:
    """Take a file into a new or existing snapshot folder, whole or not at all.

    Rows that are alike count once; rows that differ and stand for the same are refused. A row of the folder that stands
    for the same gives way.

    Args:
        path: A `.csv` or `.parquet` file.
        kind: What the file holds.
        terms: How the file is read, where its columns and cells do not say.
        basis: How its prices are adjusted, where a column `basis` does not say; a symbol with ^ is an index.
        no_splits: None of the symbols was split: an empty list of splits is written where the folder has none.
        now: The clock, for the note in the manifest.

    Raises:
        UnusableFile: A column is missing or rows are faulty; names every line.
        UsageError: An option cannot be.
        OtherRecording: The folder is a recording, or no snapshot.
        VendorDown: A file of the folder cannot be read.
        FolderNotWritable: It cannot be written.
    """
    own = None if terms.symbol is None else _own_symbol(terms.symbol)
    table = read_table(path, kind, replace(terms, symbol=own))
    if not table.lines:
        raise UnusableFile(f"{path} has no rows; nothing was imported.")
    today, convert = now().astimezone(UTC).date(), _converter(kind, basis)
    bars = tuple(line for line in table.lines if line.is_bar)
    checked = each(bars, lambda cells: check_imported(convert(cells), kind, today), path)
    rows, repeated = _once(checked, KEYS[kind], path)
    actions = _actions(table.lines, kind, path, today)
    if kind == "prices":
        one_basis_each(rows, path)
        refuse_unadjusted(rows, actions, path)
    with alone(folder):
        manifest = _manifest(folder)
        merged, replaced = MERGE[kind](folder / FILES[kind], rows, KEYS[kind])
        files = {FILES[kind]: merged}
        list_of_splits = folder / FILES["actions"]
        listed = lists_splits(table.lines) or (no_splits and not list_of_splits.is_file())
        if kind == "prices" and listed:  # dividends alone would read as a list without any split
            files[list_of_splits.name] = MERGE["actions"](list_of_splits, actions, KEYS["actions"])[0]
        done = replace(
            _imported(kind, folder, rows, table),
            repeated=repeated,
            replaced=replaced,
            splits_listed=kind != "prices" or list_of_splits.name in files or list_of_splits.is_file(),
        )
        put_files(folder, {**files, MANIFEST: _noted(manifest, done, path, now())})
        return replace(done, doubts=_doubts(done))


def _imported(kind: Kind, folder: Path, rows: Sequence[Row], table: ReadTable) -> Imported:
    """Return what the rows of an import are."""
    dates = [date.fromisoformat(str(row[_DATED[kind]])[:10]) for row in rows] if kind in _DATED else []
    return Imported(
        kind=kind,
        folder=folder,
        rows=len(rows),
        repeated=0,
        replaced=0,
        symbols=tuple(sorted({row["symbol"] for row in rows})),
        first=min(dates, default=None),
        last=max(dates, default=None),
        respelled=respelled(table.lines),
        indices=tuple(sorted({row["symbol"] for row in rows if row.get("basis") == "index"})),
        empty=table.empty,
    )


def _doubts(done: Imported) -> tuple[str, ...]:
    if done.kind == "statements":
        return statement_doubts(done.folder, done.symbols)
    return doubts_in(done.folder, done.symbols) if done.kind in ("prices", "actions") else ()


def _converter(kind: Kind, basis: Basis) -> Callable[[Mapping[str, Any]], Row]:
    """Return what turns the cells of a line into a row."""
    if kind != "prices":
        return lambda cells: CONVERT[kind](cells, basis)
    return lambda cells: CONVERT[kind](cells, basis_of(cells, basis))


def _actions(lines: Sequence[TableLine], kind: Kind, path: Path, today: date) -> list[Row]:
    """Return the splits and dividends a file of prices brings along."""
    if kind != "prices":
        return []
    try:
        return [check_imported(row, "actions", today) for row in actions_in(lines)]
    except BadCell as error:
        raise UnusableFile(f"{path}: {error}; nothing was imported. Correct that cell.") from None


def _own_symbol(symbol: str) -> str:
    try:
        return as_symbol(symbol)
    except BadCell as error:
        raise UsageError(f"{error}; write it like AAPL.") from None


def _manifest(folder: Path) -> Row:
    """Return the folder's manifest; {} for a folder that is new or empty.

    Raises:
        OtherRecording: It is being recorded, or holds something else.
        VendorDown, VendorNotConfigured: Its manifest cannot be read.
    """
    if (folder / JOURNAL).exists():
        raise OtherRecording(
            f"{folder} is a recording, which `data record` writes anew; name another folder with folder='DIR', or "
            f"delete {JOURNAL} there to end the recording."
        )
    if (folder / MANIFEST).is_file():
        open_folder(folder)
        return dict(read_json(folder / MANIFEST))
    if any(not path.name.startswith(".") for path in folder.iterdir()):
        raise OtherRecording(f"{folder} holds other files and is no snapshot; name a new folder with folder='DIR'.")
    return {}


def _noted(manifest: Row, done: Imported, path: Path, at: datetime) -> bytes:
    """Return the manifest with the window widened to the rows taken, and a note of where they came from."""
    today = at.date().isoformat()
    days = [day.isoformat() for day in (done.first, done.last) if day is not None]
    if done.kind == "prices" or not manifest:
        known = [str(manifest[name]) for name in ("from", "to") if name in manifest]
        manifest |= {"from": min([*known, *days] or [today]), "to": max([*known, *days] or [today])}
    note = {"imported": path.name, "kind": done.kind, "rows": done.rows, "at": at.isoformat()}
    before = manifest.get("provenance") or []
    manifest["provenance"] = [*(before if isinstance(before, list) else [before]), note]
    return (json.dumps({"format": FORMAT, **manifest}, ensure_ascii=False, indent=1) + "\n").encode()


def _once(converted: Iterable[tuple[int, Row]], key: tuple[str, ...], path: Path) -> tuple[list[Row], int]:
    found: dict[tuple[Any, ...], tuple[int, Row]] = {}
    problems: list[str] = []
    repeated = 0
    for number, row in converted:
        same = found.setdefault(key_of(row, key), (number, row))
        if same[0] == number:
            continue
        if same[1] == row:
            repeated += 1
        else:
            problems.append(f"line {number}: it stands for the same {' and '.join(key[:3])} as line {same[0]}.")
    if problems:
        raise UnusableFile(
            f"{path}: {len(problems)} rows contradict others, the first in {problems[0]} Nothing was imported: keep "
            f"one of each.",
            tuple(problems),
        )
    return [row for _, row in found.values()], repeated
