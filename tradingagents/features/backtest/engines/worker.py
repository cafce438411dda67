"""What a worker does: opens services from settings, makes decisions in turn, and stores each."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from tradingagents.errors import BudgetReached, DataError, Interrupted, ModelFailure, UsageError
from tradingagents.features.backtest.engines.base import Chunk, Ended, WorkItem, WorkResult
from tradingagents.features.backtest.engines.decision_store import DecisionStore
from tradingagents.features.backtest.engines.once import OneByOne
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.runtime.services import open_services
from tradingagents.settings import Settings

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
