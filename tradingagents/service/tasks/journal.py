"""The journal of a task: one event a line in `events.jsonl`, written before anybody is shown it.

Numbers rise by one from 0 over all processes that work on the task: a process that takes it over continues after the
last whole line. Only the process that holds the task's lock writes.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tradingagents.files.atomic import one_line_json, writing
from tradingagents.files.json_text import parse_json
from tradingagents.files.private_files import FILE_MODE
from tradingagents.files.redaction import KnownSecrets
from tradingagents.files.regular_files import check_regular
from tradingagents.schemas.workspace import TaskEvent

CHUNK = 1 << 16
"""Bytes read at a time, unless one line is longer."""
RECENT = 512
"""Events kept in memory for those who follow a task that is worked on here; who is further behind reads the file."""


class Announcer:
    """One bell for any number of waiting coroutines: ringing it costs one call for each event loop."""

    def __init__(self) -> None:
        """Begin with nobody waiting."""
        self._lock = threading.Lock()
        self._waiting: dict[asyncio.AbstractEventLoop, asyncio.Event] = {}

    def next_ring(self) -> asyncio.Event:
        """Return an event of the running loop that the next ring sets. Ask for it before looking for news."""
        with self._lock:
            return self._waiting.setdefault(asyncio.get_running_loop(), asyncio.Event())

    def ring(self) -> None:
        """Wake everyone. May be called from any thread."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        for loop, event in waiting.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)


class TaskJournal:
    """Appends to a journal, and keeps its newest events in memory. Thread-safe."""

    def __init__(self, home: Path, path: Path, task_id: str, secrets: KnownSecrets) -> None:
        """Open a journal for appending; a torn last line of a killed process is removed.

        Args:
            home: The home folder, named in errors.
            path: The file; created if needed.
            secrets: Removed from every line.

        Raises:
            HomeNotWritable: It cannot be opened.
        """
        self.task_id, self._home, self._secrets = task_id, home, secrets
        self._lock = threading.Lock()
        self._announcer = Announcer()
        with writing(home):
            self._file = _opened(path)
        last = last_event(path)
        self._next = 0 if last is None else last.seq + 1
        self._recent: list[TaskEvent] = []
        self._closed = False

    @property
    def announcer(self) -> Announcer:
        """Rings after each event, and when the journal is closed."""
        return self._announcer

    def append(
        self,
        type: str,  # noqa: A002 - the documented field name
        message: str = "",
        *,
        run_id: str | None = None,
        node: str | None = None,
        step: str | None = None,
        data: Mapping[str, Any] | None = None,
        ts: str | None = None,
    ) -> TaskEvent | None:
        """Write an event, then announce it; None where the journal is closed.

        Raises:
            HomeNotWritable: The disk is full, or the folder is missing; nobody is shown the event.
        """
        with self._lock:
            if self._closed:
                return None
            record = {
                "task_id": self.task_id,
                "seq": self._next,
                "ts": ts or datetime.now(UTC).isoformat(timespec="microseconds"),
                "type": type,
                "message": message,
                "run_id": run_id,
                "node": node,
                "step": step,
                "data": dict(data or {}),
            }
            line = self._secrets.text(one_line_json(record)).encode(errors="replace") + b"\n"
            event = _event(line)
            if event is None:
                raise ValueError(f"an event of type {type} cannot be written as a line")
            with writing(self._home):
                _write_all(self._file, line)
            self._next += 1
            self._recent.append(event)
            if len(self._recent) > 2 * RECENT:
                del self._recent[:RECENT]
        self._announcer.ring()
        return event

    def after(self, seq: int, most: int = 256) -> list[TaskEvent] | None:
        """Return events numbered above `seq` from memory; None where memory does not reach back that far."""
        with self._lock:
            if self._closed:
                return None
            if seq + 1 >= self._next:
                return []
            if not self._recent or self._recent[0].seq > seq + 1:
                return None
            begin = seq + 1 - self._recent[0].seq
            return self._recent[begin : begin + most]

    def close(self) -> None:
        """Close the file; who follows reads it from now on."""
        with self._lock:
            if not self._closed:
                self._closed = True
                os.close(self._file)
        self._announcer.ring()


def read_events(path: Path, offset: int, after: int = -1) -> tuple[list[TaskEvent], int]:
    """Return events from a place in a journal on, and the place where the next ones begin.

    An incomplete last line is left for the next call; a line that is no event is skipped.

    Args:
        path: The journal; a missing one has no events.
        offset: Where a line begins.
        after: Events up to this number are left out.
    """
    try:
        with path.open("rb") as file:
            file.seek(offset)
            content = file.read(CHUNK)
            if len(content) == CHUNK and not content.endswith(b"\n"):
                content += file.readline()
    except FileNotFoundError:
        return [], offset
    whole = content[: content.rfind(b"\n") + 1]
    found = (_event(line) for line in whole.splitlines())
    return [event for event in found if event is not None and event.seq > after], offset + len(whole)


def offset_after(path: Path, seq: int) -> int:
    """Return a place in a journal from which on all events numbered above `seq` stand.

    The file is searched by halves, so that the time does not grow with its length. Lines are in the order of their
    numbers.
    """
    if seq < 0:
        return 0
    try:
        with path.open("rb") as file:
            low, high = 0, os.fstat(file.fileno()).st_size
            while high - low > CHUNK:
                middle = (low + high) // 2
                file.seek(middle)
                file.readline()  # the rest of a line
                begin, event = file.tell(), None
                while begin < high and (event := _event(file.readline())) is None:
                    begin = file.tell()
                if event is None or event.seq > seq:
                    high = middle
                else:
                    low = begin
            return low
    except FileNotFoundError:
        return 0


def last_event(path: Path) -> TaskEvent | None:
    """Return the last event of a journal, reading from its end; None where there is none."""
    try:
        with path.open("rb") as file:
            size, want = os.fstat(file.fileno()).st_size, CHUNK
            while True:
                begin = max(size - want, 0)
                file.seek(begin)
                lines = file.read(size - begin).splitlines(keepends=True)
                for line in reversed(lines[1:] if begin else lines):
                    if line.endswith(b"\n") and (event := _event(line)) is not None:
                        return event
                if begin == 0:
                    return None
                want *= 4
    except FileNotFoundError:
        return None


def _event(line: bytes) -> TaskEvent | None:
    """Parse a line; None for one that is no event, since people may have edited the file."""
    with suppress(ValueError, ValidationError):
        return TaskEvent.model_validate(parse_json(line))
    return None


def _opened(path: Path) -> int:
    """Open for appending, without a torn last line."""
    if path.exists():
        check_regular(path)
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, FILE_MODE)
    size = end = os.fstat(file).st_size
    while end > 0:
        begin = max(end - CHUNK, 0)
        found = os.pread(file, end - begin, begin).rfind(b"\n")
        if found >= 0:
            end = begin + found + 1
            break
        end = begin
    if end < size:
        os.ftruncate(file, end)
    return file


def _write_all(file: int, line: bytes) -> None:
    while line:
        line = line[os.write(file, line) :]
