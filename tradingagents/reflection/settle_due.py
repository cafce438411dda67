"""Settling everything that is due, and reflecting on what somebody tells of a run: without a run under way."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

from tradingagents.cohort import Cohort
from tradingagents.context import RunContext
from tradingagents.dataflows.symbols import normalise
from tradingagents.errors import BadDate
from tradingagents.events import Subscriber
from tradingagents.graph.desk import Desk
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.memory.lessons import Lesson
from tradingagents.record import RunRecord
from tradingagents.reflection.case import Case
from tradingagents.reflection.lessons import draw_lessons, told_of
from tradingagents.reflection.pending import Pending, pending
from tradingagents.reflection.settling import Settled, settle_one
from tradingagents.reflection.surroundings import market_of, surroundings
from tradingagents.store.run_folder import subject_of


async def settle_due(
    desk: Desk,
    as_of: date | None = None,
    *,
    ticker: str | None = None,
    subscribers: Sequence[Subscriber] = (),
    meter: UsageMeter | None = None,
) -> Settled:
    """Settle every decision of the desk's market whose window had passed by a day, some at a time.

    Decisions on another market are left: the desk has no prices of it. Decisions of the offline analysts are left
    where a language model would be paid to reflect on them.

    Args:
        desk: What the runs share.
        as_of: Only windows that had passed by the close of this day, with what was known then; None: by now.
        ticker: Only decisions on this one.
        subscribers: Who sees the events.
        meter: Counts the calls; its limits hold.

    Returns:
        What was settled, and what could not be. Decisions that another process has in hand are in neither.

    Raises:
        BadSymbol: The ticker cannot be one.
        BadDate: The day lies in the future.
        Interrupted: The desk's runs are to stop; what was settled is kept.
    """
    now = datetime.now(UTC).date()
    if as_of is not None and as_of > now:
        raise BadDate(f"{as_of} is in the future; name a past day or today.")
    counted = meter or UsageMeter(desk.settings)
    settled, room = Settled(), asyncio.Semaphore(desk.settings.max_concurrent_pipelines)
    going_on = True

    def surround(case: Case) -> RunContext:
        return surroundings(desk, market_of(desk, case.ticker, as_of), case.run_id, counted, subscribers)

    async def one(due: Pending) -> None:
        nonlocal going_on
        async with room:
            if going_on:
                going_on = await settle_one(desk, due, surround, settled) and going_on

    subject = None if ticker is None else subject_of(normalise(ticker))
    due = [
        one
        for one in pending(desk.settings.home_dir, subject)
        if one.until <= (as_of or now) and settles(desk.cohort, one.cohort)
    ]
    ended = await asyncio.gather(*map(one, reversed(due)), return_exceptions=True)
    for error in filter(None, ended):  # only now, so that none goes on alone
        raise error
    return settled


def settles(own: Cohort, other: Cohort | None) -> bool:
    """Tell whether a desk of one cohort settles decisions of another; those of an unknown one are tried."""
    if other is None:
        return True
    return own.market == other.market and (own.decided_by != "models" or other.decided_by != "rules")


async def reflect_on(
    desk: Desk, record: RunRecord, returns_losses: Any, *, subscribers: Sequence[Subscriber] = ()
) -> list[tuple[str, Lesson]]:
    """Draw the lessons of a run from what somebody tells of its outcome, and keep them in place of earlier ones.

    Args:
        desk: What the runs share.
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
    data = market_of(desk, case.ticker, case.trade_date)
    context = surroundings(desk, data, case.run_id, UsageMeter(desk.settings), subscribers)
    lessons = await draw_lessons(desk, context, case, told_of(case.final, returns_losses), today)
    keep = partial(desk.outcomes.teach, case.run_id, lessons)
    await asyncio.get_running_loop().run_in_executor(desk.executor, keep)
    return lessons
