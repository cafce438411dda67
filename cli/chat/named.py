"""The conversation that `--session` means: one of the assistant's, or one that continues a session of research."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

from tradingagents.errors import NotFound
from tradingagents.schemas.workspace import SessionDefaults, SessionInfo

if TYPE_CHECKING:
    from tradingagents.service.workspace.workspace import Workspace


async def conversation_named(workspace: Workspace, name: str, day: date | None) -> SessionInfo:
    """Return a conversation.

    Args:
        workspace: Of the home folder.
        name: Its id, or the name of a session of research, which a new conversation continues then.
        day: Day of a new conversation.

    Raises:
        NotFound: There is no such conversation, and nothing was researched in a session of that name.
        UsageError: The name cannot be used.
    """
    from tradingagents.features.assistant.sessions.ids import is_session_id
    from tradingagents.runtime.runs.session_findings import SessionFindings

    if is_session_id(name):
        return await workspace.session(name)
    findings = SessionFindings(workspace.settings.home_dir, name)
    continued = await asyncio.to_thread(findings.continued_as)
    if continued is not None:
        with suppress(NotFound):  # deleted since: another one continues the session
            return await workspace.session(continued)
    elif not await asyncio.to_thread(findings.known):
        return await workspace.session(name)
    session = await workspace.create_session(title=name, defaults=SessionDefaults(as_of=day))
    await asyncio.to_thread(findings.continue_as, session.session_id)
    return session
