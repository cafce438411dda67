"""Engines, and how decisions are spread over the workers of one: lost ones are made again, stored ones never.

The decision store alone says what is done. The driver owns the budget: every chunk has a part of what is left, so that
all workers together cannot exceed it, whoever dies. What a lost worker was given counts as spent.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, Protocol

from tradingagents.errors import BudgetReached, Interrupted, TradingAgentsError
from tradingagents.features.backtest.decisions.decision_store import DecisionStore
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.schemas.records import UsageRecord
from tradingagents.settings import Settings

Ended = Literal["stored", "failed", "budget", "interrupted"]


class WorkerLost(Exception):
    """A worker died or could not be reached; what it had stored is in the decision store, and nothing else counts."""


@dataclass(frozen=True, slots=True)
class WorkItem:
    """One decision that a worker is to make."""

    ticker: str
    day: date
    key: str
    """Under which the driver looks for it: a worker that would store it elsewhere decides something else."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What decisions may take; None for no limit."""

    llm_calls: int | None = None
    usd: float | None = None

    @property
    def none(self) -> bool:
        """Whether there is no limit."""
        return self.llm_calls is None and self.usd is None


@dataclass(frozen=True, slots=True)
class Chunk:
    """Decisions that one worker makes in turn."""

    items: tuple[WorkItem, ...]
    repeat: int
    settings: Settings
    limits: Limits
    """What each of them may take; where there is a limit, a chunk is one decision."""
    environ: Mapping[str, str]
    """Variables with API keys; passed in memory only."""


@dataclass(frozen=True, slots=True)
class WorkResult:
    """What became of one decision."""

    ticker: str
    day: date
    ended: Ended
    usage: UsageRecord
    reason: str = ""
    """Why there is no decision."""


class Engine(Protocol):
    """Where decisions are made."""

    @property
    def places(self) -> int:
        """How many chunks are worked on at the same time."""

    async def work(self, chunk: Chunk) -> Sequence[WorkResult]:
        """Have a worker make the decisions of a chunk.

        Raises:
            WorkerLost: It did not come to its end.
            TradingAgentsError: The configuration is wrong, or the store cannot be used.
        """

    async def close(self) -> None:
        """End the workers; those at work stop."""


LARGEST_CHUNK = 24
SMALLEST_SHARE = 4
"""Chunks for each worker at least, so that all end at about the same time."""
MOST_LOSSES = 25
"""Workers that may be lost while nothing is stored, before the backtest gives up."""
ROOM = 2.0
"""Times the mean cost so far that one decision may take; one that takes more is made alone, with all that is left."""


class WorkersLost(TradingAgentsError):
    """Workers die again and again without storing anything."""


@dataclass
class Spread:
    """The decisions of one call on one engine."""

    engine: Engine
    store: DecisionStore
    settings: Settings
    environ: Mapping[str, str]
    meter: UsageMeter
    stop: Callable[[], bool]
    """Tells whether the decisions are to stop."""
    _left: deque[WorkItem] = field(init=False, default_factory=deque)
    _given: dict[asyncio.Task[Any], Chunk] = field(init=False, default_factory=dict)
    _returned: set[WorkItem] = field(init=False, default_factory=set)
    """Decisions for which their part of the budget did not suffice: they get all that is left."""
    _losses: int = field(init=False, default=0)
    _made: int = field(init=False, default=0)
    """Decisions that took calls."""

    async def run(self, items: Sequence[WorkItem], tell: Callable[[WorkResult], None]) -> None:
        """Have all decisions made.

        Args:
            items: What is not stored.
            tell: Called with every decision that was made or failed.

        Raises:
            BudgetReached: What is left does not suffice for another decision.
            Interrupted: The decisions are to stop.
            WorkersLost: No worker comes to an end.
        """
        self._left = deque(items)
        try:
            while self._left or self._given:
                self._hand_out()
                done, _ = await asyncio.wait(self._given, timeout=0.2, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    self._take(task, self._given.pop(task), tell)
                if self.stop():
                    raise Interrupted("Interrupted.")
        finally:
            for task in self._given:
                task.cancel()
            await self.engine.close()
            await asyncio.gather(*self._given, return_exceptions=True)

    def _hand_out(self) -> None:
        while self._left and len(self._given) < self.engine.places:
            limits = self._share()
            if limits is None:
                return
            size = 1 if not limits.none else self._chunk_size()
            items = tuple(self._left.popleft() for _ in range(min(size, len(self._left))))
            chunk = Chunk(items, self.store.repeat, self.settings, limits, self.environ)
            self._given[asyncio.ensure_future(self.engine.work(chunk))] = chunk

    def _chunk_size(self) -> int:
        return max(1, min(LARGEST_CHUNK, len(self._left) // (self.engine.places * SMALLEST_SHARE)))

    def _share(self) -> Limits | None:
        """Return what the next decision may take; None where it has to wait for those that are being made.

        Raises:
            BudgetReached: Nothing is left, and nobody can give any back.
        """
        most, budget = self.settings.max_llm_calls, self.settings.budget_usd
        if most is None and budget is None:
            return Limits()
        spent = self.meter.totals()
        out = [chunk.limits for chunk in self._given.values()]
        calls = None if most is None else most - spent.llm_calls - sum(outcome.llm_calls or 0 for outcome in out)
        usd = None if budget is None else budget - (spent.cost_usd or 0.0) - sum(outcome.usd or 0.0 for outcome in out)
        usual = Limits(
            None if calls is None or not self._made else int(ROOM * spent.llm_calls / self._made) + 1,
            None if usd is None or not self._made else ROOM * (spent.cost_usd or 0.0) / self._made,
        )
        enough = (calls is None or (usual.llm_calls or 0) <= calls) and (usd is None or (usual.usd or 0.0) < usd)
        if self._made and enough and self._left[0] not in self._returned:
            return usual
        if self._given:
            return None
        self.meter.check()
        return Limits(calls, usd)

    def _take(self, task: asyncio.Task[Any], chunk: Chunk, tell: Callable[[WorkResult], None]) -> None:
        try:
            results: Sequence[WorkResult] = task.result()
        except WorkerLost as lost:
            self._lose(chunk, lost)
            return
        open_items = {(item.ticker, item.day): item for item in chunk.items}
        for result in results:
            self.meter.absorb(result.usage)
            if result.ended == "interrupted":
                raise Interrupted(result.reason)
            if result.ended == "budget":
                item = open_items[result.ticker, result.day]
                if item in self._returned:
                    raise BudgetReached(result.reason)
                self._returned.add(item)
                continue
            del open_items[result.ticker, result.day]
            self._made += result.usage.llm_calls > 0  # what failed before a call says nothing of what one takes
            self._losses = 0
            tell(result)
        self._left.extendleft(reversed(open_items.values()))

    def _lose(self, chunk: Chunk, lost: WorkerLost) -> None:
        """Put back what a lost worker has not stored."""
        again = tuple(item for item in chunk.items if self.store.get(item.ticker, item.day) is None)
        self._losses = 0 if len(again) < len(chunk.items) else self._losses + 1
        if self._losses > MOST_LOSSES:
            raise WorkersLost(f"Workers end before they have stored anything: {lost}. Try fewer workers.")
        if not chunk.limits.none:
            self.meter.absorb(UsageRecord.in_all(chunk.limits.llm_calls or 0, chunk.limits.usd or 0.0))
        self._left.extendleft(reversed(chunk.items))
