"""A small JSON object in a file under the home folder, with locked changes and atomic writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tradingagents.errors import HomeNotWritable
from tradingagents.files.atomic import as_json, read_object, write_whole, writing
from tradingagents.files.lock import Locked, locked

PATIENCE_SECONDS = 10.0
"""How long a change waits for another process's change, which takes milliseconds."""


class JsonFile:
    """The JSON object in one file."""

    def __init__(self, home: Path, path: Path, *, way_out: str) -> None:
        """Set the path; nothing is read or written yet.

        Args:
            home: The home folder, named in errors.
            way_out: What to do about a damaged file, as the end of a sentence.
        """
        self._home, self.path, self._way_out = home, path, way_out

    def read(self) -> dict[str, Any]:
        """Return the object; empty when the file does not exist.

        Raises:
            UnreadableFile: The file is damaged.
        """
        return read_object(self.path, way_out=self._way_out) or {}

    def write(self, value: Mapping[str, Any]) -> None:
        """Replace the object.

        Raises:
            HomeNotWritable: The disk is full, or the folder is not writable.
        """
        with writing(self._home):
            write_whole(self.path, as_json(value))

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Lock the object against changes by other processes, from reading it to writing it.

        Raises:
            HomeNotWritable: Another process holds the lock, or the folder is not writable.
        """
        with ExitStack() as stack:
            try:
                with writing(self._home):
                    stack.enter_context(locked(self.path.with_suffix(".lock"), wait=PATIENCE_SECONDS))
            except Locked:
                raise HomeNotWritable(
                    f"Another process has locked {self.path}; end it, or name another folder with "
                    "the setting home or TRADINGAGENTS_HOME."
                ) from None
            yield
