"""`tradingagents backtest plan`: what a backtest could see and what it would cost, before anything is spent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from .. import options
from ..backtest_request import BacktestOptions, about, with_request
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both

if TYPE_CHECKING:
    from tradingagents.features.backtest.plan import BacktestPlan

PLAN = options.HelpPanel("Plan")


@with_options(options.BACKTEST, about)
@with_request
def plan(
    *,
    asked: BacktestOptions,
    edge: Annotated[float, PLAN.option("--edge X", "Yearly edge to see, as a fraction.")] = 0.05,
    power: Annotated[float, PLAN.option("--power X", "Probability to see it.")] = 0.8,
    out: Annotated[Path | None, PLAN.option("--out FILE", "Where to write it; default: home.")] = None,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Say what a backtest could see and what it would cost, and seal the plan.

    Random decisions are traded over the recorded sessions before the start, which shows how far results stray without
    any signal. No model is asked, and no price of the test's period is read. `backtest --plan FILE` refuses another
    test than the planned one, and puts the plan's hash into the result.
    """
    with terminal.loading():
        from tradingagents.features.backtest.plan import plan_backtest, write_plan
        from tradingagents.runtime.services import open_services

        from ..session import run_until_done

        request = asked.request()
        settings, environ = read_both(flags)
        services = open_services(settings, environ)
    made = run_until_done(services, plan_backtest(services, request, edge=edge, power=power), terminal)
    path = write_plan(made, settings.home_dir, out)
    if terminal.json:
        terminal.print_json({**made.to_json(), "status": "planned", "file": str(path)})
        return 0
    for line in _lines(made):
        terminal.out.print(line, markup=False)
    terminal.print_text(f"Plan {made.hash[:12]}: {path}")
    return 0


def _lines(made: BacktestPlan) -> list[str]:
    from tradingagents.features.backtest.pages.wording import percent

    risk, costs = made.risk, made.costs
    correlation = "" if risk.correlation is None else f", correlation {risk.correlation:.2f}"
    enough = "no number of them up to 500 is" if made.names_needed is None else f"{made.names_needed} are"
    usd = "no price is known" if costs.cost_usd is None else f"{costs.cost_usd:,.2f} USD"
    span = "" if not costs.cost_usd else f" ({costs.low_usd:,.2f} to {costs.high_usd:,.2f})"
    seen = f"This test sees an edge of {percent(made.edge)} a year with probability {percent(made.power)}"
    size = f"{made.sessions} sessions, {made.decision_days} decision days"
    wanted = f"To see {percent(made.edge)} with {percent(made.wanted_power)}: {made.years_needed:.1f} years"
    more = (
        f"({made.decision_days_needed} decision days) with these tickers; or more tickers of the kind: {enough} enough"
    )
    market = f"Before the start a ticker's volatility was {percent(risk.volatility)}{correlation}; decisions without a"
    strayed = f"signal invest {percent(risk.exposure)}, stray by {percent(risk.tracking_error)} a year,"
    traded = f"turn the account over {risk.turnover:.1f} times and cost {percent(risk.cost)}"
    there = f"{costs.decisions} decisions, {costs.stored} stored"
    calls = f"{there}; {costs.llm_calls:,.0f} model calls to make"
    return [
        f"{seen}; with 80 % it sees {percent(made.smallest_edge)}. It has {size}.",
        f"{wanted} {more}.",
        f"{market} {strayed} {traded}.",
        f"{calls}: {usd}{span}.",
    ]
