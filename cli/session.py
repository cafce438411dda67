"""What commands that run something share: services, Ctrl-C, and progress side by side."""

from __future__ import annotations

import asyncio
import signal
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tradingagents.dataflows.reference.symbols import MARKET
from tradingagents.errors import Interrupted, TradingAgentsError

from .console import print_line

if TYPE_CHECKING:
    from tradingagents.dataflows.interface import Vendors
    from tradingagents.runtime.services import Services
    from tradingagents.settings import Settings

    from .console import Terminal
    from .live import Watcher
    from .run_monitor import RunMonitor

T = TypeVar("T")
STOPS = (signal.SIGINT, signal.SIGTERM)


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


def day_of(settings: Settings, ticker: str | None) -> date:
    """Return the day of a run of a ticker, or of the market for None, that names no day."""
    from tradingagents.dataflows.look_up import default_day

    return default_day(settings, ticker or MARKET)
