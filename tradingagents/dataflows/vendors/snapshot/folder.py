"""A snapshot folder on disk: its manifest, its lines, its dates; whatever is unreadable becomes a typed error."""

from __future__ import annotations

import gzip
import json
import re
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any, Generic, TypeVar

from tradingagents.dataflows.calendar import sessions
from tradingagents.errors import VendorDown, VendorNotConfigured

FORMAT = 1
"""The format number this code reads."""
MANIFEST = "snapshot.json"
_NAME_THE_FOLDER = "name a snapshot folder with --data-dir or TRADINGAGENTS_DATA_DIR."
_SHARE_CLASS = re.compile(r"([A-Z]{1,5})\.([AB])")

T = TypeVar("T")
Windows = tuple[tuple[date, date], ...]


@dataclass(frozen=True, slots=True)
class Folder:
    """A snapshot folder and what its manifest says."""

    path: Path
    first: date
    last: date
    """Last day of the recorded window."""
    exchange: str
    """MIC of the calendar that market-wide rows follow."""
    recorded: datetime | None = None
    """When the folder was recorded from other vendors; None where the manifest does not say."""
    covered: Mapping[str, Mapping[str, Windows]] = field(default_factory=dict)
    """By method and subject, the days that were asked about: within them silence says that there was nothing."""

    def covers(self, method: str, subject: str, day: date) -> bool:
        """Tell whether a day was asked about when the folder was recorded; the subject of the market is empty."""
        windows = self.covered.get(method, {}).get(subject, ())
        return any(first <= day <= last for first, last in windows)

    @property
    def window(self) -> str:
        """The recorded window in words."""
        return f"{self.first} to {self.last}"

    @property
    def recorded_at(self) -> datetime:
        """When the data count as fetched: when recorded, else the close of the window's last session.

        Never now, so that runs repeat exactly.
        """
        if self.recorded is not None:
            return self.recorded
        calendar = sessions(self.exchange)
        return calendar.close_of(calendar.on_or_before(self.last))


def open_folder(path: Path) -> Folder:
    """Read the manifest of a snapshot folder.

    Raises:
        VendorNotConfigured: There is no such folder, it is no snapshot, or its format number is another one.
        VendorDown: The manifest cannot be read.
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
            sessions(exchange)  # an unknown calendar shows now, not in the middle of a run
            return Folder(
                path,
                date.fromisoformat(found["from"]),
                date.fromisoformat(found["to"]),
                exchange,
                recorded=moment(found["recorded_at"])[0] if found.get("recorded_at") else None,
                covered=_covered(found.get("covered") or {}),
            )
    raise VendorNotConfigured(
        f"{manifest} has format {number!r}; this version reads format {FORMAT}: {_NAME_THE_FOLDER}"
    )


@contextmanager
def reading(path: Path, where: str = "") -> Iterator[None]:
    """Turn whatever a truncated or corrupt file raises into `VendorDown` naming the file."""
    try:
        yield
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise VendorDown(
            f"{path}{where} cannot be read ({type(error).__name__}: {error}); "
            f"restore the file, or name another folder with --data-dir."
        ) from error


def read_json(path: Path) -> dict[str, dict[str, Any]]:
    """Return the rows of a JSON object by key; {} where the file is absent."""
    if not path.is_file():
        return {}
    with reading(path):
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise TypeError("not a JSON object")
        return found


def read_lines(path: Path, convert: Callable[[dict[str, Any]], T]) -> list[T]:
    """Convert every line of a gzipped JSON-lines file; [] where the file is absent.

    Raises:
        VendorDown: A line is no JSON, or lacks a field; names file and line.
    """
    if not path.is_file():
        return []
    rows: list[T] = []
    with reading(path), gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            with reading(path, f" line {number}"):
                rows.append(convert(json.loads(line)))
    return rows


def spelled(symbol: str) -> str:
    """Return our spelling of a recorded symbol: share classes take a hyphen, `BRK.B` is BRK-B."""
    share = _SHARE_CLASS.fullmatch(symbol)
    return f"{share[1]}-{share[2]}" if share else symbol


def moment(text: str) -> tuple[datetime, bool]:
    """Read `2025-01-31T11:01:27Z` or `2025-01-31` as an instant (UTC), and say whether it is a day only.

    Raises:
        ValueError: It is neither, or an instant without a zone.
    """
    if len(text) == len("2025-01-31"):
        return datetime.combine(date.fromisoformat(text), time.min, tzinfo=UTC), True
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None:
        raise ValueError(f"{text} names no time zone")
    return instant.astimezone(UTC), False


def known_from(text: str, exchange: str) -> datetime:
    """Return when something dated like this was known: its instant, or the next session's open for a day only."""
    instant, day_only = moment(text)
    return open_after(instant.date(), exchange) if day_only else instant


def _covered(found: Mapping[str, Mapping[str, list[list[str]]]]) -> Mapping[str, Mapping[str, Windows]]:
    return {
        method: {
            subject: tuple((date.fromisoformat(first), date.fromisoformat(last)) for first, last in windows)
            for subject, windows in subjects.items()
        }
        for method, subjects in found.items()
    }


def open_after(day: date, exchange: str) -> datetime:
    """Return when the first session after `day` opens; raises ValueError beyond the exchange's calendar."""
    return sessions(exchange).next_open(day)


class Once(Generic[T]):
    """A value made when first asked for, once, whichever thread asks; a failure is raised anew each time."""

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
