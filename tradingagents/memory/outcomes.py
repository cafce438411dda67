"""Store of the outcomes of decisions, in the same database as the lessons; one outcome per run."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tradingagents.memory.cohort import Cohort
from tradingagents.memory.lessons import Lesson
from tradingagents.memory.outcome import Hits, Outcome

if TYPE_CHECKING:
    from tradingagents.memory.outcome_rows import OutcomeRows


class OutcomeStore:
    """Outcomes, stored in the database of the lessons. Thread-safe; several processes may share one."""

    def __init__(self, address: Path | str, cohort: Cohort | None = None) -> None:
        """Set the address; the first outcome creates the database.

        Args:
            address: An SQLite file or a URL.
            cohort: List only outcomes of this cohort; `None` lists all.
        """
        self._address = address
        self._cohort = cohort

    def close(self) -> None:
        """Close the database; a later call opens it again."""
        if "_rows" in self.__dict__:
            self._rows.close()

    @property
    def empty(self) -> bool:
        """Whether the database file does not exist, because no outcome has been stored."""
        return isinstance(self._address, Path) and not self._address.exists()

    def keep(self, outcome: Outcome, lessons: Iterable[tuple[str, Lesson]]) -> bool:
        """Store a run's outcome and lessons in one transaction.

        Args:
            outcome: The outcome of the run.
            lessons: Pairs of memory name and lesson; ignored if the run has lessons already, from an outcome supplied
                by the user.

        Returns:
            False if the run's outcome is stored already; then nothing changes.

        Raises:
            HomeNotWritable, DatabaseUnreachable: See `Database`; this applies to every method.
        """
        return self._rows.keep(outcome, lessons)

    def teach(self, run_id: str, lessons: Iterable[tuple[str, Lesson]]) -> None:
        """Replace the lessons of a run, given with their memory names; all or none."""
        self._rows.teach(run_id, lessons)

    def knows(self, run_id: str) -> tuple[bool, bool]:
        """Return whether a run has an outcome, and whether it has lessons."""
        return (False, False) if self.empty else self._rows.knows(run_id)

    def list(self, *, ticker: str | None = None, since: date | None = None, as_of: date | None = None) -> list[Outcome]:
        """Return outcomes, the latest known first.

        Args:
            ticker: Only outcomes of this company; `None` means all.
            since: Only decisions on this day or later; `None` means all.
            as_of: Only outcomes known by this day; `None` means all.
        """
        return [] if self.empty else self._rows.list(ticker=ticker, since=since, as_of=as_of)

    def hits(self, action: str, confidence: tuple[float, float], model: str, as_of: date) -> Hits:
        """Count the evaluated calls of one kind, and those that were right; see `analytics.decisions.outcome`.

        Args:
            action: BUY or SELL.
            confidence: Range of stated confidence; the upper limit is excluded.
            model: `provider/model` of the deep tier, which decided.
            as_of: Only outcomes known by this day.
        """
        return Hits(0, 0) if self.empty else self._rows.hits(action, confidence, model, as_of)

    @cached_property
    def _rows(self) -> OutcomeRows:
        from tradingagents.memory.outcome_rows import OutcomeRows

        return OutcomeRows(self._address, self._cohort)
