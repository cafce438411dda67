"""A snapshot folder on disk: manifest, lines and dates; unreadable content raises a typed error."""

from __future__ import annotations

import csv
import gzip
import json
import re
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any, Generic, TypeVar, get_args

from tradingagents.dataflows.gateway.checks.row_checks import FIRST_YEAR
from tradingagents.dataflows.gateway.faults import quoted
from tradingagents.dataflows.models import KnownBy
from tradingagents.dataflows.reference.calendar import NEVER, sessions
from tradingagents.errors import BadSymbol, VendorDown, VendorNotConfigured
from tradingagents.files.parquet import pa

FORMAT = 1
"""The format number that this code reads."""
MANIFEST = "snapshot.json"
_NAME_THE_FOLDER = "name a snapshot folder with data_dir or TRADINGAGENTS_DATA_DIR."
_SHARE_CLASS = re.compile(r"([A-Z]{1,5})\.([AB])")

UNREADABLE = (
    *(OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, AttributeError),
    *(ArithmeticError, RecursionError, IndexError, csv.Error, pa.ArrowException, BadSymbol),
)
"""Exceptions that damaged files, lines and rows raise."""
LONGEST_REASON = 200
MAX_UNREADABLE, MAX_SHARE = 5, 0.01
"""Maximum number, and share, of lines of a file that may be skipped; if both are exceeded, the file is unusable."""
MOST_NAMED = 5

T = TypeVar("T")
Windows = tuple[tuple[date, date], ...]


@dataclass(frozen=True, slots=True)
class Folder:
    """A snapshot folder and its manifest."""

    path: Path
    first: date
    last: date
    """Last day of the recorded window."""
    exchange: str
    """MIC of the calendar for market-wide rows."""
    recorded: datetime | None = None
    """When the folder was recorded from other vendors; None if the manifest doesn't say."""
    covered: Mapping[str, Mapping[str, Windows]] = field(default_factory=dict)
    """Recorded days by method and subject: within them, no rows mean that nothing happened."""
    unconfirmed: Mapping[str, str] = field(default_factory=dict)
    """By method, what of the rows that the recorded vendor listed nothing confirms."""

    def covers(self, method: str, subject: str, day: date) -> bool:
        """Return whether a day was recorded; the subject of market-wide data is empty."""
        windows = self.covered.get(method, {}).get(subject, ())
        return any(first <= day <= last for first, last in windows)

    @property
    def window(self) -> str:
        """The recorded window as text."""
        return f"{self.first} to {self.last}"

    @property
    def recorded_at(self) -> datetime:
        """When the data count as fetched: the recording, or the close of the window's last session.

        Never the current time, so that runs are reproducible.
        """
        if self.recorded is not None:
            return self.recorded
        calendar = sessions(self.exchange)
        return calendar.close_of(calendar.on_or_before(self.last))


def open_folder(path: Path) -> Folder:
    """Read the manifest of a snapshot folder.

    Raises:
        VendorNotConfigured: The folder doesn't exist, isn't a snapshot, or has another format number.
        VendorDown: The manifest is unreadable.
    """
    manifest = path / MANIFEST
    if not path.is_dir():
        raise VendorNotConfigured(f"There is no folder {path}; {_NAME_THE_FOLDER}")
    if not manifest.is_file():
        raise VendorNotConfigured(f"{path} is no snapshot, it lacks {MANIFEST}; {_NAME_THE_FOLDER}")
    with reading(manifest):
        found = json.loads(manifest.read_text(encoding="utf-8"))
        number = found.get("format")
        if number == FORMAT:
            exchange = found.get("exchange") or "XNYS"
            sessions(exchange)  # an unknown calendar fails now, not in the middle of a run
            return Folder(
                path,
                date.fromisoformat(found["from"]),
                date.fromisoformat(found["to"]),
                exchange,
                recorded=moment(found["recorded_at"])[0] if found.get("recorded_at") else None,
                covered=_covered(found.get("covered") or {}),
                unconfirmed={str(name): str(what) for name, what in (found.get("unconfirmed") or {}).items()},
            )
    raise VendorNotConfigured(
        f"{manifest} has format {number!r}; this version reads format {FORMAT}: {_NAME_THE_FOLDER}"
    )


def fingerprint(path: Path) -> tuple[tuple[str, int, int], ...]:
    """Return name, size and modification time of every file; () if the folder doesn't exist."""
    if not path.is_dir():
        return ()
    stats = [(file.name, file.stat()) for file in sorted(path.iterdir()) if file.is_file()]
    return tuple((name, stat.st_size, stat.st_mtime_ns) for name, stat in stats)


@contextmanager
def reading(path: Path, where: str = "") -> Iterator[None]:
    """Convert exceptions of a truncated or corrupt file to `VendorDown` with the file's name."""
    try:
        yield
    except UNREADABLE as error:
        raise VendorDown(
            f"{path}{where} cannot be read ({reason(error)}); restore the file, or name another folder with data_dir."
        ) from error


def reason(error: Exception) -> str:
    """Return what is wrong with a file or a line, on one line, truncated if long."""
    if isinstance(error, RecursionError):
        return "its JSON is nested too deeply"
    if isinstance(error, OverflowError):
        return f"a number or an instant is out of range: {quoted(str(error))}"
    if isinstance(error, KeyError):
        return f"KeyError: {quoted(error.args[0] if error.args else '')!r}"
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text if len(text) <= LONGEST_REASON else text[: LONGEST_REASON - 1] + '…'}"


def read_json(path: Path) -> dict[str, dict[str, Any]]:
    """Return the rows of a JSON object by key; {} if the file doesn't exist."""
    if not path.is_file():
        return {}
    with reading(path):
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise TypeError("not a JSON object")
        return found


