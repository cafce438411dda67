"""The journal of a recording: the request, then one line per answered question.

The journal is the recording: the snapshot's files are written from it, as often as needed. A kill leaves at most an
incomplete last line, which the next start removes.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal

from tradingagents.dataflows.gateway.cache import decode, encode
from tradingagents.dataflows.snapshots.plan import Arg, Question
from tradingagents.dataflows.vendor import METHODS
from tradingagents.errors import (
    ConfigurationError,
    NoData,
    NotForPastDate,
    TradingAgentsError,
    UsageError,
    VendorNotConfigured,
)
from tradingagents.files.lock import Locked, locked

FILE = "recording.jsonl"
FORMAT = 2

Outcome = Literal["answered", "nothing", "today_only", "not_configured", "failed"]
FINAL: tuple[Outcome, ...] = ("answered", "nothing", "today_only")
"""Outcomes that aren't requested again; a vendor that failed, or had no key, may succeed at the next start."""


class FolderNotWritable(ConfigurationError):
    """A folder for recorded data can't be written, or another process is writing it."""


class OtherRecording(UsageError):
    """The folder contains something else than the requested recording."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A request and its outcome."""

    question: Question
    outcome: Outcome
    at: datetime
    """When, UTC."""
    vendor: str = ""
    """The vendor that answered."""
    message: str = ""
    """Why there is no answer."""
    answer: Any = None

    @property
    def final(self) -> bool:
        """Whether it is final."""
        return self.outcome in FINAL


class Journal:
    """An open journal. Threads may append concurrently."""

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        self.path = path
        self.header = header
        """The request and the cut-off of the first start."""
        self._settled: dict[Question, Settled] = {}
        self._lock = threading.Lock()
        self._closed = False

    def get(self, question: Question) -> Settled | None:
        """Return the outcome of a request; None if there is none yet."""
        return self._settled.get(question)

    def add(self, settled: Settled) -> None:
        """Append an outcome; ignored once the journal is closed."""
        with self._lock:
            if self._closed:
                return
            self._settled[settled.question] = settled
            with writing(self.path.parent), self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(_plain(settled), ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Close the journal: later answers belong to a start that is over."""
        with self._lock:
            self._closed = True

    def __iter__(self) -> Iterator[Settled]:
        return iter(tuple(self._settled.values()))


def open_journal(folder: Path, request: Mapping[str, Any], cutoff: datetime) -> Journal:
    """Open the journal of a folder, or create one in a new or empty folder.

    Args:
        folder: Where to record.
        request: What to record, JSON-serializable.
        cutoff: The cut-off of a new recording.

    Raises:
        OtherRecording: The folder holds other files, or another recording.
        FolderNotWritable: It can't be written, or its journal is unreadable.
    """
    path = folder / FILE
    if path.is_file():
        journal = _read(path)
        _refuse_other(folder, journal.header["request"], request)
        return journal
    if folder.exists() and (not folder.is_dir() or any(one.name != LOCK for one in folder.iterdir())):
        raise OtherRecording(f"{folder} exists and is not a recording; name a new or empty folder with folder='DIR'.")
    header = {"format": FORMAT, "request": dict(request), "cutoff": cutoff.isoformat()}
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(header) + "\n", encoding="utf-8")
    return Journal(path, header)


LOCK = ".recording.lock"


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Convert OS errors of writes to errors that name the folder.

    Raises:
        FolderNotWritable: The disk is full, or the folder is missing or not writable.
    """
    try:
        yield
    except OSError as error:
        raise FolderNotWritable(
            f"Cannot write to {folder} ({error.strerror}); name another folder with folder='DIR'."
        ) from error


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Lock a folder against other writers; remove it if it is left empty.

    Raises:
        FolderNotWritable: Another process writes it, or it can't be written.
    """
    with writing(folder):
        new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
    lock = folder / LOCK
    try:
        with locked(lock):
            yield
    except Locked:
        raise FolderNotWritable(
            f"Another process is writing {folder}; wait for it, or name another folder with folder='DIR'."
        ) from None
    finally:
        if folder.is_dir() and not any(path.name != LOCK for path in folder.iterdir()):
            lock.unlink(missing_ok=True)
            if new:
                folder.rmdir()


def _read(path: Path) -> Journal:
    _cut_off_half_a_line(path)
    try:
        with path.open(encoding="utf-8") as lines:
            header = json.loads(next(lines))
            if header["format"] != FORMAT:
                raise ValueError(f"format {header['format']!r}")
            journal = Journal(path, header)
            for line in lines:
                settled = _settled(json.loads(line))
                journal._settled[settled.question] = settled
    except (OSError, ValueError, KeyError, TypeError, StopIteration) as error:
        raise FolderNotWritable(
            f"Cannot continue the recording in {path.parent}: {path.name} cannot be read ({type(error).__name__}: "
            f"{error}); name another folder with folder='DIR', or delete this one."
        ) from error
    return journal


def _cut_off_half_a_line(path: Path) -> None:
    with writing(path.parent), path.open("rb+") as file:
        size = file.seek(0, os.SEEK_END)
        while size:
            step = min(size, 1 << 16)
            file.seek(size - step)
            end = file.read(step).rfind(b"\n")
            if end >= 0:
                file.truncate(size - step + end + 1)
                return
            size -= step


def _refuse_other(folder: Path, recorded: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    asked = json.loads(json.dumps(asked))
    for name in dict.fromkeys((*recorded, *asked)):
        was, now = recorded.get(name), asked.get(name)
        if was != now:
            raise OtherRecording(
                f"{folder} holds another recording, with {name} {_shown(was, now)} and not {_shown(now, was)}; ask "
                f"the same again to continue it, or name another folder with folder='DIR'."
            )


def _shown(value: Any, other: Any) -> str:
    """Return a value as text; for a mapping its first difference."""
    if isinstance(value, dict):
        name = next(name for name in value if not isinstance(other, dict) or value[name] != other.get(name))
        return f"{value[name]} for {name}"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _plain(settled: Settled) -> dict[str, Any]:
    question = settled.question
    plain: dict[str, Any] = {
        "method": question.method,
        "args": [_plain_arg(arg) for arg in question.args],
        "vendor_asked": question.vendor,
        "outcome": settled.outcome,
        "at": settled.at.isoformat(),
        "vendor": settled.vendor,
        "message": settled.message,
    }
    if settled.outcome == "answered":
        plain["answer"] = encode(METHODS[question.method], settled.answer)
    return plain


def _settled(plain: Mapping[str, Any]) -> Settled:
    question = Question(plain["method"], tuple(map(_arg, plain["args"])), plain["vendor_asked"])
    answered = plain["outcome"] == "answered"
    return Settled(
        question,
        plain["outcome"],
        datetime.fromisoformat(plain["at"]),
        plain["vendor"],
        plain["message"],
        decode(METHODS[question.method], plain["answer"]) if answered else None,
    )


def _plain_arg(arg: Arg) -> Any:
    if isinstance(arg, datetime):
        return {"instant": arg.isoformat()}
    return {"day": arg.isoformat()} if isinstance(arg, date) else arg


def _arg(plain: Any) -> Arg:
    if isinstance(plain, dict):
        return datetime.fromisoformat(plain["instant"]) if "instant" in plain else date.fromisoformat(plain["day"])
    return str(plain)


def outcome_of(error: TradingAgentsError) -> Outcome:
    """Return the outcome for a failure."""
    if isinstance(error, NoData):
        return "nothing"
    if isinstance(error, NotForPastDate):
        return "today_only"
    return "not_configured" if isinstance(error, VendorNotConfigured) else "failed"
