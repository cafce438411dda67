"""`sessions.json`: the list of sessions for people and other tools, written from the database.

Writing it takes as long as there are many sessions. So it is written after a session was created, renamed or deleted,
but not so often that it takes more than one part in `SHARE` of the time; what is due by then is written by a later
call or by `close`. Messages do not write it.
"""

from __future__ import annotations

import os
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tradingagents.features.assistant.sessions.rows import SessionRows
from tradingagents.files.json_file import JsonFile
from tradingagents.files.json_text import parse_json
from tradingagents.files.regular_files import read_regular

FILE = "sessions.json"
VERSION = 1
SHARE = 50
Signature = tuple[int, int, int]


class IndexFile:
    """The file, as one process last saw it. Thread-safe."""

    def __init__(self, home: Path, folder: Path, rows: SessionRows) -> None:
        """Set the path and what the file is written from; nothing is read or written yet."""
        self._folder, self._rows = folder, rows
        self._file = JsonFile(home, folder / FILE, way_out="delete it; it is written again")
        self._lock = threading.Lock()
        self._seen: Signature | None = None
        self._changes = -1
        """Changes of the database that the file reflects, as far as this process knows; -1: not known."""
        self._not_before = 0.0

    def catch_up(self, *, now: bool = False) -> None:
        """Write the file if it is missing, damaged or out of date.

        Args:
            now: Write it even if it was written a moment ago.

        Raises:
            HomeNotWritable: The file cannot be written.
        """
        with self._lock:
            if not now and time.monotonic() < self._not_before:
                return
            if (signature := self._signature()) != self._seen:
                self._changes, self._seen = _changes_of(self._file.path), signature
            if self._changes < self._rows.changes():
                self._write()

    def _write(self) -> None:
        began = time.monotonic()
        with self._file.changing():
            changes, sessions = self._rows.index()
            touched = self._times()
            listed = [
                {
                    "id": session.session_id,
                    "title": session.title,
                    "agent": session.agent,
                    "created": session.created_at,
                    "updated": max(session.updated_at, touched.get(session.session_id, "")),
                    "file": f"{session.session_id}.jsonl",
                }
                for session in sessions
            ]
            self._file.write({"version": VERSION, "changes": changes, "sessions": listed})
        self._changes, self._seen = changes, self._signature()
        ended = time.monotonic()
        self._not_before = ended + SHARE * (ended - began)

    def _times(self) -> dict[str, str]:
        """Return when each transcript was last written."""
        with os.scandir(self._folder) as files:
            return {
                file.name.removesuffix(".jsonl"): _instant(file.stat(follow_symlinks=False).st_mtime)
                for file in files
                if file.name.endswith(".jsonl")
            }

    def _signature(self) -> Signature | None:
        try:
            found = self._file.path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size


def _changes_of(path: Path) -> int:
    """Return which changes a file reflects; -1 if it is missing or damaged."""
    try:
        value: Any = parse_json(read_regular(path))
    except (OSError, ValueError):
        return -1
    if not isinstance(value, dict) or value.get("version") != VERSION or not isinstance(value.get("sessions"), list):
        return -1
    changes = value.get("changes")
    return changes if isinstance(changes, int) else -1


def _instant(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
