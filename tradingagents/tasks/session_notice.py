"""Tells a session that one of its tasks has ended, so that the assistant knows at its next turn."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tradingagents.errors import NotFound
from tradingagents.schemas.workspace import TaskInfo
from tradingagents.sessions import NewEntry, SessionStore


def tell_session(sessions: SessionStore, info: TaskInfo, *, check: bool) -> None:
    """Append a notice to the transcript of the task's session.

    Args:
        sessions: The store of sessions.
        info: The task.
        check: Whether an earlier process may have told it already.
    """
    if info.session_id is None or (check and _told(sessions, info.session_id, info)):
        return
    data: dict[str, Any] = {"task_id": info.task_id, "kind": info.kind, "status": info.status}
    if info.result is not None:
        data["result"] = info.result
    if info.artifacts:
        data["artifacts"] = list(info.artifacts)
    said = info.error.message if info.error is not None else ""
    text = f"Task {info.title} ({info.kind}, {info.task_id}): {info.status.replace('_', ' ')}. {said}".strip()
    with suppress(NotFound):  # the session was deleted meanwhile; its tasks and their results stay
        sessions.append(info.session_id, [NewEntry(type="notice", text=text, name=info.kind, data=data)], hidden=True)


def _told(sessions: SessionStore, session_id: str, info: TaskInfo) -> bool:
    """Return whether the transcript has the notice: asked only after a process died between two writes."""
    after = -1
    with suppress(NotFound):
        while entries := sessions.entries(session_id, after, 500, hidden=True):
            if any(one.type == "notice" and _is_about(one.data, info) for one in entries):
                return True
            after = entries[-1].seq
    return False


def _is_about(data: Mapping[str, Any], info: TaskInfo) -> bool:
    return data.get("task_id") == info.task_id and data.get("status") == info.status
