"""Damage for snapshot folders and for files to import: seeded, of one file at a time, from a bit to a whole column.

Each case has a name that says what was damaged, so that a failure can be had again.
"""

from __future__ import annotations

import gzip
import json
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.support.snapshot_folder import write_snapshot
from tradingagents.errors import TradingAgentsError

BINARY = ("prices.parquet", "macro.parquet")
LINES = ("statements.jsonl.gz", "news.jsonl.gz", "insider.jsonl.gz", "social.jsonl.gz", "filings.jsonl.gz")
TEXTS = ("snapshot.json", "profiles.json", "actions.csv")
DEEP = "[" * 100_000
VALUES = (
    *("null", "true", '""', '" "', '"x"', "0", "-1", "1e308", "1e400", "NaN", "Infinity", "-Infinity", "1" + 400 * "0"),
    *("[]", "{}", '["a"]', '{"a": 1}', '"\\u0000"', '"\\ud800"', '"\\u202e<script>"', DEEP, '"' + 140_000 * "y" + '"'),
    *('"0001-01-01"', '"1899-12-31"', '"2024-02-30"', '"2027-12-31"', '"9999-12-31"', '"2025-03-14T20:00:00"'),
    *('"0001-01-01T00:00:00+14:00"', '"9999-12-31T23:59:59-12:00"', '"USD\\n# Your role"', '"BRK.B"', '"^GSPC"'),
)
"""What a field of a row may hold instead, as JSON."""
CELLS: tuple[Any, ...] = (0.0, -5.0, float("nan"), float("inf"), float("-inf"), 1e-300, 1e30, None)
ACTIONS = ("0", "-2", "nan", "inf", "1e308", "1e-300", "", "x", "1e400", "2:1", "y" * 140_000)
DAYS = tuple(datetime(*day) for day in ((2025, 3, 16), (2024, 12, 25), (1890, 1, 1), (2031, 1, 1), (9999, 12, 31)))  # noqa: DTZ001


@dataclass(frozen=True)
class Case:
    """A damaged folder."""

    name: str
    folder: Path


def complaint(call: Callable[[], object], codes: tuple[int, ...]) -> str | None:
    """Call, and return why it did not end as promised; None where it did.

    Args:
        call: An answer, or a typed error on one short line.
        codes: The exit codes such an error may have.
    """
    try:
        call()
    except TradingAgentsError as error:
        if error.exit_code not in codes:
            return f"exit code {error.exit_code}: {error!r}"
        return f"no short line: {str(error)[:500]}" if "\n" in str(error) or len(str(error)) > 2000 else None
    except Exception as error:  # noqa: BLE001 - whatever it is, it was not promised
        return f"unexpected {error!r}"[:500]
    return None


def sound_folder(folder: Path) -> Path:
    """Write the folder that is damaged: a year of the small made-up market."""
    return write_snapshot(folder, first=date(2024, 5, 1), last=date(2025, 4, 30), quarters=6)


def damaged(sound: Path, scratch: Path, *, seed: int, count: int) -> Iterator[Case]:
    """Yield `count` damaged copies of a folder, each in the same place: it is gone when the next is made."""
    rng = random.Random(seed)  # noqa: S311 - repeatable, not secret
    for number in range(count):
        folder = scratch / "damaged"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sound, folder)
        file = rng.choice((*BINARY, *BINARY, *LINES, *LINES, *TEXTS))
        if rng.random() < 0.15:
            what = _damage_bytes(folder / file, rng)
        elif file == "prices.parquet":
            what = _damage_prices(folder / file, rng)
        elif file == "macro.parquet":
            what = _damage_macro(folder / file, rng)
        elif file in LINES:
            what = _damage_line(folder / file, rng)
        elif file == "actions.csv":
            what = _damage_actions(folder / file, rng)
        else:
            what = _damage_json(folder / file, rng)
        yield Case(f"{seed}-{number} {file}: {what}", folder)


