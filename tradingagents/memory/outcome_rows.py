"""Reads and writes outcomes in the database. Imported on demand: SQLAlchemy takes 0.2 s and 10 MB to import."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, fields
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Connection,
    case,
    func,
    insert,
    select,
    text,
)

from tradingagents.files.database import Database
from tradingagents.memory.cohort import Cohort
from tradingagents.memory.lesson_rows import forget_lessons, insert_lessons
from tradingagents.memory.lessons import Lesson
from tradingagents.memory.outcome import Hits, Outcome, Said
from tradingagents.memory.tables import LESSONS, OUTCOMES, TABLES

_FIELDS = tuple(field.name for field in fields(Outcome))
_NUMBERS = (
    *("horizon_days", "confidence", "as_of_price", "total_return", "benchmark_return", "drawdown"),
    "position_drawdown",
)


class OutcomeRows:
    """Outcomes in a database. Thread-safe; several processes may share one."""

    def __init__(self, address: Path | str, cohort: Cohort | None = None) -> None:
        """Set the address; the database is created on first use.

        Args:
            address: An SQLite file or a URL.
            cohort: List only outcomes of this cohort; `None` lists all.
        """
        from tradingagents.memory.cohort_columns import assign_cohorts

        self._database = Database(address, TABLES, assign_cohorts)
        self._cohort = cohort

    def close(self) -> None:
        """Close the database; a later call opens it again."""
        self._database.close()

    def keep(self, outcome: Outcome, lessons: Iterable[tuple[str, Lesson]]) -> bool:
        """Store an outcome and its lessons unless the outcome exists; see `OutcomeStore.keep`."""
        row = {
            **asdict(outcome),
            "models": dict(outcome.models),
            "added_at": datetime.now(UTC),
            "cohort": str(outcome.cohort),
        }
        with self._database.writing() as connection:
            _alone(connection)
            if _has_outcome(connection, outcome.run_id):
                return False
            connection.execute(insert(OUTCOMES), [row])
            if not _taught(connection, outcome.run_id):
                insert_lessons(connection, lessons)
        return True

    def teach(self, run_id: str, lessons: Iterable[tuple[str, Lesson]]) -> None:
        """Replace the lessons of a run; see `OutcomeStore.teach`."""
        with self._database.writing() as connection:
            _alone(connection)
            forget_lessons(connection, _taught(connection, run_id))
            insert_lessons(connection, lessons)

    def knows(self, run_id: str) -> tuple[bool, bool]:
        """Return whether a run has an outcome, and whether it has lessons."""
        with self._database.reading() as connection:
            return _has_outcome(connection, run_id), bool(_taught(connection, run_id))

    def list(self, *, ticker: str | None, since: date | None, as_of: date | None) -> list[Outcome]:
        """Return outcomes, the latest known first; see `OutcomeStore.list`."""
        asked = select(OUTCOMES).order_by(OUTCOMES.c.settled_on.desc(), OUTCOMES.c.run_id.desc())
        if ticker is not None:
            asked = asked.where(OUTCOMES.c.ticker == ticker)
        if since is not None:
            asked = asked.where(OUTCOMES.c.trade_date >= since)
        if as_of is not None:
            asked = asked.where(OUTCOMES.c.settled_on <= as_of)
        if self._cohort is not None:
            asked = asked.where(OUTCOMES.c.cohort == str(self._cohort))
        with self._database.reading() as connection:
            return [_outcome(dict(row)) for row in connection.execute(asked).mappings()]

    def hits(self, action: str, confidence: tuple[float, float], model: str, as_of: date) -> Hits:
        """Count the calls of one kind, and those that were right; see `OutcomeStore.hits`."""
        gained = OUTCOMES.c.total_return - func.coalesce(OUTCOMES.c.benchmark_return, 0.0)
        right = gained > 0 if action == "BUY" else gained < 0
        asked = select(func.count(), func.coalesce(func.sum(case((right, 1), else_=0)), 0)).where(
            OUTCOMES.c.action == action,
            OUTCOMES.c.confidence >= confidence[0],
            OUTCOMES.c.confidence < confidence[1],
            OUTCOMES.c.models["deep"].as_string() == model,
            OUTCOMES.c.settled_on <= as_of,
        )
        if self._cohort is not None:
            asked = asked.where(OUTCOMES.c.cohort == str(self._cohort))
        with self._database.reading() as connection:
            calls, hit = connection.execute(asked).one()
        return Hits(int(calls), int(hit))


def _alone(connection: Connection) -> None:
    """Lock the tables that this transaction reads and extends; SQLite allows only one writer anyway."""
    if connection.dialect.name == "postgresql":
        # The order of `forget_lessons`, so that the two cannot deadlock.
        connection.execute(text("LOCK TABLE forgotten_lessons, lessons, outcomes IN EXCLUSIVE MODE"))


def _has_outcome(connection: Connection, run_id: str) -> bool:
    return connection.execute(select(OUTCOMES.c.run_id).where(OUTCOMES.c.run_id == run_id)).first() is not None


def _taught(connection: Connection, run_id: str) -> list[int]:
    return list(connection.execute(select(LESSONS.c.id).where(LESSONS.c.run_id == run_id)).scalars())


def _outcome(row: dict[str, Any]) -> Outcome:
    """Return a row as an outcome; raise ValueError for an invalid value."""
    numbers = [row[name] for name in _NUMBERS if row[name] is not None or name != "benchmark_return"]
    if not isinstance(row["models"], dict) or not isinstance(row["agents"], dict):
        raise ValueError(f"The outcome of {row['run_id']} cannot be read.")
    try:
        agents = {agent: Said(**said) for agent, said in row["agents"].items()}
    except TypeError as error:
        raise ValueError(f"The outcome of {row['run_id']} cannot be read.") from error
    numbers += [said.confidence for said in agents.values()]
    if not all(isinstance(number, int | float) for number in numbers):
        raise ValueError(f"The outcome of {row['run_id']} has a text where a number is asked for.")
    kept = {name: row[name] for name in _FIELDS}
    return Outcome(**{**kept, "agents": agents, "cohort": Cohort.parse(row["cohort"])})
