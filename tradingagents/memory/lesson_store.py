"""Store of lessons in a database shared by processes, with a cheap way to read only what is new."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tradingagents.memory.cohort import Cohort
from tradingagents.memory.lessons import Changes, Lesson
from tradingagents.settings import Settings

if TYPE_CHECKING:
    from tradingagents.memory.lesson_rows import LessonRows


def memory_address(settings: Settings) -> Path | str:
    """Return where lessons and outcomes are stored: `database_url`, or a file in the home folder."""
    return settings.database_url or settings.home_dir / "memory.sqlite"


class LessonStore:
    """The lessons of all memories. Thread-safe; several processes may share one database."""

    def __init__(self, address: Path | str, cohort: Cohort | None = None) -> None:
        """Set the address; the first lesson creates the database.

        Args:
            address: An SQLite file or a URL.
            cohort: Read and add only lessons of this cohort; `None` reads all.
        """
        self._address = address
        self._cohort = cohort

    def close(self) -> None:
        """Close the database; a later call opens it again."""
        if "_rows" in self.__dict__:
            self._rows.close()

    @property
    def empty(self) -> bool:
        """Whether the database file does not exist, because no lesson has been added."""
        return isinstance(self._address, Path) and not self._address.exists()

    def add(self, memory: str, lessons: Iterable[Lesson]) -> None:
        """Add lessons to a memory, all or none.

        Raises:
            HomeNotWritable, DatabaseUnreachable: See `Database`; this applies to every method.
        """
        self._rows.add(memory, lessons)

    def forget(self, ids: Sequence[int]) -> int:
        """Delete lessons by id; return how many existed."""
        return 0 if self.empty else self._rows.forget(ids)

    def changes(self, memory: str, *, seen: int, forgotten_seen: int) -> Changes:
        """Return the lessons added to and deleted from a memory since the last call.

        Args:
            memory: The memory.
            seen: Highest lesson id seen so far; 0 for none.
            forgotten_seen: `forgotten_seen` of the last result; 0 the first time.
        """
        if self.empty:
            return Changes([], frozenset(), forgotten_seen, whole=True)
        return self._rows.changes(memory, seen=seen, forgotten_seen=forgotten_seen)

    def read(self, ids: Sequence[int]) -> dict[int, Lesson]:
        """Return lessons by id; deleted ones are missing."""
        return self._rows.read(ids)

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
        if self.empty:
            return []
        return self._rows.list(memory=memory, ticker=ticker, as_of=as_of, ids=ids, most=most)

    @cached_property
    def _rows(self) -> LessonRows:
        from tradingagents.memory.lesson_rows import LessonRows

        return LessonRows(self._address, self._cohort)
