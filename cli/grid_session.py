"""Runs of one kind side by side: a scan, or one run per ticker, each with its own outcome."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from tradingagents.errors import BudgetReached, Interrupted, ModelFailure, TradingAgentsError
from tradingagents.events import Event
from tradingagents.files.atomic import read_object

from .console import failure
from .session import MonitoredSession, day_of

if TYPE_CHECKING:
    from rich.console import Console

    from tradingagents.dataflows.interface import Vendors
    from tradingagents.events import Subscriber
    from tradingagents.runtime.kind import RunKind
    from tradingagents.runtime.presentation import AgentGrid
    from tradingagents.runtime.request import RunRequest
    from tradingagents.runtime.services import Services
    from tradingagents.schemas.cards import CardRecord
    from tradingagents.settings import Settings

    from .console import Terminal
    from .live import Watcher
    from .run_monitor import RunMonitor

    Outcomes: TypeAlias = AsyncGenerator[tuple[str | None, Any], None]
    Start: TypeAlias = Callable[[Services, Sequence[Subscriber]], Outcomes]

NOTHING_FOUND = 5
"""Exit code of a run that ended without a result."""


class GridSession(MonitoredSession[None]):
    """Runs of one kind, shown side by side."""

    def __init__(
        self, kind: RunKind[Any, Any, Any], settings: Settings, environ: Mapping[str, str], terminal: Terminal
    ) -> None:
        """Prepare to run a kind whose progress is a grid; keys are read from `environ`."""
        super().__init__(settings, environ, terminal)
        self._kind = kind
        self._grid = grid_of(kind)
        self._day: date | None = None
        self._subjects: tuple[str | None, ...] = ()
        self._begun: Start
        self._outcomes: dict[str | None, Any] = {}
        self._folders = _RunFolders(settings.home_dir)

    def start(self, requests: Sequence[RunRequest], *, go_on: bool = False) -> int:
        """Run every request of a day and print the results.

        Args:
            requests: One a subject, or one without a subject.
            go_on: Whether to resume unfinished runs with the same request.

        Returns:
            The exit code: that of the first request, in the order asked, that did not end in a result; else 0.

        Raises:
            ConfigurationError: A model or folder is not set up; nothing was run.
        """
        from tradingagents.dataflows.interface import Vendors

        def begun(services: Services, subscribers: Sequence[Subscriber]) -> Outcomes:
            from tradingagents.graph.start import RunOptions, begin_many

            return begin_many(self._kind, requests, services, RunOptions(subscribers=subscribers), go_on=go_on)

        self._day = requests[0].day
        self._subjects = tuple(self._kind.subject(request) for request in requests)
        vendors = Vendors(self.settings)
        if refused := self._refused(requests, vendors):
            return self._print_refused(refused)
        self._begun = begun
        return self.run(vendors)

    def resume(
        self, run_id: str, said: Mapping[str, Any] | None = None, limits: Mapping[str, Any] | None = None
    ) -> int:
        """Resume a run that was killed, stopped, failed or waits; return the exit code.

        Args:
            run_id: Its id, or the beginning of it.
            said: A person's verdict on the proposed decision, for a run that waits for one.
            limits: Limits other than those it was started with.
        """
        from tradingagents.runtime.manifest import read_manifest
        from tradingagents.runtime.runs.run_index import RunIndex

        home = self.settings.home_dir
        manifest = read_manifest(home, RunIndex(home).find(run_id).run_id)

        async def resumed(services: Services, subscribers: Sequence[Subscriber]) -> Outcomes:
            from tradingagents.agents.managers.approval import Approval
            from tradingagents.graph.start import resume

            approval = None if said is None else Approval(**said)
            try:
                done = await resume(services, manifest.run_id, subscribers=subscribers, approval=approval)
            except TradingAgentsError as error:
                yield manifest.subject, error
            else:
                yield manifest.subject, done

        self.settings = manifest.resumed_settings(self.settings, limits or {})
        self._day, self._subjects, self._begun = manifest.trade_date, (manifest.subject,), resumed
        return self.run()

    def monitor(self) -> RunMonitor:
        """Return a waiting scan, or the runs of the tickers."""
        from .run_monitor import RunMonitor

        tickers = [subject for subject in self._subjects if subject is not None]
        return RunMonitor(tickers, analysts=self.settings.analysts, scan=not tickers)

    async def work(self, services: Services, watcher: Watcher) -> None:
        """Run everything; store each outcome as it arrives."""
        async with aclosing(self._begun(services, (self._folders.note, watcher.on_event))) as runs:
            async for subject, outcome in runs:
                self._keep(subject, outcome, watcher)

    def stopped(self, error: TradingAgentsError, monitor: RunMonitor, watcher: Watcher) -> None:  # noqa: ARG002
        """Record an interruption as the outcome of unfinished runs; raise any other error."""
        if not isinstance(error, Interrupted):
            raise error
        for subject in self._subjects:
            if subject not in self._outcomes:
                self._keep(subject, error, watcher)

    def finish(self, services: Services, outcome: TradingAgentsError | None) -> int:  # noqa: ARG002
        """Print the results, then a line for each run that failed; return the first exit code that is not 0."""
        return self._print_results()

    def _refused(self, requests: Sequence[RunRequest], vendors: Vendors) -> dict[str, TradingAgentsError]:
        """Return by subject why it can't be studied; empty if one can, or if only a network could tell.

        Refuses a mistyped ticker before loading the graph's libraries, which takes longer than everything else.
        """
        from tradingagents.dataflows.market_data import MarketData
        from tradingagents.dataflows.reference.calendar import exchange_of

        refused: dict[str, TradingAgentsError] = {}
        for request in requests:
            if (subject := self._kind.subject(request)) is None:
                return {}
            try:
                day = request.day or day_of(self.settings, subject)
                data = MarketData(self.settings, day, exchange=exchange_of(subject), vendors=vendors)
                if not data.is_local("get_stock_data"):
                    return {}
                self._kind.look_up(data, request)
            except TradingAgentsError as error:
                refused[subject] = error
            else:
                return {}
        return refused

    def _print_refused(self, errors: Mapping[str, TradingAgentsError]) -> int:
        """Print why no run was started, by subject; return the exit code."""
        self._outcomes.update(errors)
        if self._streams_json:
            for subject in errors:
                self._print_json(subject)
        return self._print_results()

    @property
    def _streams_json(self) -> bool:
        """Whether each outcome is printed as it arrives, for a program that reads a pipe."""
        return self.terminal.json and not self.terminal.out.is_terminal

    def _keep(self, subject: str | None, outcome: Any, watcher: Watcher) -> None:
        if isinstance(outcome, TradingAgentsError):
            self._outcomes[subject] = outcome
            watcher.ended(subject, "failed", str(outcome))
        else:
            self._outcomes[subject] = outcome.record
            watcher.ended(subject, "done", "")
        if self._streams_json:
            self._print_json(subject)

    def _print_results(self) -> int:
        if not self.terminal.json:
            records = (self._record(subject) for subject in self._subjects)
            print_records(self._grid, self.terminal.out, [record for record in records if record])
        elif self.terminal.out.is_terminal:
            for subject in self._subjects:
                self._print_json(subject)
        self._print_errors()
        return next((code for subject in self._subjects if (code := self._exit_code(subject))), 0)

    def _record(self, subject: str | None) -> Any:
        """Return a record to print; for a failed run only one with results, else None."""
        outcome = self._outcomes[subject]
        if not isinstance(outcome, TradingAgentsError):
            return outcome
        left = self._folders.record(subject)
        return left if left is not None and _has_findings(self._grid, left) else None

    def _print_json(self, subject: str | None) -> None:
        outcome = self._outcomes[subject]
        if isinstance(outcome, TradingAgentsError):
            about = {self._kind.day_key: (self._day or day_of(self.settings, subject)).isoformat()}
            about = about if subject is None else {"ticker": subject, **about}
            left = self._folders.record(subject)
            self.terminal.print_json(failure(about, outcome, None if left is None else left.as_json()))
        else:
            self.terminal.print_json(outcome.as_json())

    def _exit_code(self, subject: str | None) -> int:
        outcome = self._outcomes[subject]
        if isinstance(outcome, TradingAgentsError):
            return outcome.exit_code
        return NOTHING_FOUND if self._kind.found_nothing(outcome) else 0

    def _print_errors(self) -> None:
        errors = {s: self._outcomes[s] for s in self._subjects if isinstance(self._outcomes[s], TradingAgentsError)}
        if stopped := [subject for subject, error in errors.items() if isinstance(error, Interrupted)]:
            self.terminal.print_error(self._interruption(stopped))
        for subject, error in errors.items():
            if subject not in stopped:
                message = f"{error}{self._folders.how_to_resume(subject, error)}"
                self.terminal.print_error(f"{subject}: {message}" if len(self._subjects) > 1 else message)

    def _interruption(self, stopped: Sequence[str | None]) -> str:
        """Return what an interruption left, and how to resume."""
        begun = [folder for subject in stopped if (folder := self._folders.folder(subject))]
        if not begun:
            return f"Interrupted before the {self._kind.noun} began; nothing was written."
        asked = len(self._subjects)
        count = f" after {asked - len(stopped)} of {asked} tickers" if asked > 1 else ""
        where = begun[0] if len(begun) == 1 else begun[0].parent
        how = f"`tradingagents runs resume {begun[0].name}`" if len(begun) == 1 else "the same command with --resume"
        return f"Interrupted{count}; {how} continues. Results so far: {where}"


def grid_of(kind: RunKind[Any, Any, Any]) -> AgentGrid:
    """Return the grid of a kind whose runs are shown side by side."""
    return cast("AgentGrid", kind.progress)


def print_records(grid: AgentGrid, console: Console, records: Sequence[Any]) -> None:
    """Print the records of runs as their kind declares."""
    if grid.results == "decisions":
        from .output import print_results

        print_results(console, records)
        return
    from .scan_output import print_scan

    for record in records:
        print_scan(console, record)


def _has_findings(grid: AgentGrid, record: Any) -> bool:
    """Return whether the record of a failed run has any results."""
    if grid.results == "decisions":
        from .output import has_report

        return any(has_report(record, key) for key in record["reports"])
    from .scan_output import has_findings

    return has_findings(record)


class _RunFolders:
    """Finds this session's run folders by ticker, from the runs' events, and reads their records."""

    def __init__(self, home: Path) -> None:
        """Start without runs; `home` is where everything is written."""
        self._runs = home / "runs"
        self._run_ids: dict[str | None, str] = {}

    def note(self, event: Event) -> None:
        """Handle an event; the first of a run names its ticker, or None for the scan."""
        if event.type == "run_start":
            self._run_ids[event.data["ticker"]] = event.run_id

    def folder(self, ticker: str | None) -> Path | None:
        """Return the folder of a ticker's run, or of the scan (None); None if it never began."""
        return self._runs / self._run_ids[ticker] if ticker in self._run_ids else None

    def how_to_resume(self, ticker: str | None, error: TradingAgentsError) -> str:
        """Return a sentence that explains how to resume a failed run; empty if it can't be resumed."""
        folder = self.folder(ticker)
        resumable = isinstance(error, BudgetReached | ModelFailure) and folder and (folder / "unfinished").is_dir()
        if folder is None or not resumable:
            return ""
        return f" Its finished steps are stored: `tradingagents runs resume {folder.name}` continues it."

    def record(self, ticker: str | None) -> CardRecord | None:
        """Return a run's record; None if there is none."""
        folder = self.folder(ticker)
        if folder is None or not (folder / "run.json").is_file():
            return None
        card = read_object(folder / "run.json", way_out="the event log next to it shows what the run did")
        if card is None:
            return None
        from tradingagents.runtime.registry import record_of

        return record_of(card)
