"""`ArtifactStore`: files that answers and tasks made, by ids that cannot be guessed.

An artifact is a file under the home folder. Its path is walked one component at a time without following links, each
time it is read: so what lies outside the home folder is never returned, whatever somebody puts in its place.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from tradingagents.features.assistant.sessions.entries import plain_text
from tradingagents.features.assistant.sessions.errors import (
    ArtifactRefused,
    NoSuchArtifact,
    no_such_artifact,
    no_such_session,
)
from tradingagents.features.assistant.sessions.ids import is_artifact_id, is_session_id, new_artifact_id
from tradingagents.features.assistant.sessions.session_store import TITLE_CHARS, sessions_address
from tradingagents.files.redaction import Redactor
from tradingagents.schemas.workspace import ArtifactInfo
from tradingagents.settings import Settings, secrets_of

if TYPE_CHECKING:
    from tradingagents.features.assistant.sessions.artifact_rows import ArtifactRow, ArtifactRows

ArtifactKind = Literal["report", "chart", "workbook", "document", "data"]
_TEXT = {".html": "text/html", ".md": "text/markdown", ".txt": "text/plain"}
MEDIA_TYPES: Mapping[ArtifactKind, Mapping[str, str]] = {
    "report": {**_TEXT, ".json": "application/json", ".pdf": "application/pdf"},
    "chart": {".html": "text/html", ".png": "image/png", ".svg": "image/svg+xml"},
    "workbook": {".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    "document": {**_TEXT, ".pdf": "application/pdf"},
    "data": {".csv": "text/csv", ".json": "application/json", ".jsonl": "application/jsonl"},
}
"""Media type by kind and ending; a file with another ending cannot be an artifact of that kind."""
FORBIDDEN = ("sessions", "tasks", "cache")
"""Folders of the home folder whose files are state and not results."""


class ArtifactStore:
    """The artifacts of a home folder. Thread-safe; several processes may share one folder."""

    def __init__(self, settings: Settings, *, environ: Mapping[str, str] | None = None) -> None:
        """Set the folder; the first artifact creates it.

        Args:
            settings: Name the home folder and the database.
            environ: Variables whose secrets never reach a title; None: `.env` and the process environment.
        """
        self._home = settings.home_dir
        self._address = sessions_address(settings)
        self._redactor = Redactor(environ, secrets_of(settings))

    def close(self) -> None:
        """Close the database; a later call opens it again."""
        if "_rows" in self.__dict__:
            self._rows.close()

    def register(
        self,
        path: Path,
        /,
        *,
        kind: ArtifactKind,
        title: str,
        session_id: str | None = None,
        task_id: str | None = None,
        run_id: str | None = None,
    ) -> ArtifactInfo:
        """Register a file under the home folder; the same file of the same session and task keeps its id.

        An artifact of a hidden session belongs to the session that consulted it.

        Args:
            kind: What it is; decides with the ending how a browser may treat it.
            title: For lists.
            session_id: Session in which it was made.
            task_id: Task that made it.
            run_id: Run that made it.

        Raises:
            ArtifactRefused: The file is outside the home folder, is reached through a link, holds state of the
                library, or its ending does not belong to its kind.
            NoSuchSession: There is no such session.
            HomeNotWritable, DatabaseUnreachable: As `Database` raises; this applies to every method.
        """
        from tradingagents.features.assistant.sessions.artifact_rows import ArtifactRow

        relative = self._relative(path)
        media_type = media_type_of(relative, kind)
        with self._opened(relative):
            pass
        row = ArtifactRow(
            artifact_id=new_artifact_id(),
            kind=kind,
            title=" ".join(plain_text(title, self._redactor).split())[:TITLE_CHARS],
            media_type=media_type,
            path=relative.as_posix(),
            created_at=datetime.now(UTC),
            session_id=session_id,
            task_id=task_id,
            run_id=run_id,
        )
        stored = self._rows.add(row)
        if stored is None:
            raise no_such_session(session_id or "")
        return self._info(stored)

    def get(self, artifact_id: str) -> ArtifactInfo:
        """Return what is known of an artifact.

        Raises:
            NoSuchArtifact: There is none of that id, or its file is gone.
        """
        return self._info(self._row(artifact_id))

    def list(self, session_id: str | None = None, *, limit: int = 200) -> tuple[ArtifactInfo, ...]:
        """Return the artifacts of a session, or of all, newest first; those whose file is gone are left out."""
        if self._empty or (session_id is not None and not is_session_id(session_id)):
            return ()
        found = []
        for row in self._rows.page(session_id, limit):
            try:
                found.append(self._info(row))
            except NoSuchArtifact:
                continue
        return tuple(found)

    @contextmanager
    def open(self, artifact_id: str) -> Iterator[IO[bytes]]:
        """Open the file of an artifact for reading. Raises NoSuchArtifact."""
        with self._file(self._row(artifact_id)) as file:
            yield file

    def content(self, artifact_id: str) -> bytes:
        """Return the bytes of an artifact. Raises NoSuchArtifact."""
        with self.open(artifact_id) as file:
            return file.read()

    @property
    def _empty(self) -> bool:
        return isinstance(self._address, Path) and not self._address.exists()

    @cached_property
    def _rows(self) -> ArtifactRows:
        from tradingagents.features.assistant.sessions.artifact_rows import ArtifactRows

        return ArtifactRows(self._address)

    def _row(self, artifact_id: str) -> ArtifactRow:
        row = self._rows.get(artifact_id) if is_artifact_id(artifact_id) and not self._empty else None
        if row is None:
            raise no_such_artifact(artifact_id)
        return row

    def _info(self, row: ArtifactRow) -> ArtifactInfo:
        with self._file(row) as file:
            size = os.fstat(file.fileno()).st_size
        return ArtifactInfo(**row.model_dump(exclude={"path", "size"}), size=size)

    def _relative(self, path: Path) -> Path:
        """Return the path within the home folder, without `..`."""
        try:
            relative = path.relative_to(self._home) if path.is_absolute() else path
        except ValueError:
            relative = Path("..")
        if not relative.parts or ".." in relative.parts:
            raise ArtifactRefused(f"{path} is not in {self._home}; write the file there first.")
        if relative.parts[0] in FORBIDDEN or len(relative.parts) == 1:
            raise ArtifactRefused(f"{path} belongs to the library's own state; register a report, chart or workbook.")
        return relative

    @contextmanager
    def _file(self, row: ArtifactRow) -> Iterator[IO[bytes]]:
        with ExitStack() as stack:
            try:
                file = stack.enter_context(self._opened(Path(row.path)))
            except ArtifactRefused:
                raise NoSuchArtifact(
                    f"The file of artifact {row.artifact_id} is gone; make it again, or list the artifacts there are."
                ) from None
            yield file

    @contextmanager
    def _opened(self, relative: Path) -> Iterator[IO[bytes]]:
        """Open a file of the home folder; no component of its path may be a link, and it must be a regular file."""
        try:
            descriptor = _open_within(self._home, relative)
        except OSError:
            raise ArtifactRefused(
                f"{relative} is not a regular file of {self._home}, or a link leads to it; write the file there first."
            ) from None
        with os.fdopen(descriptor, "rb") as file:
            yield file


def media_type_of(path: Path, kind: ArtifactKind) -> str:
    """Return the media type of a file of a kind.

    Raises:
        ArtifactRefused: Files of that kind do not end so.
    """
    known = MEDIA_TYPES[kind]
    media_type = known.get(path.suffix.lower())
    if media_type is None:
        raise ArtifactRefused(f"A {kind} cannot end with {path.suffix or 'nothing'}; it may with {', '.join(known)}.")
    return media_type


def _open_within(home: Path, relative: Path) -> int:
    """Open a regular file below a folder, one component of the path after the other and following no links.

    Raises:
        OSError: There is no such file, a link leads to it, or it is not a regular file.
    """
    descriptor = os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    for position, name in enumerate(relative.parts, start=1):
        how = os.O_DIRECTORY if position < len(relative.parts) else os.O_NONBLOCK  # a pipe would wait for a writer
        folder = descriptor
        try:
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | how, dir_fd=folder)
        finally:
            os.close(folder)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a regular file", str(relative))
    return descriptor
