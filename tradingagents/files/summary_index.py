"""Summaries of large files, computed once and found again as long as the files stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from tradingagents.errors import HomeNotWritable
from tradingagents.files.atomic import UnreadableFile, as_json, read_object, write_whole, writing

SummaryT = TypeVar("SummaryT", bound=BaseModel)


class SummaryIndex(Generic[SummaryT]):
    """One small file with a summary of each entry of a folder.

    It is derived from the files and may be deleted: it is computed anew. A file with another size, time or inode than
    when its summary was computed is read again.
    """

    def __init__(self, home: Path, path: Path, model: type[SummaryT]) -> None:
        """Read the index.

        Args:
            home: The home folder.
            path: The index.
            model: What a summary is.
        """
        self._home, self._path, self._model = home, path, model
        try:
            self._known = read_object(path, way_out="delete it") or {}
        except UnreadableFile:
            self._known = {}
        self._used: dict[str, Any] = {}

    def get(self, name: str, files: Iterable[Path], summarize: Callable[[], SummaryT | None]) -> SummaryT | None:
        """Return the summary of an entry; what `summarize` raises is not remembered.

        Args:
            name: The entry.
            files: What the summary is computed from.
            summarize: Computes it; None for an entry without, such as one of an earlier version.
        """
        state = [_state(one) for one in files]
        known = self._known.get(name)
        try:
            if isinstance(known, dict) and known["state"] == state:
                told = known["summary"]
                found = None if told is None else self._model.model_validate(told)
                self._used[name] = known
                return found
        except (KeyError, ValidationError):
            pass  # of another version
        found = summarize()
        told = None if found is None else found.model_dump(mode="json")
        self._used[name] = {"state": state, "summary": told}
        return found

    def save(self) -> None:
        """Write the entries that were asked for, if they changed; a folder that cannot be written stays as it is."""
        if self._used != self._known:
            with suppress(HomeNotWritable), writing(self._home):
                write_whole(self._path, as_json(self._used))


def _state(path: Path) -> list[int]:
    """Return what tells one content of a file from another; empty for a file that does not exist."""
    try:
        known = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [known.st_size, known.st_mtime_ns, known.st_ino]