@dataclass(slots=True)
class Unreadable:
    """Unreadable lines of a file, which were skipped."""

    lines: list[tuple[str, str]] = field(default_factory=list)
    """The symbol of each line (empty if unknown), and a sentence that names file and line."""

    def of(self, symbol: str | None) -> tuple[str, ...]:
        """Return the sentences about a symbol, and those without a known symbol; None for all."""
        about = [text for whose, text in self.lines if symbol is None or whose in ("", symbol)]
        more = f"{len(about) - MOST_NAMED} more lines cannot be read; they are left out."
        return (*about[:MOST_NAMED], more) if len(about) > MOST_NAMED else tuple(about)


def read_lines(path: Path, convert: Callable[[dict[str, Any]], T], unreadable: Unreadable | None = None) -> list[T]:
    """Convert every line of a gzipped JSON-lines file; [] if the file doesn't exist.

    Args:
        convert: Converts a line's object to a row.
        unreadable: Collects the unreadable lines; None: the first is an error.

    Raises:
        VendorDown: The file is truncated or empty, or has too many unreadable lines; names file and line.
    """
    if not path.is_file():
        return []
    rows: list[T] = []
    failures: list[tuple[int, str, Exception]] = []
    number = 0
    with reading(path), gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            row: Any = None
            try:
                row = json.loads(line)
                rows.append(convert(row))
            except UNREADABLE as error:
                failures.append((number, _symbol_of(row), error))
        if not number and not path.stat().st_size:
            raise ValueError("it is empty, without even the frame of a compressed file")
    if failures and (unreadable is None or too_many(len(failures), number)):
        first, _, worst = failures[0]
        with reading(path, f" line {first}"):
            raise worst
    if unreadable is not None:
        unreadable.lines += [
            (symbol, f"{path.name} line {line} cannot be read ({reason(failure)}); it is left out.")
            for line, symbol, failure in failures
        ]
    return rows


def too_many(failures: int, lines: int) -> bool:
    """Return whether a file has too many unreadable lines to be used."""
    return failures > max(MAX_UNREADABLE, MAX_SHARE * lines)


def _symbol_of(row: Any) -> str:
    symbol = row.get("symbol") if isinstance(row, dict) else None
    return spelled(symbol) if isinstance(symbol, str) else ""


def recorded_day(text: str) -> date:
    """Parse the day of a row.

    Raises:
        ValueError: It isn't a day, or lies outside the calendars.
    """
    day = date.fromisoformat(text)
    if not FIRST_YEAR <= day.year < NEVER.year:
        raise ValueError(f"{text} lies beyond all calendars")
    return day


def check_texts(row: Mapping[str, Any], *names: str) -> None:
    """Raise TypeError if a field is neither empty nor text."""
    for name in names:
        value = row.get(name)
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name} is no text but {quoted(value)}")


def spelled(symbol: str) -> str:
    """Return the normalized spelling of a recorded symbol: share classes take a hyphen, `BRK.B` becomes BRK-B."""
    share = _SHARE_CLASS.fullmatch(symbol)
    return f"{share[1]}-{share[2]}" if share else symbol


def moment(text: str) -> tuple[datetime, bool]:
    """Parse `2025-01-31T11:01:27Z` or `2025-01-31` as an instant (UTC), and return whether it is a day only.

    Raises:
        ValueError: It is neither, or an instant without a zone.
    """
    if len(text) == len("2025-01-31"):
        return datetime.combine(date.fromisoformat(text), time.min, tzinfo=UTC), True
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None:
        raise ValueError(f"{text} names no time zone")
    if instant.year >= NEVER.year:  # its UTC may lie outside the range of datetime
        return NEVER, False
    return instant.astimezone(UTC), False


def known_from(text: str, exchange: str) -> datetime:
    """Return when a row with this date was known: its instant, or the next session's open for a day only."""
    instant, day_only = moment(text)
    return open_after(instant.date(), exchange) if day_only else instant


def known_by(row: Mapping[str, Any], *, dated: bool) -> KnownBy:
    """Return how a row's date was found; raises `ValueError` for an unknown word.

    Args:
        row: As recorded. Folders of before `known_by` hold `known_at_assumed`.
        dated: Whether it has a date.
    """
    usual: KnownBy = "assumed" if row.get("known_at_assumed", not dated) else "accepted"
    told = row.get("known_by")
    if told is not None and told not in get_args(KnownBy):
        raise ValueError(f"unknown known_by {told!r}")
    found: KnownBy = told or usual
    return found


def _covered(found: Mapping[str, Mapping[str, list[list[str]]]]) -> Mapping[str, Mapping[str, Windows]]:
    return {
        method: {
            subject: tuple((date.fromisoformat(first), date.fromisoformat(last)) for first, last in windows)
            for subject, windows in subjects.items()
        }
        for method, subjects in found.items()
    }


def open_after(day: date, exchange: str) -> datetime:
    """Return when the first session after `day` opens; `NEVER` outside the exchange's calendar."""
    return sessions(exchange).known_after(day)


class Once(Generic[T]):
    """A value computed once on first use, thread-safe; a failure is raised anew each time."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: list[T] = []

    def __call__(self) -> T:
        """Return the value."""
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]


class MadeWhenAsked(Mapping[str, T]):
    """Values by symbol or series, each computed on first use: a run needs a few of hundreds. Thread-safe."""

    def __init__(self, keys: Iterable[str], make: Callable[[str], T]) -> None:
        """Name the keys.

        Args:
            keys: All keys.
            make: Computes a key's value; a failure is raised anew each time.
        """
        self._keys = dict.fromkeys(keys)
        self._make = make
        self._made: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        if key not in self._keys:
            raise KeyError(key)
        if key not in self._made:
            self._made[key] = self._make(key)  # two threads may both compute it, with equal results
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)
