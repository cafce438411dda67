"""`tradingagents why`: what changed between two days, and the fewest readings or reports that turned the decision."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import read_day

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tradingagents.features.why.decision_change import ExplainedChange
    from tradingagents.features.why.kind import DecisionChangeRequest
    from tradingagents.features.why.rules import ReadingChange
    from tradingagents.settings import Settings

SHOWN = 10
"""Changes that the terminal lists besides those that decide; JSON has all."""


@with_options(options.WHY, lambda given: {"ticker": given["ticker"]})
def why(
    ticker: Annotated[str, typer.Argument(metavar="TICKER", help="Company, for example AAPL.")],
    first: Annotated[str, typer.Argument(metavar="DATE", help="The earlier day.")],
    second: Annotated[str, typer.Argument(metavar="DATE", help="The later day.")],
    by_models: Annotated[
        bool, typer.Option("--by-models", help="Let the models decide, and sample; otherwise the offline analysts do.")
    ] = False,
    decisions: Annotated[int, typer.Option("--decisions", min=8, help="Most decisions of models.")] = 30,
    repeats: Annotated[
        int, typer.Option("--repeats", min=1, max=20, help="Decisions of models that tell noise from a cause.")
    ] = 3,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Say why the decision is another one on a later day, and what turned it.

    The offline analysts decide on both days from what was known then; nothing is written. Then they decide again on the
    later day's evidence with some readings as they were before, until the fewest are found that turn the decision.
    Models answer in different ways: they decide on the later day repeatedly, and with some reports as they were before,
    until a set is told from noise or the number of decisions is used up.
    """
    settings, environ = read_both(flags)
    with terminal.loading():
        from tradingagents.dataflows.look_up import default_day
        from tradingagents.dataflows.reference.symbols import normalise
        from tradingagents.features.why.kind import DecisionChangeRequest

        days = [read_day(text) or default_day(settings, normalise(ticker)) for text in (first, second)]
        request = DecisionChangeRequest(
            ticker=ticker,
            first=days[0],
            second=days[1],
            by="models" if by_models else "offline",
            decisions=decisions,
            repeats=repeats,
        )
    if by_models:
        return _sampled(request, settings, environ, terminal)
    with terminal.loading():
        from tradingagents.features.why.decision_change import explain_change

        found = asyncio.run(explain_change(request.ticker, days[0], days[1], settings, environ))
    if terminal.json:
        terminal.print_json(found.to_json())
    else:
        _print(terminal, found)
    return 0


def _sampled(request: DecisionChangeRequest, settings: Settings, environ: Mapping[str, str], terminal: Terminal) -> int:
    """Let the models decide, and print what the sample shows."""
    with terminal.loading():
        from tradingagents.features.why.sampled_change import sample_change
        from tradingagents.runtime.services import open_services

        from ..session import run_until_done

        services = open_services(settings, environ)
    work = sample_change(
        request.ticker,
        request.first,
        request.second or request.first,
        services,
        decisions=request.decisions,
        repeats=request.repeats,
    )
    found = run_until_done(services, work, terminal)
    if terminal.json:
        terminal.print_json(found.to_json())
        return 0
    terminal.print_text(found.sentence())
    for trial in found.tried:
        actions = ", ".join(f"{count} {name}" for name, count in trial.actions.items())
        named = ", ".join(key.replace("_", " ") for key in trial.reports)
        terminal.print_text(f"{named} as before: {actions} (p = {trial.p_value:.3f})")
    return 0


def _print(terminal: Terminal, found: ExplainedChange) -> None:
    from rich.text import Text

    from ..text import clean

    change, out = found.change, terminal.out
    out.print(
        Text(
            f"{clean(found.ticker)}: {change.before} on {found.first}, {change.after} on {found.second}; "
            f"net score {change.net_before:+.3f}, then {change.net_after:+.3f}",
            style="bold",
        ),
        soft_wrap=True,
    )
    out.print(found.sentence(), markup=False, soft_wrap=True)
    if change.deciding:
        out.print()
        _print_table(terminal, "Readings that turned the decision", change.deciding, found)
    others = [reading for reading in change.changes if reading not in change.deciding]
    if others:
        out.print()
        shown = others[:SHOWN]
        rest = f", the {len(shown)} largest of {len(others)}" if len(others) > len(shown) else ""
        _print_table(terminal, f"{'Other changes' if change.deciding else 'Changes'}{rest}", shown, found)


def _print_table(terminal: Terminal, title: str, changes: Sequence[ReadingChange], found: ExplainedChange) -> None:
    from rich.table import Table
    from rich.text import Text

    from ..text import clean

    table = Table(
        box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False, title_justify="left", title=title
    )
    for name in ("Reading", str(found.first), str(found.second)):
        table.add_column(name)
    table.add_column("Score", justify="right", no_wrap=True)
    table.add_column("Net score", justify="right", no_wrap=True)
    for reading in changes:
        table.add_row(
            Text(clean(reading.label)),
            Text(clean(reading.before or "not read")),
            Text(clean(reading.after or "not read")),
            f"{reading.score_before:+.2f} to {reading.score_after:+.2f}",
            f"{reading.effect:+.3f}",
        )
    terminal.out.print(table)
