"""The sessions of `auto` and `watch run`: many tickers as one batch with one record."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Coroutine, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tradingagents.errors import ConfigurationError, Interrupted, TradingAgentsError, UsageError
from tradingagents.files.atomic import read_object, unreadable

from .console import failure
from .notices import send_message
from .session import MonitoredSession, day_of

if TYPE_CHECKING:
    from tradingagents.features.batch.kind import AutoRequest
    from tradingagents.features.batch.run import BatchWatcher
    from tradingagents.runtime.services import Services
    from tradingagents.schemas.batches import BatchRecord, BatchRow, WatchRecord
    from tradingagents.service.notices.message import Receiver
    from tradingagents.settings import Settings

    from .console import Terminal
    from .live import Watcher
    from .run_monitor import RunMonitor

T = TypeVar("T", "BatchRecord", "WatchRecord")
FINISHED = ("done", "no_decision", "rejected")
"""Statuses of tickers that another start doesn't repeat."""
WAY_OUT = "move it away and run again"


class BatchView:
    """Passes the batch's events on to the progress display."""

    def __init__(self, display: Watcher) -> None:
        self._display = display
        self.on_event, self.planned = display.on_event, display.planned

    def ended(self, row: BatchRow) -> None:
        """Display how a ticker ended."""
        self._display.ended(row.ticker, "done" if row.status in FINISHED else "failed", outcome_words(row))


def outcome_words(row: BatchRow) -> str:
    """Return a decision as displayed at the end of a run, or why there is none."""
    from tradingagents.reports import formatting as words
    from tradingagents.reports.batch import outcome

    if decision := row.decision:
        sure = words.sureness(decision.confidence, decision.strength)
        return f"{decision.action} ({words.sureness_name([decision]).lower()} {sure})"
    return row.error or outcome(row).lower()


class BatchSession(MonitoredSession[T], Generic[T]):
    """A batch: its tickers are planned as it runs, and its record is one JSON object."""

    has_scan = False

    def __init__(self, day: date | None, settings: Settings, environ: Mapping[str, str], terminal: Terminal) -> None:
        """Prepare a batch for a day; None: today."""
        super().__init__(settings, environ, terminal)
        self.day = day

    def monitor(self) -> RunMonitor:
        """Return progress to which tickers are added as they are planned."""
        from .run_monitor import RunMonitor

        return RunMonitor(analysts=self.settings.analysts, scan=self.has_scan, more_to_come=True)

    def work(self, services: Services, watcher: Watcher) -> Coroutine[Any, Any, T]:
        """Run the batch."""
        return self.start(services, BatchView(watcher))

    def stopped(self, error: TradingAgentsError, monitor: RunMonitor, watcher: Watcher) -> None:
        """Mark the scan as failed if it had not ended."""
        if monitor.scan and monitor.scan.ended is None:
            watcher.ended(None, "failed", str(error))

    def finish(self, services: Services, outcome: T | TradingAgentsError) -> int:
        """Print the record, or the partial record and the error; return the exit code."""
        from tradingagents.features.batch.auto import exit_code

        terminal = self.terminal
        if isinstance(outcome, TradingAgentsError):
            self._print_failure(outcome, self._left_by(outcome, services))
            return outcome.exit_code
        if terminal.json:
            terminal.print_json(outcome.as_json())
        else:
            self.print_record(outcome)
        batch = self.batch_of(outcome)
        print_row_errors(batch, terminal)
        undelivered = self.deliver(outcome)
        return exit_code(batch) or undelivered

    @abstractmethod
    def start(self, services: Services, watcher: BatchWatcher) -> Coroutine[Any, Any, T]:
        """Run the batch."""

    @abstractmethod
    def card(self, services: Services) -> Path:
        """Return the folder of the batch's record."""

    @abstractmethod
    def batch_of(self, record: T) -> BatchRecord:
        """Return the batch in a record."""

    @abstractmethod
    def failed_json(self, batch: BatchRecord | None) -> Mapping[str, Any] | None:
        """Return the JSON of a batch that ended early."""

    @abstractmethod
    def print_record(self, record: T) -> None:
        """Print the record as text."""

    @abstractmethod
    def print_batch(self, batch: BatchRecord) -> None:
        """Print the partial record as text."""

    def deliver(self, record: T) -> int:  # noqa: ARG002 - most sessions deliver nothing
        """Send the record where requested; return the exit code of a failure, else 0."""
        return 0

    def _left_by(self, error: TradingAgentsError, services: Services) -> BatchRecord | None:
        """Return the record of a batch that ended early; None if there is none.

        After a refused start there is none: an existing record is of an older start.
        """
        if isinstance(error, UsageError | ConfigurationError) or not (card := self.card(services)).is_file():
            return None
        from pydantic import ValidationError

        from tradingagents.schemas.batches import BatchRecord
        from tradingagents.schemas.record import problem_of

        left = read_object(card, way_out=WAY_OUT)
        try:
            return None if left is None else BatchRecord.model_validate(left)
        except ValidationError as invalid:
            raise unreadable(card, problem_of(invalid), WAY_OUT) from invalid

    def _print_failure(self, error: TradingAgentsError, batch: BatchRecord | None) -> None:
        if self.terminal.json:
            about = {"trade_date": (self.day or day_of(self.settings, None)).isoformat()}
            self.terminal.print_json(failure(about, error, self.failed_json(batch)))
        elif batch:
            self.print_batch(batch)
        self.terminal.print_error(why_ended(error, batch))


