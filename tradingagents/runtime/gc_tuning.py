"""The garbage collector: rare collections while runs are under way, one full collection every few runs and graphs."""

from __future__ import annotations

import gc
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLDS = (100_000, 50, 100)
RUNS_PER_COLLECTION = 32
"""A run leaves some thousand objects in cycles, about 1 MB. A full collection takes 0.1 to 0.3 s."""
GRAPHS_PER_COLLECTION = 4
"""A graph leaves some 25,000 objects in cycles, about 20 MB."""
_lock = threading.Lock()
_runs, _graphs = itertools.count(1), itertools.count(1)
_found: list[tuple[int, int, int]] = []
"""The process's thresholds before the first of the runs under way, once for each of these."""
_frozen: list[int] = []
"""One entry while the objects that were there before the first of these runs are frozen by us."""


@contextmanager
def rarer_collections() -> Iterator[None]:
    """Have the garbage collector look less often, and as before once the last run under way has ended.

    What the libraries brought is some half a million objects that live for good; looking through all of them takes up
    to a tenth of a second, in the middle of a run, and a sixth of the processor time of a batch. The collector is the
    process's, so runs in several threads count together.

    What a run leaves in cycles ends up in the oldest generation, which Python collects only after it has grown by a
    quarter. So every `RUNS_PER_COLLECTION` runs there is a full collection here.

    A program that froze its objects itself keeps them frozen: then nothing is frozen or unfrozen here.
    """
    with _lock:
        _found.append(_found[0] if _found else gc.get_threshold())
        if len(_found) == 1:
            if gc.get_freeze_count() == 0:
                gc.freeze()
                _frozen.append(gc.get_freeze_count())
            gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        with _lock:
            found = _found.pop()
            if not _found:
                gc.set_threshold(*found)
                if _frozen:
                    _frozen.clear()
                    gc.unfreeze()
            due = next(_runs) % RUNS_PER_COLLECTION == 0
        if due:
            gc.collect()


def collect_earlier_graphs() -> None:
    """Collect the graphs that were dropped before, each time a few more have been made."""
    with _lock:
        due = next(_graphs) % GRAPHS_PER_COLLECTION == 0
    if due:
        gc.collect()
