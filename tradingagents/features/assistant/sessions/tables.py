"""Database tables of sessions and artifacts. Imported on demand: SQLAlchemy takes 0.2 s to import."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Index, Integer, MetaData, String, Table, Text

TABLES = MetaData()
SESSIONS = Table(
    "sessions",
    TABLES,
    Column("session_id", String(40), primary_key=True),
    Column("agent", String(80), nullable=False),
    Column("title", Text, nullable=False),
    Column("hidden", Boolean, nullable=False),
    Column("parent", String(40), index=True),
    Column("created_at", String(32), nullable=False),  # ISO 8601, UTC, as in transcripts
    Column("updated_at", String(32), nullable=False),  # of the state; the transcript has its own time
    Column("symbols", JSON, nullable=False),
    Column("view", JSON, nullable=False),
    Column("defaults", JSON, nullable=False),
    Index("sessions_listed", "hidden", "session_id"),
)
LINKS = Table(
    "session_links",
    TABLES,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("session_id", String(40), nullable=False),
    Column("kind", String(16), nullable=False),  # `task` or `artifact`
    Column("target", String(128), nullable=False),
    Index("session_links_once", "session_id", "kind", "target", unique=True),
)
APPROVALS = Table(
    "session_approvals",
    TABLES,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("approval_id", String(40), nullable=False, unique=True),
    Column("session_id", String(40), nullable=False, index=True),
    Column("action", Text, nullable=False),
    Column("arguments", JSON, nullable=False),
    Column("reason", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("created_at", String(32), nullable=False),
    Column("answered_at", String(32)),
    Column("task_id", String(128)),
)
AUDIT = Table(
    "session_audit",
    TABLES,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("session_id", String(40), nullable=False, index=True),
    Column("ts", String(32), nullable=False),
    Column("record", JSON, nullable=False),
)
ARTIFACTS = Table(
    "artifacts",
    TABLES,
    Column("artifact_id", String(40), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("title", Text, nullable=False),
    Column("media_type", String(128), nullable=False),
    Column("path", Text, nullable=False, index=True),  # relative to the home folder
    Column("created_at", String(32), nullable=False, index=True),
    Column("session_id", String(40)),
    Column("task_id", String(128)),
    Column("run_id", String(128)),
)
CHANGES = Table(
    "session_changes",  # one row: how often a session was created, renamed or deleted
    TABLES,
    Column("number", Integer, primary_key=True),
    Column("count", Integer, nullable=False),
)
