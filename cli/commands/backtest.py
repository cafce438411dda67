"""`tradingagents backtest`: decisions of past days, traded against recorded prices and compared with baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tradingagents.errors import UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import read_calendar_day

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tradingagents.backtest.run import Backtest, BacktestRequest
    from tradingagents.settings import Settings

TEST, BOOK = "Test", "Account"


def _about(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the request, for JSON errors."""
    return {"tickers": given["tickers"], "start": given["start"], "end": given["end"]}


@with_options(options.BACKTEST, _about)
def backtest(
    tickers: Annotated[
        str, typer.Option("--tickers", metavar="LIST", help="Symbols, separated by commas.", rich_help_panel=TEST)
    ],
    start: Annotated[
        str, typer.Option("--start", metavar="DATE", help="First day; decisions begin here.", rich_help_panel=TEST)
    ],
    end: Annotated[str, typer.Option("--end", metavar="DATE", help="Last day of the accounts.", rich_help_panel=TEST)],
    every: Annotated[
        int, typer.Option("--every", min=1, help="Sessions from one decision to the next.", rich_help_panel=TEST)
    ] = 5,
    scheme: Annotated[
        str,
        typer.Option(
            "--weights", metavar="NAME", help="confidence, equal, inverse_volatility or hrp.", rich_help_panel=BOOK
        ),
    ] = "confidence",
    deposit: Annotated[
        float, typer.Option("--cash", min=1, help="What each account begins with.", rich_help_panel=BOOK)
    ] = 100_000.0,
    max_positions: Annotated[
        int, typer.Option("--max-positions", min=1, help="Positions at most.", rich_help_panel=BOOK)
    ] = 15,
    max_position: Annotated[
        float, typer.Option("--max-position", min=0, max=1, help="Largest position.", rich_help_panel=BOOK)
    ] = 0.15,
    max_sector: Annotated[
        float, typer.Option("--max-sector", min=0, max=1, help="Largest sector.", rich_help_panel=BOOK)
    ] = 0.35,
    min_cash: Annotated[
        float, typer.Option("--min-cash", min=0, max=1, help="Smallest share of cash.", rich_help_panel=BOOK)
    ] = 0.05,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Trade decisions of past days against recorded prices, with costs, baselines and uncertainty.

    Each decision knows what was public after a close and is filled at the next open. Decisions are stored: the same
    command goes on after an interruption, and scores again without deciding again. Simulated trading on past prices is
    no forecast.
    """
    with terminal.loading():
        from tradingagents.backtest.limits import RiskLimits
        from tradingagents.backtest.run import BacktestRequest
        from tradingagents.backtest.weights import checked_scheme

        symbols = tuple(one.strip() for one in tickers.split(",") if one.strip())
        first, last = read_calendar_day("--start", start), read_calendar_day("--end", end)
        if first is None or last is None or not symbols:
            raise UsageError("Name tickers, a start and an end.")
        request = BacktestRequest(
            tickers=symbols,
            start=first,
            end=last,
            every=every,
            scheme=checked_scheme(scheme),
            deposit=deposit,
            limits=RiskLimits(max_positions, max_position, max_sector, min_cash),
        )
    settings, environ = read_both(flags)
    found, folder = _tested(settings, environ, request, terminal)
    if terminal.json:
        terminal.print_json({**found.record, "status": "done", "folder": str(folder)})
        return 0
    _print_result(terminal, found.record)
    terminal.out.print(f"Report, ledger and equity: {folder}", markup=False, soft_wrap=True)
    return 0


def _print_result(terminal: Terminal, record: Mapping[str, Any]) -> None:
    """Print the verdict, the strategies, and what speaks against the result; the rest is in the report."""
    from rich.table import Table
    from rich.text import Text

    from tradingagents.backtest.report import NAMES, interval, number, percent, verdict

    from ..text import one_line

    terminal.out.print(verdict(record), markup=False)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    table.add_column("Strategy")
    for name in ("Return", "Sharpe", "Drawdown", "Invested", "A year beyond, equal exposure"):
        table.add_column(name, justify="right")
    for name, one in record["strategies"].items():
        figures = (percent(one["total_return"]), number(one["sharpe"]), percent(one["max_drawdown"]))
        beyond = interval(one["ci_equal_exposure"])
        table.add_row(NAMES[name], *figures, percent(one["exposure"]), beyond)
    terminal.out.print(table)
    coverage = record["coverage"]
    made = f"{coverage['made']} of {coverage['wanted']} decisions were made; NO_DECISION {coverage['no_decision']}"
    terminal.out.print(f"{made}, failed {coverage['failed']}.", markup=False)
    for warning in record["warnings"]:
        terminal.out.print(Text.assemble(("Note ", "yellow"), one_line(warning)))


def _tested(
    settings: Settings, environ: Mapping[str, str], request: BacktestRequest, terminal: Terminal
) -> tuple[Backtest, Path]:
    """Run a backtest until it ends or is stopped, and write its files."""
    from tradingagents.backtest.report import write_backtest
    from tradingagents.backtest.run import backtest as run_backtest
    from tradingagents.runtime.services import open_services

    from ..session import run_until_done

    def tell(done: int, wanted: int) -> None:
        if not terminal.quiet and not terminal.json and (done == wanted or done % 10 == 0):
            terminal.err.print(f"{done} of {wanted} decisions", markup=False)

    with terminal.loading():
        services = open_services(settings, environ)
    found = run_until_done(services, run_backtest(services, request, tell=tell), terminal)
    return found, write_backtest(settings.home_dir, found)
