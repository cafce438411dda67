"""What the current code works for: the run and the agent, read by loggers, and what an experiment hides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage  # loggers are set up before a model is needed


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


class PromptMask(Protocol):
    """Rewrites conversations; equal conversations give equal ones, so that stored replies are found again."""

    def hidden(self, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
        """Return the conversation as a model is sent it."""

    def revealed(self, reply: AIMessage) -> AIMessage:
        """Return a reply, its tool calls included, as agents read it."""
