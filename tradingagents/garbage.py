"""The garbage collector, asked to look less often while runs are under way."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLDS = (100_000, 50, 100)
_lock = threading.Lock()
_found: list[tuple[int, int, int]] = []
"""The process's thresholds before the first of the runs under way, once for each of these."""


@contextmanager
def rarer_collections() -> Iterator[None]:
    """Have the garbage collector look less often, and as before once the last run under way has ended.

    What the libraries brought is some half a million objects that live for good; looking through all of them takes up
    to a tenth of a second, in the middle of a run, and a sixth of the processor time of a batch. The collector is the
    process's, so runs in several threads count together.
    """
    with _lock:
        _found.append(_found[0] if _found else gc.get_threshold())
        if len(_found) == 1:
            gc.freeze()
            gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        with _lock:
            found = _found.pop()
            if not _found:
                gc.set_threshold(*found)
                gc.unfreeze()
