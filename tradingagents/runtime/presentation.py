"""How a run meets a person: what is shown while it works, how it asks, and what is printed of it.

A kind declares these; the command line draws them, and knows no kind by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from dataclasses import field as with_default
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

if TYPE_CHECKING:
    from tradingagents.schemas.cards import CardRecord

STEPS = ("plan", "analysis", "progress", "iteration_start", "iteration_complete", "reflection", "warning")
"""Events that are worth a line of any kind of run."""


@dataclass(frozen=True, kw_only=True)
class EventLines:
    """Progress as one line an event."""

    words: Mapping[str, str] = with_default(default_factory=lambda: dict.fromkeys(STEPS, ""))
    """The types of events that are shown, with the word before each; "" for none."""
    style: str = ""
    """Of all lines; without one, warnings are yellow."""
    longest: int | None = None
    """Letters of a line, beyond which it is cut."""


@dataclass(frozen=True, kw_only=True)
class TaskList:
    """Progress as a list of tasks, which is redrawn where the terminal can."""

    heading: str
    first: str
    """What is done before there is a plan."""
    judging: str
    """What is done when all tasks have ended."""
    writers: frozenset[str]
    """Agents whose text is the answer."""
    drafts: bool = False
    """Whether the answer is shown while it is written."""


@dataclass(frozen=True)
class Statements:
    """Progress as the statements of the two sides of a debate."""


@dataclass(frozen=True, kw_only=True)
class AgentGrid:
    """Progress as the agents of one run, or of several side by side, each with an outcome of its own.

    The command of such a kind takes any number of subjects, where it has some. It can estimate the cost, and finds
    unfinished runs by what is asked.
    """

    results: Literal["decisions", "market"]
    """What is printed of runs that have ended: decisions on tickers, or what a scan found in the market."""
    spender: str
    """Whom the limits of a run hold, in the help, such as `a ticker's run`."""
    form: bool = False
    """Whether a form on the terminal asks for what the command line leaves out."""


Progress: TypeAlias = EventLines | TaskList | Statements | AgentGrid


@dataclass(frozen=True)
class QuestionPause:
    """The run asks back; a sentence answers it."""


@dataclass(frozen=True)
class PlanPause:
    """The run proposes a plan: it is approved, edited, or made anew with a note."""


@dataclass(frozen=True, kw_only=True)
class HintsPause:
    """The run takes hints, any number; without one it goes on."""

    prompt: str
    read: Callable[[str], Any]
    """Reads a line at the prompt as the run takes it; raises UsageError."""
    usage: str
    """The option that gives a hint, such as `--hint SIDE=TEXT`."""
    help: str
    given: Callable[[str], Any]
    """Reads a value of the option as `read` reads a line."""
    end_word: str = ""
    """What ends the work at once; "" where nothing does."""
    field: str = ""
    """The field of the request that takes the hints of a new run; "" where they are given at its first pause."""
    implies: Mapping[str, Any] = with_default(default_factory=dict)
    """Fields of the request of a new run that hints set."""


Pause: TypeAlias = QuestionPause | PlanPause | HintsPause
PauseT = TypeVar("PauseT", HintsPause, PlanPause, QuestionPause)


def pause_of(pauses: Iterable[Pause], form: type[PauseT]) -> PauseT | None:
    """Return the pause of a form, where a kind has one."""
    return next((pause for pause in pauses if isinstance(pause, form)), None)


@dataclass(frozen=True, kw_only=True)
class PrintedRun:
    """What is printed of a run that has ended."""

    text: str
    sources: str = ""
    """What follows the text unless the terminal is quiet."""
    notes: tuple[str, ...] = ()
    """Remarks about it."""
    next_step: str = ""
    """What can be done with the run next, as a remark of the command line; "" for nothing."""
    names_market: bool = False
    """Whether the text itself says that the market is made up."""


def page_note(record: CardRecord) -> tuple[str, ...]:
    """Return where a run's page is, as a note; none where it left no page."""
    page = record.paths.get("html")
    return (f"Page: {page}",) if page else ()


def printed_answer(record: CardRecord, report: str = "answer") -> PrintedRun:
    """Return the checked answer of a run with what the check found, and where its page is.

    Figures that could not be traced to the data of the run are marked `[?]`, as in its report.

    Args:
        record: The run's.
        report: Which of its reports is the answer.
    """
    from tradingagents.reports.citation_marks import shown_in_markdown, tally, with_marks

    answer = with_marks(record).reports.get(report) or str(getattr(record, report, ""))
    checked = record.grounding
    figures = (f"Figures: {tally(checked)}",) if checked and checked["unmatched"] else ()
    exported = record.paths.get("export")
    files = (f"File: {Path(exported)}",) if exported else ()
    return PrintedRun(text=shown_in_markdown(answer), notes=(*figures, *page_note(record), *files))
