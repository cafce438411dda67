"""Evaluate a decision whose window has passed: measure its outcome, draw lessons, and store both once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TypeVar

from pydantic import ValidationError

from tradingagents.context import RunContext
from tradingagents.errors import BudgetReached, Interrupted, ModelUnreachable, ReplyNotKept, TradingAgentsError
from tradingagents.files.atomic import unreadable
from tradingagents.files.lock import Locked, locked
from tradingagents.graph.evaluation.decision import Case
from tradingagents.graph.evaluation.lessons import describe_outcome, draw_lessons
from tradingagents.graph.evaluation.outcome import NotYet, measure
from tradingagents.graph.evaluation.pending import Pending
from tradingagents.memory.outcome import Outcome
from tradingagents.runtime.runs.run_folder import LOCK
from tradingagents.runtime.runs.run_index import WAY_OUT
from tradingagents.runtime.services import Services
from tradingagents.schemas.cards import RunRecord
from tradingagents.schemas.record import problem_of

T = TypeVar("T")
ContextFactory = Callable[[Case], RunContext]
FATAL = (BudgetReached, ModelUnreachable, ReplyNotKept)
"""Errors that would also end the next attempt."""


@dataclass(slots=True)
class Settled:
    """The result of an attempt to evaluate several decisions."""

    outcomes: list[Outcome] = field(default_factory=list)
    """Outcomes stored by this attempt."""
    unsettled: dict[str, TradingAgentsError] = field(default_factory=dict)
    """Errors by run id, for due runs that could not be evaluated; the next attempt tries them again."""

    def warnings(self) -> list[str]:
        """Return one sentence for each run that could not be evaluated."""
        return [f"The decision of {run_id} is not settled: {error}" for run_id, error in self.unsettled.items()]


async def settle_one(services: Services, one: Pending, context_for: ContextFactory, into: Settled) -> bool:
    """Evaluate one decision and add the result to `into`; after an error the decision stays pending.

    Does nothing when another process is evaluating the decision, or when it has been evaluated already.

    Args:
        services: Outcome store, models and threads to use.
        one: The run.
        context_for: Builds the run context of the evaluation: market data bound to its day, and the usage meter.
        into: Receives the outcome or the error.

    Returns:
        Whether to continue with the next decision.

    Raises:
        Interrupted: The runs are being stopped.
    """
    if services.cancellation.requested:
        raise Interrupted("Interrupted; what was settled is kept, the rest is settled next time.")
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(one.run.path / LOCK))
            outcome = await _settle(services, one, context_for)
        except (Locked, NotYet):
            return True
        except Interrupted:
            raise
        except TradingAgentsError as error:
            into.unsettled[one.run.run_id] = error
            return not isinstance(error, FATAL)
    if outcome is not None:
        into.outcomes.append(outcome)
    return True


async def _settle(services: Services, one: Pending, context_for: ContextFactory) -> Outcome | None:
    """Evaluate a decision whose run folder is locked by the caller; `None` when there is nothing to evaluate."""
    card = one.run.card()
    if card is None:
        return None
    try:
        case = Case.of(RunRecord.model_validate(card))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        why = problem_of(error) if isinstance(error, ValidationError) else f"{type(error).__name__}: {error}"
        raise unreadable(one.run.path / "run.json", why, WAY_OUT) from error
    known, taught = await _elsewhere(services, lambda: services.outcomes.knows(case.run_id))
    if known or case.judged_by is None:
        one.drop_note()
        return None
    context = context_for(case)
    local = context.data.is_local("get_stock_data")
    outcome = measure(case, context.data) if local else await _elsewhere(services, lambda: measure(case, context.data))
    came = describe_outcome(outcome, case.final)
    drawn = [] if taught else await draw_lessons(services, context, case, came, outcome.settled_on)
    kept = await _elsewhere(services, lambda: services.outcomes.keep(outcome, drawn))
    one.drop_note()
    return outcome if kept else None


async def _elsewhere(services: Services, work: Callable[[], T]) -> T:
    """Run blocking disk or network work in a thread."""
    return await asyncio.get_running_loop().run_in_executor(services.executor, work)
