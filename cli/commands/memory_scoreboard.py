"""`tradingagents memory scoreboard`: how good the evaluated decisions were."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import read_calendar_day
from .memory_list import WHICH, AsOf, Ticker

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from tradingagents.analytics.decisions.scoreboard import ScoreSummary
    from tradingagents.graph.evaluation.scoreboard import Scoreboard, ScoreRow

By = Literal["agent", "ticker", "model", "vintage"]


@with_options(options.LIST)
def scoreboard(
    by: Annotated[By, WHICH.option("--by", "What to group decisions by.", show_default=True)] = "agent",
    ticker: Ticker = None,
    as_of: AsOf = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Show the quality of evaluated decisions: hit rate, mean excess return, calibration of stated confidence.

    Decisions on another market, or by another type of analyst, have their own scoreboard. Decisions to hold take no
    side and are only counted.
    """
    from tradingagents.dataflows.reference.symbols import normalise
    from tradingagents.graph.evaluation.scoreboard import scoreboards
    from tradingagents.memory.lesson_store import memory_address
    from tradingagents.memory.outcomes import OutcomeStore

    settings, _ = read_both(flags)
    boards = scoreboards(
        OutcomeStore(memory_address(settings)),
        settings.home_dir,
        by,
        today=datetime.now(UTC).date(),
        ticker=normalise(ticker) if ticker is not None else None,
        as_of=read_calendar_day("--as-of", as_of),
    )
    if terminal.json:
        terminal.print_json({"scoreboards": [board.as_json() for board in boards]})
    elif not boards:
        terminal.out.print("No decision is settled or pending.", markup=False)
    else:
        for number, board in enumerate(boards):
            if number:
                terminal.out.print()
            print_scoreboard(terminal.out, board)
    return 0


def print_scoreboard(console: Console, found: Scoreboard) -> None:
    """Print one row per group, the total, the calibration, and the caveats."""
    from rich.text import Text

    from tradingagents.memory.cohort import Cohort

    cohort = Cohort.parse(f"{found.market}/{found.decided_by}")
    console.print(Text(cohort.label.capitalize(), style="bold"))
    if found.total.decisions:
        console.print(_table(found, console.width))
        if found.total.score.calls:
            console.print()
            console.print(_calibration(found.total.score))
            console.print()
        for note in _notes(found.total):
            console.print(Text(note, style="dim"), soft_wrap=True)
    else:
        console.print(Text("No decision is settled yet."))
    console.print(Text(_waiting(found)), soft_wrap=True)


def _table(found: Scoreboard, width: int) -> Any:
    from rich.text import Text

    from ..layout import Column, reasoned_table
    from ..text import one_line

    columns = (
        Column(found.by.capitalize()),
        Column("Calls", right=True),
        Column("Holds", right=True),
        Column("Hit rate", right=True),
        Column("Mean return", right=True, gives_way=True),
        Column("Mean excess", right=True),
        Column("Brier", right=True),
    )
    rows = [((Text(one_line(row.name)), *_cells(row)), _interval(row)) for row in found.groups]
    total = found.total
    return reasoned_table(
        columns,
        "Interval",
        [*rows, ((Text("Final decisions", style="bold"), *_cells(total)), _interval(total))],
        width,
    )


def _cells(row: ScoreRow) -> tuple[Text, ...]:
    from rich.text import Text

    from tradingagents.analytics.price.returns import percent
    from tradingagents.reports import formatting as words

    from ..layout import signed

    score = row.score
    return (
        Text(words.count(score.calls)),
        Text(words.count(row.holds)),
        Text(words.percent(score.hit_rate)),
        signed(percent(score.mean_return)),
        signed(percent(score.excess.mean if score.excess else None)),
        Text("n/a" if score.brier is None else f"{score.brier:.3f}"),
    )


def _interval(row: ScoreRow) -> str:
    from tradingagents.analytics.price.returns import percent
    from tradingagents.reports import formatting as words

    excess = row.score.excess
    if excess is None:
        return "no interval: no call has a benchmark"
    if excess.low is None:
        return str(excess.reason)
    low, high = (words.change(percent(end)) for end in (excess.low, excess.high))
    return f"mean excess with 95 % confidence: {low} to {high}"


def _calibration(score: ScoreSummary) -> Any:
    from rich.table import Table

    from tradingagents.reports import formatting as words

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    table.add_column("Stated confidence", no_wrap=True)
    for name in ("Calls", "On average", "Hit rate"):
        table.add_column(name, justify="right", no_wrap=True)
    for band in score.calibration:
        name = f"{words.percent(band.low)} to {words.percent(band.high)}"
        table.add_row(name, words.count(band.calls), words.percent(band.confidence), words.percent(band.hit_rate))
    return table


def _notes(total: ScoreRow) -> list[str]:
    score = total.score
    if not score.calls:
        return ["Every decision was to hold: there is no call to judge."]
    notes = ["A call is a decision to buy or to sell; it is a hit where the side taken beat the benchmark."]
    notes.append(
        "Direction only: returns to the end of the window, whatever stop or target the plan had; memory settle says "
        "when a stop was hit, backtest --exits plan trades them."
    )
    if score.overlapping:
        notes.append(
            f"{score.overlapping} of {score.calls} calls share days with another call: "
            "they are not independent, so the interval counts the windows that share no day; below four there is none."
        )
    return notes


def _waiting(found: Scoreboard) -> str:
    words = f"{found.pending} decision{'' if found.pending == 1 else 's'} pending"
    if found.due:
        words += f", {found.due} of them due: tradingagents memory settle"
    if found.next:
        words += f"; the next falls due on {found.next}"
    return f"{words}."
