"""The saved theses: one JSON file each, in `<home>/theses/`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from pydantic import ValidationError

from tradingagents.errors import NotFound
from tradingagents.features.deep_report.schemas.saved_thesis import StoredThesis
from tradingagents.files.atomic import read_object, unreadable, write_whole, writing
from tradingagents.runtime.runs.run_folder import is_component, subject_of

FOLDER = "theses"
WAY_OUT = "move the file away, and save the thesis again"


def thesis_id_of(ticker: str, known_on: date, content: str) -> str:
    """Return the id of a thesis: the same thesis of the same day has the same id."""
    digest = hashlib.sha256(content.encode(errors="backslashreplace")).hexdigest()[:8]
    return f"{known_on.isoformat()}-{subject_of(ticker)}-{digest}"


class ThesisStore:
    """The theses of a home folder; every call reads them again."""

    def __init__(self, home: Path) -> None:
        """Set the folder; nothing is read or written yet."""
        self._home, self._folder = home, home / FOLDER

    def save(self, thesis: StoredThesis) -> Path:
        """Write a thesis and return its file; saving the same one again replaces it.

        Raises:
            HomeNotWritable: The file cannot be written.
        """
        path = self._folder / f"{thesis.thesis_id}.json"
        with writing(self._home):
            write_whole(path, thesis.model_dump_json(indent=2) + "\n")
        return path

    def get(self, thesis_id: str) -> StoredThesis:
        """Return a thesis by its id or the beginning of it.

        Raises:
            NotFound: None has that id, or more than one begins with it.
            UnreadableFile: The file is damaged.
        """
        names = [name for name in self._names() if is_component(thesis_id) and name.startswith(thesis_id)]
        if thesis_id in names:
            names = [thesis_id]
        if len(names) != 1:
            why = f"{len(names)} theses begin with" if names else "There is no thesis"
            raise NotFound(f"{why} {thesis_id[:80]}; `tradingagents thesis list` shows those there are.")
        return self._read(names[0])

    def newest_first(self, ticker: str | None = None, *, until: date | None = None) -> Iterator[StoredThesis]:
        """Yield the theses, the latest day of study first.

        Args:
            ticker: Only those on this company.
            until: Only those of this day of study or an earlier one.

        Raises:
            UnreadableFile: A file is damaged.
        """
        subject = None if ticker is None else subject_of(ticker)
        for name in reversed(self._names()):
            if until is not None and name[:10] > until.isoformat():
                continue
            if subject is None or name[11:].rpartition("-")[0] == subject:
                yield self._read(name)

    def _names(self) -> list[str]:
        found = self._folder.glob("*.json") if self._folder.is_dir() else ()
        return sorted(path.stem for path in found if path.is_file() and is_component(path.stem))

    def _read(self, name: str) -> StoredThesis:
        path = self._folder / f"{name}.json"
        found = read_object(path, way_out=WAY_OUT)
        try:
            return StoredThesis.model_validate(found)
        except ValidationError as error:
            raise unreadable(path, f"{error.error_count()} fields are wrong", WAY_OUT) from error
