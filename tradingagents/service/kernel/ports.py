"""What the kernel asks of sessions and artifacts; `tradingagents.features.assistant.sessions` has both."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Protocol

from tradingagents.schemas.workspace import ArtifactInfo, SessionInfo


class SessionAccess(Protocol):
    """Reads sessions, and audits what is done in them."""

    def get(self, session_id: str, /, *, hidden: bool = False) -> SessionInfo:
        """Return a session; one that is hidden only where `hidden` is set."""
        ...

    def audit(self, session_id: str, record: Mapping[str, Any], /) -> None:
        """Record an action of a session."""
        ...


class ArtifactRegister(Protocol):
    """Registers files under the home folder."""

    def register(
        self,
        path: Path,
        /,
        *,
        kind: Literal["report", "chart", "workbook", "document", "data"],
        title: str,
        session_id: str | None = None,
    ) -> ArtifactInfo:
        """Register a file, and return what is known of it."""
        ...
