"""`tradingagents memory settle`: measure decisions whose window has passed, and draw lessons."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from .. import options
from ..command import with_options
from ..console import Terminal, print_line
from ..flags import Flags, read_both
from ..request import read_calendar_day
from .memory_list import AsOf, Ticker

if TYPE_CHECKING:
    from rich.console import Console

    from tradingagents.graph.evaluation.evaluate import Settled
    from tradingagents.memory.outcome import Outcome


@with_options(options.SETTLE)
def settle(ticker: Ticker = None, as_of: AsOf = None, *, flags: Flags, terminal: Terminal) -> int:
    """Evaluate every decision whose window has passed: measure its outcome and draw a lesson for each agent.

    A decision takes at most five calls of the quick model. One that can't be evaluated stays pending. Decisions on
    another market are skipped, and those of offline analysts unless --offline is given.
    """
    from tradingagents.dataflows.reference.symbols import normalise

    from ..session import run_until_done

    symbol = normalise(ticker) if ticker is not None else None
    day = read_calendar_day("--as-of", as_of)
    settings, environ = read_both(flags)
    with terminal.loading():
        from tradingagents.graph.evaluation.evaluate_due import settle_due, settles
        from tradingagents.graph.evaluation.pending import pending
        from tradingagents.llm_clients.meter import UsageMeter
        from tradingagents.runtime.runs.run_folder import subject_of
        from tradingagents.runtime.services import open_services

        services = open_services(settings, environ)
    meter = UsageMeter(settings)
    settled = run_until_done(services, settle_due(services, day, ticker=symbol, meter=meter), terminal)
    waiting = pending(settings.home_dir, subject_of(symbol) if symbol else None)
    left = len(waiting)
    if terminal.json:
        terminal.print_json({**to_json(settled), "pending": left, "usage": meter.totals().as_json()})
    else:
        _print(terminal, settled, left)
        until = day or datetime.now(UTC).date()
        others = {
            decision.cohort
            for decision in waiting
            if decision.until <= until and not settles(services.cohort, decision.cohort)
        }
        if others and not terminal.quiet:
            names = "; ".join(sorted(cohort.label for cohort in others if cohort is not None))
            terminal.err.print(f"Decisions that are due were skipped: {names}.", markup=False, soft_wrap=True)
    return next((error.exit_code for error in settled.unsettled.values()), 0)


DIRECTION_ONLY = (
    "Direction only: whether the stock beat its benchmark to the end of the window, whatever stop or target the plan "
    "had. Stop hit: the first session in which the decision's stop would have closed it."
)


def to_json(settled: Settled) -> dict[str, Any]:
    """Return the evaluated decisions, and why others failed, as JSON."""
    from dataclasses import asdict

    return {
        "status": "partial" if settled.unsettled else "done",
        "settled": [{**asdict(outcome), **_worth(outcome)} for outcome in settled.outcomes],
        "unsettled": {run_id: str(error) for run_id, error in settled.unsettled.items()},
    }


def _worth(outcome: Outcome) -> dict[str, Any]:
    from tradingagents.analytics.decisions.outcome import earned, excess, proved_right

    decided = (outcome.action, outcome.total_return)
    return {
        "earned": earned(*decided),
        "excess": excess(*decided, outcome.benchmark_return),
        "right": proved_right(*decided, outcome.benchmark_return),
    }


def _print(terminal: Terminal, settled: Settled, left: int) -> None:
    if settled.outcomes:
        print_outcomes(terminal.out, settled.outcomes)
    for warning in settled.warnings():
        print_line(terminal.err, "warning:", warning, "yellow")
    if not terminal.quiet:
        many = f"{len(settled.outcomes)} decision{'' if len(settled.outcomes) == 1 else 's'} settled"
        terminal.err.print(f"{many}, {left} pending.", markup=False, soft_wrap=True)


def print_outcomes(console: Console, outcomes: list[Outcome]) -> None:
    """Print one row per outcome."""
    from rich.text import Text

    from tradingagents.analytics.price.returns import percent

    from ..layout import Column, action_text, reasoned_table, signed

    columns = (
        Column("Ticker"),
        Column("Day"),
        Column("Decision", gives_way=True),
        Column("Until"),
        Column("Stock", right=True),
        Column("Benchmark", right=True),
        Column("Worst", right=True),
        Column("Direction"),
    )
    rows = []
    for outcome in outcomes:
        right = {True: "right", False: "wrong", None: "-"}[_worth(outcome)["right"]]
        cells = (
            Text(outcome.ticker, style="bold"),
            Text(outcome.trade_date.isoformat()),
            action_text(outcome.action),
            Text(outcome.end.isoformat()),
            signed(percent(outcome.total_return)),
            signed(percent(outcome.benchmark_return)),
            signed(percent(outcome.position_drawdown)),
            Text(right),
        )
        stopped = f"stop hit {outcome.stop_hit}, " if outcome.stop_hit is not None else ""
        rows.append((cells, f"{stopped}{outcome.run_id}"))
    console.print(reasoned_table(columns, "Run", rows, console.width))
    console.print(Text(DIRECTION_ONLY, style="dim"), soft_wrap=True)
