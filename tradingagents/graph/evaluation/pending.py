"""Decisions whose outcome is not known yet, marked by a note in the run's folder.

The note holds the end of the decision's window and the run's cohort, so that only due cards are read. It is written
before the card and deleted once the outcome is in the database. The database decides whether a decision has been
evaluated; a leftover note costs one extra lookup.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from tradingagents.files.atomic import UnreadableFile
from tradingagents.files.regular_files import read_regular
from tradingagents.memory.cohort import Cohort, cohort_of_card
from tradingagents.runtime.runs.run_index import IndexedRun

NOTE = "unsettled"


@dataclass(frozen=True, slots=True)
class Pending:
    """A run whose decision has not been evaluated."""

    run: IndexedRun
    until: date
    """The window ends with the first session on or after this day."""
    cohort: Cohort | None
    """`None` when neither the note nor the card states it."""

    def drop_note(self) -> None:
        """Delete the note after the decision has been evaluated."""
        with suppress(OSError):  # the database is authoritative
            (self.run.path / NOTE).unlink(missing_ok=True)


def note_of(until: date, cohort: Cohort) -> str:
    """Return the text of a note."""
    return f"{until.isoformat()} {cohort}\n"


def pending(home: Path, subject: str | None = None, cohort: Cohort | None = None) -> list[Pending]:
    """Return the runs whose outcome is not known yet, the latest window end first.

    Args:
        home: The home folder.
        subject: Return only runs of this subject, see `run_folder.subject_of`; `None` means all.
        cohort: Return only runs of this cohort; `None` means all.
    """
    found = [
        one
        for name in _names(home / "runs", subject)
        if (one := _pending(home / "runs" / name, subject)) and cohort in (None, one.cohort)
    ]
    return sorted(found, key=lambda one: (one.until, one.run.run_id), reverse=True)


def _names(folder: Path, subject: str | None) -> Iterator[str]:
    part = "-" if subject is None else f"-{subject}-"
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            if part in entry.name:
                yield entry.name


def _pending(path: Path, subject: str | None) -> Pending | None:
    try:
        day, _, cohort = read_regular(path / NOTE).decode().strip().partition(" ")
        until = date.fromisoformat(day)
        known = Cohort.parse(cohort) if cohort else None
    except (OSError, ValueError):
        return None
    run = IndexedRun.of(path)
    if run is None or subject not in (None, run.subject):
        return None
    return Pending(run, until, known or _cohort_in_card(run))


def _cohort_in_card(run: IndexedRun) -> Cohort | None:
    """Return the cohort of a run whose note, written by an earlier version, lacks it."""
    try:
        card = run.card()
    except UnreadableFile:
        return None
    return cohort_of_card(card) if card is not None else None
