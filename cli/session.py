"""What commands that run something are made of: services, Ctrl-C, progress, results and the exit code."""

from __future__ import annotations

import asyncio
import signal
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from tradingagents.dataflows.reference.symbols import MARKET
from tradingagents.errors import BudgetReached, Interrupted, ModelFailure, TradingAgentsError
from tradingagents.events import Event
from tradingagents.files.atomic import read_object

from .console import failure, print_line

if TYPE_CHECKING:
    from rich.console import Console

    from tradingagents.dataflows.interface import Vendors
    from tradingagents.events import Subscriber
    from tradingagents.graph.start import Run, ScanRun
    from tradingagents.runtime.services import Services
    from tradingagents.schemas.cards import CardRecord
    from tradingagents.settings import Settings

    from .console import Terminal
    from .live import Watcher
    from .run_monitor import RunMonitor

    Outcomes: TypeAlias = AsyncGenerator[tuple[str | None, Run | ScanRun | TradingAgentsError], None]
    Start: TypeAlias = Callable[[Services, Sequence[Subscriber]], Outcomes]

T = TypeVar("T")
STOPS = (signal.SIGINT, signal.SIGTERM)
NO_DECISION = 5
UNDECIDED = ("no_decision", "rejected")
"""Statuses of runs that ended without a decision."""


