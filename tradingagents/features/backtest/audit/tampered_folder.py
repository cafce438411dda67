"""Writes a copy of a folder of recorded data with another future: the deepest place where one can be changed."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.vendors.snapshot.folder import known_from
from tradingagents.features.backtest.audit.tampered_answers import FACTOR, MARK, RESTATED, TamperedFuture
from tradingagents.files.parquet import pa, pc, pq

QUARTER, YEAR = timedelta(days=45), timedelta(days=90)
"""After its period's end a statement without a filing date is known."""
DEADLINE = 3
"""Sessions after an insider's trade until it is known, where no filing date is recorded."""
Row = dict[str, Any]


def tampered_folder(folder: Path, to: Path, future: TamperedFuture) -> Path:
    """Write a copy of a folder of recorded data with another future, and return it.

    Files without dates, and kinds of files that are not known here, are linked. Splits stay as they are: recorded
    prices are adjusted for them.

    Args:
        folder: Recorded data.
        to: A new folder.
        future: The cut-off, and what becomes of what was known only after it.
    """
    to.mkdir(parents=True)
    for path in sorted(folder.iterdir()):
        if not path.is_file():
            continue
        target = to / path.name
        if path.name == "prices.parquet":
            _prices(path, target, future)
        elif path.name == "macro.parquet":
            _macro(path, target, future)
        elif path.name == "actions.csv":
            _actions(path, target, future)
        elif path.name in _LINES:
            _lines(path, target, future, *_LINES[path.name])
        else:
            target.symlink_to(path.resolve())
    return to


def _prices(path: Path, target: Path, future: TamperedFuture) -> None:
    table = pq.ParquetFile(path).read()
    later = np.asarray(
        pc.greater(table["date"].cast(pa.date32()), pa.scalar(future.day)).to_numpy(zero_copy_only=False)
    )
    if future.how == "removed":
        pq.write_table(table.filter(pa.array(~later)), target, row_group_size=10_000)
        return
    for name in ("open", "high", "low", "close", "adj_close", "volume"):
        place, kind = table.schema.get_field_index(name), table.schema.field(name).type
        values = table[name].to_numpy().astype("float64")
        wild = np.where(later, values * (FACTOR + np.arange(len(values)) % 2), values)
        table = table.set_column(place, name, pa.array(wild).cast(kind, safe=False))
    pq.write_table(table, target, row_group_size=10_000)


def _macro(path: Path, target: Path, future: TamperedFuture) -> None:
    """Tamper with values whose period had not ended: those of a month or quarter are dated by its first day."""
    table = pq.ParquetFile(path).read()
    names = np.asarray(table["series"].to_pylist())
    days = table["date"].cast(pa.date32()).to_numpy(zero_copy_only=False).astype("datetime64[D]")
    lead = np.zeros(len(days), "timedelta64[D]")
    for name in np.unique(names):
        own = names == name
        steps = np.diff(np.sort(days[own])).astype(int)
        usual = int(np.median(steps)) if len(steps) else 1
        lead[own] = np.timedelta64(80 if usual > 80 else 27 if usual > 26 else 0, "D")
    later = days + lead > np.datetime64(future.day, "D")
    if future.how == "removed":
        pq.write_table(table.filter(pa.array(~later)), target, row_group_size=10_000)
        return
    values = table["value"].to_numpy().astype("float64")
    wild = pa.array(np.where(later, values * FACTOR + 1, values)).cast(table.schema.field("value").type)
    pq.write_table(
        table.set_column(table.schema.get_field_index("value"), "value", wild), target, row_group_size=10_000
    )


