"""Where lessons are kept: a database that any process adds to, and that each reads as far as it has not seen it yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tradingagents.cohort import Cohort
from tradingagents.memory.lessons import Changes, Lesson
from tradingagents.settings import Settings

if TYPE_CHECKING:
    from tradingagents.memory.lesson_rows import LessonRows


def memory_address(settings: Settings) -> Path | str:
    """Return where lessons and outcomes are kept: at `database_url`, or in a file of the home folder."""
    return settings.database_url or settings.home_dir / "memory.sqlite"


class LessonStore:
    """The lessons of every memory. Thread-safe; several processes may use one."""

    def __init__(self, address: Path | str, cohort: Cohort | None = None) -> None:
        """Name the database; the first lesson creates it.

        Args:
            address: A file of SQLite, or a URL.
            cohort: Read only lessons of this cohort, and add lessons to it; None: read all.
        """
        self._address = address
        self._cohort = cohort

    def close(self) -> None:
        """Close the database; a later call opens it again."""
        if "_rows" in self.__dict__:
            self._rows.close()

    @property
    def empty(self) -> bool:
        """Whether there is not even a file: nobody has added a lesson here."""
        return isinstance(self._address, Path) and not self._address.exists()

    def add(self, memory: str, lessons: Iterable[Lesson]) -> None:
        """Add lessons to a memory, all or none.

        Raises:
            HomeNotWritable, DatabaseUnreachable: See `Database`; so in every method.
        """
        self._rows.add(memory, lessons)

    def forget(self, ids: Sequence[int]) -> int:
        """Delete lessons by their numbers; return how many there were."""
        return 0 if self.empty else self._rows.forget(ids)

    def changes(self, memory: str, *, seen: int, forgotten_seen: int) -> Changes:
        """Return what was added to a memory and what was forgotten since.

        Args:
            memory: The memory.
            seen: The highest number of a lesson seen; 0 for none.
            forgotten_seen: What the last answer said; 0 for the first time.
        """
        if self.empty:
            return Changes([], frozenset(), forgotten_seen, whole=True)
        return self._rows.changes(memory, seen=seen, forgotten_seen=forgotten_seen)

    def read(self, ids: Sequence[int]) -> dict[int, Lesson]:
        """Return lessons by their numbers; one that was forgotten is not there."""
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
        """Return memories and lessons, the last settled first.

        Args:
            memory: One memory's; None: all.
            ticker: About one company; None: about any or none.
            as_of: Settled by this day; None: whenever.
            ids: Of these numbers; None: of any.
            most: Most to return; None: all.
        """
        if self.empty:
            return []
        return self._rows.list(memory=memory, ticker=ticker, as_of=as_of, ids=ids, most=most)

    @cached_property
    def _rows(self) -> LessonRows:
        from tradingagents.memory.lesson_rows import LessonRows

        return LessonRows(self._address, self._cohort)