class Session:
    """A command that runs something with services of its own."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], terminal: Terminal) -> None:
        """Prepare to run with settings; keys are read from `environ`."""
        self.settings, self.environ, self.terminal = settings, environ, terminal

    @contextmanager
    def services(self, settings: Settings | None = None, vendors: Vendors | None = None) -> Iterator[Services]:
        """Open services, and close them at the end.

        Args:
            settings: Those of the run; None: the command's.
            vendors: Vendors opened earlier; None opens them.

        Raises:
            ConfigurationError: A model or folder is not set up; nothing was run.
        """
        with self.terminal.loading():
            from tradingagents.runtime.services import open_services

            services = open_services(settings or self.settings, self.environ, vendors=vendors)
        try:
            yield services
        finally:
            services.close()


class MonitoredSession(Session, ABC, Generic[T]):
    """Runs of several tickers, or a scan: they are shown side by side, and end each by itself."""

    def run(self, vendors: Vendors | None = None) -> int:
        """Run, show the progress, print the results; return the exit code. Arguments and errors as of `services`."""
        with self.services(vendors=vendors) as services:
            from .live import watcher_for

            monitor = self.monitor()
            outcome: T | TradingAgentsError
            with watcher_for(self.terminal, monitor) as watcher:
                try:
                    outcome = run_until_done(services, self.work(services, watcher), self.terminal)
                except TradingAgentsError as error:
                    outcome = error
                    self.stopped(error, monitor, watcher)
            return self.finish(services, outcome)

    @abstractmethod
    def monitor(self) -> RunMonitor:
        """Return the progress display with everything waiting."""

    @abstractmethod
    def work(self, services: Services, watcher: Watcher) -> Coroutine[Any, Any, T]:
        """Run everything."""

    @abstractmethod
    def stopped(self, error: TradingAgentsError, monitor: RunMonitor, watcher: Watcher) -> None:
        """Mark the runs that an error ended."""

    @abstractmethod
    def finish(self, services: Services, outcome: T | TradingAgentsError) -> int:
        """Print the results; return the exit code."""


def run_until_done(services: Services, work: Coroutine[Any, Any, T], terminal: Terminal) -> T:
    """Run work with services until it ends, and close them.

    After Ctrl-C or SIGTERM, calls in progress get some seconds to end; finished steps are stored either way.

    Raises:
        Interrupted: Ctrl-C or SIGTERM; the runs have written their records.
        TradingAgentsError: Raised by the work.
    """
    before = {number: signal.getsignal(number) for number in STOPS}
    try:
        return asyncio.run(_stoppable(services, work, terminal))
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise Interrupted("Interrupted.") from None
    finally:
        # A closed event loop restores the system's own handlers, which would end the process without a message.
        for number, handler in before.items():
            signal.signal(number, handler)
        services.executor.shutdown(wait=False, cancel_futures=True)


async def _stoppable(services: Services, work: Coroutine[Any, Any, T], terminal: Terminal) -> T:
    if task := asyncio.current_task():
        stopper = _Stopper(services, task, terminal)
        for number in STOPS:
            asyncio.get_running_loop().add_signal_handler(number, stopper.stop)
    try:
        return await work
    finally:
        await services.models.aclose()


class _Stopper:
    """Stops the runs at the end of their steps, or at once on a second signal or after a timeout."""

    def __init__(self, services: Services, task: asyncio.Task[Any], terminal: Terminal) -> None:
        self._services, self._task, self._terminal = services, task, terminal

    def stop(self) -> None:
        """Handle a signal. Each run writes its record, even after further signals."""
        patience = self._services.settings.drain_seconds
        if self._services.cancellation.requested or not patience:
            self._cancel()
            return
        self._services.cancellation.request()
        if not self._terminal.quiet:
            message = f"calls in progress get {patience:g} seconds to end; interrupt again to stop at once."
            print_line(self._terminal.err, "stopping:", message, "yellow")
        asyncio.get_running_loop().call_later(patience, self._cancel)

    def _cancel(self) -> None:
        if not self._task.cancelling():
            self._task.cancel()


@dataclass(frozen=True)
class MonitoredKind:
    """Names and output of a run kind."""

    noun: str
    day_key: str
    """The JSON key of the day."""
    has_findings: Callable[[Any], bool]
    """Whether the record of a failed run has any results."""
    print_records: Callable[[Console, Sequence[Any]], None]


def _trading_findings(record: Any) -> bool:
    from .output import has_report

    return any(has_report(record, key) for key in record["reports"])


def _print_trading(console: Console, records: Sequence[Any]) -> None:
    from .output import print_results

    print_results(console, records)


def _scan_findings(record: Any) -> bool:
    from .scan_output import has_findings

    return has_findings(record)


def _print_scans(console: Console, records: Sequence[Any]) -> None:
    from .scan_output import print_scan

    for record in records:
        print_scan(console, record)


TRADING = MonitoredKind("run", "trade_date", _trading_findings, _print_trading)
SCAN = MonitoredKind("scan", "scan_date", _scan_findings, _print_scans)


class RunSession(MonitoredSession[None]):
    """Runs of one kind: a scan, or one run per ticker, each with its own outcome."""

    def __init__(
        self,
        start: Start,
        day: date | None,
        settings: Settings,
        environ: Mapping[str, str],
        terminal: Terminal,
        *,
        tickers: Sequence[str] = (),
    ) -> None:
        """Prepare to run.

        Args:
            start: Starts the runs and yields each outcome with its ticker, None for a scan.
            day: The requested day; None: today.
            environ: Source of API keys.
            tickers: In the given order; none for a scan.
        """
        super().__init__(settings, environ, terminal)
        self._start, self._day = start, day
        self._subjects: tuple[str | None, ...] = tuple(tickers) or (None,)
        self._kind = TRADING if tickers else SCAN
        self._outcomes: dict[str | None, CardRecord | TradingAgentsError] = {}
        self._folders = RunFolders(settings.home_dir)

    def monitor(self) -> RunMonitor:
        """Return a waiting scan, or the runs of the tickers."""
        from .run_monitor import RunMonitor

        tickers = [subject for subject in self._subjects if subject is not None]
        return RunMonitor(tickers, analysts=self.settings.analysts, scan=not tickers)

    async def work(self, services: Services, watcher: Watcher) -> None:
        """Run everything; store each outcome as it arrives."""
        async with aclosing(self._start(services, (self._folders.note, watcher.on_event))) as runs:
            async for subject, outcome in runs:
                self._keep(subject, outcome, watcher)

    def stopped(self, error: TradingAgentsError, monitor: RunMonitor, watcher: Watcher) -> None:  # noqa: ARG002
        """Record an interruption as the outcome of unfinished runs; raise any other error."""
        if not isinstance(error, Interrupted):
            raise error
        for subject in self._subjects:
            if subject not in self._outcomes:
                self._keep(subject, error, watcher)

    def refuse(self, errors: Mapping[str, TradingAgentsError]) -> int:
        """Print why no run was started, by ticker; return the exit code."""
        self._outcomes.update(errors)
        if self._streams_json:
            for ticker in errors:
                self._print_json(ticker)
        return self._print_results()

    def finish(self, services: Services, outcome: TradingAgentsError | None) -> int:  # noqa: ARG002
        """Print the results, then a line for each run that failed; return the first exit code that is not 0."""
        return self._print_results()

    @property
    def _streams_json(self) -> bool:
        """Whether each outcome is printed as it arrives, for a program that reads a pipe."""
        return self.terminal.json and not self.terminal.out.is_terminal

    def _keep(self, subject: str | None, outcome: Run | ScanRun | TradingAgentsError, watcher: Watcher) -> None:
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
            self._kind.print_records(self.terminal.out, [record for record in records if record])
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
        return left if left is not None and self._kind.has_findings(left) else None

    def _print_json(self, subject: str | None) -> None:
        outcome = self._outcomes[subject]
        if not isinstance(outcome, TradingAgentsError):
            self.terminal.print_json(outcome.as_json())
            return
        about = {self._kind.day_key: (self._day or day_of(self.settings, subject)).isoformat()}
        about = about if subject is None else {"ticker": subject, **about}
        left = self._folders.record(subject)
        self.terminal.print_json(failure(about, outcome, None if left is None else left.as_json()))

    def _exit_code(self, subject: str | None) -> int:
        outcome = self._outcomes[subject]
        if isinstance(outcome, TradingAgentsError):
            return outcome.exit_code
        return NO_DECISION if outcome.status in UNDECIDED else 0

    def _print_errors(self) -> None:
        outcomes = ((subject, self._outcomes[subject]) for subject in self._subjects)
        errors = {subject: outcome for subject, outcome in outcomes if isinstance(outcome, TradingAgentsError)}
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


async def single(ticker: str | None, run: Coroutine[Any, Any, Run | ScanRun]) -> Outcomes:
    """Yield the outcome of one run, errors included."""
    try:
        done = await run
    except TradingAgentsError as error:
        yield ticker, error
    else:
        yield ticker, done


class RunFolders:
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
        if folder is None:
            return None
        card = read_object(folder / "run.json", way_out="the event log next to it shows what the run did")
        if card is None:
            return None
        from tradingagents.runtime.registry import record_of

        return record_of(card)


def day_of(settings: Settings, ticker: str | None) -> date:
    """Return the day of a run of a ticker, or of the market for None, that names no day."""
    from tradingagents.dataflows.look_up import default_day

    return default_day(settings, ticker or MARKET)
