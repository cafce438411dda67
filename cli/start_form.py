"""What `tradingagents` without a command does: asks what to do, its inputs and a confirmation, and runs it."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from .command import report_interrupt
from .console import Terminal
from .flags import Flags, read_both
from .form import ask_market, confirmed, one_of
from .grid_command import GridCommand
from .prompts import Option, asker_for

if TYPE_CHECKING:
    from tradingagents.graph.estimates.estimate import EstimateRecord

ACTIONS = {
    "analyze": "analyze one or more tickers, and decide",
    "scan": "scan the market for stocks worth analyzing",
    "auto": "scan the market, then analyze its candidates",
}


def run_form(terminal: Terminal) -> int:
    """Ask for the action, its inputs and a confirmation, and run it; return the exit code."""
    options = [Option(name, about) for name, about in ACTIONS.items()]
    action = asker_for(terminal).one("What to do", options, lambda text: one_of(text, ACTIONS), "analyze")
    if action == "analyze":
        from tradingagents.graph.trading.kind import TRADING

        return GridCommand(kind=TRADING).run(Flags(), terminal)
    day, flags = ask_market(action, terminal)
    settings, environ = read_both(flags)
    from tradingagents.graph.estimates.estimate import estimate_auto, estimate_scan

    def estimate() -> Coroutine[Any, Any, EstimateRecord]:
        return estimate_scan(settings, day) if action == "scan" else estimate_auto(settings, day, (), all_picks=True)

    if not confirmed(terminal, settings, estimate):
        return report_interrupt(terminal)
    if action == "scan":
        from tradingagents.graph.scan.kind import SCAN, ScanRequest

        from .grid_session import GridSession

        return GridSession(SCAN, settings, environ, terminal).start([ScanRequest(day=day)])
    from tradingagents.features.batch.kind import AutoRequest

    from .batch_session import AutoSession

    return AutoSession(AutoRequest(day=day), settings, environ, terminal).run()
