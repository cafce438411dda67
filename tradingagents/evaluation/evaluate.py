"""Settling: a decision whose window has passed is measured, reflected on, and kept, once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TypeVar

from tradingagents.context import RunContext
from tradingagents.errors import BudgetReached, Interrupted, ModelUnreachable, ReplyNotKept, TradingAgentsError
from tradingagents.evaluation.decision import Case
from tradingagents.evaluation.lessons import came_of, draw_lessons
from tradingagents.evaluation.outcome import NotYet, measure
from tradingagents.evaluation.pending import Pending
from tradingagents.memory.outcomes import Outcome
from tradingagents.runtime.services import Services
from tradingagents.store.atomic import unreadable
from tradingagents.store.lock import Locked, locked
from tradingagents.store.run_folder import LOCK
from tradingagents.store.run_index import WAY_OUT

T = TypeVar("T")
Surround = Callable[[Case], RunContext]
FOR_ALL = (BudgetReached, ModelUnreachable, ReplyNotKept)
"""Errors that would end the next attempt as well."""


@dataclass(slots=True)
class Settled:
    """What came of an attempt to settle some decisions."""

    outcomes: list[Outcome] = field(default_factory=list)
    """Settled just now."""
    unsettled: dict[str, TradingAgentsError] = field(default_factory=dict)
    """What kept a run whose window has passed from being settled, by its id; it is tried again next time."""

    def warnings(self) -> list[str]:
        """Return a sentence a run that could not be settled."""
        return [f"The decision of {run_id} is not settled: {error}" for run_id, error in self.unsettled.items()]


async def settle_one(services: Services, one: Pending, surround: Surround, into: Settled) -> bool:
    """Settle a decision; what keeps it from that is noted, and it stays as it was.

    Nothing happens where another process has it in hand, or where it is settled already.

    Args:
        services: Whose outcomes, models and threads.
        one: The run.
        surround: Returns where a run is settled: the data are bound to that day, the meter counts.
        into: Takes in what came of it.

    Returns:
        Whether it makes sense to try the next one.

    Raises:
        Interrupted: The runs are to stop.
    """
    if services.cancellation.requested:
        raise Interrupted("Interrupted; what was settled is kept, the rest is settled next time.")
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(one.run.path / LOCK))
            outcome = await _settle(services, one, surround)
        except (Locked, NotYet):
            return True
        except Interrupted:
            raise
        except TradingAgentsError as error:
            into.unsettled[one.run.run_id] = error
            return not isinstance(error, FOR_ALL)
    if outcome is not None:
        into.outcomes.append(outcome)
    return True


async def _settle(services: Services, one: Pending, surround: Surround) -> Outcome | None:
    """Settle a decision whose folder is held; None where there is nothing to settle."""
    card = one.run.card()
    if card is None:
        return None
    try:
        case = Case.of(card)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise unreadable(one.run.path / "run.json", f"{type(error).__name__}: {error}", WAY_OUT) from error
    known, taught = await _elsewhere(services, lambda: services.outcomes.knows(case.run_id))
    if known or case.judged_by is None:
        one.drop_note()
        return None
    context = surround(case)
    local = context.data.is_local("get_stock_data")
    outcome = measure(case, context.data) if local else await _elsewhere(services, lambda: measure(case, context.data))
    drawn = [] if taught else await draw_lessons(services, context, case, came_of(outcome), outcome.settled_on)
    kept = await _elsewhere(services, lambda: services.outcomes.keep(outcome, drawn))
    one.drop_note()
    return outcome if kept else None


async def _elsewhere(services: Services, work: Callable[[], T]) -> T:
    """Do what waits for a disk or a network in a thread."""
    return await asyncio.get_running_loop().run_in_executor(services.executor, work)
