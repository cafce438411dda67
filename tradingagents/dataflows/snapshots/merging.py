"""Merge new rows into the files of a snapshot: a new row replaces the existing row with the same key."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from tradingagents.dataflows.reference.currencies import quoted_in
from tradingagents.dataflows.snapshots.columns import (
    Kind,
)
from tradingagents.dataflows.snapshots.writing import action_columns, gzipped, parquet, price_table
from tradingagents.dataflows.vendors.snapshot.folder import read_json, reading, spelled
from tradingagents.dataflows.vendors.snapshot.prices import BASIS, widened
from tradingagents.dataflows.vendors.snapshot.prices import COLUMNS as PRICE_COLUMNS
from tradingagents.errors import UsageError
from tradingagents.files.parquet import pq

Row = dict[str, Any]


def key_of(row: Mapping[str, Any], key: tuple[str, ...]) -> tuple[Any, ...]:
    """Return the key of a row."""
    return tuple(spelled(str(row[name])) if name == "symbol" else row.get(name) for name in key)


def _merged(old: Iterable[Row], new: list[Row], key: tuple[str, ...]) -> tuple[list[Row], int]:
    keys = {key_of(row, key) for row in new}
    kept, replaced = [], 0
    for row in old:
        if key_of(row, key) in keys:
            replaced += 1
        else:
            kept.append(row)
    return [*kept, *new], replaced


def _into_prices(path: Path, new: list[Row], key: tuple[str, ...]) -> tuple[bytes, int]:
    old: list[Row] = []
    if path.is_file():
        with reading(path):
            table = pq.read_table(path)
            columns: dict[str, Any] = {name: table[name].to_pylist() for name in table.column_names}
            for name in PRICE_COLUMNS:
                columns[name] = widened(table[name].to_numpy()).tolist()
            columns["date"] = [str(day)[:10] for day in columns["date"]]
            old = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    again = {key_of(row, key) for row in new}
    bases = {spelled(row["symbol"]): row["basis"] for row in old if key_of(row, key) not in again}
    for row in new:
        if bases.get(row["symbol"], row["basis"]) != row["basis"]:
            raise UsageError(
                f"{path} has prices of {row['symbol']} that are {BASIS[bases[row['symbol']]]}; import these with "
                f"basis='{BASIS[bases[row['symbol']]]}' if they are too, else its whole history at once, or into "
                f"another folder."
            )
    merged, replaced = _merged(old, new, key)
    merged.sort(key=lambda row: (row["symbol"], row["date"]))
    names = ["symbol", "date", *PRICE_COLUMNS, "basis"]
    if any("currency" in row for row in old):
        names.append("currency")
        told = {row["symbol"]: row["currency"] for row in old}
        merged = [{"currency": told.get(row["symbol"]) or quoted_in(row["symbol"]), **row} for row in merged]
    table_of = {name: [row[name] for row in merged] for name in names}
    table_of["date"] = [date.fromisoformat(day) for day in table_of["date"]]
    return parquet(price_table(table_of)), replaced


def _into_lines(path: Path, new: list[Row], key: tuple[str, ...]) -> tuple[bytes, int]:
    old: list[Row] = []
    if path.is_file():
        with reading(path), gzip.open(path, "rt", encoding="utf-8") as lines:
            old = [json.loads(line) for line in lines]
            merged, replaced = _merged(old, new, key)
            return gzipped(merged), replaced
    return gzipped(new), 0


def _into_actions(path: Path, new: list[Row], key: tuple[str, ...]) -> tuple[bytes, int]:
    old: list[Row] = []
    if path.is_file():
        with reading(path), path.open(encoding="utf-8", newline="") as file:
            old = [
                {**row, "value": _number(row["value"]), "into_shares": _number(row.get("into_shares"))}
                for row in csv.DictReader(file)
            ]
    merged, replaced = _merged(old, new, key)
    text = io.StringIO(newline="")
    out = csv.writer(text, lineterminator="\n")
    columns = action_columns(any(row.get("into") for row in merged))
    out.writerow(columns)
    out.writerows([_cell(row.get(name)) for name in columns] for row in merged)
    return text.getvalue().encode(), replaced


def _number(text: str | None) -> float | None:
    return float(text) if text else None


def _cell(value: Any) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def _into_profiles(path: Path, new: list[Row], _: tuple[str, ...]) -> tuple[bytes, int]:
    old = read_json(path)
    fresh = {row["symbol"]: {name: value for name, value in row.items() if name != "symbol"} for row in new}
    kept = {symbol: row for symbol, row in old.items() if spelled(symbol) not in fresh}
    content = json.dumps({**kept, **fresh}, ensure_ascii=False, indent=1) + "\n"
    return content.encode(), len(old) - len(kept)


MERGE: Mapping[Kind, Callable[[Path, list[Row], tuple[str, ...]], tuple[bytes, int]]] = {
    "prices": _into_prices,
    "actions": _into_actions,
    "profiles": _into_profiles,
    "statements": _into_lines,
    "news": _into_lines,
    "insiders": _into_lines,
}
"""Takes a snapshot's file and new rows; returns the file's new bytes and the number of rows replaced."""
