"""The recorded market as it would have been recorded on a day: nothing that became known after that day's close."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tests.support.snapshot_folder import Row, read_lines, write_lines
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendors.snapshot.folder import known_from
from tradingagents.dataflows.vendors.snapshot.macro import FIGURES, release_day


def linked_copy(folder: Path, to: Path) -> Path:
    """Make a copy of a folder whose files can be replaced one by one."""
    to.mkdir()
    for path in folder.iterdir():
        (to / path.name).symlink_to(path)
    return to


def recorded_until(folder: Path, to: Path, day: date) -> Path:
    """Make a copy of a folder that lacks whatever became known after the close of a day.

    Left as they are: `snapshot.json`, which says when the data count as fetched; `actions.csv`, without whose later
    splits the bars, adjusted for them, could not be read; `profiles.json`, which is of no day.
    """
    linked_copy(folder, to)
    close = sessions().close_of(sessions().on_or_before(day))
    _keep_lines(to, "news", lambda row: _known(row["published_at"], close))
    _keep_lines(to, "statements", lambda row: _known(row["filed_at"] or row["period_end"], close))
    _keep_lines(to, "insider", lambda row: row["transaction_date"] <= day.isoformat())
    _keep_rows(to / "prices.parquet", lambda table: pc.less_equal(table["date"].cast("date32"), day))
    _keep_rows(to / "macro.parquet", lambda table: _released(table, day))
    return to


def _known(text: str, close: datetime) -> bool:
    return known_from(text, "XNYS") <= close


def _released(table: pa.Table, day: date) -> pa.Array:
    figures = {name: figure for figure in FIGURES for name in figure.series}
    rows = zip(table["series"].to_pylist(), table["date"].cast("date32").to_pylist(), strict=True)
    return pa.array(
        [about <= day and (name not in figures or release_day(figures[name], about) <= day) for name, about in rows]
    )


def _keep_lines(folder: Path, name: str, wanted: Callable[[Row], bool]) -> None:
    path = folder / f"{name}.jsonl.gz"
    rows = read_lines(path)
    kept = [row for row in rows if wanted(row)]
    assert 0 < len(kept) <= len(rows)
    path.unlink()
    write_lines(path, kept)


def _keep_rows(path: Path, wanted: Callable[[pa.Table], pa.Array]) -> None:
    table = pq.ParquetFile(path).read()
    kept = table.filter(wanted(table))
    assert 0 < kept.num_rows < table.num_rows
    path.unlink()
    pq.write_table(kept, path, row_group_size=10_000)
