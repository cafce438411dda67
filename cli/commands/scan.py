"""`tradingagents scan`: the market scanned for stocks worth studying."""

from __future__ import annotations

from typing import Annotated

import typer

from cli import options
from cli.command import answer, takes
from cli.commands.estimate import DryRun, print_estimate
from cli.flags import Flags, read_both
from cli.request import DAY_HELP, DateOption, one_day, read_day
from cli.terminal import Terminal


@takes(options.SCAN)
def scan(
    day: Annotated[str | None, typer.Argument(metavar="[DATE]", help=DAY_HELP, show_default=False)] = None,
    date_option: DateOption = None,
    dry_run: DryRun = False,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on with the last scan that was asked the same and has not ended.",
            rich_help_panel=options.LIMITS,
        ),
    ] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Scan the market for stocks worth studying.

    World news, movers and sectors are read side by side, then the industries that moved most, then it is all weighed.
    """

    def work() -> int:
        asked = read_day(one_day(day, date_option))
        settings, environ = read_both(flags)
        if dry_run:
            from tradingagents.estimates.estimate import estimate_scan

            return print_estimate(terminal, lambda: estimate_scan(settings, asked))

        from cli.scan_session import run_scan

        return run_scan(asked, settings, environ, terminal, go_on=resume)

    return answer(terminal, {"scan_date": day or date_option}, work)
