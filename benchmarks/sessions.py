"""What sessions cost as their number grows: `python -m benchmarks.sessions [COUNT]`.

Sessions with a short transcript each are made in a fresh folder. At every power of ten up to COUNT (10,000), the median
processor time of creating one more, of a page of the list, of reading one and of appending an exchange is printed, with
the time per call over all calls, which also holds what a call does for later ones: now and then, one writes
`sessions.json`. Last, a long transcript: appending to it and reading its end.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from benchmarks.measuring import peak_mb
from tradingagents.features.assistant.sessions import NewEntry, SessionStore
from tradingagents.settings import Settings

COUNT = 10_000
TIMES = 200
LONG = 3_000
EXCHANGE = (
    NewEntry(type="user", text="How did Apple do in the last quarter?"),
    NewEntry(type="assistant", text="Revenue rose, and so did the margin. " * 20),
)


def main() -> None:
    """Print a line for each number of sessions, and one for a long transcript."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    with tempfile.TemporaryDirectory() as folder, closing(_opened(folder)) as store:
        print(f"{'sessions':>8} {'create ms':>16} {'list ms':>16} {'get ms':>16} {'append ms':>16}   (median, mean)")
        made: list[str] = []
        at = 100
        while at <= count:
            while len(made) < at - TIMES // 2:
                made.append(_created(store))
            created = _timed(lambda: made.append(_created(store)))
            listed = _timed(lambda: store.list(50))
            read = _timed(lambda: store.get(made[len(made) // 2]))
            appended = _timed(lambda: store.append(made[len(made) // 2], EXCHANGE))
            print(f"{len(made):8} {created:>16} {listed:>16} {read:>16} {appended:>16}", flush=True)
            at *= 10
        began = time.process_time()
        store.close()
        size = (store.folder / "sessions.json").stat().st_size / 1e6
        print(f"sessions.json: {size:.1f} MB, written at the end in {time.process_time() - began:.2f} s")
        _long(store)
        print(f"peak memory: {peak_mb():.0f} MB")


def _opened(folder: str) -> SessionStore:
    return SessionStore(Settings(home=Path(folder)), environ={})


def _created(store: SessionStore) -> str:
    session = store.create("assistant", "A conversation about Apple").session_id
    store.append(session, EXCHANGE)
    return session


def _long(store: SessionStore) -> None:
    session = store.create("assistant", "A long one").session_id
    for _ in range(LONG // 2):
        store.append(session, EXCHANGE)
    appended = _timed(lambda: store.append(session, EXCHANGE))
    last = store.get(session).entries - 1
    polled = _timed(lambda: store.entries(session, last - 10))
    first = _timed(lambda: store.entries(session, -1, 50))
    print(f"transcript of {last + 1} entries: append {appended}, last 10 {polled}, first 50 {first} ms (median, mean)")


def _timed(step: Callable[[], object]) -> str:
    """Return median and mean processor time of a step, in milliseconds."""
    times = []
    for _ in range(TIMES):
        began = time.process_time()
        step()
        times.append(1000 * (time.process_time() - began))
    return f"{statistics.median(times):.2f} {statistics.mean(times):.2f}"


if __name__ == "__main__":
    main()
