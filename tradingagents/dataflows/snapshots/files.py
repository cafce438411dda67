"""Atomic writes of a snapshot's files: a reader sees the old file or the new one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path

from tradingagents.dataflows.snapshots.journal import writing


def put_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder: all to temporary files first, then each into place, in order.

    The caller holds the folder's lock (`journal.alone`).

    Raises:
        FolderNotWritable: One can't be written; none is replaced unless all temporary files were written.
    """
    drafts: dict[Path, Path] = {}
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name in files:
            for left in folder.glob(f".{name}.*"):  # left by a process that was killed here
                left.unlink(missing_ok=True)
        try:
            for name, content in files.items():
                draft = folder / f".{name}.{secrets.token_hex(3)}"
                drafts[draft] = folder / name
                draft.write_bytes(content)
            for draft, final in drafts.items():
                draft.replace(final)
        finally:
            for draft in drafts:
                draft.unlink(missing_ok=True)
