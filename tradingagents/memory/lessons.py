"""What a lesson is, and what an index needs of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from tradingagents.cohort import Cohort
from tradingagents.memory.postings import Counted


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learned from one situation."""

    situation: str
    recommendation: str
    settled_on: date
    """The day the outcome was known: the lesson is invisible to every earlier day."""
    ticker: str | None = None
    """None where it is about no one company."""
    run_id: str | None = None
    """The run it was drawn from; None where it was told from outside."""
    id: int | None = None
    """Its number in the database; None before it is there."""
    cohort: Cohort | None = None
    """Only runs of this cohort recall it; None: that of the store it is added to."""
    outcome: str | None = None
    """What was decided on which day and what came of it, in one line; None where it was told from outside."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """What an index needs of a lesson."""

    id: int
    settled_on: date
    words: Counted


@dataclass(frozen=True, slots=True)
class Changes:
    """What happened to a memory since one last looked."""

    added: list[Indexed]
    forgotten: frozenset[int]
    forgotten_seen: int
    """What to ask with next time."""
    whole: bool
    """False where more lessons are to be had."""
