"""The journal of a recording: what is being recorded, then a line for each question that was settled.

It is the recording: the files of the snapshot are written from it, as often as need be. A kill can at worst leave half
a line at its end, which the next start cuts off.
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

from tradingagents.dataflows.gateway.codec import decode, encode
from tradingagents.dataflows.vendor import METHODS
from tradingagents.errors import (
    ConfigurationError,
    NoData,
    NotForPastDate,
    TradingAgentsError,
    UsageError,
    VendorNotConfigured,
)
from tradingagents.snapshots.plan import Arg, Question
from tradingagents.store.lock import Locked, locked

FILE = "recording.jsonl"
FORMAT = 1

Outcome = Literal["answered", "nothing", "today_only", "not_configured", "failed"]
FINAL: tuple[Outcome, ...] = ("answered", "nothing", "today_only")
"""What is not asked again; a vendor that failed, or had no key, may do better at the next start."""


class FolderNotWritable(ConfigurationError):
    """A folder for recorded data cannot be written, or somebody else is writing it."""


class OtherRecording(UsageError):
    """The folder holds something else than what is to be recorded."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A question with what became of it."""

    question: Question
    outcome: Outcome
    at: datetime
    """When, UTC."""
    vendor: str = ""
    """Who answered."""
    message: str = ""
    """Why there is no answer."""
    answer: Any = None

    @property
    def final(self) -> bool:
        """Whether it needs no asking again."""
        return self.outcome in FINAL


class Journal:
    """An open journal. Threads may add to it at the same time."""

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        self.path = path
        self.header = header
        """What the recording is of, and its cut-off, as the first start had it."""
        self._settled: dict[Question, Settled] = {}
        self._lock = threading.Lock()
        self._closed = False

    def get(self, question: Question) -> Settled | None:
        """Return what became of a question; None where it was never settled."""
        return self._settled.get(question)

    def add(self, settled: Settled) -> None:
        """Write down what became of a question; nothing more once the journal is closed."""
        with self._lock:
            if self._closed:
                return
            self._settled[settled.question] = settled
            with writing(self.path.parent), self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(_plain(settled), ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Write nothing more: an answer that still comes in belongs to a start that is over."""
        with self._lock:
            self._closed = True

    def __iter__(self) -> Iterator[Settled]:
        return iter(tuple(self._settled.values()))


def open_journal(folder: Path, request: Mapping[str, Any], cutoff: datetime) -> Journal:
    """Open the journal of a folder, or begin one in a new or empty folder.

    Args:
        folder: Where to record.
        request: What is to be recorded, JSON-able.
        cutoff: The cut-off of a recording that begins now.

    Raises:
        OtherRecording: The folder holds other files, or the recording of something else.
        FolderNotWritable: It cannot be written, or its journal cannot be read.
    """
    path = folder / FILE
    if path.is_file():
        journal = _read(path)
        _refuse_other(folder, journal.header["request"], request)
        return journal
    if folder.exists() and (not folder.is_dir() or any(one.name != LOCK for one in folder.iterdir())):
        raise OtherRecording(
            f"{folder} is there already and is no recording; name a new or empty folder with folder='DIR'."
        )
    header = {"format": FORMAT, "request": dict(request), "cutoff": cutoff.isoformat()}
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(header) + "\n", encoding="utf-8")
    return Journal(path, header)


LOCK = ".recording.lock"


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Say which folder could not be written.

    Raises:
        FolderNotWritable: The disk is full, or the folder is gone, or not ours.
    """
    try:
        yield
    except OSError as error:
        raise FolderNotWritable(
            f"Cannot write to {folder} ({error.strerror}); name another folder with folder='DIR'."
        ) from error


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep everybody else from writing a folder; one that is left empty is taken away again.

    Raises:
        FolderNotWritable: Another process writes it, or it cannot be written.
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
        if folder.is_dir() and not any(one.name != LOCK for one in folder.iterdir()):
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
            f"Cannot go on with the recording in {path.parent}: {path.name} cannot be read ({type(error).__name__}: "
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
                f"the same again to go on with it, or name another folder with folder='DIR'."
            )


def _shown(value: Any, other: Any) -> str:
    """Return a value in words; of what belongs to many names, the first that differs."""
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
    """Return what a failure makes of a question."""
    if isinstance(error, NoData):
        return "nothing"
    if isinstance(error, NotForPastDate):
        return "today_only"
    return "not_configured" if isinstance(error, VendorNotConfigured) else "failed"
