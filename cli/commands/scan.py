"""`tradingagents scan`: scan the market for stocks worth analyzing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import DateArgument, DateOption, day_asked, one_day, read_day
from .estimate import DryRun, print_estimate

if TYPE_CHECKING:
    from tradingagents.events import Subscriber
    from tradingagents.runtime.services import Services
    from tradingagents.settings import Settings

    from ..session import Outcomes


@with_options(options.SCAN, lambda given: {"scan_date": day_asked(given)})
def scan(
    day: DateArgument = None,
    date_option: DateOption = None,
    dry_run: DryRun = False,
    resume: Annotated[
        bool, options.LIMITS.option("--resume", "Resume the last unfinished scan with the same settings.")
    ] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Scan the market for stocks worth analyzing.

    Reads world news, movers and sectors in parallel, then the industries that moved most, and summarizes them.
    """
    asked = read_day(one_day(day, date_option))
    settings, environ = read_both(flags)
    if dry_run:
        from tradingagents.graph.estimates.estimate import estimate_scan

        return print_estimate(terminal, lambda: estimate_scan(settings, asked))

    return run_scan(asked, settings, environ, terminal, resume=resume)


def run_scan(
    day: date | None, settings: Settings, environ: Mapping[str, str], terminal: Terminal, *, resume: bool = False
) -> int:
    """Scan the market for a day, None for the last session; return the exit code."""
    from ..session import RunSession, single

    def start(services: Services, subscribers: Sequence[Subscriber]) -> Outcomes:
        from tradingagents.graph.start import scan as start_scan

        return single(None, start_scan(services, day, subscribers=subscribers, go_on=resume))

    return RunSession(start, day, settings, environ, terminal).run()
