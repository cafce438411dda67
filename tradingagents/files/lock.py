"""A file lock between processes; the kernel releases it when its holder dies, so locks never become stale."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tradingagents.files.private_files import make_folder, private
from tradingagents.files.regular_files import check_regular

POLL_SECONDS = 0.02


class Locked(Exception):
    """The lock is held elsewhere. Callers translate this into a message for the user."""


@contextmanager
def locked(path: Path, *, wait: float = 0.0) -> Iterator[None]:
    """Hold the lock on a file, creating the file if needed; holders in one process exclude each other too.

    Args:
        path: The file; it stays empty and is not deleted, since deleting it would admit another holder.
        wait: Seconds to wait for the current holder.

    Raises:
        Locked: The lock is still held after waiting.
        OSError: The file cannot be created.
    """
    make_folder(path.parent)
    until = time.monotonic() + wait
    if path.exists():
        check_regular(path)
    with open(path, "a", opener=private) as file:
        while not take(file.fileno()):
            if time.monotonic() >= until:
                raise Locked(str(path))
            time.sleep(POLL_SECONDS)
        yield


def held(path: Path) -> bool:
    """Return whether any process, including this one, holds the lock on a file; False if the file does not exist."""
    try:
        check_regular(path)
        with path.open("rb") as file:
            fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def take(descriptor: int) -> bool:
    """Lock an open file if nobody holds it, until it is closed; return whether that succeeded."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
