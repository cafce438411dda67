"""A run's folder, `<home>/runs/<run_id>/`: card, events and reports, each file written whole or not at all."""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from tradingagents.errors import UsageError
from tradingagents.events import Event
from tradingagents.store.whole_files import ESCAPE, as_json, one_line_json, write_whole, writing

_COMPONENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._\-]{0,127}")


def new_run_id(symbol: str, day: str) -> str:
    """Return a fresh id, one path component: when it began, for whom, for which day."""
    began = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    plain = re.sub(r"[^A-Z0-9.\-]", "_", symbol.upper()).strip("._-") or "X"
    return f"{began}-{plain}-{day}-{secrets.token_hex(3)}"


def checked_component(name: str) -> str:
    """Return a name that is safe as one component of a path.

    Raises:
        UsageError: It is not: empty, too long, or with anything that could leave the folder.
    """
    if not _COMPONENT.fullmatch(name) or ".." in name:
        raise UsageError(f"{name[:60]!r} is not a run id; list them in the runs folder.")
    return name


class RunFolder:
    """The folder of one run."""

    def __init__(self, home: Path, run_id: str) -> None:
        """Make the folder.

        Args:
            home: Where everything is written.
            run_id: One path component.

        Raises:
            HomeNotWritable: The folder cannot be made.
        """
        self._home = home
        self.path = home / "runs" / checked_component(run_id)
        with self._writing():
            self.path.mkdir(parents=True)
            self._events: IO[bytes] = (self.path / "events.jsonl").open("ab", buffering=0)
        self._lock = threading.Lock()

    def append(self, event: Event) -> None:
        """Add an event to the log, on disk before the next one; tokens of a streamed reply are not logged.

        Raises:
            HomeNotWritable: The disk is full, or the folder is gone.
        """
        if event.type == "token":
            return
        line = f"{one_line_json(event.to_dict())}\n".encode(errors=ESCAPE)
        with self._lock, self._writing():
            while line and not self._events.closed:
                line = line[self._events.write(line) :]

    def write_text(self, name: str, text: str) -> Path:
        """Write a file of the folder whole: a reader sees the old one or the new one, never half of it.

        Raises:
            HomeNotWritable: The disk is full, or the folder is gone.
        """
        path = self.path / name
        with self._writing():
            write_whole(path, text)
        return path

    def write_json(self, name: str, value: Mapping[str, Any]) -> Path:
        """Write a JSON file of the folder whole."""
        return self.write_text(name, as_json(value))

    def close(self) -> None:
        """Close the event log."""
        with self._lock, self._writing():
            self._events.close()

    def _writing(self) -> AbstractContextManager[None]:
        return writing(self._home)
