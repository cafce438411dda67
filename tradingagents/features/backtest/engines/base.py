"""What an engine is: it takes a few decisions to a worker, and says what became of them; and what may be lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol

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