def _actions(path: Path, target: Path, future: TamperedFuture) -> None:
    """Tamper with later dividends; splits are part of the earlier prices."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    earlier: list[list[str]] = []
    for row in rows:
        later = len(row) == 4 and row[2] == "dividend" and row[1][:10] > future.day.isoformat()
        if not later:
            earlier.append(row)
        elif future.how == "changed":
            earlier.append([*row[:3], str(float(row[3]) * FACTOR)])
    with target.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(earlier)


Known = Callable[[Row, TamperedFuture], bool]
Restate = Callable[[Row, TamperedFuture], Row | None]


def _lines(path: Path, target: Path, future: TamperedFuture, is_later: Known, restate: Restate) -> None:
    """Tamper with a file of one object a line."""
    written: list[str] = []
    known: list[Row] = []
    for text in _read(path):
        try:
            row = json.loads(text)
            later = is_later(row, future)
        except (ValueError, KeyError, TypeError, AttributeError):
            written.append(text)  # an unreadable line stays one
            continue
        if not later:
            written.append(text)
            known.append(row)
        elif future.how == "changed":
            written.append(json.dumps(_changed(row)))
    if future.how == "changed":
        again = (restate(row, future) for row in known[-RESTATED:])
        written += [json.dumps(_changed(row)) for row in again if row is not None]
    with gzip.open(target, "wt", encoding="utf-8", compresslevel=1) as file:
        file.writelines(f"{line}\n" for line in written)


def _read(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield line.rstrip("\n")


def _changed(row: Row) -> Row:
    texts = {name: f"{MARK} {row[name]}" for name in ("title", "summary", "text", "insider") if row.get(name)}
    figures = {name: row[name] * FACTOR for name in ("shares", "value") if _is_number(row.get(name))}
    items = row.get("items")
    if isinstance(items, dict):
        figures["items"] = {name: value * FACTOR if _is_number(value) else value for name, value in items.items()}
    return {**row, **texts, **figures}


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float))


def _after(future: TamperedFuture) -> str:
    return (future.instant + timedelta(hours=1)).isoformat()


def _exchange(row: Row) -> str:
    symbol = row.get("symbol")
    return exchange_of(symbol) if symbol else "XNYS"


def _known_after(text: str, row: Row, future: TamperedFuture) -> bool:
    return known_from(text, _exchange(row)) > future.instant


def _statement(row: Row, future: TamperedFuture) -> bool:
    end = date.fromisoformat(row["period_end"][:10])
    if end > future.day:
        return True
    if row.get("filed_at"):
        return _known_after(row["filed_at"], row, future)
    yearly = row.get("period") == "annual" or row.get("fiscal_period") in ("FY", "Q4")
    return end + (YEAR if yearly else QUARTER) > future.day


def _restated(row: Row, future: TamperedFuture) -> Row | None:
    return {**row, "filed_at": _after(future)} if row.get("filed_at") else None


def _news(row: Row, future: TamperedFuture) -> bool:
    published = row["published_at"]
    return _known_after(published, row, future) or (
        bool(row.get("known_at")) and _instant(row["known_at"]) > future.instant
    )


def _later_news(row: Row, future: TamperedFuture) -> Row:
    url = f"{row.get('url') or 'https://news.invalid/'}#later"
    return {
        **row,
        "published_at": _after(future),
        "url": url,
        **({"known_at": _after(future)} if row.get("known_at") else {}),
    }


def _insider(row: Row, future: TamperedFuture) -> bool:
    if row.get("filed_at"):
        return _known_after(row["filed_at"], row, future)
    calendar = sessions(_exchange(row))
    traded = date.fromisoformat(row["transaction_date"][:10])
    return len(calendar.between(traded + timedelta(days=1), future.day)) < DEADLINE


def _later_insider(row: Row, future: TamperedFuture) -> Row:
    return {**row, "transaction_date": future.day.isoformat(), "filed_at": _after(future)}


def _post(row: Row, future: TamperedFuture) -> bool:
    return _known_after(row.get("known_at") or row["posted_at"], row, future)


def _later_post(row: Row, future: TamperedFuture) -> Row:
    return {**row, "posted_at": _after(future), "url": f"https://posts.invalid/{crc32(row['text'].encode())}",
            **({"known_at": _after(future)} if row.get("known_at") else {})}  # fmt: skip


def _filing(row: Row, future: TamperedFuture) -> bool:
    return _known_after(row.get("accepted_at") or row["filed_on"], row, future)


def _later_filing(row: Row, future: TamperedFuture) -> Row:
    on = (future.day + timedelta(days=1)).isoformat()
    return {**row, "accepted_at": _after(future), "filed_on": on, "accession": f"{MARK}-{row['accession']}"}


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


_LINES: Mapping[str, tuple[Known, Restate]] = {
    "statements.jsonl.gz": (_statement, _restated),
    "news.jsonl.gz": (_news, _later_news),
    "insider.jsonl.gz": (_insider, _later_insider),
    "social.jsonl.gz": (_post, _later_post),
    "filings.jsonl.gz": (_filing, _later_filing),
}
"""Files of one object a line: which rows are later, and how a later version of an earlier row is written."""
