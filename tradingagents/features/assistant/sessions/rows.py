"""Reads and writes the state of sessions in the database. Imported on demand: SQLAlchemy takes 0.2 s to import."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, Table, delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from tradingagents.features.assistant.sessions.entries import instant
from tradingagents.features.assistant.sessions.tables import (
    APPROVALS,
    ARTIFACTS,
    AUDIT,
    CHANGES,
    LINKS,
    SESSIONS,
    TABLES,
)
from tradingagents.files.database import Database
from tradingagents.schemas.workspace import ActionApproval, SessionInfo

_MANY = 500
"""Values in one statement: SQLite takes a limited number of parameters."""


class SessionRow(SessionInfo):
    """A session as it is stored: its entries stand in the transcript, where they are counted when it is shown."""

    hidden: bool
    parent: str | None


@dataclass(frozen=True)
class IndexedSession:
    """What `sessions.json` tells of a session."""

    session_id: str
    title: str
    agent: str
    created_at: str
    updated_at: str


Change = Callable[[SessionRow], Mapping[str, Any]]
"""Takes the present state of a session; returns the columns that change."""


class SessionRows:
    """The state of sessions in a database. Thread-safe; several processes may share one."""

    def __init__(self, address: Path | str) -> None:
        """Set the address; the database is created on first use."""
        self._database = Database(address, TABLES)

    def close(self) -> None:
        """Close the database; a later call opens it again."""
        self._database.close()

    def add(self, rows: Iterable[SessionRow]) -> None:
        """Add sessions; those that exist stay as they are."""
        with self._database.writing() as connection:
            for row in rows:
                insert_once(connection, SESSIONS, _columns(row))
            _count_change(connection)

    def get(self, session_id: str) -> SessionRow | None:
        """Return a session; None if there is none of that id."""
        with self._database.reading() as connection:
            rows = connection.execute(select(SESSIONS).where(SESSIONS.c.session_id == session_id)).all()
            return next(iter(_with_links(connection, rows)), None)

    def hidden(self, session_id: str) -> bool | None:
        """Return whether a session is hidden; None if there is none of that id."""
        with self._database.reading() as connection:
            wanted = select(SESSIONS.c.hidden).where(SESSIONS.c.session_id == session_id)
            return connection.execute(wanted).scalar()

    def page(self, limit: int, before: str | None) -> list[SessionRow]:
        """Return sessions that are not hidden, newest first."""
        wanted = select(SESSIONS).where(SESSIONS.c.hidden.is_(False))
        if before is not None:
            wanted = wanted.where(SESSIONS.c.session_id < before)
        with self._database.reading() as connection:
            rows = connection.execute(wanted.order_by(SESSIONS.c.session_id.desc()).limit(limit)).all()
            return _with_links(connection, rows)

    def change(self, session_id: str, change: Change, now: str) -> SessionRow | None:
        """Change columns of a session; return its new state, or None if there is none of that id."""
        with self._database.writing() as connection:
            wanted = select(SESSIONS).where(SESSIONS.c.session_id == session_id).with_for_update()
            found = connection.execute(wanted).all()
            if not found:
                return None
            row = _with_links(connection, found)[0]
            changed = dict(change(row))
            if not changed:
                return row
            here = SESSIONS.c.session_id == session_id
            connection.execute(update(SESSIONS).where(here).values(**changed, updated_at=now))
            if "title" in changed:
                _count_change(connection)
            return _with_links(connection, connection.execute(select(SESSIONS).where(here)).all())[0]

    def family(self, session_id: str) -> list[str]:
        """Return a session and the hidden ones that belong to it."""
        with self._database.reading() as connection:
            children = select(SESSIONS.c.session_id).where(SESSIONS.c.parent == session_id)
            return [session_id, *connection.execute(children).scalars()]

    def delete(self, session_ids: Sequence[str]) -> None:
        """Delete sessions with their state; artifacts stay, without the session."""
        with self._database.writing() as connection:
            for table in (LINKS, APPROVALS, AUDIT, SESSIONS):
                connection.execute(delete(table).where(table.c.session_id.in_(session_ids)))
            owned = ARTIFACTS.c.session_id.in_(session_ids)
            connection.execute(update(ARTIFACTS).where(owned).values(session_id=None))
            _count_change(connection)

    def link(self, session_id: str, kind: str, target: str, now: str) -> None:
        """Note a task or an artifact of a session, once."""
        with self._database.writing() as connection:
            insert_once(connection, LINKS, {"session_id": session_id, "kind": kind, "target": target})
            here = SESSIONS.c.session_id == session_id
            connection.execute(update(SESSIONS).where(here).values(updated_at=now))

    def add_approval(self, session_id: str, approval: ActionApproval) -> None:
        """Add an approval that waits."""
        with self._database.writing() as connection:
            columns = approval.model_dump(mode="json") | {"session_id": session_id}
            connection.execute(insert(APPROVALS).values(**columns))

    def answer(self, session_id: str, approval_id: str, status: str, now: str) -> ActionApproval | None:
        """Answer an approval; return None if there is none of that id that waits."""
        here = (APPROVALS.c.session_id == session_id) & (APPROVALS.c.approval_id == approval_id)
        with self._database.writing() as connection:
            done = connection.execute(
                update(APPROVALS).where(here & (APPROVALS.c.status == "waiting")).values(status=status, answered_at=now)
            )
            return _approval(connection.execute(select(APPROVALS).where(here)).one()) if done.rowcount else None

    def approval_task(self, session_id: str, approval_id: str, task_id: str) -> bool:
        """Note the task that an approval started; return whether there is such an approval."""
        here = (APPROVALS.c.session_id == session_id) & (APPROVALS.c.approval_id == approval_id)
        with self._database.writing() as connection:
            return connection.execute(update(APPROVALS).where(here).values(task_id=task_id)).rowcount > 0

    def approvals(self, session_id: str) -> tuple[ActionApproval, ...]:
        """Return the approvals of a session, oldest first."""
        with self._database.reading() as connection:
            return _approvals(connection, [session_id]).get(session_id, ())

    def add_audit(self, session_id: str, record: Mapping[str, Any], now: str) -> None:
        """Add a record to the audit log of a session."""
        with self._database.writing() as connection:
            connection.execute(insert(AUDIT).values(session_id=session_id, ts=now, record=dict(record)))

    def audit(self, session_id: str, limit: int) -> list[tuple[str, dict[str, Any]]]:
        """Return the latest records with their time, oldest first."""
        wanted = select(AUDIT.c.ts, AUDIT.c.record).where(AUDIT.c.session_id == session_id)
        with self._database.reading() as connection:
            rows = connection.execute(wanted.order_by(AUDIT.c.number.desc()).limit(limit)).all()
        return [(row.ts, row.record) for row in reversed(rows)]

    def changes(self) -> int:
        """Return how often a session was created, renamed or deleted."""
        with self._database.reading() as connection:
            return connection.execute(select(CHANGES.c.count)).scalar() or 0

    def empty(self) -> bool:
        """Return whether there is no session."""
        with self._database.reading() as connection:
            return connection.execute(select(SESSIONS.c.session_id).limit(1)).first() is None

    def index(self) -> tuple[int, list[IndexedSession]]:
        """Return the number of changes so far, and all sessions that are not hidden, newest first."""
        columns = (getattr(SESSIONS.c, name) for name in IndexedSession.__dataclass_fields__)
        wanted = select(*columns).where(SESSIONS.c.hidden.is_(False)).order_by(SESSIONS.c.session_id.desc())
        with self._database.reading() as connection:
            changes = connection.execute(select(CHANGES.c.count)).scalar() or 0
            return changes, [IndexedSession(*row) for row in connection.execute(wanted)]


def _columns(row: SessionRow) -> dict[str, Any]:
    columns = row.model_dump(mode="json", include={column.name for column in SESSIONS.c})
    return {**columns, "created_at": instant(row.created_at), "updated_at": instant(row.updated_at)}


def _with_links(connection: Connection, rows: Sequence[Row[Any]]) -> list[SessionRow]:
    ids = [row.session_id for row in rows]
    links: dict[tuple[str, str], list[str]] = defaultdict(list)
    for some in (ids[at : at + _MANY] for at in range(0, len(ids), _MANY)):
        wanted = select(LINKS).where(LINKS.c.session_id.in_(some)).order_by(LINKS.c.number)
        for link in connection.execute(wanted):
            links[link.session_id, link.kind].append(link.target)
    approvals = _approvals(connection, ids)
    return [
        SessionRow(
            **{column.name: getattr(row, column.name) for column in SESSIONS.c},
            task_ids=tuple(links[row.session_id, "task"]),
            artifacts=tuple(links[row.session_id, "artifact"]),
            approvals=approvals.get(row.session_id, ()),
        )
        for row in rows
    ]


def _approvals(connection: Connection, ids: Sequence[str]) -> dict[str, tuple[ActionApproval, ...]]:
    found: dict[str, tuple[ActionApproval, ...]] = {}
    for some in (ids[at : at + _MANY] for at in range(0, len(ids), _MANY)):
        wanted = select(APPROVALS).where(APPROVALS.c.session_id.in_(some)).order_by(APPROVALS.c.number)
        for row in connection.execute(wanted):
            found[row.session_id] = (*found.get(row.session_id, ()), _approval(row))
    return found


def _approval(row: Row[Any]) -> ActionApproval:
    return ActionApproval.model_validate({name: getattr(row, name) for name in ActionApproval.model_fields})


def _count_change(connection: Connection) -> None:
    if connection.execute(update(CHANGES).values(count=CHANGES.c.count + 1)).rowcount == 0:
        insert_once(connection, CHANGES, {"number": 1, "count": 0})
        connection.execute(update(CHANGES).values(count=CHANGES.c.count + 1))


def insert_once(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Insert a row unless one with the same key exists."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(dialect.insert(table).values(**values).on_conflict_do_nothing())
