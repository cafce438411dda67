"""`tradingagents analyze`: tickers through the whole trading graph."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cli import options
from cli.command import left, refuse, takes
from cli.commands.estimate import DryRun, print_estimate
from cli.flags import Flags, read_both
from cli.request import DateOption, one_day, read_request, split_arguments
from cli.terminal import Terminal
from tradingagents.errors import TradingAgentsError

if TYPE_CHECKING:
    from cli.request import Request
    from tradingagents.settings import Settings


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
    yes: Annotated[
        bool,
        typer.Option("--yes", "-y", help="Start without a confirmation after the form.", rich_help_panel="Run"),
    ] = False,
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
    return run(arguments or [], flags, terminal, date_option=date_option, dry_run=dry_run, go_on=resume, yes=yes)


def run(
    arguments: list[str],
    flags: Flags,
    terminal: Terminal,
    *,
    date_option: str | None = None,
    dry_run: bool = False,
    go_on: bool = False,
    yes: bool = False,
) -> int:
    """Run a command line, asking for what it leaves open where someone can answer; return the exit code."""
    tickers, day = tuple(arguments), None
    try:
        tickers, day = split_arguments(arguments)
        from_form = False
        day = one_day(day, date_option)
        if not tickers and sys.stdin.isatty() and terminal.err.is_terminal:
            from cli.form import ask

            request, flags = ask(tickers, day, flags, terminal)
            from_form = True
        else:
            request = read_request(tickers, day)
        settings, environ = read_both(flags)
        if dry_run:
            from tradingagents.estimates.estimate import estimate_analyze

            return print_estimate(terminal, lambda: estimate_analyze(settings, request.tickers, request.day))

        if from_form and not yes and not _confirmed(request, settings, terminal):
            return left(terminal)

        from cli.analyze_session import run_request

        return run_request(request, settings, environ, terminal, go_on=go_on)
    except TradingAgentsError as error:
        return refuse(terminal, error, *({"ticker": ticker, "trade_date": day} for ticker in tickers))
    except (KeyboardInterrupt, EOFError):
        return left(terminal, *({"ticker": ticker, "trade_date": day} for ticker in tickers))


def _confirmed(request: Request, settings: Settings, terminal: Terminal) -> bool:
    from cli.form import confirmed
    from tradingagents.estimates.estimate import estimate_analyze

    return confirmed(terminal, settings, lambda: estimate_analyze(settings, request.tickers, request.day))


def start(terminal: Terminal) -> int:
    """Ask what to do, what it needs to know and whether to go on, and do it; return the exit code."""
    try:
        from cli.form import ask_kind, ask_market, confirmed

        kind = ask_kind(terminal)
        if kind == "analyze":
            return run([], Flags(), terminal)
        day, flags = ask_market(kind, terminal)
        settings, environ = read_both(flags)
        from tradingagents.estimates.estimate import estimate_auto, estimate_scan

        if kind == "scan":
            if not confirmed(terminal, settings, lambda: estimate_scan(settings, day)):
                return left(terminal)
            from cli.scan_session import run_scan

            return run_scan(day, settings, environ, terminal)
        if not confirmed(terminal, settings, lambda: estimate_auto(settings, day, (), all_picks=True)):
            return left(terminal)
        from cli.auto_session import AutoRequest, run_auto

        return run_auto(AutoRequest(day, (), "low"), settings, environ, terminal)
    except TradingAgentsError as error:
        return refuse(terminal, error)
    except (KeyboardInterrupt, EOFError):
        return left(terminal)
