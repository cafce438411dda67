"""Folders and files of a home are for its owner only: they hold conversations, portfolios and what prompts said.

What is made in a home is made private. A home of an earlier version is made private when it is opened.
"""

from __future__ import annotations

import os
import stat
from functools import cache
from pathlib import Path

FOLDER_MODE, FILE_MODE = 0o700, 0o600
OTHERS = 0o077
OUR_FOLDERS = frozenset(
    [
        "TradingAgentsStrategy_logs",
        "artifacts",
        "auto",
        "backtest_grids",
        "backtests",
        "book",
        "cache",
        "charts",
        "conversations",
        "data",
        "decisions",
        "documents",
        "evidence",
        "filings",
        "frameworks",
        "memory",
        "paper",
        "personas",
        "plans",
        "records",
        "research_sessions",
        "runs",
        "sessions",
        "tasks",
        "theses",
        "valuations",
        "watch",
    ]
)
"""Every folder that the package makes in a home."""
OUR_ENDINGS = (".sqlite", ".sqlite-wal", ".sqlite-shm", ".sqlite-journal", ".lock")


def make_folder(path: Path) -> None:
    """Make a folder and those above it that are missing, all for their owner only.

    Raises:
        OSError: It cannot be made, or a file has its name.
    """
    try:
        path.mkdir(FOLDER_MODE)
    except FileNotFoundError:
        make_folder(path.parent)
        path.mkdir(FOLDER_MODE, exist_ok=True)
    except FileExistsError:
        if not path.is_dir():
            raise


def private(path: str, flags: int) -> int:
    """Open a file; one that is made is for its owner only: `open(path, "ab", opener=private)`."""
    return os.open(path, flags, FILE_MODE)


@cache
def keep_private(home: Path) -> None:
    """Make a home that others may read private, once: the home, its folders and its files.

    A folder that also holds what is not ours, such as a folder of projects, keeps its own mode; what is ours in it is
    made private. Nothing is done to what belongs to another user, nor to a home that is no folder: whatever is written
    to it first says so.
    """
    if os.name == "nt" or not _is_loose(home) or not home.is_dir():
        return
    with os.scandir(home) as entries:
        found = [Path(entry.path) for entry in entries]
    ours = [path for path in found if path.name in OUR_FOLDERS or path.name.endswith(OUR_ENDINGS)]
    if ours and len(ours) == len(found):
        home.chmod(FOLDER_MODE)  # closes all at once; what is below follows
    for path in ours:
        _tighten(path)


def _tighten(path: Path) -> None:
    """Make a file, or a folder and all in it, private; links are left as they are."""
    if not _is_loose(path):
        return
    if not path.is_dir():
        path.chmod(FILE_MODE)
        return
    for folder, _, names in os.walk(path):
        Path(folder).chmod(FOLDER_MODE)
        for name in names:
            file = Path(folder, name)
            if _is_loose(file):
                file.chmod(FILE_MODE)


def _is_loose(path: Path) -> bool:
    """Return whether a folder or a regular file of ours may be used by others."""
    try:
        found = path.lstat()
    except OSError:
        return False
    kind = stat.S_ISDIR(found.st_mode) or stat.S_ISREG(found.st_mode)
    return kind and found.st_uid == os.geteuid() and bool(found.st_mode & OTHERS)
