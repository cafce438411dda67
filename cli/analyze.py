"""`tradingagents analyze`: tickers through the whole trading graph."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cli import options
from cli.options import Flags, read_settings
from cli.request import read_request, split_arguments
from cli.terminal import INTERRUPTED, Terminal, open_terminal
from tradingagents.errors import TradingAgentsError

EPILOG = (
    "Exit codes: 0 done · 2 usage · 3 configuration · 4 data unavailable · 5 no decision or model failure · "
    "6 budget reached · 130 interrupted; of several tickers, the first that did not end in a decision."
)


def analyze(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TICKER... [DATE]",
            help="Symbols, then the trade date as YYYY-MM-DD; without one, or with today: the last completed session.",
            show_default=False,
        ),
    ] = None,
    offline: options.Offline = False,
    llm_provider: options.LlmProvider = None,
    backend_url: options.BackendUrl = None,
    quick_model: options.QuickModel = None,
    mid_model: options.MidModel = None,
    deep_model: options.DeepModel = None,
    stream: options.Stream = None,
    data_vendor: options.DataVendor = None,
    data_dir: options.DataDir = None,
    analysts: options.Analysts = None,
    debate_rounds: options.DebateRounds = None,
    risk_rounds: options.RiskRounds = None,
    budget_usd: options.BudgetUsd = None,
    max_llm_calls: options.MaxLlmCalls = None,
    max_concurrent: options.MaxConcurrent = None,
    home: options.Home = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Study tickers for a day and decide: buy, sell or hold, and why.

    Without a ticker, on a terminal, it asks for what the options leave open.
    """
    flags = Flags(
        offline=offline,
        llm_provider=llm_provider,
        backend_url=backend_url,
        quick_think_llm=quick_model,
        mid_think_llm=mid_model,
        deep_think_llm=deep_model,
        stream_tokens=stream,
        data_vendor=data_vendor,
        data_dir=data_dir,
        analysts=analysts,
        max_debate_rounds=debate_rounds,
        max_risk_discuss_rounds=risk_rounds,
        budget_usd=budget_usd,
        max_llm_calls=max_llm_calls,
        max_concurrent_pipelines=max_concurrent,
        home=home,
    )
    terminal = open_terminal(json=json, quiet=quiet, debug=debug)
    raise typer.Exit(run(arguments or [], flags, terminal))


def run(arguments: list[str], flags: Flags, terminal: Terminal) -> int:
    """Run a command line, asking for what it leaves open where someone can answer; return the exit code."""
    tickers, day = tuple(arguments), None
    try:
        tickers, day = split_arguments(arguments)
        if not tickers and sys.stdin.isatty() and terminal.err.is_terminal:
            from cli.form import ask

            request, flags = ask(tickers, day, flags, terminal)
        else:
            request = read_request(tickers, day)
        from tradingagents.settings import environment

        environ = environment()
        settings = read_settings(flags, environ)

        from cli.session import run_request

        return run_request(request, settings, environ, terminal)
    except TradingAgentsError as error:
        return _refuse(tickers, day, error, terminal)
    except (KeyboardInterrupt, EOFError):
        if terminal.err.is_terminal:
            terminal.err.print()  # the cursor stands behind a question, or behind ^C
        terminal.print_error("Interrupted; nothing was run.")
        return INTERRUPTED


def _refuse(tickers: tuple[str, ...], day: str | None, error: TradingAgentsError, terminal: Terminal) -> int:
    """Say why nothing was run, to a program as one object a ticker."""
    if terminal.json:
        from cli.session import failure, print_json

        for ticker in tickers:
            print_json(terminal, failure(ticker, day, error))
    terminal.print_error(str(error))
    return error.exit_code
