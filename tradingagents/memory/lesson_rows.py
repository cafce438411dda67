"""Reads and writes lessons in the database. Imported on demand: SQLAlchemy takes 0.2 s and 10 MB to import."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from sqlalchemy import (
    Connection,
    delete,
    insert,
    select,
    text,
)

from tradingagents.files.database import Database
from tradingagents.memory.cohort import Cohort
from tradingagents.memory.lesson_index import words_of
from tradingagents.memory.lessons import Changes, Indexed, Lesson
from tradingagents.memory.postings import Counted
from tradingagents.memory.tables import FORGOTTEN, LESSONS, TABLES

PAGE = 10_000
"""Number of lessons read at a time."""

_WHOLE = (
    LESSONS.c.id,
    LESSONS.c.situation,
    LESSONS.c.recommendation,
    LESSONS.c.settled_on,
    LESSONS.c.ticker,
    LESSONS.c.run_id,
    LESSONS.c.cohort,
    LESSONS.c.outcome,
)
"""The columns of a `Lesson`."""


class LessonRows:
    """Lessons in a database. Thread-safe; several processes may share one."""

    def __init__(self, address: Path | str, cohort: Cohort | None = None) -> None:
        """Set the address; the database is created on first use.

        Args:
            address: An SQLite file or a URL.
            cohort: Read and add only lessons of this cohort; `None` reads all.
        """
        from tradingagents.memory.cohort_columns import assign_cohorts

        self._database = Database(address, TABLES, assign_cohorts)
        self._cohort = cohort

    def close(self) -> None:
        """Close the database; a later call opens it again."""
        self._database.close()

    def add(self, memory: str, lessons: Iterable[Lesson]) -> None:
        """Add lessons to a memory, all or none.

        Raises:
            HomeNotWritable, DatabaseUnreachable: See `Database`; this applies to every method.
        """
        told = [(memory, lesson if lesson.cohort else replace(lesson, cohort=self._cohort)) for lesson in lessons]
        if told:
            with self._database.writing() as connection:
                insert_lessons(connection, told)

    def forget(self, ids: Sequence[int]) -> int:
        """Delete lessons by id; return how many existed."""
        with self._database.writing() as connection:
            return forget_lessons(connection, ids)

    def changes(self, memory: str, *, seen: int, forgotten_seen: int) -> Changes:
        """Return the lessons added to and deleted from a memory since the last call, at most `PAGE` at a time.

        Args:
            memory: The memory.
            seen: Highest lesson id seen so far; 0 for none.
            forgotten_seen: `forgotten_seen` of the last result; 0 the first time.
        """
        added = (
            select(LESSONS.c.id, LESSONS.c.settled_on, LESSONS.c.words)
            .where(LESSONS.c.memory == memory, LESSONS.c.id > seen)
            .order_by(LESSONS.c.id)
            .limit(PAGE)
        )
        if self._cohort is not None:
            added = added.where(LESSONS.c.cohort == str(self._cohort))
        gone = (
            select(FORGOTTEN.c.seq, FORGOTTEN.c.lesson)
            .where(FORGOTTEN.c.memory == memory, FORGOTTEN.c.seq > forgotten_seen)
            .order_by(FORGOTTEN.c.seq)
        )
        with self._database.reading() as connection:
            forgotten = connection.execute(gone).all()
            lessons = [Indexed(number, day, Counted.from_bytes(raw)) for number, day, raw in connection.execute(added)]
        gone_seen = forgotten[-1][0] if forgotten else forgotten_seen
        return Changes(lessons, frozenset(lesson for _, lesson in forgotten), gone_seen, whole=len(lessons) < PAGE)

    def read(self, ids: Sequence[int]) -> dict[int, Lesson]:
        """Return lessons by id; deleted ones are missing."""
        with self._database.reading() as connection:
            rows = connection.execute(select(*_WHOLE).where(LESSONS.c.id.in_(ids))).all()
            return {row.id: _lesson(row) for row in rows}

    def list(
        self,
        *,
        memory: str | None = None,
        ticker: str | None = None,
        as_of: date | None = None,
        ids: Sequence[int] | None = None,
        most: int | None = 100,
    ) -> list[tuple[str, Lesson]]:
        """Return pairs of memory name and lesson, the latest known first.

        Args:
            memory: Only this memory; `None` means all.
            ticker: Only lessons about this company; `None` means all.
            as_of: Only lessons known by this day; `None` means all.
            ids: Only these ids; `None` means all.
            most: Maximum number of lessons; `None` means no limit.
        """
        asked = select(LESSONS.c.memory, *_WHOLE).order_by(LESSONS.c.settled_on.desc(), LESSONS.c.id.desc())
        if memory is not None:
            asked = asked.where(LESSONS.c.memory == memory)
        if ticker is not None:
            asked = asked.where(LESSONS.c.ticker == ticker)
        if as_of is not None:
            asked = asked.where(LESSONS.c.settled_on <= as_of)
        if ids is not None:
            asked = asked.where(LESSONS.c.id.in_(ids))
        if self._cohort is not None:
            asked = asked.where(LESSONS.c.cohort == str(self._cohort))
        with self._database.reading() as connection:
            return [(row.memory, _lesson(row)) for row in connection.execute(asked.limit(most))]


def _lesson(row: object) -> Lesson:
    fields = {column.name: getattr(row, column.name) for column in _WHOLE}
    cohort = fields.pop("cohort")
    return Lesson(**fields, cohort=Cohort.parse(cohort) if cohort else None)


def insert_lessons(connection: Connection, lessons: Iterable[tuple[str, Lesson]]) -> None:
    """Add pairs of memory name and lesson within a write transaction."""
    now = datetime.now(UTC)
    rows = [
        {
            "memory": memory,
            "situation": lesson.situation,
            "recommendation": lesson.recommendation,
            "settled_on": lesson.settled_on,
            "ticker": lesson.ticker,
            "run_id": lesson.run_id,
            "added_at": now,
            "words": Counted.of(words_of(lesson.situation)).to_bytes(),
            "cohort": str(lesson.cohort) if lesson.cohort else None,
            "outcome": lesson.outcome,
        }
        for memory, lesson in lessons
    ]
    if rows:
        if connection.dialect.name == "postgresql":
            # Ids are assigned before rows become visible: a reader that continues from the last id could miss one.
            connection.execute(text("LOCK TABLE lessons IN EXCLUSIVE MODE"))
        connection.execute(insert(LESSONS), rows)


def forget_lessons(connection: Connection, ids: Sequence[int]) -> int:
    """Delete lessons by id within a write transaction; return how many existed."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("LOCK TABLE forgotten_lessons IN EXCLUSIVE MODE"))
    chosen = LESSONS.c.id.in_(ids)
    found = connection.execute(select(LESSONS.c.memory, LESSONS.c.id).where(chosen)).all()
    if found:
        connection.execute(delete(LESSONS).where(chosen))
        connection.execute(insert(FORGOTTEN), [{"memory": memory, "lesson": number} for memory, number in found])
    return len(found)
