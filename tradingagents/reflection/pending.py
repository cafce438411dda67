"""Decisions that wait for their outcome: told by a note in the run's folder, so that no card is read in vain.

The note holds the day on which the decision's window ends. It is written before the card, and goes when the outcome is
in the database, which alone says what was settled: a note that outlives its outcome costs one look.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from tradingagents.store.runs_kept import KeptRun

NOTE = "unsettled"


@dataclass(frozen=True, slots=True)
class Pending:
    """A run whose decision waits for its outcome."""

    run: KeptRun
    until: date
    """The window ends with the first session on or after this day."""

    def drop_note(self) -> None:
        """Note that there is nothing left to settle."""
        with suppress(OSError):  # the database knows
            (self.run.path / NOTE).unlink(missing_ok=True)


def pending(home: Path, subject: str | None = None) -> list[Pending]:
    """Return the runs that wait for their outcome, those whose window ended last first.

    Args:
        home: Where runs are kept.
        subject: Only those of this subject, see `run_folder.subject_of`; None: of all.
    """
    found = [one for name in _names(home / "runs", subject) if (one := _pending(home / "runs" / name, subject))]
    return sorted(found, key=lambda one: (one.until, one.run.run_id), reverse=True)


def _names(folder: Path, subject: str | None) -> Iterator[str]:
    part = "-" if subject is None else f"-{subject}-"
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            if part in entry.name:
                yield entry.name


def _pending(path: Path, subject: str | None) -> Pending | None:
    try:
        until = date.fromisoformat((path / NOTE).read_text(encoding="utf-8").strip())
    except (OSError, ValueError):
        return None
    run = KeptRun.of(path)
    return Pending(run, until) if run is not None and subject in (None, run.subject) else None
