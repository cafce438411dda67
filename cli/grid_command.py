"""The command of a kind whose runs are shown side by side: any number of subjects for a day, each with its outcome."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated, Any

from tradingagents.errors import TradingAgentsError
from tradingagents.runtime.kind import RunKind
from tradingagents.runtime.request import RunRequest

from . import options
from .command import report_error, report_interrupt
from .commands.estimate import DryRun, print_estimate
from .console import Terminal
from .flags import Flags, read_both
from .grid_session import GridSession, grid_of
from .request import DateOption, one_day, read_day, read_tickers, split_arguments

if TYPE_CHECKING:
    from tradingagents.graph.estimates.estimate import EstimateRecord
    from tradingagents.settings import Settings


@dataclass(frozen=True, kw_only=True)
class GridCommand:
    """What a command line asks of a kind."""

    kind: RunKind[Any, Any, Any]
    words: Sequence[str] = ()
    """Subjects, and the day after them, as written; empty for a kind without a subject."""
    wanted: str = ""
    """What is said where there is no subject."""
    day: str | None = None
    """The day as written, of a kind without a subject."""
    dates: Sequence[str] | None = None
    """The day as options name it."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the requests."""
    dry_run: bool = False
    yes: bool = False
    """Whether what the form asked for starts without a confirmation."""
    resume: bool = False
    """Whether unfinished runs with the same request are resumed."""

    def run(self, flags: Flags, terminal: Terminal) -> int:
        """Run it, asking for missing values if the terminal is interactive; return the exit code."""
        subjects, day = tuple(self.words), self.day or next(iter(self.dates or ()), None)
        try:
            if self.subject_field is not None:
                day = None
                subjects, day = split_arguments(self.words)
            day = one_day(day, self.dates)
            return self._run(subjects, day, flags, terminal)
        except TradingAgentsError as error:
            return report_error(terminal, error, *self._about(subjects, day))
        except (KeyboardInterrupt, EOFError):
            return report_interrupt(terminal, *self._about(subjects, day))

    @property
    def subject_field(self) -> str | None:
        """The field of the request that names a subject; None for a kind without."""
        name: str | None = self.kind.request.subject_field
        return name

    def _run(self, subjects: tuple[str, ...], written: str | None, flags: Flags, terminal: Terminal) -> int:
        asks = grid_of(self.kind).form and not subjects and sys.stdin.isatty() and terminal.err.is_terminal
        if asks:
            from .form import ask

            subjects, day, flags = ask(written, flags, terminal)
        else:
            subjects = () if self.subject_field is None else read_tickers(subjects, self.wanted)
            day = read_day(written)
        requests = self._requests(subjects, day)
        settings, environ = read_both(flags)
        estimate = _estimate(self.kind, requests, settings)
        if self.dry_run:
            return print_estimate(terminal, estimate)
        if asks and not self.yes:
            from .form import confirmed

            if not confirmed(terminal, settings, estimate):
                return report_interrupt(terminal)
        return GridSession(self.kind, settings, environ, terminal).start(requests, go_on=self.resume)

    def _requests(self, subjects: Sequence[str], day: date | None) -> list[RunRequest]:
        """Return a request for each subject, or one without."""
        asked = {**self.fields, "day": day}
        if self.subject_field is None:
            return [self.kind.request.of_command(asked)]
        return [self.kind.request.of_command({**asked, self.subject_field: subject}) for subject in subjects]

    def _about(self, subjects: Sequence[str], day: str | None) -> list[dict[str, Any]]:
        """Return what is asked, one object a subject, for errors as JSON."""
        if self.subject_field is None:
            return [{self.kind.day_key: day}]
        return [{self.subject_field: subject, self.kind.day_key: day} for subject in subjects]


def grid_parameters(kind: RunKind[Any, Any, Any]) -> Iterator[Parameter]:
    """Declare the options of such a command besides subjects, day and fields of its request."""
    noun = "each ticker's last unfinished run" if kind.request.subject_field else f"the last unfinished {kind.noun}"
    yes = options.RUN.option("--yes, -y", "Start without a confirmation after the form.")
    resume = options.LIMITS.option("--resume", f"Resume {noun} with the same settings.")
    declared: dict[str, Any] = {"date_option": DateOption, "dry_run": DryRun}
    declared |= {"yes": Annotated[bool, yes]} if grid_of(kind).form else {}
    declared |= {"resume": Annotated[bool, resume]}
    for name, annotation in declared.items():
        default = None if name == "date_option" else False
        yield Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _estimate(
    kind: RunKind[Any, Any, Any], requests: Sequence[RunRequest], settings: Settings
) -> Callable[[], Coroutine[Any, Any, EstimateRecord]]:
    def estimate() -> Coroutine[Any, Any, EstimateRecord]:
        from tradingagents.graph.estimates.estimate import estimate_run

        return estimate_run(settings, kind, requests[0], runs=len(requests))

    return estimate
