"""Types of a lesson, of its index entry, and of the changes to a memory."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from tradingagents.memory.cohort import Cohort
from tradingagents.memory.postings import Counted


@dataclass(frozen=True, slots=True)
class Lesson:
    """A recommendation learned from one situation."""

    situation: str
    recommendation: str
    settled_on: date
    """The day on which the outcome was known; runs of earlier days do not see the lesson."""
    ticker: str | None = None
    """`None` when the lesson is not about a single company."""
    run_id: str | None = None
    """The run it was drawn from; `None` when it was added by hand."""
    id: int | None = None
    """Id in the database; `None` before it is stored."""
    cohort: Cohort | None = None
    """Only runs of this cohort see it; `None` means the cohort of the store it is added to."""
    outcome: str | None = None
    """Decision, day and outcome in one line; `None` when the lesson was added by hand."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """The part of a lesson that an index needs."""

    id: int
    settled_on: date
    words: Counted


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes to a memory since the last call."""

    added: list[Indexed]
    forgotten: frozenset[int]
    forgotten_seen: int
    """To be passed to the next call."""
    whole: bool
    """False when more lessons remain to be read."""
