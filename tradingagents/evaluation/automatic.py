"""Settling at the start of a run: the newest decisions of its cohort on its ticker whose window has passed."""

from __future__ import annotations

from tradingagents.context import TradingContext
from tradingagents.errors import Interrupted, TradingAgentsError
from tradingagents.evaluation.evaluate import Settled, settle_one
from tradingagents.evaluation.pending import pending
from tradingagents.runtime.services import Services
from tradingagents.store.run_folder import subject_of

MOST = 2
"""Decisions settled at the start of a run: at most ten calls of the quick model. A ticker that is studied every day has
one a day that falls due, so that two keep up and catch up. Decisions on other tickers wait for their own next run, or
for `tradingagents memory settle`: a run pays for what it is likely to recall, and runs side by side do not settle the
same."""


async def settle_own(services: Services, context: TradingContext) -> list[str]:
    """Settle what is due at the start of a run; return what kept some of it from that, as warnings.

    Where nothing is due, only the names of the run folders and the notes of this ticker's are read. Nothing that goes
    wrong here ends the run.

    Raises:
        Interrupted: The runs are to stop.
    """
    if not services.settings.auto_settle:
        return []
    subject, session = subject_of(context.instrument.symbol), context.data.cutoff.session
    due = [one for one in pending(services.settings.home_dir, subject, services.cohort) if one.until <= session]
    settled = Settled()
    try:
        for one in due[:MOST]:
            if not await settle_one(services, one, lambda _: context, settled):
                break
    except Interrupted:
        raise
    except Exception as error:  # noqa: BLE001 - a bug in here is no reason to deny the run
        why = TradingAgentsError(f"an unexpected {type(error).__name__} in settling it; please report it.")
        settled.unsettled[one.run.run_id] = why
    for warning in settled.warnings():
        context.events.emit("warning", warning)
    return settled.warnings()
