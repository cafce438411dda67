"""Evaluate the newest due decisions on a ticker at the start of its next run."""

from __future__ import annotations

from tradingagents.context import TradingContext
from tradingagents.errors import Interrupted, TradingAgentsError
from tradingagents.graph.evaluation.evaluate import Settled, settle_one
from tradingagents.graph.evaluation.pending import pending
from tradingagents.runtime.runs.run_folder import subject_of
from tradingagents.runtime.services import Services

MOST = 2
"""Decisions evaluated at the start of a run: at most ten calls of the quick model. A ticker that is studied every day
gets one due decision a day, so two per run also work off a backlog. Decisions on other tickers wait for their own next
run or for `tradingagents memory settle`: a run pays only for lessons it is likely to use, and parallel runs do not
evaluate the same decisions."""


async def settle_own(services: Services, context: TradingContext) -> list[str]:
    """Evaluate the due decisions of this run's ticker and cohort; return a warning for each that failed.

    When nothing is due, only the names of the run folders and the notes of this ticker are read. A failed evaluation
    does not end the run.

    Raises:
        Interrupted: The runs are being stopped.
    """
    if not services.settings.auto_settle:
        return []
    subject, session = subject_of(context.instrument.symbol), context.data.cutoff.session
    due = [one for one in pending(services.settings.home_dir, subject, services.cohort) if one.until <= session]
    settled = Settled()
    try:
        for decision in due[:MOST]:
            if not await settle_one(services, decision, lambda _: context, settled):
                break
    except Interrupted:
        raise
    except Exception as error:  # noqa: BLE001 - a bug in the evaluation must not end the run
        why = TradingAgentsError(f"an unexpected {type(error).__name__} in settling it; please report it.")
        settled.unsettled[decision.run.run_id] = why
    for warning in settled.warnings():
        context.events.emit("warning", warning)
    return settled.warnings()
