"""A ledger: what was entered is on disk, whole lines only, and what is not ours is never passed over."""

from __future__ import annotations

import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.files.atomic import UnreadableFile
from tradingagents.runtime.runs.ledger import Ledger, LedgerEntry

ENTRIES = (
    LedgerEntry("20250314T210000Z-SCAN-2025-03-14-aaaaaa", None, "2025-03-14T21:00:00+00:00"),
    LedgerEntry("20250314T210100Z-7203.T-2025-03-14-bbbbbb", "7203.T", "2025-03-14T21:01:00+00:00"),
    LedgerEntry("20250314T210200Z-AAPL-2025-03-14-cccccc", "AAPL", "2025-03-14T21:02:00+00:00"),
)
WRITTEN = "".join(entry.line() for entry in ENTRIES).encode()


def test_entries_are_on_disk_as_they_are_added_and_read_back_in_order(tmp_path: Path):
    ledger = Ledger(tmp_path / "ledger.jsonl")
    assert ledger.entries == ()
    for count, entry in enumerate(ENTRIES, start=1):
        ledger.add(entry)
        assert Ledger(tmp_path / "ledger.jsonl").entries == ENTRIES[:count] == ledger.entries


@given(st.integers(0, len(WRITTEN)))
def test_cut_anywhere_it_keeps_every_whole_line_and_can_be_added_to(at: int):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.jsonl"
        path.write_bytes(WRITTEN[:at])
        ledger = Ledger(path)
        whole = WRITTEN[:at].count(b"\n")
        assert ledger.entries == ENTRIES[:whole]
        ledger.add(ENTRIES[2])
        assert Ledger(path).entries == (*ENTRIES[:whole], ENTRIES[2])


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size: beyond it the system writes what fits, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("fitting", [0, 1, 40])
def test_a_line_the_disk_had_no_room_for_leaves_no_half_in_the_way_of_the_next(tmp_path: Path, fitting: int):
    path = tmp_path / "ledger.jsonl"
    ledger = Ledger(path)
    ledger.add(ENTRIES[0])
    with room_for(path.stat().st_size + fitting), pytest.raises(OSError, match=r"No space left|File too large"):
        ledger.add(ENTRIES[1])
    assert ledger.entries == ENTRIES[:1]
    ledger.add(ENTRIES[2])
    assert Ledger(path).entries == (ENTRIES[0], ENTRIES[2])


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{}",
        "[]",
        "nonsense",
        '{"run_id": 3, "ticker": null, "started_at": ""}',
        '{"run_id": "../x", "ticker": null, "started_at": ""}',
        '{"run_id": "a", "ticker": null}',
    ],
)
def test_a_line_that_names_no_run_is_refused_with_the_file(tmp_path: Path, line: str):
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(WRITTEN + line.encode() + b"\n" + WRITTEN)
    with pytest.raises(UnreadableFile, match=rf"Cannot read {re.escape(str(path))} \(.*names no run\); move it away"):
        Ledger(path)
