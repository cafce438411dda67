"""`tradingagents analyze`: run the trading graph for tickers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tradingagents.errors import TradingAgentsError

from .. import options
from ..command import report_error, report_interrupt, with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import DateOption, one_day, read_request, split_arguments
from .estimate import DryRun, print_estimate
from .scan import run_scan

if TYPE_CHECKING:
    from tradingagents.dataflows.interface import Vendors
    from tradingagents.events import Subscriber
    from tradingagents.graph.estimates.estimate import EstimateRecord
    from tradingagents.runtime.services import Services
    from tradingagents.settings import Settings

    from ..request import Request
    from ..session import Outcomes


@with_options(options.ANALYZE)
def analyze(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TICKER... [DATE]",
            help="Symbols, then the trade date as YYYY-MM-DD; without one: today.",
            show_default=False,
        ),
    ] = None,
    date_option: DateOption = None,
    dry_run: DryRun = False,
    yes: Annotated[bool, options.RUN.option("--yes, -y", "Start without a confirmation after the form.")] = False,
    resume: Annotated[
        bool, options.LIMITS.option("--resume", "Resume each ticker's last unfinished run with the same settings.")
    ] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Analyze tickers for a day and decide: buy, sell or hold, and why.

    Without a ticker, on a terminal, asks for everything that the options don't set.
    """
    return run(arguments or [], flags, terminal, date_option=date_option, dry_run=dry_run, resume=resume, yes=yes)


def run(
    arguments: list[str],
    flags: Flags,
    terminal: Terminal,
    *,
    date_option: Sequence[str] | None = None,
    dry_run: bool = False,
    resume: bool = False,
    yes: bool = False,
) -> int:
    """Run a command line, asking for missing values if the terminal is interactive; return the exit code."""
    tickers, day = tuple(arguments), None
    try:
        tickers, day = split_arguments(arguments)
        day = one_day(day, date_option)
        from_form = not tickers and sys.stdin.isatty() and terminal.err.is_terminal
        if from_form:
            from ..form import ask

            request, flags = ask(tickers, day, flags, terminal)
        else:
            request = read_request(tickers, day)
        settings, environ = read_both(flags)
        if dry_run:
            return print_estimate(terminal, _estimate(request, settings))
        if from_form and not yes and not _confirmed(request, settings, terminal):
            return report_interrupt(terminal)
        return run_request(request, settings, environ, terminal, resume=resume)
    except TradingAgentsError as error:
        return report_error(terminal, error, *({"ticker": ticker, "trade_date": day} for ticker in tickers))
    except (KeyboardInterrupt, EOFError):
        return report_interrupt(terminal, *({"ticker": ticker, "trade_date": day} for ticker in tickers))


def run_request(
    request: Request, settings: Settings, environ: Mapping[str, str], terminal: Terminal, *, resume: bool = False
) -> int:
    """Run every ticker of a request and print the results.

    Args:
        request: Tickers and day.
        environ: Source of API keys.
        resume: Whether to resume unfinished runs with the same request.

    Returns:
        The exit code: that of the first ticker, in the order asked, that did not end in a decision; else 0.

    Raises:
        ConfigurationError: A model or folder is not set up; nothing was run.
    """
    from tradingagents.dataflows.interface import Vendors

    from ..session import RunSession

    def start(services: Services, subscribers: Sequence[Subscriber]) -> Outcomes:
        from tradingagents.graph.start import analyze_many

        return analyze_many(services, request.tickers, request.day, subscribers=subscribers, go_on=resume)

    vendors = Vendors(settings)
    session = RunSession(start, request.day, settings, environ, terminal, tickers=request.tickers)
    if refused := _refused(request, settings, vendors):
        return session.refuse(refused)
    return session.run(vendors)


def _refused(request: Request, settings: Settings, vendors: Vendors) -> dict[str, TradingAgentsError]:
    """Return by ticker why it can't be analyzed; empty if one can, or if only a network could tell.

    Refuses a mistyped ticker before loading the graph's libraries, which takes longer than everything else.
    """
    from tradingagents.dataflows.look_up import default_day, look_up
    from tradingagents.dataflows.market_data import MarketData
    from tradingagents.dataflows.reference.calendar import exchange_of

    refused: dict[str, TradingAgentsError] = {}
    for ticker in request.tickers:
        exchange = exchange_of(ticker)
        try:
            day = request.day or default_day(settings, ticker)
            data = MarketData(settings, day, exchange=exchange, vendors=vendors)
            if not data.is_local("get_stock_data"):
                return {}
            look_up(data, ticker)
        except TradingAgentsError as error:
            refused[ticker] = error
        else:
            return {}
    return refused


def _estimate(request: Request, settings: Settings) -> Callable[[], Coroutine[Any, Any, EstimateRecord]]:
    def estimate() -> Coroutine[Any, Any, EstimateRecord]:
        from tradingagents.graph.estimates.estimate import estimate_analyze

        return estimate_analyze(settings, request.tickers, request.day)

    return estimate


def _confirmed(request: Request, settings: Settings, terminal: Terminal) -> bool:
    from ..form import confirmed

    return confirmed(terminal, settings, _estimate(request, settings))


def start(terminal: Terminal) -> int:
    """Ask for the action, its inputs and a confirmation, and run it; return the exit code."""
    try:
        from ..form import ask_kind, ask_market, confirmed

        kind = ask_kind(terminal)
        if kind == "analyze":
            return run([], Flags(), terminal)
        day, flags = ask_market(kind, terminal)
        settings, environ = read_both(flags)
        from tradingagents.graph.estimates.estimate import estimate_auto, estimate_scan

        scans = kind == "scan"

        def estimate() -> Coroutine[Any, Any, EstimateRecord]:
            return estimate_scan(settings, day) if scans else estimate_auto(settings, day, (), all_picks=True)

        if not confirmed(terminal, settings, estimate):
            return report_interrupt(terminal)
        if scans:
            return run_scan(day, settings, environ, terminal)
        from ..batch_session import AutoSession

        return AutoSession(day, settings, environ, terminal).run()
    except TradingAgentsError as error:
        return report_error(terminal, error)
    except (KeyboardInterrupt, EOFError):
        return report_interrupt(terminal)
