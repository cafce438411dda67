"""Decides on tickers and past days with the trading graph; what is in the decision store is not decided again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from tradingagents.backtest.decision_store import FOLDER, DecisionStore, StoredDecision
from tradingagents.backtest.engines.offline_run import NeedsGraph, OfflineRuns
from tradingagents.errors import DataError, Interrupted, ModelFailure, TradingAgentsError
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.memory.outcomes import OutcomeStore
from tradingagents.memory.situations import new_memories
from tradingagents.runtime.concurrency import as_they_end
from tradingagents.runtime.services import Services
from tradingagents.workflows.start import analyze
from tradingagents.workflows.trading import Run

Tell = Callable[[int, int], None]
"""Called with the decisions that are there, and all that are wanted."""
Wanted = tuple[str, date]


@dataclass(frozen=True, slots=True)
class DecisionSet:
    """Decisions on tickers and days, and where there are none."""

    found: Mapping[Wanted, StoredDecision]
    missing: Mapping[Wanted, str]
    """Why a run ended without any decision: no data, or a model that failed. They are tried again next time."""
    decided: int
    """Decisions that were made by this call; the others were stored before."""

    @property
    def cost_usd(self) -> float | None:
        """Cost of all decisions, whoever paid for them; None where one is not known."""
        costs = [one.cost_usd for one in self.found.values()]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None


async def decide(
    services: Services,
    tickers: Sequence[str],
    days: Sequence[date],
    *,
    repeat: int = 0,
    meter: UsageMeter | None = None,
    tell: Tell = lambda _done, _all: None,
) -> DecisionSet:
    """Decide on every ticker and day, at most `max_concurrent_pipelines` at a time.

    Each decision knows what was public after the close of its day. Lessons of other runs are not used, so that a
    decision depends on nothing but its key. The budget of the settings covers all of them together.

    Args:
        services: Settings, models and vendors.
        tickers: Normalized symbols.
        days: Past sessions.
        repeat: Which of several decisions on the same ticker and day; each is stored by itself.
        meter: Counts the calls of other decisions too, so that one budget covers them all; None: of these alone.
        tell: Called after every decision.

    Raises:
        BudgetReached, Interrupted: Decisions made so far are stored.
        TradingAgentsError: The configuration is wrong, or the store cannot be used.
    """
    alone, store = without_memory(services), DecisionStore(services, repeat)
    wanted = [(ticker, day) for day in days for ticker in tickers]
    stored = {one: store.get(*one) for one in wanted}
    found = {one: decision for one, decision in stored.items() if decision is not None}
    missing: dict[Wanted, str] = {}
    meter = meter or UsageMeter(services.settings)
    offline = _offline_runs(alone)

    async def one(asked: Wanted) -> tuple[Wanted, StoredDecision | TradingAgentsError]:
        try:
            run = await run_once(alone, offline, *asked, meter)
        except (DataError, ModelFailure) as error:
            return asked, error
        return asked, store.put(*asked, run)

    jobs = [partial(one, asked) for asked in wanted if asked not in found]
    tell(len(found), len(wanted))
    try:
        async with aclosing(as_they_end(jobs, services.settings.max_concurrent_pipelines)) as ended:
            async for asked, outcome in ended:
                if isinstance(outcome, StoredDecision):
                    found[asked] = outcome
                else:
                    missing[asked] = str(outcome)
                tell(len(found) + len(missing), len(wanted))
    except Interrupted:
        count = sum(store.get(*one) is not None for one in wanted)
        told = f"Interrupted; {count} of {len(wanted)} decisions are stored, and the same request continues with them."
        raise Interrupted(told) from None
    ordered = {one: found[one] for one in wanted if one in found}
    return DecisionSet(ordered, {one: missing[one] for one in wanted if one in missing}, len(jobs) - len(missing))


def _offline_runs(services: Services) -> OfflineRuns | None:
    """Return the short way of the offline analysts; None where the graph has to decide."""
    try:
        return OfflineRuns(services)
    except NeedsGraph:
        return None


async def run_once(services: Services, offline: OfflineRuns | None, ticker: str, day: date, meter: UsageMeter) -> Run:
    """Return the run of one decision: beside the graph where that gives the same, else through it."""
    if offline is not None:
        await asyncio.sleep(0)  # so that an interruption is seen: nothing on this way waits
        with suppress(NeedsGraph):
            return await offline.run(ticker, day)
    return await analyze(services, ticker, day, meter=meter, persist="none")


def without_memory(services: Services) -> Services:
    """Return services whose agents remember nothing and know no outcome."""
    nowhere = services.settings.home_dir / FOLDER / "no-outcomes.sqlite"
    return replace(services, memories=new_memories(), outcomes=OutcomeStore(nowhere), graphs={})
