"""The run and the agent that the current code works for: set once, read by loggers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Running:
    """A run under way."""

    run_id: str
    kind: str
    """trading or scan."""
    ticker: str | None
    """None for a scan."""
    trade_date: str
    """YYYY-MM-DD."""
    log_file: Path | None = None
    """Where its log records go; None for nowhere in particular."""


RUN: ContextVar[Running | None] = ContextVar("tradingagents_run", default=None)
"""None outside runs. Tasks and threads that a run starts inherit it; runs side by side do not see each other's."""
AGENT: ContextVar[str | None] = ContextVar("tradingagents_agent", default=None)
"""Who asks a model or a tool. None between agents."""


@contextmanager
def under_way(run: Running) -> Iterator[None]:
    """Have everything that happens within belong to a run."""
    token = RUN.set(run)
    try:
        yield
    finally:
        RUN.reset(token)