def why_ended(error: TradingAgentsError, batch: BatchRecord | None) -> str:
    """Print what ended a batch early; for an interruption, also what was written and how to resume."""
    if not isinstance(error, Interrupted):
        return str(error)
    if batch is None:
        return "Interrupted before there was a record; the same command continues it."
    done = sum(row.status in FINISHED for row in batch["rows"])
    count = f" after {done} of {len(batch['rows'])} tickers" if batch["rows"] else ""
    return f"Interrupted{count}; the same command continues it. Results so far: {batch['paths']['folder']}"


def print_row_errors(batch: BatchRecord, terminal: Terminal) -> None:
    """Print a line for each reason why tickers failed."""
    tickers_of: dict[str, list[str]] = {}
    for row in batch["rows"]:
        if row.error:
            tickers_of.setdefault(row.error, []).append(row.ticker)
    for error, tickers in tickers_of.items():
        terminal.print_error(f"{', '.join(tickers)}: {error}")


class AutoSession(BatchSession["BatchRecord"]):
    """A scan, a study of each candidate, and the ranked decisions."""

    has_scan = True

    def __init__(
        self, request: AutoRequest, settings: Settings, environ: Mapping[str, str], terminal: Terminal
    ) -> None:
        """Prepare to scan and analyze what is asked."""
        from tradingagents.graph.trading.kind import completed_book

        super().__init__(request.day, settings, environ, terminal)
        self._request = request
        self._book = completed_book(request.book, settings.home_dir, request.day or day_of(settings, None))

    def start(self, services: Services, watcher: BatchWatcher) -> Coroutine[Any, Any, BatchRecord]:
        """Scan and analyze."""
        from tradingagents.features.batch.auto import auto

        asked = self._request
        return auto(
            services,
            self.day,
            holdings=asked.holdings,
            conviction=asked.conviction,
            watcher=watcher,
            book=self._book,
            plan=asked.orders,
        )

    def card(self, services: Services) -> Path:
        """Return the folder of the day's batch."""
        from tradingagents.features.batch.auto import auto_card

        return auto_card(services, self.day, self._book)

    def batch_of(self, record: BatchRecord) -> BatchRecord:
        """Return the record, which is the batch."""
        return record

    def failed_json(self, batch: BatchRecord | None) -> Mapping[str, Any] | None:
        """Return the batch."""
        return None if batch is None else batch.as_json()

    def print_record(self, record: BatchRecord) -> None:
        """Print the decisions, or the scan's result if there are none yet."""
        from .batch_output import print_batch
        from .scan_output import has_findings, print_scan

        scan = record["scan"]
        if record["rows"] or (scan and scan["status"] == "done"):
            print_batch(self.terminal.out, record)
        elif scan and has_findings(scan):
            print_scan(self.terminal.out, scan)

    def print_batch(self, batch: BatchRecord) -> None:
        """Print the partial record like a record."""
        self.print_record(batch)


class WatchSession(BatchSession["WatchRecord"]):
    """An analysis of the watch list, and the changes since the last one."""

    def __init__(
        self,
        day: date | None,
        settings: Settings,
        environ: Mapping[str, str],
        terminal: Terminal,
        *,
        min_move: float,
        receiver: Receiver | None,
    ) -> None:
        """Prepare to analyze the list.

        Args:
            day: Of all runs; None: today.
            min_move: Minimum difference in confidence that counts as a change.
            receiver: Is told what changed; None for none.
        """
        super().__init__(day, settings, environ, terminal)
        self._min_move, self._receiver = min_move, receiver

    def start(self, services: Services, watcher: BatchWatcher) -> Coroutine[Any, Any, WatchRecord]:
        """Analyze the list."""
        from tradingagents.features.batch.watch import watch

        return watch(services, self.day, watcher=watcher, min_move=self._min_move)

    def card(self, services: Services) -> Path:
        """Return the folder of the day's batch."""
        from tradingagents.features.batch.watch import watch_card

        return watch_card(services, self.day)

    def batch_of(self, record: WatchRecord) -> BatchRecord:
        """Return the studies."""
        return record.batch

    def failed_json(self, batch: BatchRecord | None) -> Mapping[str, Any] | None:
        """Return the batch in the record."""
        return {"batch": batch.as_json()} if batch else None

    def print_record(self, record: WatchRecord) -> None:
        """Print what changed, then every decision."""
        from .watch_output import print_watch

        print_watch(self.terminal.out, record)

    def print_batch(self, batch: BatchRecord) -> None:
        """Print the decisions, if there are any."""
        if batch["rows"]:
            from .batch_output import print_batch

            print_batch(self.terminal.out, batch)

    def deliver(self, record: WatchRecord) -> int:
        """Tell the receiver what changed, if there is one."""
        if self._receiver is None:
            return 0
        from tradingagents.service.notices.watch_message import watch_message

        return send_message(self._receiver, watch_message(record), self.terminal)
