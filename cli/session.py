"""What the commands that run something share: running until the end or Ctrl-C, and answering a program in JSON."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Coroutine, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

from cli.terminal import print_line
from tradingagents.errors import Interrupted, TradingAgentsError
from tradingagents.plain_text import bounded, escaped_json

if TYPE_CHECKING:
    from cli.terminal import Terminal
    from tradingagents.runtime.services import Services

T = TypeVar("T")
STOPS = (signal.SIGINT, signal.SIGTERM)


def run_to_the_end(services: Services, work: Coroutine[Any, Any, T], terminal: Terminal) -> T:
    """Run work with services until it ends, and close them.

    Ctrl-C and SIGTERM let the calls under way end, for some seconds; what a run had finished is kept either way.

    Raises:
        Interrupted: Ctrl-C or SIGTERM came first; what ran has left its record.
        TradingAgentsError: What the work raised.
    """
    before = {number: signal.getsignal(number) for number in STOPS}
    try:
        return asyncio.run(_stoppable(services, work, terminal))
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise Interrupted("Interrupted.") from None
    finally:
        # A closed event loop leaves the system's own handler, which would end what comes after without a word.
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
    """Ends the runs: at the end of their steps, or, asked again or after a while, where they are."""

    def __init__(self, services: Services, task: asyncio.Task[Any], terminal: Terminal) -> None:
        self._services, self._task, self._terminal = services, task, terminal

    def stop(self) -> None:
        """Take a signal in. Each run leaves its record, and no further signal keeps it from that."""
        patience = self._services.settings.drain_seconds
        if self._services.cancellation.requested or not patience:
            self._cancel()
            return
        self._services.cancellation.request()
        if not self._terminal.quiet:
            words = f"calls under way get {patience:g} seconds to end; stop again not to wait."
            print_line(self._terminal.err, "stopping:", words, "yellow")
        asyncio.get_running_loop().call_later(patience, self._cancel)

    def _cancel(self) -> None:
        if not self._task.cancelling():
            self._task.cancel()


def failure(
    about: Mapping[str, Any], error: TradingAgentsError, record: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the JSON object of what failed: what it left, and what went wrong.

    Args:
        about: What was asked for: the ticker and the date, as far as they are known.
        error: What went wrong.
        record: What was left, where it came so far as to leave a record.
    """
    return {
        **about,
        "status": "interrupted" if isinstance(error, Interrupted) else "failed",
        **(record or {}),
        "error": bounded(str(error)),
        "kind": type(error).__name__,
        "exit_code": error.exit_code,
    }


def print_json(terminal: Terminal, value: Mapping[str, Any]) -> None:
    """Print an object as JSON on one line of stdout, at once."""
    line = escaped_json(json.dumps(value, ensure_ascii=False, allow_nan=False, default=str))
    terminal.out.file.write(line + "\n")
    terminal.out.file.flush()


def day_of_market(day: date | None) -> str:
    """Return a day as JSON has it; the last completed session of the market where none is named."""
    from tradingagents.workflows.start import MARKET, last_session

    return (day or last_session(MARKET)).isoformat()


def loading(terminal: Terminal) -> AbstractContextManager[Any]:
    """Return what shows that imports take their time."""
    return terminal.err.status("Getting ready …") if terminal.live else nullcontext()
