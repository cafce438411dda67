"""Python's garbage collector: fewer collections for a process that asks for them, and one as graphs are dropped."""

from __future__ import annotations

import gc
import itertools

THRESHOLDS = (50_000, 10, 10)
"""Objects that are made before a collection of the youngest; collections before one of the older generations. A run
that has ended leaves hardly any in cycles: it is freed without the collector."""
START_OBJECTS = 1_000_000
"""Objects that a command line may make before its first collection: one run, with its imports, makes some 430,000."""
GRAPHS_PER_COLLECTION = 4
"""A graph leaves some 25,000 objects in cycles, about 20 MB."""
_graphs = itertools.count(1)


def collect_rarely() -> None:
    """Run Python's garbage collector less often from now on, in the whole process.

    The library never calls this: a process has one collector, which belongs to the program. The command line calls it
    at its start; a program of yours that runs many tickers may do so too. Python's default looks through new objects
    every 700, which takes 5 to 8 % of the processor's time of offline runs, and through everything every few runs.
    """
    gc.set_threshold(*THRESHOLDS)


def collect_rarely_after_start() -> None:
    """As `collect_rarely`, but begin only when a process has made more objects than a command and one run do.

    What imports make lives as long as the process, and looking through it takes a tenth of a short command's time.
    """
    gc.set_threshold(START_OBJECTS, *THRESHOLDS[1:])
    gc.callbacks.append(_end_of_start)


def _end_of_start(phase: str, _: dict[str, int]) -> None:
    if phase == "stop":
        gc.callbacks.remove(_end_of_start)
        collect_rarely()


def skip_collection_at_exit() -> None:
    """Leave all objects to the operating system; a process that is about to end calls this last.

    Python looks through every object twice as it ends, which takes a fifth of a short command's time.
    """
    gc.freeze()


def collect_earlier_graphs() -> None:
    """Collect the graphs that were dropped before, each time a few more have been made."""
    if next(_graphs) % GRAPHS_PER_COLLECTION == 0:
        gc.collect()