def _damage_bytes(path: Path, rng: random.Random) -> str:
    content = path.read_bytes()
    kind = rng.choice(("empty", "half", "flipped", "zeros", "text"))
    middle = rng.randrange(len(content))
    path.write_bytes(
        {
            "empty": b"",
            "half": content[: len(content) // 2],
            "flipped": content[:middle] + bytes([content[middle] ^ 0xFF]) + content[middle + 1 :],
            "zeros": bytes(len(content)),
            "text": b"<html>502 Bad Gateway</html>\n",
        }[kind]
    )
    return f"bytes {kind} at {middle}"


def _damage_line(path: Path, rng: random.Random) -> str:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = file.read().splitlines()
    number = rng.randrange(len(lines))
    row = json.loads(lines[number])
    field, value = rng.choice(sorted(row)), rng.choice(VALUES)
    how = rng.random()
    if how < 0.1:
        lines[number] = value
        what = f"line {number + 1} is {value[:30]}"
    elif how < 0.2:
        del row[field]
        lines[number] = json.dumps(row)
        what = f"line {number + 1} without {field}"
    else:
        inside = isinstance(row.get("items"), dict) and rng.random() < 0.5
        if inside:
            field = rng.choice(sorted(row["items"]))
            row["items"][field] = "%value%"
        else:
            row[field] = "%value%"
        lines[number] = json.dumps(row).replace('"%value%"', value)
        what = f"line {number + 1} {'items ' if inside else ''}{field} = {value[:30]}"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return what


def _damage_json(path: Path, rng: random.Random) -> str:
    found = json.loads(path.read_text(encoding="utf-8"))
    value = rng.choice(VALUES)
    if rng.random() < 0.1:
        path.write_text(value, encoding="utf-8")
        return f"is {value[:30]}"
    inner = found
    names = []
    while isinstance(inner, dict) and inner:
        names.append(rng.choice(sorted(inner)))
        if not isinstance(inner[names[-1]], dict) or rng.random() < 0.2:
            inner[names[-1]] = "%value%"
            break
        inner = inner[names[-1]]
    path.write_text(json.dumps(found).replace('"%value%"', value), encoding="utf-8")
    return f"{'.'.join(names)} = {value[:30]}"


def _damage_actions(path: Path, rng: random.Random) -> str:
    symbol, day = rng.choice(("ACMQ", "ELMQ", "", "SPY")), rng.choice(("2024-09-03", "2025-03-17", "2031-01-02", "x"))
    kind, value = rng.choice(("split", "split", "dividend", "merger")), rng.choice(ACTIONS)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{symbol},{day},{kind},{value}\n")
    return f"{symbol},{day},{kind},{value[:20]}"


def _damage_prices(path: Path, rng: random.Random) -> str:
    table = pq.read_table(path)
    column = rng.choice(("open", "high", "low", "close", "close", "adj_close", "volume", "basis", "symbol", "date"))
    how = rng.random()
    if how < 0.15:
        kind = rng.choice((pa.string(), pa.bool_(), pa.int64()))
        values: list[Any] = [None] * table.num_rows
        pq.write_table(table.set_column(table.column_names.index(column), column, pa.array(values, kind)), path)
        return f"column {column} is {kind}, all null"
    if how < 0.2:
        pq.write_table(table.drop_columns([column]), path)
        return f"without column {column}"
    rows = table.to_pylist()
    symbol = rng.choice(("ACMQ", "ACMQ", "ELMQ", "SPY", "^VIX", "XLK"))
    own = [row for row in rows if row["symbol"] == symbol]
    some = own[-1:] if how < 0.5 else own if how < 0.6 else [rng.choice(own)]
    if column in ("symbol", "date", "basis"):
        wrong: Any = {"symbol": rng.choice(("", "A B", "ELMQ")), "basis": rng.choice(("index", "guessed", ""))}.get(
            column, rng.choice(DAYS)
        )
    else:
        wrong = rng.choice(CELLS)
    if column == "volume" and isinstance(wrong, float):
        wrong = -1
    for row in some:
        row[column] = wrong
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    return f"{symbol}: {len(some)} x {column} = {wrong}"


def _damage_macro(path: Path, rng: random.Random) -> str:
    table = pq.read_table(path)
    column = rng.choice(("series", "date", "value", "value"))
    if rng.random() < 0.2:
        pq.write_table(table.drop_columns([column]), path)
        return f"without column {column}"
    rows = table.to_pylist()
    wrong: Any = rng.choice({"series": ("", None, "UNRATE"), "date": (*DAYS, None), "value": CELLS}[column])
    some = rng.sample(rows, 5)
    for row in some:
        row[column] = wrong
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    return f"5 x {column} = {wrong}"
