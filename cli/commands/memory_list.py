"""`tradingagents memory list` and `show`: list lessons, or show one in full."""

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
    from collections.abc import Sequence

    from rich.console import Console

    from tradingagents.memory.cohort import Cohort
    from tradingagents.memory.lesson_store import LessonStore
    from tradingagents.memory.lessons import Lesson

WHICH = options.HelpPanel("Which")
USUAL_LIMIT = 20

Ticker = Annotated[str | None, WHICH.option("--ticker T", "Only this ticker.")]
AsOf = Annotated[str | None, WHICH.option("--as-of DATE", "Only lessons known on this day.")]
Id = Annotated[int, typer.Argument(metavar="ID", help="The lesson's number; see memory list.", min=1)]


@with_options(options.LIST)
def list_lessons(
    memory: Annotated[
        str | None, WHICH.option("--memory M", "bull, bear, trader, invest_judge or risk_manager.")
    ] = None,
    ticker: Ticker = None,
    as_of: AsOf = None,
    limit: Annotated[int, WHICH.option("--limit N", "Maximum to show; 0 for all.", min=0)] = USUAL_LIMIT,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """List the agents' lessons, the most recently evaluated first."""
    from tradingagents.dataflows.reference.symbols import normalise

    lessons = store_of(flags).list(
        memory=_memory(memory),
        ticker=normalise(ticker) if ticker is not None else None,
        as_of=read_calendar_day("--as-of", as_of),
        most=limit or None,
    )
    if terminal.json:
        terminal.print_json({"lessons": [to_json(name, lesson) for name, lesson in lessons]})
    elif lessons:
        print_lessons(terminal.out, lessons)
    elif not terminal.quiet:
        terminal.err.print("No such lesson here; `tradingagents memory settle` draws them.", markup=False)
    return 0


@with_options(options.LIST, lambda given: {"id": given["number"]})
def show(number: Id, *, flags: Flags, terminal: Terminal) -> int:
    """Show a lesson in full, with the situation it was drawn from."""
    ((name, lesson),) = find(store_of(flags), [number])
    if terminal.json:
        terminal.print_json({**to_json(name, lesson), "situation": lesson.situation})
    else:
        _print_whole(terminal.out, name, lesson)
    return 0


def store_of(flags: Flags) -> LessonStore:
    """Return the store of lessons. Raises as `read_both` does."""
    from tradingagents.memory.lesson_store import LessonStore, memory_address

    return LessonStore(memory_address(read_both(flags)[0]))


def find(store: LessonStore, numbers: Sequence[int]) -> list[tuple[str, Lesson]]:
    """Return memories and lessons by their numbers, in the given order.

    Raises:
        UsageError: A number is unknown.
    """
    found = {lesson.id: (name, lesson) for name, lesson in store.list(ids=numbers, most=None)}
    if missing := [str(number) for number in numbers if number not in found]:
        raise UsageError(f"There is no lesson {', '.join(missing)}; `tradingagents memory list` shows those there are.")
    return [found[number] for number in dict.fromkeys(numbers)]


def to_json(name: str, lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as JSON, without its situation."""
    return {
        "id": lesson.id,
        "memory": name,
        "ticker": lesson.ticker,
        "market": lesson.cohort.market if lesson.cohort else None,
        "decided_by": lesson.cohort.decided_by if lesson.cohort else None,
        "settled_on": lesson.settled_on.isoformat(),
        "run_id": lesson.run_id,
        "recommendation": lesson.recommendation,
    }


def print_lessons(console: Console, lessons: Sequence[tuple[str, Lesson]]) -> None:
    """Print one row per lesson."""
    from rich.text import Text

    from ..layout import Column, reasoned_table
    from ..text import one_line

    columns = (
        Column("ID", right=True),
        Column("Settled"),
        Column("Memory", gives_way=True),
        Column("Ticker"),
        Column("Market"),
    )
    rows = []
    for name, lesson in lessons:
        cells = (
            Text(str(lesson.id), style="bold"),
            Text(lesson.settled_on.isoformat()),
            Text(one_line(name).removesuffix("_memory")),
            Text(one_line(lesson.ticker or "")),
            Text(cohort_cell(lesson.cohort)),
        )
        rows.append((cells, lesson.recommendation))
    console.print(reasoned_table(columns, "Lesson", rows, console.width))


def cohort_cell(cohort: Cohort | None) -> str:
    """Return a cohort in words: the market, and `rules` or `scripted` if no language model decided."""
    if cohort is None:
        return ""
    market = cohort.market.partition("-")[0]
    return market if cohort.decided_by == "models" else f"{market}, {cohort.decided_by}"


def _print_whole(console: Console, name: str, lesson: Lesson) -> None:
    from rich.text import Text

    from ..layout import labelled
    from ..text import clean, one_line

    grid = labelled()
    grid.add_row("Lesson", Text(str(lesson.id)))
    grid.add_row("Memory", Text(one_line(name)))
    if lesson.ticker:
        grid.add_row("Ticker", Text(one_line(lesson.ticker)))
    if lesson.cohort:
        grid.add_row("From", Text(lesson.cohort.label))
    grid.add_row("Settled", Text(lesson.settled_on.isoformat()))
    if lesson.run_id:
        grid.add_row("Run", Text(one_line(lesson.run_id)))
    grid.add_row("Learned", Text(clean(lesson.recommendation)))
    grid.add_row("Situation", Text(clean(lesson.situation), style="dim"))
    console.print(grid)


def _memory(text: str | None) -> str | None:
    """Parse a memory's name. Raises UsageError for an unknown one."""
    from tradingagents.memory.situations import MEMORY_NAMES

    if text is None:
        return None
    name = text.strip().lower().removesuffix("_memory") + "_memory"
    if name not in MEMORY_NAMES:
        known = ", ".join(memory.removesuffix("_memory") for memory in MEMORY_NAMES)
        raise UsageError(f"--memory cannot be {text[:40]!r}; it is one of {known}.")
    return name
