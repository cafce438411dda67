"""Evaluate all due decisions, or draw lessons from an outcome supplied by the user, outside a run."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

from tradingagents.context import RunContext
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadDate
from tradingagents.events import Subscriber
from tradingagents.graph.evaluation.context import evaluation_context, market_as_of
from tradingagents.graph.evaluation.decision import Case
from tradingagents.graph.evaluation.evaluate import Settled, settle_one
from tradingagents.graph.evaluation.lessons import describe_reported_outcome, draw_lessons
from tradingagents.graph.evaluation.pending import Pending, pending
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.memory.cohort import Cohort
from tradingagents.memory.lessons import Lesson
from tradingagents.runtime.runs.run_folder import subject_of
from tradingagents.runtime.services import Services
from tradingagents.schemas.cards import RunRecord


async def settle_due(
    services: Services,
    as_of: date | None = None,
    *,
    ticker: str | None = None,
    subscribers: Sequence[Subscriber] = (),
    meter: UsageMeter | None = None,
) -> Settled:
    """Evaluate every decision on the same market whose window had passed by a day, several at a time.

    Decisions on another market are skipped, because its prices are not available here. Decisions of the offline
    analysts are skipped when evaluating them would call a paid language model.

    Args:
        services: Resources shared by the runs.
        as_of: Evaluate only windows that had passed by the close of this day, with the data known then; `None` means
            now.
        ticker: Evaluate only decisions on this ticker.
        subscribers: Receive the events.
        meter: Counts model calls and enforces their limits.

    Returns:
        The stored outcomes and the errors. Decisions that another process is evaluating are in neither.

    Raises:
        BadSymbol: The ticker is not valid.
        BadDate: The day lies in the future.
        Interrupted: The runs are being stopped; outcomes stored so far remain.
    """
    now = datetime.now(UTC).date()
    if as_of is not None and as_of > now:
        raise BadDate(f"{as_of} is in the future; name a past day or today.")
    counted = meter or UsageMeter(services.settings)
    settled, room = Settled(), asyncio.Semaphore(services.settings.max_concurrent_pipelines)
    going_on = True

    def context_for(case: Case) -> RunContext:
        return evaluation_context(
            services, market_as_of(services, case.ticker, as_of), case.run_id, counted, subscribers
        )

    async def one(due: Pending) -> None:
        nonlocal going_on
        async with room:
            if going_on:
                going_on = await settle_one(services, due, context_for, settled) and going_on

    subject = None if ticker is None else subject_of(normalise(ticker))
    due = [
        decision
        for decision in pending(services.settings.home_dir, subject)
        if decision.until <= (as_of or now) and settles(services.cohort, decision.cohort)
    ]
    ended = await asyncio.gather(*map(one, reversed(due)), return_exceptions=True)
    for error in filter(None, ended):  # after all have ended, so that no evaluation continues in the background
        raise error
    return settled


def settles(own: Cohort, other: Cohort | None) -> bool:
    """Return whether services of one cohort evaluate decisions of another; an unknown cohort is tried."""
    if other is None:
        return True
    return own.market == other.market and (own.decided_by != "models" or other.decided_by != "rules")


async def reflect_on(
    services: Services, record: RunRecord, returns_losses: Any, *, subscribers: Sequence[Subscriber] = ()
) -> list[tuple[str, Lesson]]:
    """Draw lessons from an outcome supplied by the user; they replace the run's earlier lessons.

    Args:
        services: Resources shared by the runs.
        record: The run.
        returns_losses: The outcome: a number or a text.
        subscribers: Receive the events.

    Returns:
        Pairs of memory name and lesson. The lessons are dated today: no study of an earlier day sees them.

    Raises:
        ModelFailure, BudgetReached, ReplyNotKept: A lesson could not be drawn; none was stored.
        HomeNotWritable, DatabaseUnreachable: The lessons could not be stored.
    """
    case, today = Case.of(record), datetime.now(UTC).date()
    data = market_as_of(services, case.ticker, case.trade_date)
    context = evaluation_context(services, data, case.run_id, UsageMeter(services.settings), subscribers)
    lessons = await draw_lessons(services, context, case, describe_reported_outcome(case.final, returns_losses), today)
    keep = partial(services.outcomes.teach, case.run_id, lessons)
    await asyncio.get_running_loop().run_in_executor(services.executor, keep)
    return lessons
