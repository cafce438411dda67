"""`tradingagents paper run`: take a paper account to the last close and decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import read_calendar_day
from .paper_init import AccountName

if TYPE_CHECKING:
    from datetime import date

    from tradingagents.features.backtest.paper.run import PaperRun

WHEN = options.RUN


@with_options(options.PAPER, lambda given: {"account": given["account"], "date": given["day"]})
def run(
    account: AccountName = "main",
    day: Annotated[
        str | None,
        WHEN.option(
            "--date DATE", "The day it is, for recorded or simulated data; default: the last session that has closed."
        ),
    ] = None,
    decide_missed: Annotated[
        bool,
        WHEN.option(
            "--decide-missed", "Decide on sessions without a run, too, each with what was known after its close."
        ),
    ] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Take an account through the sessions that have closed since its last run, and decide.

    Waiting orders are filled at the open of each session, the account is marked at its close, and after the last close
    the models decide on orders for the next open. A second run on a day does nothing; a killed one continues.
    """
    settings, environ = read_both(flags)
    with terminal.loading():
        from tradingagents.features.backtest.kind import PaperRunRequest
        from tradingagents.features.backtest.paper.run import run_paper
        from tradingagents.features.backtest.paper.status import paper_status
        from tradingagents.runtime.services import open_services

        from ..paper_output import print_status
        from ..session import run_until_done

        asked_day = read_calendar_day("--date", day)
        request = PaperRunRequest(account=account, day=asked_day, decide_missed=decide_missed)
        services = open_services(settings, environ)

    def tell(done: int, wanted: int) -> None:
        if not terminal.quiet and not terminal.json and done and (done == wanted or done % 10 == 0):
            terminal.err.print(f"{done} of {wanted} decisions", markup=False)

    work = run_paper(services, request.account, request.day, decide_missed=request.decide_missed, tell=tell)
    found = run_until_done(services, work, terminal)
    status = paper_status(settings.home_dir, account, found.until)
    if terminal.json:
        terminal.print_json({**status.to_json(), "status": "done", "run": found.to_json()})
        return 0
    terminal.note(_said(found, status.last_session))
    print_status(terminal.out, status)
    return 0


def _said(found: PaperRun, last: date | None) -> str:
    """Say what a run did."""
    if not found.sessions:
        return f"{found.until} is recorded already, the account has reached {last}; there is nothing to do."
    count = len(found.sessions)
    sessions = "session" if count == 1 else "sessions"
    added = f"{count} {sessions} added, up to {found.until}; decisions taken: {found.decided}."
    if found.undecided:
        return f"{added} Nothing was decided on {len(found.undecided)} missed; --decide-missed does."
    return added
