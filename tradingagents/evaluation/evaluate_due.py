"""Settling everything that is due, and reflecting on what somebody tells of a run: without a run under way."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

from tradingagents.cohort import Cohort
from tradingagents.context import RunContext
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadDate
from tradingagents.evaluation.context import market_of, surroundings
from tradingagents.evaluation.decision import Case
from tradingagents.evaluation.evaluate import Settled, settle_one
from tradingagents.evaluation.lessons import draw_lessons, told_of
from tradingagents.evaluation.pending import Pending, pending
from tradingagents.events import Subscriber
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.memory.lessons import Lesson
from tradingagents.runtime.services import Services
from tradingagents.schemas.records import RunRecord
from tradingagents.store.run_folder import subject_of


async def settle_due(
    services: Services,
    as_of: date | None = None,
    *,
    ticker: str | None = None,
    subscribers: Sequence[Subscriber] = (),
    meter: UsageMeter | None = None,
) -> Settled:
    """Settle every decision of the same market whose window had passed by a day, some at a time.

    Decisions on another market are left: there are no prices of it here. Decisions of the offline analysts are left
    where a language model would be paid to reflect on them.

    Args:
        services: What the runs share.
        as_of: Only windows that had passed by the close of this day, with what was known then; None: by now.
        ticker: Only decisions on this one.
        subscribers: Who sees the events.
        meter: Counts the calls; its limits hold.

    Returns:
        What was settled, and what could not be. Decisions that another process has in hand are in neither.

    Raises:
        BadSymbol: The ticker cannot be one.
        BadDate: The day lies in the future.
        Interrupted: The runs are to stop; what was settled is kept.
    """
    now = datetime.now(UTC).date()
    if as_of is not None and as_of > now:
        raise BadDate(f"{as_of} is in the future; name a past day or today.")
    counted = meter or UsageMeter(services.settings)
    settled, room = Settled(), asyncio.Semaphore(services.settings.max_concurrent_pipelines)
    going_on = True

    def surround(case: Case) -> RunContext:
        return surroundings(services, market_of(services, case.ticker, as_of), case.run_id, counted, subscribers)

    async def one(due: Pending) -> None:
        nonlocal going_on
        async with room:
            if going_on:
                going_on = await settle_one(services, due, surround, settled) and going_on

    subject = None if ticker is None else subject_of(normalise(ticker))
    due = [
        one
        for one in pending(services.settings.home_dir, subject)
        if one.until <= (as_of or now) and settles(services.cohort, one.cohort)
    ]
    ended = await asyncio.gather(*map(one, reversed(due)), return_exceptions=True)
    for error in filter(None, ended):  # only now, so that none goes on alone
        raise error
    return settled


def settles(own: Cohort, other: Cohort | None) -> bool:
    """Tell whether services of one cohort settle decisions of another; those of an unknown one are tried."""
    if other is None:
        return True
    return own.market == other.market and (own.decided_by != "models" or other.decided_by != "rules")


async def reflect_on(
    services: Services, record: RunRecord, returns_losses: Any, *, subscribers: Sequence[Subscriber] = ()
) -> list[tuple[str, Lesson]]:
    """Draw the lessons of a run from what somebody tells of its outcome, and keep them in place of earlier ones.

    Args:
        services: What the runs share.
        record: The run.
        returns_losses: What came of it: a number, or words.
        subscribers: Who sees the events.

    Returns:
        The lessons by memory. They count as settled today: no study of a past day sees them.

    Raises:
        ModelFailure, BudgetReached, ReplyNotKept: A lesson could not be had; none was kept.
        HomeNotWritable, DatabaseUnreachable: They could not be kept.
    """
    case, today = Case.of(record), datetime.now(UTC).date()
    data = market_of(services, case.ticker, case.trade_date)
    context = surroundings(services, data, case.run_id, UsageMeter(services.settings), subscribers)
    lessons = await draw_lessons(services, context, case, told_of(case.final, returns_losses), today)
    keep = partial(services.outcomes.teach, case.run_id, lessons)
    await asyncio.get_running_loop().run_in_executor(services.executor, keep)
    return lessons
