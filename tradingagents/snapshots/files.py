"""The files of a snapshot folder, put there whole: a reader sees the old one or the new one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path

from tradingagents.snapshots.journal import writing


def put_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder: all of them aside first, then each into its place, in order.

    Whoever calls holds the folder's lock (`journal.alone`).

    Raises:
        FolderNotWritable: One cannot be written; none was replaced unless all had been written aside.
    """
    drafts: dict[Path, Path] = {}
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name in files:
            for left in folder.glob(f".{name}.*"):  # of a process that was killed here
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
