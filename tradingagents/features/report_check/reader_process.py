"""A process of its own for reading text from outside: it has a limit of time, and is ended when nobody waits for it.

A regular expression holds the interpreter while it searches, so that no thread of the process can do anything else.
Where the text comes from outside, what reads it runs here; what it needs of the data it asks the caller for.
"""

from __future__ import annotations

import atexit
import importlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any

from tradingagents.errors import Interrupted, TradingAgentsError, UnreadableDocument

LEAVING: ContextVar[threading.Event | None] = ContextVar("LEAVING", default=None)
"""Set by whoever may stop waiting for an answer; the event says that it has."""
Ask = Callable[..., Any]
"""Asks the caller: `ask("filings", symbol)`."""
MOST_AT_ONCE = 2
"""Processes that read at a time; others wait."""
WAITED = 4
"""A process that is not given a processor is ended after so many times its limit."""
_TURN = 0.1
"""Seconds between two looks at whether the answer is still waited for."""
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT", "MALLOC_ARENA_MAX", "OPENBLAS_NUM_THREADS")
"""What it knows of the environment: no keys."""
_places = threading.BoundedSemaphore(MOST_AT_ONCE)
_idle: list[_Reader] = []


def read_apart(
    function: Callable[..., Any], *given: Any, helpers: Mapping[str, Callable[..., Any]], seconds: float
) -> Any:
    """Return what a function returns for text from outside, run in a process of its own.

    Args:
        function: A function of a module; its first argument asks the helpers.
        *given: Its other arguments; these, its result, and what helpers take and return are pickled.
        helpers: What it may ask the caller for; they run here, and their time does not count.
        seconds: Most processor time.

    Raises:
        UnreadableDocument: It took longer.
        Interrupted: Nobody waits for the answer any more.
        TradingAgentsError: As the function and the helpers raise.
    """
    gone = LEAVING.get()
    while not _places.acquire(timeout=_TURN):
        _still_wanted(gone)
    try:
        reader = next(filter(_Reader.is_alive, iter(_taken, None)), None) or _Reader()
        try:
            found = reader.call(function, given, helpers, seconds, gone)
        except BaseException:
            reader.end()
            raise
        _idle.append(reader)
    finally:
        _places.release()
    if isinstance(found, BaseException):
        raise found
    return found


def _taken() -> _Reader | None:
    try:
        return _idle.pop()
    except IndexError:
        return None


class _Reader:
    """A process that waits for functions to run; it ends when this one does."""

    def __init__(self) -> None:
        self._line, theirs = Pipe()
        known = {name: os.environ[name] for name in _KEPT if name in os.environ}
        path = os.pathsep.join([str(Path(__file__).parents[3]), *filter(None, sys.path)])
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter and this module
            [sys.executable, "-m", __name__, str(theirs.fileno())],
            env={**known, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # Ctrl-C is for the process that waits
        )
        theirs.close()

    def call(
        self,
        function: Callable[..., Any],
        given: tuple[Any, ...],
        helpers: Mapping[str, Callable[..., Any]],
        seconds: float,
        gone: threading.Event | None,
    ) -> Any:
        """Return what a function returns, or the error that it raises."""
        late = UnreadableDocument(
            f"The text could not be read within {seconds:g} seconds of processor time; give it in parts, or without "
            "what is no text for readers."
        )
        left = WAITED * seconds
        try:
            self._line.send((function.__module__, function.__qualname__, given, seconds))
            while True:
                began = time.monotonic()
                while not self._line.poll(_TURN):
                    _still_wanted(gone)
                    if time.monotonic() - began > left:
                        raise late
                left -= time.monotonic() - began
                kind, *said = self._line.recv()
                if kind == "done":
                    return said[0]
                self._line.send(helpers[said[0]](*said[1]))
        except (EOFError, ConnectionError):
            raise late from None

    def is_alive(self) -> bool:
        """Return whether it can still read."""
        return self._process.poll() is None

    def end(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()
        self._line.close()


@atexit.register
def _end_all() -> None:
    while (reader := _taken()) is not None:
        reader.end()


def _still_wanted(gone: threading.Event | None) -> None:
    if gone is not None and gone.is_set():
        raise Interrupted("Nobody waits for the answer any more; ask again.")


def _serve(line: Connection) -> None:
    """Run functions until the other side is gone."""

    def ask(name: str, *given: Any) -> Any:
        line.send(("ask", name, given))
        return line.recv()

    while True:
        try:
            module, name, given, seconds = line.recv()
        except (EOFError, ConnectionError):
            return
        try:
            function = getattr(importlib.import_module(module), name)
            _limit(seconds)
            line.send(("done", function(ask, *given)))
        except TradingAgentsError as error:
            line.send(("done", error))
        except Exception as error:  # noqa: BLE001 - a bug: told to the caller, which raises
            line.send(("done", RuntimeError(f"{type(error).__name__} while text was read: {error}")))


def _limit(seconds: float) -> None:
    """Have the system end this process once it has used so much more processor time."""
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        most = int(used.ru_utime + used.ru_stime + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


if __name__ == "__main__":
    _serve(Connection(int(sys.argv[1])))
