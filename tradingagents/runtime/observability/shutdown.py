"""Flush exporters at exit; wait at most `EXIT_SECONDS`."""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
from collections.abc import Callable

EXIT_SECONDS = 3.0
"""Most that a server of traces which does not answer may hold up the end of the process; what it lacks then is lost."""
log = logging.getLogger(__name__)


def before_exit(work: Callable[[], object]) -> None:
    """Do something when the process ends, and wait `EXIT_SECONDS` for it at most."""
    leaving, done = threading.Event(), threading.Event()

    def wait_and_work() -> None:
        leaving.wait()
        try:
            work()
        except Exception:
            log.debug("Traces were lost at the end", exc_info=True)
        done.set()

    # Made now: at the end no thread can be made.
    threading.Thread(target=wait_and_work, name="tradingagents-leaving", daemon=True).start()

    def leave() -> None:
        leaving.set()
        done.wait(EXIT_SECONDS)

    atexit.register(leave)


def leave_langsmith_soon() -> None:
    """Have LangSmith's client not hold up the end of this process, as it does for ten seconds where its server is down.

    Nothing changes where LangSmith is not on, where its client was made before, or where `LANGSMITH_USE_DAEMON` says
    how its threads are to be made. Call it before a run.
    """
    if os.environ.get("LANGSMITH_TRACING", "").strip().lower() != "true" or "LANGSMITH_USE_DAEMON" in os.environ:
        return
    os.environ["LANGSMITH_USE_DAEMON"] = "true"
    before_exit(_flush_langsmith)


def _flush_langsmith() -> None:
    if "langsmith.client" in sys.modules:  # else nothing was traced
        from langsmith.run_trees import get_cached_client

        get_cached_client().flush(timeout=EXIT_SECONDS)
