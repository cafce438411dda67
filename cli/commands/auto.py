"""`tradingagents auto`: from a scan of the market to a decision on each candidate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli import options
from cli.command import answer, takes
from cli.commands.estimate import DryRun, print_estimate
from cli.flags import Flags, read_both
from cli.request import DAY_HELP, DateOption, one_day, read_day
from cli.terminal import Terminal


@takes(options.AUTO)
def auto(
    day: Annotated[str | None, typer.Argument(metavar="[DATE]", help=DAY_HELP, show_default=False)] = None,
    date_option: DateOption = None,
    portfolio: Annotated[
        Path | None,
        typer.Option(
            "--portfolio",
            metavar="FILE",
            help="Study these holdings too: CSV with a ticker column, JSON, or a ticker a line.",
            rich_help_panel=options.CANDIDATES,
        ),
    ] = None,
    conviction: Annotated[
        str,
        typer.Option(
            "--conviction",
            metavar="LEVEL",
            help="Least conviction of a pick that is studied: high, medium or low.",
            rich_help_panel=options.CANDIDATES,
        ),
    ] = "low",
    dry_run: DryRun = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Scan the market, study each candidate and rank the decisions.

    Idempotent for a day and its options: a second start makes only what is missing, so that cron may call it daily.
    """

    def work() -> int:
        asked = read_day(one_day(day, date_option))
        settings, environ = read_both(flags)

        from cli.auto_session import read_request, run_auto

        request = read_request(asked, portfolio, conviction)
        if dry_run:
            from tradingagents.estimates.estimate import estimate_auto

            all_picks = request.conviction == "low"
            return print_estimate(
                terminal, lambda: estimate_auto(settings, asked, request.holdings, all_picks=all_picks)
            )
        return run_auto(request, settings, environ, terminal)

    return answer(terminal, {"trade_date": day or date_option}, work)
