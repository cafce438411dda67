"""Database tables of lessons and outcomes. Imported on demand: SQLAlchemy takes 0.2 s and 10 MB to import."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Date, DateTime, Float, Index, Integer, LargeBinary, MetaData, String, Table, Text

TABLES = MetaData()
LESSONS = Table(
    "lessons",
    TABLES,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("memory", String(64), nullable=False),
    Column("situation", Text, nullable=False),
    Column("recommendation", Text, nullable=False),
    Column("settled_on", Date, nullable=False),
    Column("ticker", String(32)),
    Column("run_id", String(128)),
    Column("added_at", DateTime(timezone=True), nullable=False),
    Column("words", LargeBinary, nullable=False),
    Column("cohort", String(80)),
    Column("outcome", Text),
    Index("lessons_by_memory", "memory", "id"),
    sqlite_autoincrement=True,
)
FORGOTTEN = Table(
    "forgotten_lessons",
    TABLES,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("memory", String(64), nullable=False),
    Column("lesson", Integer, nullable=False),
    sqlite_autoincrement=True,
)
OUTCOMES = Table(
    "outcomes",
    TABLES,
    Column("run_id", String(128), primary_key=True),
    Column("ticker", String(32), nullable=False, index=True),
    Column("trade_date", Date, nullable=False),
    Column("start", Date, nullable=False),
    Column("end", Date, nullable=False),
    Column("settled_on", Date, nullable=False),
    Column("horizon_days", Integer, nullable=False),
    Column("action", String(16), nullable=False),
    Column("confidence", Float, nullable=False),
    Column("as_of_price", Float, nullable=False),
    Column("total_return", Float, nullable=False),
    Column("benchmark", String(32)),
    Column("benchmark_return", Float),
    Column("drawdown", Float, nullable=False),
    Column("position_drawdown", Float, nullable=False),
    Column("vendor", String(64), nullable=False),
    Column("models", JSON, nullable=False),
    Column("vintage", String(64), nullable=False),
    Column("agents", JSON, nullable=False),
    Column("added_at", DateTime(timezone=True), nullable=False),
    Column("cohort", String(80)),
    Column("stop_hit", Date),
)
