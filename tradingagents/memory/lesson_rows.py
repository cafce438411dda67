"""Lessons as rows. Imported when there are lessons: SQLAlchemy takes a fifth of a second and ten megabytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    Date,
    DateTime,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    delete,
    insert,
    select,
    text,
)

from tradingagents.cohort import Cohort
from tradingagents.database import Database
from tradingagents.memory.lesson_index import words_of
from tradingagents.memory.lessons import Changes, Indexed, Lesson
from tradingagents.memory.postings import Counted

PAGE = 10_000
"""Lessons read at a time."""

TABLES = MetaData()
LESSONS = Table(
    "lessons",
    TABLES,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("memory", String(64), nullable=False),
    Column("situation", Text, nullable=False),
    Column("recommendation", Text, nullable=False),
    Column("settled_on", Date, nullable=False),
    Column("ticker", String(32)),
    Column("run_id", String(128)),
    Column("added_at", DateTime(timezone=True), nullable=False),
    Column("words", LargeBinary, nullable=False),
    Column("cohort", String(80)),
    Column("outcome", Text),
    Index("lessons_by_memory", "memory", "id"),
    sqlite_autoincrement=True,
)
_FORGOTTEN = Table(
    "forgotten_lessons",
    TABLES,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("memory", String(64), nullable=False),
    Column("lesson", Integer, nullable=False),
    sqlite_autoincrement=True,
)

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
    """The lessons in a database. Thread-safe; several processes may use one."""

    def __init__(self, address: Path | str, cohort: Cohort | None = None) -> None:
        """Name the database; it is created when first used.

        Args:
            address: A file of SQLite, or a URL.
            cohort: Read only lessons of this cohort, and add lessons to it; None: read all.
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
            HomeNotWritable, DatabaseUnreachable: See `Database`; so in every method.
        """
        told = [(memory, lesson if lesson.cohort else replace(lesson, cohort=self._cohort)) for lesson in lessons]
        if told:
            with self._database.writing() as connection:
                insert_lessons(connection, told)

    def forget(self, ids: Sequence[int]) -> int:
        """Delete lessons by their numbers; return how many there were."""
        with self._database.writing() as connection:
            return forget_lessons(connection, ids)

    def changes(self, memory: str, *, seen: int, forgotten_seen: int) -> Changes:
        """Return what was added to a memory and what was forgotten since, at most `PAGE` lessons at a time.

        Args:
            memory: The memory.
            seen: The highest number of a lesson seen; 0 for none.
            forgotten_seen: What the last answer said; 0 for the first time.
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
            select(_FORGOTTEN.c.seq, _FORGOTTEN.c.lesson)
            .where(_FORGOTTEN.c.memory == memory, _FORGOTTEN.c.seq > forgotten_seen)
            .order_by(_FORGOTTEN.c.seq)
        )
        with self._database.reading() as connection:
            forgotten = connection.execute(gone).all()
            lessons = [Indexed(number, day, Counted.from_bytes(raw)) for number, day, raw in connection.execute(added)]
        gone_seen = forgotten[-1][0] if forgotten else forgotten_seen
        return Changes(lessons, frozenset(lesson for _, lesson in forgotten), gone_seen, whole=len(lessons) < PAGE)

    def read(self, ids: Sequence[int]) -> dict[int, Lesson]:
        """Return lessons by their numbers; one that was forgotten is not there."""
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
        """Return memories and lessons, the last settled first.

        Args:
            memory: One memory's; None: all.
            ticker: About one company; None: about any or none.
            as_of: Settled by this day; None: whenever.
            ids: Of these numbers; None: of any.
            most: Most to return; None: all.
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
    """Add lessons, each to the memory it comes with, as part of a transaction that writes."""
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
            # Numbers are given before rows can be seen: who reads on from the last one seen would miss a lower one.
            connection.execute(text("LOCK TABLE lessons IN EXCLUSIVE MODE"))
        connection.execute(insert(LESSONS), rows)


def forget_lessons(connection: Connection, ids: Sequence[int]) -> int:
    """Delete lessons by their numbers as part of a transaction that writes; return how many there were."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("LOCK TABLE forgotten_lessons IN EXCLUSIVE MODE"))
    chosen = LESSONS.c.id.in_(ids)
    found = connection.execute(select(LESSONS.c.memory, LESSONS.c.id).where(chosen)).all()
    if found:
        connection.execute(delete(LESSONS).where(chosen))
        connection.execute(insert(_FORGOTTEN), [{"memory": memory, "lesson": number} for memory, number in found])
    return len(found)
