"""SQLite files that several threads and processes open at once."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tradingagents.files import sqlite_file
from tradingagents.files.sqlite_file import open_sqlite


def test_nobody_connects_while_another_thread_makes_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Its closing would drop the locks of who had connected, and two processes would write at once."""
    making, made = threading.Event(), threading.Event()

    def slowly(path: str, flags: int) -> int:
        opened = os.open(path, flags, 0o600)
        making.set()
        assert made.wait(timeout=30)
        return opened

    monkeypatch.setattr(sqlite_file, "private", slowly)
    path = tmp_path / "new.sqlite"
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(lambda: open_sqlite(path).close())
        assert making.wait(timeout=30)
        second = pool.submit(lambda: open_sqlite(path).close())
        with pytest.raises(TimeoutError):
            second.result(timeout=0.2)
        made.set()
        first.result(timeout=30)
        second.result(timeout=30)
