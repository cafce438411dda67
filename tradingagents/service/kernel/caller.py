"""Who calls a capability or starts a task, and what that caller may do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Face = Literal["python", "cli", "http", "web", "mcp", "agent"]


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Who asks. The defaults are those of a person or a program that uses the library directly."""

    face: Face = "python"
    session_id: str | None = None
    agent: str | None = None
    """Name of the agent whose model makes the call; None where a person or a program makes it."""
    allowed: frozenset[str] | None = None
    """Names of the capabilities and kinds of tasks that it may use; None for all."""
    outside_text_seen: bool = False
    """Whether the agent has read text that others wrote (news, posts, filings) in this turn: such text may have asked
    for the call, so a person confirms what writes or costs money."""
    files: bool = True
    """Whether it wants the files that an answer makes, such as a drawn chart; the answer itself is the same."""
    auto_approve: bool = False
    """Whether the user lets the agent act without asking; does not hold once outside text was seen."""
