"""`tradingagents backtest run`, `decide` and `score`: a whole backtest, or one half of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from .. import options
from ..backtest_request import BacktestOptions, PlanOption, about, with_request
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tradingagents.features.backtest.plan import BacktestPlan
    from tradingagents.features.backtest.run import Backtest
    from tradingagents.settings import Settings


@with_options(options.BACKTEST, about)
@with_request
def run(*, asked: BacktestOptions, plan: PlanOption = None, flags: Flags, terminal: Terminal) -> int:
    """Trade decisions of past days against recorded prices, with costs, baselines and uncertainty.

    Each decision knows what was public after a close and is filled at the next open. Decisions are stored: the same
    command goes on after an interruption, and scores again without deciding again. Simulated trading on past prices is
    no forecast.
    """
    with terminal.loading():
        from tradingagents.features.backtest.run import backtest
        from tradingagents.runtime.services import open_services

        from ..session import run_until_done

        request, sealed = asked.request(), _sealed(plan)
        settings, environ = read_both(flags)
        services = open_services(settings, environ)
    found = run_until_done(services, backtest(services, request, plan=sealed, tell=_teller(terminal)), terminal)
    return _finished(settings, found, terminal)


@with_options(options.BACKTEST, about)
@with_request
def decide(*, asked: BacktestOptions, plan: PlanOption = None, flags: Flags, terminal: Terminal) -> int:
    """Make the decisions of a backtest and store them, without scoring.

    What is stored is not decided again; `backtest score` with the same options reads it.
    """
    with terminal.loading():
        from tradingagents.features.backtest.run import decide_backtest
        from tradingagents.files.json_text import plain
        from tradingagents.runtime.services import open_services

        from ..session import run_until_done

        request, sealed = asked.request(), _sealed(plan)
        settings, environ = read_both(flags)
        services = open_services(settings, environ)
    work = decide_backtest(services, request, plan=sealed, tell=_teller(terminal))
    coverage = run_until_done(services, work, terminal)
    if terminal.json:
        terminal.print_json({"status": "decided", "coverage": plain(coverage)})
    else:
        _print_coverage(terminal, plain(coverage))
    return 0


@with_options(options.BACKTEST, about)
@with_request
def score(*, asked: BacktestOptions, plan: PlanOption = None, flags: Flags, terminal: Terminal) -> int:
    """Score the decisions that are stored, and ask no model.

    Give the options with which they were decided: they name the decisions. Those that are not stored count as failed.
    """
    with terminal.loading():
        from tradingagents.features.backtest.run import score_backtest
        from tradingagents.runtime.services import open_services

        request, sealed = asked.request(), _sealed(plan)
        settings, environ = read_both(flags)
        found = score_backtest(open_services(settings, environ), request, plan=sealed)
    return _finished(settings, found, terminal)


def _sealed(path: Path | None) -> BacktestPlan | None:
    if path is None:
        return None
    from tradingagents.features.backtest.plan import read_plan

    return read_plan(path)


def _teller(terminal: Terminal) -> Callable[[int, int], None]:
    return partial(_tell, terminal)


def _tell(terminal: Terminal, done: int, wanted: int) -> None:
    if not terminal.quiet and not terminal.json and (done == wanted or done % 10 == 0):
        terminal.err.print(f"{done} of {wanted} decisions", markup=False)


def _finished(settings: Settings, found: Backtest, terminal: Terminal) -> int:
    """Write the files of a backtest, print it, and return the exit code."""
    from tradingagents.features.backtest.pages.files import write_backtest

    folder = write_backtest(settings.home_dir, found)
    if terminal.json:
        terminal.print_json({**found.record, "status": "done", "folder": str(folder)})
        return 0
    _print_result(terminal, found.record)
    terminal.print_text(f"Report, ledger and equity: {folder}")
    return 0


def _print_result(terminal: Terminal, record: Mapping[str, Any]) -> None:
    """Print the verdict, the strategies, and what speaks against the result; the rest is in the report."""
    from rich.table import Table
    from rich.text import Text

    from tradingagents.features.backtest.pages.report import choice_lines, exits_line
    from tradingagents.features.backtest.pages.verdict import verdict
    from tradingagents.features.backtest.pages.wording import interval, number, percent, smallest, span, title_of

    from ..text import one_line

    terminal.out.print(verdict(record), markup=False)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    table.add_column("Strategy")
    scale, words = span(record)
    for name in ("Return", "Sharpe", "Drawdown", "Invested", f"Beyond, equal exposure, {words}", "Smallest seen"):
        table.add_column(name, justify="right")
    for name, strategy in record["strategies"].items():
        figures = (percent(strategy["total_return"]), number(strategy["sharpe"]), percent(strategy["max_drawdown"]))
        beyond = strategy["ci_equal_exposure"]
        table.add_row(
            title_of(name), *figures, percent(strategy["exposure"]), interval(beyond, scale), smallest(beyond, scale)
        )
    terminal.out.print(table)
    _print_coverage(terminal, record["coverage"])
    terminal.out.print(choice_lines(record), markup=False)
    terminal.out.print(exits_line(record).replace("`", ""), markup=False)
    for warning in record["warnings"]:
        terminal.out.print(Text.assemble(("Note ", "yellow"), one_line(warning)))


def _print_coverage(terminal: Terminal, coverage: Mapping[str, Any]) -> None:
    made = f"{coverage['made']} of {coverage['wanted']} decisions were made; NO_DECISION {coverage['no_decision']}"
    terminal.out.print(f"{made}, failed {coverage['failed']}.", markup=False)
