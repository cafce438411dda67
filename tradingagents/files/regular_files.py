"""Read regular files only: reading a pipe or a device that a user names may never end."""

from __future__ import annotations

import errno
import stat
from pathlib import Path


def check_regular(path: Path) -> None:
    """Reject a pipe, a device or a socket; a folder passes, since opening it fails at once.

    Raises:
        OSError: The path is one of these, or does not exist.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))


def read_regular(path: Path) -> bytes:
    """Return the content of a regular file.

    Raises:
        OSError: The path is not a regular file, or cannot be read.
    """
    check_regular(path)
    return path.read_bytes()


def names_a_file(path: Path) -> bool:
    """Return whether a word that a user typed names a file; False also where its folder may not be looked into."""
    try:
        return path.is_file()
    except OSError:  # before Python 3.14 for a folder without rights, and for a name that is too long
        return False
