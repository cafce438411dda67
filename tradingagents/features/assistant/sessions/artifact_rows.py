"""Reads and writes artifacts in the database. Imported on demand: SQLAlchemy takes 0.2 s to import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from tradingagents.features.assistant.sessions.entries import instant
from tradingagents.features.assistant.sessions.rows import insert_once
from tradingagents.features.assistant.sessions.tables import ARTIFACTS, LINKS, SESSIONS, TABLES
from tradingagents.files.database import Database
from tradingagents.schemas.workspace import ArtifactInfo


class ArtifactRow(ArtifactInfo):
    """An artifact as it is stored: its size is that of its file, measured when it is shown."""

    size: int = 0
    path: str
    """Relative to the home folder."""


class ArtifactRows:
    """Artifacts in a database. Thread-safe; several processes may share one."""

    def __init__(self, address: Path | str) -> None:
        """Set the address; the database is created on first use."""
        self._database = Database(address, TABLES)

    def close(self) -> None:
        """Close the database; a later call opens it again."""
        self._database.close()

    def add(self, row: ArtifactRow) -> ArtifactRow | None:
        """Add an artifact, or update the one of the same file, session and task; None if there is no such session."""
        with self._database.writing() as connection:
            if row.session_id is not None:
                owner = _owner(connection, row.session_id)
                if owner is None:
                    return None
                row = row.model_copy(update={"session_id": owner})
            earlier = connection.execute(
                select(ARTIFACTS.c.artifact_id).where(
                    ARTIFACTS.c.path == row.path,
                    ARTIFACTS.c.session_id.is_not_distinct_from(row.session_id),
                    ARTIFACTS.c.task_id.is_not_distinct_from(row.task_id),
                )
            ).scalar()
            if earlier is None:
                connection.execute(insert(ARTIFACTS).values(**_columns(row)))
            else:
                row = row.model_copy(update={"artifact_id": earlier})
                here = ARTIFACTS.c.artifact_id == earlier
                connection.execute(update(ARTIFACTS).where(here).values(**_columns(row)))
            if row.session_id is not None:
                link = {"session_id": row.session_id, "kind": "artifact", "target": row.artifact_id}
                insert_once(connection, LINKS, link)
        return row

    def get(self, artifact_id: str) -> ArtifactRow | None:
        """Return an artifact; None if there is none of that id."""
        with self._database.reading() as connection:
            row = connection.execute(select(ARTIFACTS).where(ARTIFACTS.c.artifact_id == artifact_id)).first()
            return _row(row) if row is not None else None

    def page(self, session_id: str | None, limit: int) -> list[ArtifactRow]:
        """Return the artifacts of a session, or of all, newest first."""
        wanted = select(ARTIFACTS)
        if session_id is not None:
            linked = select(LINKS.c.target).where(LINKS.c.session_id == session_id, LINKS.c.kind == "artifact")
            wanted = wanted.where(ARTIFACTS.c.artifact_id.in_(linked))
        with self._database.reading() as connection:
            rows = connection.execute(wanted.order_by(ARTIFACTS.c.created_at.desc()).limit(limit))
            return [_row(row) for row in rows]


def _owner(connection: Connection, session_id: str) -> str | None:
    """Return the session that an artifact belongs to: a hidden one's parent; None if there is no such session."""
    wanted = select(SESSIONS.c.session_id, SESSIONS.c.hidden, SESSIONS.c.parent)
    row = connection.execute(wanted.where(SESSIONS.c.session_id == session_id)).first()
    if row is None:
        return None
    return str(row.parent) if row.hidden and row.parent is not None else str(row.session_id)


def _row(row: Row[Any]) -> ArtifactRow:
    return ArtifactRow(**{column.name: getattr(row, column.name) for column in ARTIFACTS.c})


def _columns(row: ArtifactRow) -> dict[str, Any]:
    return {**row.model_dump(exclude={"size"}), "created_at": instant(row.created_at)}
