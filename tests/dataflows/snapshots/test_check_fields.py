"""`data check` names what it once called sound, and fails on none of it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support.snapshot_folder import read_lines as rows_of
from tests.support.snapshot_folder import read_macro, write_lines, write_macro, write_prices, write_snapshot
from tradingagents.dataflows.snapshots.check import check_folder

NOW = datetime(2026, 3, 2, tzinfo=UTC)
INF = float("inf")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_snapshot(tmp_path_factory.mktemp("sound") / "f", first=date(2024, 9, 3), last=date(2025, 4, 30))


@pytest.fixture(scope="module")
def sound_errors(sound: Path) -> str:
    """What is said of the sound folder."""
    return errors(sound)


def copied(sound: Path, folder: Path) -> Path:
    folder.mkdir()
    for path in sound.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


def errors(folder: Path) -> str:
    return "\n".join(f"{one.file}: {one.text}" for one in check_folder(folder, now=lambda: NOW).findings)


def one_bar(**changed: Any) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        rows = pq.read_table(folder / "prices.parquet").to_pylist()
        own = [row for row in rows if row["symbol"] == "ACMQ"]
        own[50].update(changed)
        write_prices(folder, rows)

    return spoil


def one_line(file: str, **changed: Any) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        rows = rows_of(folder / file)
        rows[3].update(changed)
        write_lines(folder / file, rows)

    return spoil


def column(name: str, values: Callable[[int], pa.Array]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        table = pq.read_table(folder / "prices.parquet")
        place = table.column_names.index(name) if name in table.column_names else None
        made = values(table.num_rows)
        changed = table.append_column(name, made) if place is None else table.set_column(place, name, made)
        pq.write_table(changed, folder / "prices.parquet")

    return spoil


def action(line: str) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        with (folder / "actions.csv").open("a", encoding="utf-8") as out:
            out.write(f"{line}\n")

    return spoil


def profile(**changed: Any) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        found = json.loads((folder / "profiles.json").read_text())
        found["ACMQ"].update(changed)
        (folder / "profiles.json").write_text(json.dumps(found))

    return spoil


def macro(value: float, day: date) -> Callable[[Path], None]:
    return lambda folder: write_macro(folder, [*read_macro(folder), ("UNRATE", day, value)])


def deep(file: str) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        with gzip.open(folder / file, "at") as out:
            out.write("[" * 100_000 + "\n")

    return spoil


EARLY, LATE = "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"
FAULTS = [
    (one_bar(close=INF), "data-faults.md#invalid-value): ACMQ 2024-11-12: close is inf; the bar is left out"),
    (
        one_bar(date=datetime(2024, 12, 1)),  # noqa: DTZ001
        "#day-without-session): ACMQ 2024-12-01: a bar on a day without a session; the bar is left out",
    ),
    (column("close", lambda rows: pa.array([True] * rows)), "the column close holds bool, no numbers"),
    (column("volume", lambda rows: pa.array([float("nan")] * rows)), "the volume is nan; it is read as 0, "),
    (column("currency", lambda rows: pa.array(["$"] * rows)), "prices.parquet: an invalid currency: "),
    (column("date", lambda rows: pa.array([7] * rows)), "prices.parquet: it cannot be read"),
    (one_bar(basis="index"), "more than one basis for one symbol: ACMQ"),
    (action("ACMQ,2024-12-02,split,inf"), "an invalid split ratio: ACMQ 2024-12-02 (inf)"),
    (action("ACMQ,2024-12-02,split,1e308"), "an invalid split ratio: ACMQ 2024-12-02 (1e+308)"),
    (action(f"ACMQ,2024-12-02,split,{'y' * 140_000}"), "actions.csv: it cannot be read"),
    (profile(name=7), "profiles.json: invalid fields: profiles.json: ACMQ: name of its profile is 7"),
    (profile(currency="$"), "profiles.json: invalid fields: "),
    (macro(INF, date(2025, 1, 1)), "macro.parquet: invalid values or days"),
    (macro(4.0, date(9999, 12, 31)), "macro.parquet: invalid values or days"),
    (lambda folder: (folder / "news.jsonl.gz").write_bytes(b""), "news.jsonl.gz: it cannot be read"),
    (deep("news.jsonl.gz"), "news.jsonl.gz: lines that are not JSON objects"),
    (one_line("news.jsonl.gz", url=["x"]), "news.jsonl.gz: rows that cannot be read: line 4 "),
    (one_line("news.jsonl.gz", published_at=EARLY), "news.jsonl.gz: rows that cannot be read: line 4 "),
    (one_line("news.jsonl.gz", published_at=LATE), "news.jsonl.gz: rows from the future: line 4"),
    (one_line("insider.jsonl.gz", filed_at=EARLY), "insider.jsonl.gz: rows that cannot be read: line 4 "),
    (one_line("insider.jsonl.gz", shares=10**400), "insider.jsonl.gz: rows that cannot be read: line 4 "),
    (one_line("social.jsonl.gz", posted_at=EARLY), "social.jsonl.gz: rows that cannot be read: line 4 "),
    (one_line("filings.jsonl.gz", accepted_at=EARLY), "filings.jsonl.gz: rows that cannot be read: line 4 "),
    (one_line("statements.jsonl.gz", filed_at=EARLY), "statements.jsonl.gz: rows that cannot be read: line 4 "),
    (one_line("statements.jsonl.gz", period_end="0001-01-01"), "statements.jsonl.gz: rows that cannot be read: line 4"),
    (one_line("statements.jsonl.gz", period_end="9999-12-31"), "statements.jsonl.gz: statements from the future: "),
    (one_line("statements.jsonl.gz", currency="dollars"), "statements.jsonl.gz: an invalid currency: line 4"),
    (
        one_line("statements.jsonl.gz", items={"revenue": 10**400}),
        "statements.jsonl.gz: rows that cannot be read: line 4",
    ),
]


@pytest.mark.parametrize(("spoil", "words"), FAULTS, ids=[words[:60] for _, words in FAULTS])
def test_a_fault_is_named(sound: Path, sound_errors: str, tmp_path: Path, spoil: Callable[[Path], None], words: str):
    folder = copied(sound, tmp_path / "f")
    spoil(folder)
    assert words not in sound_errors
    assert words in errors(folder)
