"""Makes decisions one by one, in this process or as a worker; beside the graph where that gives the same."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import lru_cache

from tradingagents.errors import BudgetReached, DataError, Interrupted, ModelFailure, UsageError
from tradingagents.features.backtest.decisions.decision_store import FOLDER, DecisionStore
from tradingagents.features.backtest.decisions.engine import Chunk, Ended, WorkItem, WorkResult
from tradingagents.features.backtest.decisions.offline_run import NeedsGraph, OfflineRuns
from tradingagents.features.backtest.variants.ablations import decider_of
from tradingagents.graph.start import begin
from tradingagents.graph.trading.kind import TradingRequest
from tradingagents.graph.trading.run import Run
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.memory.outcomes import OutcomeStore
from tradingagents.memory.situations import new_memories
from tradingagents.runtime.executor import RunOptions
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import Settings


class OneByOne:
    """Runs that write nothing and use no lessons, on one set of services."""

    def __init__(self, services: Services, *, limited: bool = False) -> None:
        """Take services; their memories are not used.

        Args:
            limited: Whether calls are limited, which the graph alone counts.
        """
        self.services = without_memory(services)
        self._offline: OfflineRuns | None = None
        if not limited:
            with suppress(NeedsGraph):
                self._offline = OfflineRuns(self.services)

    async def run(self, ticker: str, day: date, meter: UsageMeter) -> Run:
        """Return the run of one decision.

        Args:
            ticker: A normalized symbol.
            day: A past session.
            meter: Counts its calls; its limits hold.

        Raises:
            TradingAgentsError: As `graph.start.begin` raises.
        """
        if self._offline is not None:
            await asyncio.sleep(0)  # so that an interruption is seen: nothing on this way waits
            with suppress(NeedsGraph):
                return await self._offline.run(ticker, day)
        options = RunOptions(meter=meter, persist="none")
        request = TradingRequest(ticker=ticker, day=day)
        return await begin(decider_of(self.services), request, self.services, options).result()


def without_memory(services: Services) -> Services:
    """Return services whose agents remember nothing and know no outcome."""
    nowhere = services.settings.home_dir / FOLDER / "no-outcomes.sqlite"
    return replace(services, memories=new_memories(), outcomes=OutcomeStore(nowhere), graphs={})


_OPENED = 4
"""Sets of services that a worker holds open: the variants of one backtest."""


def work(chunk: Chunk) -> list[WorkResult]:
    """Make the decisions of a chunk in this process. Decisions that another worker has stored are not made again."""
    return asyncio.run(_work(chunk))


async def _work(chunk: Chunk) -> list[WorkResult]:
    limits = {"max_llm_calls": chunk.limits.llm_calls, "budget_usd": chunk.limits.usd}
    free = chunk.settings.model_copy(update=dict.fromkeys(limits))
    decider = _decider(free.model_dump_json(), tuple(sorted(chunk.environ.items())), not chunk.limits.none)
    store, left = DecisionStore(decider.services, chunk.repeat), chunk.settings.model_copy(update=limits)
    results: list[WorkResult] = []
    try:
        for item in chunk.items:
            results.append(await _one(decider, store, item, UsageMeter(left)))
            if results[-1].ended in ("budget", "interrupted"):
                break
    finally:
        await decider.services.models.aclose()
    return results


async def _one(decider: OneByOne, store: DecisionStore, item: WorkItem, meter: UsageMeter) -> WorkResult:
    if store.key(item.ticker, item.day) != item.key:
        raise UsageError(
            "A worker would decide something else than this process: models or vendors that were given in Python, and "
            "data that changed, do not reach workers. Use backtest_engine='asyncio'."
        )
    ended: Ended = "stored"
    reason = ""
    try:
        if store.get(item.ticker, item.day) is None:
            store.put(item.ticker, item.day, await decider.run(item.ticker, item.day, meter))
    except (DataError, ModelFailure) as error:
        ended, reason = "failed", str(error)
    except BudgetReached as error:
        ended, reason = "budget", str(error)
    except Interrupted as error:
        ended, reason = "interrupted", str(error)
    return WorkResult(item.ticker, item.day, ended, meter.totals(), reason)


@lru_cache(maxsize=_OPENED)
def _decider(settings: str, environ: tuple[tuple[str, str], ...], limited: bool) -> OneByOne:
    """Return what decides by these settings, opened once a process: it holds the data that it has read."""
    return OneByOne(open_services(Settings.model_validate_json(settings), dict(environ)), limited=limited)
