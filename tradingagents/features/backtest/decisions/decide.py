"""Decides on tickers and past days with the trading graph; what is in the decision store is not decided again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import date
from functools import partial

from tradingagents.errors import DataError, Interrupted, ModelFailure
from tradingagents.features.backtest.decisions.decision_store import DecisionStore, StoredDecision
from tradingagents.features.backtest.decisions.engine import Engine, Spread, WorkItem, WorkResult
from tradingagents.features.backtest.decisions.one_by_one import OneByOne
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.runtime.concurrency import as_they_end
from tradingagents.runtime.services import Services
from tradingagents.settings import Settings, environment

Tell = Callable[[int, int], None]
"""Called with the decisions that are there, and all that are wanted."""
Wanted = tuple[str, date]
Ended = Callable[[Wanted], None]
"""Called with each ticker and day that was decided on, or could not be."""
Take = Callable[[Wanted, StoredDecision | str], None]
"""Takes a decision, or why there is none."""


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
        costs = [decision.cost_usd for decision in self.found.values()]
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
    ended: Ended = lambda _case: None,
) -> DecisionSet:
    """Decide on every ticker and day, at most `max_concurrent_pipelines` at a time.

    Each decision knows what was public after the close of its day. Lessons of other runs are not used, so that a
    decision depends on nothing but its key. The budget of the settings covers all of them together.

    Args:
        tickers: Normalized symbols.
        days: Past sessions.
        repeat: Which of several decisions on the same ticker and day; each is stored by itself.
        meter: Counts the calls of other decisions too, so that one budget covers them all; None: of these alone.
        tell: Called after every decision.
        ended: Called after every attempt of this call, with its ticker and day; not for decisions that are stored.

    Raises:
        BudgetReached, Interrupted: Decisions made so far are stored.
        TradingAgentsError: The configuration is wrong, or the store cannot be used.
    """
    store = DecisionStore(services, repeat)
    wanted = [(ticker, day) for day in days for ticker in tickers]
    stored = {case: store.get(*case) for case in wanted}
    found = {case: decision for case, decision in stored.items() if decision is not None}
    missing: dict[Wanted, str] = {}
    jobs = [case for case in wanted if case not in found]
    tell(len(found), len(wanted))

    def take(case: Wanted, outcome: StoredDecision | str) -> None:
        if isinstance(outcome, StoredDecision):
            found[case] = outcome
        else:
            missing[case] = outcome
        ended(case)
        tell(len(found) + len(missing), len(wanted))

    meter = meter or UsageMeter(services.settings)
    # A disguise, and vendors that were made in Python, are known to this process alone.
    plain = services.vendors.from_settings and services.mask is None and not services.variant
    elsewhere = services.settings.backtest_engine != "asyncio" and plain
    try:
        await (_decide_elsewhere if elsewhere else _decide_here)(services, store, jobs, meter, take)
    except Interrupted:
        count = sum(store.get(*case) is not None for case in wanted)
        message = (
            f"Interrupted; {count} of {len(wanted)} decisions are stored, and the same request continues with them."
        )
        raise Interrupted(message) from None
    ordered = {case: found[case] for case in wanted if case in found}
    return DecisionSet(ordered, {case: missing[case] for case in wanted if case in missing}, len(jobs) - len(missing))


async def _decide_here(
    services: Services, store: DecisionStore, jobs: Sequence[Wanted], meter: UsageMeter, take: Take
) -> None:
    """Decide in this process, several at a time while models are waited for."""
    deciding = OneByOne(services)

    async def decide_one(case: Wanted) -> tuple[Wanted, StoredDecision | str]:
        try:
            run = await deciding.run(*case, meter)
        except (DataError, ModelFailure) as error:
            return case, str(error)
        return case, store.put(*case, run)

    at_once = services.settings.max_concurrent_pipelines
    async with aclosing(as_they_end([partial(decide_one, case) for case in jobs], at_once)) as ended:
        async for case, outcome in ended:
            take(case, outcome)


async def _decide_elsewhere(
    services: Services, store: DecisionStore, jobs: Sequence[Wanted], meter: UsageMeter, take: Take
) -> None:
    """Decide in workers, which store what they decide."""
    if not jobs:
        return

    def take_result(result: WorkResult) -> None:
        stored = store.get(result.ticker, result.day) if result.ended == "stored" else None
        take((result.ticker, result.day), result.reason if stored is None else stored)

    spread = Spread(
        _engine(services.settings),
        store,
        services.settings,
        environment(),
        meter,
        lambda: services.cancellation.requested,
    )
    await spread.run([WorkItem(*case, store.key(*case)) for case in jobs], take_result)


def _engine(settings: Settings) -> Engine:
    """Return the engine that the settings name."""
    if settings.backtest_engine == "ray":
        from tradingagents.features.backtest.decisions.worker_pools import RayBacktestEngine

        return RayBacktestEngine(settings.backtest_workers)
    from tradingagents.features.backtest.decisions.worker_pools import ProcessEngine

    return ProcessEngine(settings.backtest_workers)
