"""Index of the runs under `<home>/runs/`, newest first; cards are read only on request."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from tradingagents.errors import UsageError
from tradingagents.files.atomic import read_object, writing
from tradingagents.files.lock import Locked, held, locked
from tradingagents.runtime.runs.run_folder import (
    CARD,
    EVENTS,
    LOCK,
    NoSuchRun,
    RunBusy,
    checked_component,
    is_component,
)

SCAN_SUBJECT = "SCAN"
"""Takes the place of a symbol in the ids of scans."""
SHOWN_CANDIDATES = 5
WAY_OUT = "the event log next to it shows what the run did"
_ID = re.compile(r"(\d{8}T\d{6}Z)-(.+)-(\d{4}-\d{2}-\d{2})-[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class IndexedRun:
    """A run's folder and the facts in its name."""

    run_id: str
    path: Path
    began: datetime
    """UTC, to the second."""
    subject: str
    """The symbol as it appears in run ids, see `run_folder.subject_of`; `SCAN_SUBJECT` for a scan."""
    day: date
    """The trading day of the run."""

    @property
    def events(self) -> Path:
        """The event log."""
        return self.path / EVENTS

    @property
    def under_way(self) -> bool:
        """Whether a process is still writing the run."""
        return held(self.path / LOCK)

    def refuse_under_way(self) -> None:
        """Raise RunBusy if a process is still writing the run."""
        if self.under_way:
            raise RunBusy(f"{self.run_id} is still running; stop it, or wait until it has ended.")

    def card(self) -> dict[str, Any] | None:
        """Return the run's card; `None` if it has none because it was killed or is still running.

        Raises:
            UnreadableFile: The card is damaged.
        """
        return read_object(self.path / CARD, way_out=WAY_OUT)

    @classmethod
    def of(cls, path: Path) -> IndexedRun | None:
        """Parse the name of a folder; `None` if it is not a run's."""
        parts = _ID.fullmatch(path.name)
        try:
            if parts is None or not is_component(path.name):
                return None
            began = datetime.strptime(parts[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
            return cls(path.name, path, began, parts[2], date.fromisoformat(parts[3]))
        except ValueError:
            return None


class RunIndex:
    """The runs of a home folder."""

    def __init__(self, home: Path) -> None:
        """Set the home folder; nothing is read yet."""
        self._home, self._folder = home, home / "runs"

    def newest_first(
        self, *, subject: str | None = None, since: date | None = None, until: date | None = None
    ) -> Iterator[IndexedRun]:
        """Yield the runs by their folder names, newest first.

        Args:
            subject: Yield only runs of this subject, see `run_folder.subject_of`.
            since: Yield only runs that began on this day or later, UTC.
            until: Yield only runs that began on this day or earlier, UTC.
        """
        named = f"-{subject}-" if subject is not None else ""
        for name in sorted((name for name in self._names() if named in name), reverse=True):
            run = IndexedRun.of(self._folder / name)
            if run is None or (subject is not None and run.subject != subject):
                continue
            if since is not None and run.began.date() < since:
                return  # names begin with the start time
            if until is None or run.began.date() <= until:
                yield run

    def find(self, beginning: str) -> IndexedRun:
        """Return the run whose id begins with this text.

        Raises:
            NoSuchRun: No run matches.
            UsageError: More than one run matches; the message names some of them.
        """
        checked_component(beginning)
        found = sorted((name for name in self._names() if name.startswith(beginning)), reverse=True)
        if beginning in found:
            found = [beginning]
        runs = [run for run in (IndexedRun.of(self._folder / name) for name in found) if run]
        if not runs:
            raise NoSuchRun(f"No run in {self._folder} begins with {beginning}; see tradingagents runs list.")
        if len(runs) > 1:
            names = ", ".join(run.run_id for run in runs[:SHOWN_CANDIDATES])
            more = f" and {len(runs) - SHOWN_CANDIDATES} more" if len(runs) > SHOWN_CANDIDATES else ""
            raise UsageError(f"{beginning} is the beginning of {len(runs)} runs: {names}{more}; write more of it.")
        return runs[0]

    def delete(self, run: IndexedRun) -> None:
        """Delete a run's folder; links in it are removed, and their targets remain.

        Raises:
            RunBusy: A process is still writing it.
            HomeNotWritable: The folder is not writable.
        """
        with writing(self._home):
            try:
                with locked(run.path / LOCK):
                    shutil.rmtree(run.path)
            except Locked:
                run.refuse_under_way()
                raise

    def _names(self) -> list[str]:
        """Return the names of the folders, without links to folders."""
        try:
            with os.scandir(self._folder) as entries:
                return [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        except (FileNotFoundError, NotADirectoryError):
            return []
