"""What the commands that run something share: running until the end or Ctrl-C, and answering a program in JSON."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Coroutine, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

from cli.terminal import INTERRUPTED
from tradingagents.errors import TradingAgentsError

if TYPE_CHECKING:
    from cli.terminal import Terminal
    from tradingagents.graph.desk import Desk

T = TypeVar("T")


class Interrupted(TradingAgentsError):
    """The user, or the system, stopped the runs."""

    exit_code = INTERRUPTED


def run_to_the_end(desk: Desk, work: Coroutine[Any, Any, T]) -> T:
    """Run work on a desk until it ends, and close the desk.

    Raises:
        Interrupted: Ctrl-C or SIGTERM came first; what ran has left its record.
        TradingAgentsError: What the work raised.
    """
    on_termination = signal.getsignal(signal.SIGTERM)
    try:
        return asyncio.run(_stoppable(desk, work))
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise Interrupted("Interrupted.") from None
    finally:
        # A closed event loop leaves the system's own handler, which would end what comes after without a word.
        signal.signal(signal.SIGTERM, on_termination)
        desk.executor.shutdown(wait=False, cancel_futures=True)


async def _stoppable(desk: Desk, work: Coroutine[Any, Any, T]) -> T:
    if task := asyncio.current_task():
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, _stop, task)
    try:
        return await work
    finally:
        await desk.models.aclose()


def _stop(task: asyncio.Task[Any]) -> None:
    """Cancel the runs as Ctrl-C does; each leaves its record, and a second signal does not keep it from that."""
    if not task.cancelling():
        task.cancel()


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
        "error": str(error),
        "kind": type(error).__name__,
        "exit_code": error.exit_code,
    }


def print_json(terminal: Terminal, value: Mapping[str, Any]) -> None:
    """Print an object as JSON on one line of stdout, at once."""
    line = json.dumps(value, ensure_ascii=False, allow_nan=False, default=str)
    terminal.out.file.write(line + "\n")
    terminal.out.file.flush()


def day_of_market(day: date | None) -> str:
    """Return a day as JSON has it; the last completed session of the market where none is named."""
    from tradingagents.runs import MARKET, last_session

    return (day or last_session(MARKET)).isoformat()


def loading(terminal: Terminal) -> AbstractContextManager[Any]:
    """Return what shows that imports take their time."""
    return terminal.err.status("Getting ready …") if terminal.live else nullcontext()
