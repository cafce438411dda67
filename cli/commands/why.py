"""`tradingagents why`: what changed between two days, and the fewest readings that turned the decision."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import read_day

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tradingagents.offline.decision_change import DecisionChange, ReadingChange
    from tradingagents.workflows.decision_change import ExplainedChange

SHOWN = 10
"""Changes that the terminal lists besides those that decide; JSON has all."""


@with_options(options.ASK, lambda given: {"ticker": given["ticker"]})
def why(
    ticker: Annotated[str, typer.Argument(metavar="TICKER", help="Company, for example AAPL.")],
    first: Annotated[str, typer.Argument(metavar="DATE", help="The earlier day.")],
    second: Annotated[str, typer.Argument(metavar="DATE", help="The later day.")],
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Say why the offline analysts decide otherwise on a later day, and which readings turned the decision.

    They decide on both days from what was known then; nothing is written. Then they decide again on the later day's
    evidence with some readings as they were before, until the fewest are found that turn the decision.
    """
    settings, environ = read_both(flags)
    with terminal.loading():
        from tradingagents.workflows.decision_change import explain_change
        from tradingagents.workflows.start import last_session

        days = [read_day(text) or last_session(ticker) for text in (first, second)]
        found = asyncio.run(explain_change(ticker, days[0], days[1], settings, environ))
    if terminal.json:
        terminal.print_json(_record(found))
    else:
        _print(terminal, found)
    return 0


def _record(found: ExplainedChange) -> dict[str, Any]:
    from dataclasses import asdict

    change = found.change
    return {
        "ticker": found.ticker,
        "days": [found.first.isoformat(), found.second.isoformat()],
        "decided_by": "offline",
        **asdict(change),
        "differs": change.differs,
    }


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
    out.print(_sentence(found), markup=False, soft_wrap=True)
    if change.deciding:
        out.print()
        _print_table(terminal, "Readings that turned the decision", change.deciding, found)
    others = [one for one in change.changes if one not in change.deciding]
    if others:
        out.print()
        shown = others[:SHOWN]
        rest = f", the {len(shown)} largest of {len(others)}" if len(others) > len(shown) else ""
        _print_table(terminal, f"{'Other changes' if change.deciding else 'Changes'}{rest}", shown, found)


def _sentence(found: ExplainedChange) -> str:
    change = found.change
    if not change.differs:
        return f"The decision is the same; {len(change.changes)} readings changed."
    if not change.deciding:
        return (
            f"No set of the {len(change.changes)} changed readings turns the decision by itself: readings are missing."
        )
    count = len(change.deciding)
    readings = "this reading" if count == 1 else f"these {count} readings"
    return (
        f"With {readings} as on {found.first}, the rules decide {change.turned} on {found.second}. {_how_sure(change)}"
    )


def _how_sure(change: DecisionChange) -> str:
    if not change.smallest:
        return "A smaller set may exist: not all were tried."
    return "No smaller set turns the decision." if len(change.deciding) > 1 else "All else is unchanged."


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
    for one in changes:
        table.add_row(
            Text(clean(one.label)),
            Text(clean(one.before or "not read")),
            Text(clean(one.after or "not read")),
            f"{one.score_before:+.2f} to {one.score_after:+.2f}",
            f"{one.effect:+.3f}",
        )
    terminal.out.print(table)
