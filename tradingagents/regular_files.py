"""Reads of files that a user names or may replace: a pipe or a device is refused, since reading it may never end."""

from __future__ import annotations

import errno
import stat
from pathlib import Path


def check_regular(path: Path) -> None:
    """Refuse a pipe, a device or a socket; a folder passes, since opening it fails at once.

    Raises:
        OSError: It is one, or there is nothing of that name.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))


def read_regular(path: Path) -> bytes:
    """Return the content of a regular file.

    Raises:
        OSError: It is a pipe, a device, a socket or a folder, or cannot be read.
    """
    check_regular(path)
    return path.read_bytes()
