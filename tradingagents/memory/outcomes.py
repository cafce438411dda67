"""What came of decisions: kept beside the lessons drawn from them, each run's once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tradingagents.cohort import Cohort
from tradingagents.memory.lessons import Lesson

if TYPE_CHECKING:
    from tradingagents.memory.outcome_rows import OutcomeRows


@dataclass(frozen=True, slots=True)
class Said:
    """What one agent decided."""

    action: str
    """BUY, SELL, HOLD or NO_DECISION."""
    confidence: float
    sell_means: str | None = None
    """What its SELL asked for, short or close; None for another action, and for a SELL of earlier versions: short."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one run's decision. Returns are fractions; see `analytics.decisions.outcome` for what they are."""

    run_id: str
    ticker: str
    trade_date: date
    start: date
    """Session of the as-of price."""
    end: date
    """Session by whose close the window had passed."""
    settled_on: date
    """The day from which it may be known; see `days.first_day_known`."""
    horizon_days: int
    """Calendar days of the window."""
    action: str
    """BUY, SELL or HOLD."""
    confidence: float
    as_of_price: float
    """Close of `start` as traded then."""
    total_return: float
    """Of the stock, dividends and splits counted."""
    benchmark: str | None
    benchmark_return: float | None
    """None without a benchmark, or where its prices were not to be had."""
    drawdown: float
    """Deepest fall of the stock within the window; 0 or negative."""
    position_drawdown: float
    """The same of the position's value."""
    vendor: str
    """Whose prices it rests on."""
    models: Mapping[str, str]
    """`provider/model` by tier, of the run."""
    vintage: str
    """Version of this library and fingerprint of its prompts, of the run."""
    agents: Mapping[str, Said]
    """What each deciding agent said, by agent."""
    cohort: Cohort
    """Which market the run studied, and what kind of analyst decided."""

    @property
    def final(self) -> Said:
        """The run's final decision; what a SELL means is the same for all agents of a run."""
        meanings = (said.sell_means for said in self.agents.values() if said.action == self.action)
        return Said(self.action, self.confidence, next(meanings, None))


@dataclass(frozen=True, slots=True)
class Hits:
    """How often some calls were right."""

    calls: int
    right: int


class OutcomeStore:
    """The outcomes in the database of the lessons. Thread-safe; several processes may use one."""

    def __init__(self, address: Path | str, cohort: Cohort | None = None) -> None:
        """Name the database; the first outcome creates it.

        Args:
            address: A file of SQLite, or a URL.
            cohort: List only outcomes of this cohort; None: of all.
        """
        self._address = address
        self._cohort = cohort

    def close(self) -> None:
        """Close the database; a later call opens it again."""
        if "_rows" in self.__dict__:
            self._rows.close()

    @property
    def empty(self) -> bool:
        """Whether there is not even a file: nothing has been settled here."""
        return isinstance(self._address, Path) and not self._address.exists()

    def keep(self, outcome: Outcome, lessons: Iterable[tuple[str, Lesson]]) -> bool:
        """Keep what came of a run and what it taught in one transaction: all of it or nothing.

        Args:
            outcome: What came of the run.
            lessons: By memory. They are left out where the run has taught some already, told from outside.

        Returns:
            False where the run's outcome is known already: then nothing is kept.

        Raises:
            HomeNotWritable, DatabaseUnreachable: See `Database`; so in every method.
        """
        return self._rows.keep(outcome, lessons)

    def teach(self, run_id: str, lessons: Iterable[tuple[str, Lesson]]) -> None:
        """Keep the lessons of a run, by memory, in place of those it has taught before; all or none."""
        self._rows.teach(run_id, lessons)

    def knows(self, run_id: str) -> tuple[bool, bool]:
        """Tell whether a run's outcome is known, and whether it has taught lessons."""
        return (False, False) if self.empty else self._rows.knows(run_id)

    def list(self, *, ticker: str | None = None, since: date | None = None, as_of: date | None = None) -> list[Outcome]:
        """Return outcomes, the last settled first.

        Args:
            ticker: Of one company; None: of any.
            since: Of decisions on this day or later; None: on any.
            as_of: Settled by this day; None: whenever.
        """
        return [] if self.empty else self._rows.list(ticker=ticker, since=since, as_of=as_of)

    def hits(self, action: str, confidence: tuple[float, float], model: str, as_of: date) -> Hits:
        """Count the settled calls of one kind, and those that beat the benchmark on their side.

        Args:
            action: BUY or SELL.
            confidence: Stated confidence from the first up to, but not at, the second.
            model: `provider/model` of the deep tier, which decided.
            as_of: Only what was settled by this day.
        """
        return Hits(0, 0) if self.empty else self._rows.hits(action, confidence, model, as_of)

    @cached_property
    def _rows(self) -> OutcomeRows:
        from tradingagents.memory.outcome_rows import OutcomeRows

        return OutcomeRows(self._address, self._cohort)
