"""`tradingagents analyze`: tickers through the whole trading graph."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cli import options
from cli.command import left, refuse, takes
from cli.estimate import DryRun, print_estimate
from cli.flags import Flags, read_both
from cli.request import DateOption, one_day, read_request, split_arguments
from cli.terminal import Terminal
from tradingagents.errors import TradingAgentsError


@takes(options.ANALYZE)
def analyze(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TICKER... [DATE]",
            help="Symbols, then the trade date as YYYY-MM-DD; without one, or with today: the last completed session.",
            show_default=False,
        ),
    ] = None,
    date_option: DateOption = None,
    dry_run: DryRun = False,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on with each ticker's last run that was asked the same and has not ended.",
            rich_help_panel=options.LIMITS,
        ),
    ] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Study tickers for a day and decide: buy, sell or hold, and why.

    Without a ticker, on a terminal, it asks for what the options leave open.
    """
    return run(arguments or [], flags, terminal, date_option=date_option, dry_run=dry_run, go_on=resume)


def run(
    arguments: list[str],
    flags: Flags,
    terminal: Terminal,
    *,
    date_option: str | None = None,
    dry_run: bool = False,
    go_on: bool = False,
) -> int:
    """Run a command line, asking for what it leaves open where someone can answer; return the exit code."""
    tickers, day = tuple(arguments), None
    try:
        tickers, day = split_arguments(arguments)
        day = one_day(day, date_option)
        if not tickers and sys.stdin.isatty() and terminal.err.is_terminal:
            from cli.form import ask

            request, flags = ask(tickers, day, flags, terminal)
        else:
            request = read_request(tickers, day)
        settings, environ = read_both(flags)
        if dry_run:
            from tradingagents.estimates.estimate import estimate_analyze

            return print_estimate(terminal, lambda: estimate_analyze(settings, request.tickers, request.day))

        from cli.analyze_session import run_request

        return run_request(request, settings, environ, terminal, go_on=go_on)
    except TradingAgentsError as error:
        return refuse(terminal, error, *({"ticker": ticker, "trade_date": day} for ticker in tickers))
    except (KeyboardInterrupt, EOFError):
        return left(terminal, *({"ticker": ticker, "trade_date": day} for ticker in tickers))
