"""A lock between processes, held on a file: the kernel frees it when its holder dies, so none is ever stale."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tradingagents.regular_files import check_regular

POLL_SECONDS = 0.02


class Locked(Exception):
    """Somebody else holds the lock. Whoever asked for it says what is under way: no user sees this."""


@contextmanager
def locked(path: Path, *, wait: float = 0.0) -> Iterator[None]:
    """Hold the lock on a file, made where it is missing; two holders in one process exclude each other as well.

    Args:
        path: The file; it stays, empty: deleting it would let a third in.
        wait: Seconds to wait for whoever holds it.

    Raises:
        Locked: It is still held after that.
        OSError: The file cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + wait
    if path.exists():
        check_regular(path)
    with path.open("a") as file:
        while not _take(file.fileno()):
            if time.monotonic() >= until:
                raise Locked(str(path))
            time.sleep(POLL_SECONDS)
        yield


def held(path: Path) -> bool:
    """Tell whether somebody, this process included, holds the lock on a file; nobody does where there is none."""
    try:
        check_regular(path)
        with path.open("rb") as file:
            fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _take(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
