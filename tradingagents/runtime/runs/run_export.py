"""Export runs as one ZIP file whose bytes depend only on the runs."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tradingagents.errors import HomeNotWritable, UsageError
from tradingagents.files.atomic import replace_whole
from tradingagents.runtime.runs.run_folder import LOCK, UNFINISHED
from tradingagents.runtime.runs.run_index import IndexedRun

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time a ZIP file can hold, used for every entry so that file times do not change the bytes."""
MODE = 0o100644


def export_runs(runs: Sequence[IndexedRun], target: Path, *, force: bool = False, unfinished: bool = False) -> int:
    """Pack runs into a ZIP file, each in a folder named by its id; return the number of files.

    Args:
        target: The ZIP file.
        force: Whether to replace an existing file.
        unfinished: Whether to include the files needed to resume an unfinished run, mainly its checkpoint.

    Raises:
        UsageError: The file exists already, or its folder does not.
        HomeNotWritable: The file cannot be written.
    """
    check_target(target, force=force)
    packed, files = io.BytesIO(), 0
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for run in sorted(runs, key=lambda one: one.run_id):
            for path in _files(run.path, unfinished=unfinished):
                name = f"{run.run_id}/{path.relative_to(run.path).as_posix()}"
                entry = zipfile.ZipInfo(name, EPOCH)
                entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, MODE << 16, 3
                archive.writestr(entry, path.read_bytes())
                files += 1
    write_export(target, packed.getvalue(), force=force)
    return files


def check_target(target: Path, *, force: bool = False) -> None:
    """Check that a file can be made.

    Raises:
        UsageError: The file exists already, or its folder does not.
    """
    if target.exists() and not force:
        raise UsageError(
            f"{target} is there already; name another file with target='FILE', or replace it with force=True."
        )
    if not target.parent.is_dir():
        raise UsageError(f"There is no folder {target.parent}; make it, or name another file with target='FILE'.")


def write_export(target: Path, content: bytes, *, force: bool = False) -> None:
    """Write an exported file atomically.

    Raises:
        UsageError: As `check_target` raises.
        HomeNotWritable: The file cannot be written.
    """
    check_target(target, force=force)
    try:
        replace_whole(target, content, private_file=False)
    except OSError as error:
        raise HomeNotWritable(
            f"Cannot write {target} ({error.strerror}); name another file with target='FILE'."
        ) from error


def _files(folder: Path, *, unfinished: bool) -> Iterator[Path]:
    """Yield a run's files in order, without links, drafts and the lock; links are not followed."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or path.name == LOCK or path.name.startswith("."):
            continue
        if path.is_dir():
            if path.name != UNFINISHED or unfinished:
                yield from _files(path, unfinished=unfinished)
        elif path.is_file():
            yield path
