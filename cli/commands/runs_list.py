"""`tradingagents runs list`: list earlier runs, newest first."""

from __future__ import annotations

from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Annotated

from tradingagents.errors import UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import read_calendar_day, read_one_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from tradingagents.runtime.runs.run_rows import RunRow

WHICH = options.HelpPanel("Which")
USUAL_LIMIT = 20
GOOD = ("done", "under way")

Since = Annotated[str | None, WHICH.option("--since DATE", "Only runs that began on this day or later, UTC.")]


@with_options(options.LIST)
def list_runs(
    ticker: Annotated[str | None, WHICH.option("--ticker T", "Only analyses of this ticker.")] = None,
    kind: Annotated[str | None, WHICH.option("--kind KIND", "Such as trading, scan, research, debate.")] = None,
    status: Annotated[str | None, WHICH.option("--status S", "Such as done, failed, budget, unfinished.")] = None,
    since: Since = None,
    market: Annotated[str | None, WHICH.option("--market M", "real or simulated.")] = None,
    decided_by: Annotated[
        str | None, WHICH.option("--decided-by WHO", "models, rules (offline analysts) or scripted.")
    ] = None,
    limit: Annotated[int, WHICH.option("--limit N", "Maximum to show; 0 for all.", min=0)] = USUAL_LIMIT,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """List earlier runs, newest first.

    A killed run has no card; it is listed as unfinished, with the use recorded in its event log.
    """
    from tradingagents.dataflows.reference.symbols import normalise
    from tradingagents.memory.cohort import DECIDERS
    from tradingagents.runtime.registry import kind_names
    from tradingagents.runtime.runs.run_index import RunIndex
    from tradingagents.runtime.runs.run_rows import run_rows

    found = run_rows(
        RunIndex(read_both(flags)[0].home_dir),
        ticker=normalise(ticker) if ticker is not None else None,
        kind=read_one_of("--kind", kind, kind_names()) if kind is not None else None,
        status=status.strip().lower().replace("-", "_") if status is not None else None,
        since=read_calendar_day("--since", since),
        market=_market(market),
        decided_by=read_one_of("--decided-by", decided_by, DECIDERS) if decided_by is not None else None,
    )
    rows = list(islice(found, limit or None))
    if terminal.json:
        terminal.print_json({"runs": [row.as_json() for row in rows]})
    elif rows:
        print_runs(terminal.out, rows)
    elif not terminal.quiet:
        terminal.err.print("No such run here; `tradingagents analyze VELQ --offline` makes one.", markup=False)
    return 0


def print_runs(console: Console, rows: Sequence[RunRow]) -> None:
    """Print a table of runs with their full ids, and their market unless it is the real one."""
    from rich.text import Text

    from tradingagents.offline.calibration import record_of_rules
    from tradingagents.reports import formatting as words

    from ..layout import Column, action_text, reasoned_table
    from ..text import one_line, with_flags

    columns = (
        Column("Began"),
        Column("What"),
        Column("Day"),
        Column("Status", gives_way=True),
        Column("Decision", gives_way=True),
        Column("Cost", right=True),
        Column("Time", right=True),
    )
    lines = []
    for row in rows:
        decision = action_text(row.action) if row.action else Text("")
        if row.action and row.action != "NO_DECISION":
            decision.append(f" {words.sureness(row.confidence or 0.0, row.strength)}", style="not bold")
        if row.picks is not None:
            decision = Text(f"{row.picks} picks")
        cells = (
            Text(row.began[:16].replace("T", " ")),
            Text(_what(row), style="bold"),
            Text(row.day),
            Text(one_line(row.status).replace("_", " "), style="" if row.status in GOOD else "red"),
            decision,
            Text(words.usd(row.cost_usd)),
            Text("" if row.seconds is None else words.duration(row.seconds)),
        )
        market = _market_cell(row)
        told = [row.run_id, f"({market})" if market else "", one_line(row.about or "")]
        lines.append((cells, "  ".join(filter(None, told))))
    console.print(reasoned_table(columns, "Run", lines, console.width))
    if said := record_of_rules(rows):
        console.print(Text(said, style="dim"))
    for row in rows:
        if row.status == "damaged":
            console.print(Text(f"{row.run_id}: {one_line(with_flags(row.error or ''))}", style="red"), soft_wrap=True)


def _what(row: RunRow) -> str:
    """Return the ticker of a study, and else the kind with the ticker, if there is one."""
    kind = row.kind.replace("_", " ")
    if row.kind == "trading" and row.ticker:
        return row.ticker
    return f"{row.ticker} {kind}" if row.ticker else kind


def _market(text: str | None) -> str | None:
    """Parse a market. Raises UsageError for an unknown one."""
    market = text.strip().lower() if text is not None else None
    if market is not None and market.partition("-")[0] not in ("real", "simulated"):
        raise UsageError(f"--market cannot be {market[:40]!r}; it is real or simulated.")
    return market


def _market_cell(row: RunRow) -> str:
    """Return market and analyst type; empty for language models on the real market, and if unknown."""
    from tradingagents.memory.cohort import REAL

    market = (row.market or "").partition("-")[0]
    if row.decided_by in (None, "models"):
        return "" if market == REAL else market
    return f"{market}, {row.decided_by}"


def days(since: str | None, until: str | None) -> tuple[date | None, date | None]:
    """Parse the first and the last day of a period.

    Raises:
        BadDate: One is malformed.
        UsageError: It ends before it begins.
    """
    first, last = read_calendar_day("--since", since), read_calendar_day("--until", until)
    if first and last and last < first:
        raise UsageError(f"--until {last} lies before --since {first}; exchange them.")
    return first, last
