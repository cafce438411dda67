"""The folder of a run, `<home>/runs/<run_id>/`: card, events and reports, each file written atomically."""

from __future__ import annotations

import re
import secrets
import shutil
import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Protocol

from tradingagents.errors import ConfigurationError, NotFound, UsageError
from tradingagents.events import Event
from tradingagents.files.atomic import (
    as_json,
    log_line,
    not_writable,
    read_object,
    replace_whole,
    write_whole,
    writing,
)
from tradingagents.files.json_text import parse_json
from tradingagents.files.lock import Locked, locked
from tradingagents.files.private_files import FOLDER_MODE, make_folder, private
from tradingagents.files.redaction import Redactor, shown_value
from tradingagents.files.regular_files import read_regular

CARD, MANIFEST, LOCK, EVENTS = "run.json", "manifest.json", "lock", "events.jsonl"
SHEET, UNFINISHED = "sheet.jsonl", "unfinished"
OLD_MANIFEST = "question.json"
"""The manifest's name in folders written before it was renamed."""
REPLIES = "replies.jsonl"
_COMPONENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._\-]{0,127}")
_DEVICE = re.compile(r"(CON|PRN|AUX|NUL|COM[0-9]|LPT[0-9])(?=\.|$)", re.IGNORECASE)
"""Names that Windows takes for a device, whatever follows the first dot."""


def new_run_id(symbol: str, day: str) -> str:
    """Return a new run id, one path component: start time, subject, trading day and a random suffix."""
    began = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    # The random part begins with a letter: one of digits alone would be read as a figure of the answer that names it.
    return f"{began}-{subject_of(symbol)}-{day}-{secrets.choice('abcdef')}{secrets.token_hex(3)[1:]}"


def subject_of(symbol: str) -> str:
    """Return the form of a symbol that is used in run ids."""
    return re.sub(r"[^A-Z0-9.\-]", "_", symbol.upper()).strip("._-") or "X"


def symbol_folder(symbol: str) -> str:
    """Return the name of a folder for a symbol, valid on every system: `BRK.B` as it is, `CON.DE` as `CON_.DE`."""
    subject = subject_of(symbol)
    device = _DEVICE.match(subject)
    return subject if device is None else f"{device[1]}_{subject[device.end() :]}"


def is_device(name: str) -> bool:
    """Return whether Windows takes the name of a file or folder for a device, as `con` or `nul.json`."""
    return _DEVICE.match(name) is not None


def checked_component(name: str) -> str:
    """Return the name if it is safe as one component of a path.

    Raises:
        UsageError: It is empty or too long, or holds characters that could leave the folder.
    """
    if not is_component(name):
        shown = shown_value(name, Redactor({}), 60)
        raise UsageError(f"{shown} is not a run id; list them with `tradingagents runs list`.")
    return name


def is_component(name: str) -> bool:
    """Return whether a name is safe as one component of a path: letters, digits, dots, dashes and underscores."""
    return _COMPONENT.fullmatch(name) is not None and ".." not in name


class RunBusy(ConfigurationError):
    """Another process is working on the same run."""


class NoSuchRun(NotFound):
    """There is no run with this id, or it cannot be resumed."""


def read_manifest_json(path: Path, *, way_out: str) -> dict[str, Any] | None:
    """Return the manifest in a run's folder as JSON; `None` when there is none.

    Raises:
        UnreadableFile: The manifest is damaged.
    """
    found = read_object(path / MANIFEST, way_out=way_out)
    return found if found is not None else read_object(path / OLD_MANIFEST, way_out=way_out)


class RunFiles(Protocol):
    """Storage for a run's files: its folder or a part of it (see `runtime.kind.Persist`)."""

    path: Path
    unfinished: Path

    def append(self, event: Event) -> None:
        """Append an event to the log."""

    def append_row(self, line: bytes) -> None:
        """Store a row of the data sheet, JSON on one line, until the run has ended."""

    def append_reply(self, line: bytes) -> None:
        """Store a model's reply, JSON on one line, until the run has ended."""

    def replies(self) -> list[bytes]:
        """Return the model replies stored by earlier starts."""

    def events(self) -> list[Event]:
        """Return the events logged by earlier starts."""

    def rows(self) -> list[bytes]:
        """Return the data sheet rows stored by earlier starts."""

    def write_text(self, name: str, text: str) -> Path:
        """Write a file."""

    def write_bytes(self, name: str, content: bytes) -> Path:
        """Write a file that is no text."""

    def write_json(self, name: str, value: Mapping[str, Any]) -> Path:
        """Write a JSON file."""

    def forget_unfinished(self) -> None:
        """Delete the files that only an unfinished run needs."""

    def close(self) -> None:
        """Close the files and release the folder."""


