"""The transcript of a session: one JSON line an entry, appended by several processes, never changed."""

from __future__ import annotations

import errno
import itertools
import logging
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tradingagents.errors import HomeNotWritable
from tradingagents.features.assistant.sessions.entries import entry_of, line_of, numbered
from tradingagents.files.atomic import ESCAPE, one_line_json, unreadable, writing
from tradingagents.files.json_text import parse_json
from tradingagents.files.lock import POLL_SECONDS, take
from tradingagents.files.private_files import FILE_MODE, make_folder, private
from tradingagents.files.redaction import Redactor
from tradingagents.files.regular_files import check_regular
from tradingagents.schemas.workspace import NewEntry, TranscriptEntry

PATIENCE_SECONDS = 10.0
"""How long an append waits for other processes' appends, which take less than a millisecond each."""
BLOCK = 1 << 16
"""Bytes read at a time from the end of a file."""
WAY_OUT = "correct it, or move it away"
_NUMBER = re.compile(rb'\{"seq": ?(\d+)[,}]')

logger = logging.getLogger(__name__)


class TranscriptFile:
    """The file of one session. Every call opens it again; nothing is held in memory."""

    def __init__(self, home: Path, path: Path, redactor: Redactor) -> None:
        """Set the path; nothing is read or written yet."""
        self._home, self.path, self._redactor = home, path, redactor

    def create(self, heading: Mapping[str, Any]) -> None:
        """Write the file with its heading: what the session is called, and when and for whom it was created.

        Raises:
            HomeNotWritable: The folder is not writable.
        """
        with writing(self._home):
            make_folder(self.path.parent)
            with open(self.path, "xb", buffering=0, opener=private) as file:
                _write(file.fileno(), f"{one_line_json(heading)}\n".encode(errors=ESCAPE))

    def heading(self) -> dict[str, Any] | None:
        """Return the heading; None where the first line is another."""
        with self._opened() as descriptor:
            line = os.read(descriptor, BLOCK).partition(b"\n")[0]
        try:
            value = parse_json(line)
        except ValueError:
            return None
        return value if isinstance(value, dict) and "session_id" in value and "seq" not in value else None

    def append(self, entries: Sequence[NewEntry]) -> tuple[TranscriptEntry, ...]:
        """Number and write entries; they are with the operating system when this returns.

        An incomplete last line, left by a killed process, is removed first.

        Raises:
            FileNotFoundError: There is no such file.
            HomeNotWritable: The disk is full, or another process holds the file.
        """
        with self._locked() as descriptor:
            self._warn_if_empty(descriptor)
            end = os.fstat(descriptor).st_size
            whole, last = _whole_end(descriptor, end)
            with writing(self._home):
                if whole < end:
                    os.ftruncate(descriptor, whole)
                now = datetime.now(UTC)
                written = tuple(
                    numbered(new, seq, now, self._redactor) for seq, new in enumerate(entries, start=last + 1)
                )
                try:
                    _write(descriptor, b"".join(map(line_of, written)))
                except OSError:
                    os.ftruncate(descriptor, whole)
                    raise
        return written

    def entries(self, after: int = -1, limit: int | None = None) -> tuple[TranscriptEntry, ...]:
        """Return the entries numbered above `after`, oldest first; an incomplete last line is left out.

        Raises:
            FileNotFoundError: There is no such file.
        """
        if limit is not None and limit <= 0:
            return ()
        last = self.last()
        if last is None or last.seq <= after:
            return ()
        if limit is None or last.seq - after <= limit:  # what a client misses is at the end of a long file
            latest = itertools.takewhile(lambda entry: entry.seq > after, self.backwards())
            return tuple(reversed(list(latest)))
        return tuple(itertools.islice(self._forwards(after), limit))

    def _forwards(self, after: int) -> Iterator[TranscriptEntry]:
        with self._opened() as descriptor, os.fdopen(descriptor, "rb", closefd=False) as file:
            for line in file:
                number = _NUMBER.match(line)
                if not line.endswith(b"\n") or (number is not None and int(number[1]) <= after):
                    continue
                if (entry := entry_of(line)) is not None:
                    yield entry
                else:
                    self._report(line)

    def backwards(self) -> Iterator[TranscriptEntry]:
        """Yield the entries, latest first; only as much of the file is read as entries are taken.

        Raises:
            FileNotFoundError: There is no such file.
        """
        with self._opened() as descriptor:
            self._warn_if_empty(descriptor)
            for line in _lines_backwards(descriptor, os.fstat(descriptor).st_size):
                entry = entry_of(line)
                if entry is not None:
                    yield entry
                else:
                    self._report(line)

    def last(self) -> TranscriptEntry | None:
        """Return the last entry; None where there is none.

        Raises:
            FileNotFoundError: There is no such file.
        """
        return next(self.backwards(), None)

    def _report(self, line: bytes) -> None:
        if b'"session_id"' not in line[:100]:
            logger.warning("A line of %s is not an entry and is left out", self.path)

    def _open(self, how: int) -> int:
        try:
            check_regular(self.path)
            return os.open(self.path, how | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise unreadable(self.path, error.strerror or type(error).__name__, WAY_OUT) from error

    def _warn_if_empty(self, descriptor: int) -> None:
        """Say that a file was cut to nothing: each has its heading from the beginning."""
        if os.fstat(descriptor).st_size == 0:
            logger.warning("%s is empty: what was said in it before is lost; put a copy of it back.", self.path)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """Open the file for reading."""
        descriptor = self._open(os.O_RDONLY)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """Open the file for appending, and keep other processes and threads from appending meanwhile."""
        descriptor = self._open(os.O_RDWR | os.O_APPEND)
        try:
            until = time.monotonic() + PATIENCE_SECONDS
            while not take(descriptor):
                if time.monotonic() >= until:
                    raise HomeNotWritable(f"Another process has locked {self.path}; end it, and try again.")
                time.sleep(POLL_SECONDS)
            if os.fstat(descriptor).st_nlink == 0:  # deleted while this waited
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self.path))
            yield descriptor
        finally:
            os.close(descriptor)


def _write(descriptor: int, content: bytes) -> None:
    """Write everything.

    Raises:
        OSError: The disk took part of it only.
    """
    while content:
        written = os.write(descriptor, content)
        if written == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        content = content[written:]


def _whole_end(descriptor: int, end: int) -> tuple[int, int]:
    """Return where the last complete line ends, and the number of the last entry; -1 without one."""
    whole = end
    while whole > 0:
        begin = max(0, whole - BLOCK)
        block = os.pread(descriptor, whole - begin, begin)
        at = block.rfind(b"\n")
        if at >= 0:
            whole = begin + at + 1
            break
        whole = begin
    for line in _lines_backwards(descriptor, whole):
        number = _NUMBER.match(line)
        if number is not None and line.endswith(b"}"):
            return whole, int(number[1])
    return whole, -1


def _lines_backwards(descriptor: int, end: int) -> Iterator[bytes]:
    """Yield the complete lines before a position, the last first, without their line ends."""
    rest: list[bytes] = []
    complete = False
    while end > 0:
        begin = max(0, end - BLOCK)
        parts = os.pread(descriptor, end - begin, begin).split(b"\n")
        end = begin
        rest.append(parts[-1])
        for part in reversed(parts[:-1]):
            if complete:
                yield b"".join(reversed(rest))
            complete = True
            rest = [part]
    if complete and rest:
        yield b"".join(reversed(rest))