class NoFiles:
    """Writes nothing: for a run that only returns its record."""

    def __init__(self, home: Path, run_id: str) -> None:
        """Set the path the folder would have; it is not created."""
        self.path = home / "runs" / checked_component(run_id)
        self.unfinished = self.path / UNFINISHED

    def append(self, event: Event) -> None:
        """Ignore an event."""

    def append_row(self, line: bytes) -> None:
        """Ignore a row."""

    def append_reply(self, line: bytes) -> None:
        """Ignore a reply."""

    def replies(self) -> list[bytes]:
        """Return nothing."""
        return []

    def events(self) -> list[Event]:
        """Return nothing."""
        return []

    def rows(self) -> list[bytes]:
        """Return nothing."""
        return []

    def write_text(self, name: str, text: str) -> Path:  # noqa: ARG002 - the signature of RunFiles
        """Write nothing; return the path the file would have."""
        return self.path / name

    def write_bytes(self, name: str, content: bytes) -> Path:  # noqa: ARG002 - the signature of RunFiles
        """Write nothing; return the path the file would have."""
        return self.path / name

    def write_json(self, name: str, value: Mapping[str, Any]) -> Path:  # noqa: ARG002 - the signature of RunFiles
        """Write nothing; return the path the file would have."""
        return self.path / name

    def forget_unfinished(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class CardOnly(NoFiles):
    """Writes a run's card and the note for its later evaluation; nothing else."""

    def __init__(self, home: Path, run_id: str) -> None:
        """Set the path; the folder is created with the card."""
        super().__init__(home, run_id)
        self._home = home

    def write_text(self, name: str, text: str) -> Path:
        """Write a file atomically. Raises HomeNotWritable."""
        path = self.path / name
        with writing(self._home):
            make_folder(path.parent)
            write_whole(path, text)
        return path

    def write_json(self, name: str, value: Mapping[str, Any]) -> Path:
        """Write a JSON file atomically. Raises HomeNotWritable."""
        return self.write_text(name, as_json(value))


class RunFolder:
    """The folder of one run, locked by one process at a time.

    `manifest.json` holds the request, `events.jsonl` the events, `reports/` and `run.json` the results; `unfinished/`
    holds what is needed to resume a run that has not ended.
    """

    def __init__(self, home: Path, run_id: str, *, again: bool = False) -> None:
        """Create the folder, or open the folder of an earlier start.

        Args:
            run_id: One path component.
            again: Whether the folder must exist already.

        Raises:
            HomeNotWritable: The folder cannot be created.
            NoSuchRun: `again` is set and there is no such folder.
            RunBusy: Another process is working on this run.
        """
        self._home = home
        self.path = home / "runs" / checked_component(run_id)
        self.unfinished = self.path / UNFINISHED
        if again and not self.path.is_dir():
            raise NoSuchRun(f"There is no run {run_id} in {home}; `tradingagents runs list` shows those there are.")
        self._lock = threading.Lock()
        with ExitStack() as stack:
            try:
                with self._writing():
                    if not again:
                        make_folder(self.path.parent)
                        self.path.mkdir(FOLDER_MODE)
                    stack.enter_context(locked(self.path / LOCK))
                    self.unfinished.mkdir(FOLDER_MODE, exist_ok=True)
                    self._events: IO[bytes] = stack.enter_context(_appending(self.path / EVENTS))
                    self._rows: IO[bytes] = stack.enter_context(_appending(self.unfinished / SHEET))
            except Locked:
                raise RunBusy(
                    f"Another process is working on run {run_id}; wait until it has ended, or stop it first."
                ) from None
            self._open = stack.pop_all()
        self._replies: IO[bytes] | None = None
        self._waiting = bytearray()
        """Rows that the next event writes."""

    def append(self, event: Event) -> None:
        """Append an event to the log before the next one is accepted; tokens of a streamed reply are not logged.

        Rows of the data sheet that came before it are written first: a tool adds many, and then says that it has ended.

        Raises:
            HomeNotWritable: The disk is full, or the folder is missing.
        """
        if event.type == "token":
            return
        self._write_rows()
        self._append(self._events, log_line(event.to_dict()))

    def append_row(self, row: bytes) -> None:
        """Store a row of the data sheet, JSON on one line, with the next event."""
        with self._lock:
            self._waiting += row + b"\n"

    def append_reply(self, line: bytes) -> None:
        """Store a model's reply, JSON on one line, until the run has ended. Raises as `append` does."""
        with self._lock, self._writing():
            if self._replies is None:
                self._replies = self._open.enter_context(_appending(self.unfinished / REPLIES))
        self._append(self._replies, line + b"\n")

    def replies(self) -> list[bytes]:
        """Return the model replies stored by earlier starts."""
        return _whole_lines(self.unfinished / REPLIES)

    def events(self) -> list[Event]:
        """Return the events logged by earlier starts; an incomplete last line of a killed process is skipped."""
        return logged_events(self.path)

    def rows(self) -> list[bytes]:
        """Return the data sheet rows stored by earlier starts."""
        return _whole_lines(self.unfinished / SHEET)

    def write_text(self, name: str, text: str) -> Path:
        """Write a file of the folder atomically: a reader sees the old content or the new.

        Raises:
            HomeNotWritable: The disk is full, or the folder is missing.
        """
        path = self.path / name
        with self._writing():
            write_whole(path, text)
        return path

    def write_bytes(self, name: str, content: bytes) -> Path:
        """Write a file that is no text, atomically. Raises as `write_text` does."""
        path = self.path / name
        with self._writing():
            make_folder(path.parent)
            replace_whole(path, content)
        return path

    def write_json(self, name: str, value: Mapping[str, Any]) -> Path:
        """Write a JSON file of the folder atomically."""
        return self.write_text(name, as_json(value))

    def forget_unfinished(self) -> None:
        """Delete the files that only an unfinished run needs."""
        with self._writing():
            shutil.rmtree(self.unfinished, ignore_errors=True)

    def close(self) -> None:
        """Close the files and release the folder."""
        self._write_rows()
        with self._lock, self._writing():
            self._open.close()

    def _write_rows(self) -> None:
        if self._waiting:
            with self._lock:
                rows, self._waiting = bytes(self._waiting), bytearray()
            self._append(self._rows, rows)

    def _append(self, file: IO[bytes], line: bytes) -> None:
        with self._lock:
            try:  # `writing` would take as long as the write
                while line and not file.closed:
                    line = line[file.write(line) :]
            except OSError as error:
                raise not_writable(self._home, error) from error

    def _writing(self) -> AbstractContextManager[None]:
        return writing(self._home)


def logged_events(folder: Path) -> list[Event]:
    """Return the events that a run's folder has logged; none where the folder is gone."""
    return [event for line in _whole_lines(folder / EVENTS) if (event := _event(line)) is not None]


def _appending(path: Path) -> IO[bytes]:
    """Open a log for appending; an incomplete last line of a killed process is removed."""
    if path.exists():
        whole = read_regular(path)
        if not whole.endswith(b"\n") and whole:
            with path.open("r+b") as file:
                file.truncate(whole.rfind(b"\n") + 1)
    return open(path, "ab", buffering=0, opener=private)


def _whole_lines(path: Path) -> list[bytes]:
    content = path.read_bytes() if path.is_file() else b""
    return content[: content.rfind(b"\n") + 1].splitlines()


def _event(line: bytes) -> Event | None:
    """Parse an event; `None` for any other line, since people may have edited the log."""
    try:
        event = Event(**parse_json(line))
    except (ValueError, TypeError):
        return None
    named = (event.type, event.message, event.run_id, event.ts)
    whole = all(isinstance(one, str) for one in named) and isinstance(event.seq, int) and isinstance(event.data, dict)
    return event if whole and isinstance(event.node, str | None) and isinstance(event.step, str | None) else None
