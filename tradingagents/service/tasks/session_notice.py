"""Tells a session what has ended, so that the assistant knows at its next turn: its tasks, and research of others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tradingagents.errors import NotFound
from tradingagents.features.assistant.sessions import NewEntry, SessionStore
from tradingagents.files.plain_text import one_line
from tradingagents.runtime.runs.session_findings import SessionFindings
from tradingagents.schemas.facts import AnsweredQuestion
from tradingagents.schemas.workspace import TaskInfo


def tell_session(sessions: SessionStore, info: TaskInfo, *, check: bool) -> None:
    """Append a notice to the transcript of the task's session.

    Args:
        check: Whether an earlier process may have told it already.
    """
    if info.session_id is None or (check and _was_told(sessions, info.session_id, info)):
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


def tell_of_research(sessions: SessionStore, home: Path, session_id: str, known: Collection[str]) -> None:
    """Append a notice for each run that was researched in the session, but by none of its tasks.

    Args:
        known: Runs of the session's tasks, which have notices of their own.
    """
    findings = SessionFindings(home, session_id)
    news = findings.not_told()
    notices = [_research_notice(answered) for answered in news if answered.run_id not in known]
    if notices:
        sessions.append(session_id, notices, hidden=True)
    if news:
        findings.note_told(answered.run_id for answered in news)


def _research_notice(answered: AnsweredQuestion) -> NewEntry:
    run_id, question = answered.run_id, one_line(answered.question)
    result = {"run_id": run_id, "question": question, "answer": answered.answer}
    data = {"run_id": run_id, "status": "done", "as_of": answered.as_of, "result": result}
    text = f"Researched in this session from outside the conversation: {question[:200]} (run {run_id}): done."
    return NewEntry(type="notice", text=text, name="research", data=data)


def _was_told(sessions: SessionStore, session_id: str, info: TaskInfo) -> bool:
    """Return whether the transcript has the notice: asked only after a process died between two writes."""
    after = -1
    with suppress(NotFound):
        while entries := sessions.entries(session_id, after, 500, hidden=True):
            if any(entry.type == "notice" and _is_about(entry.data, info) for entry in entries):
                return True
            after = entries[-1].seq
    return False


def _is_about(data: Mapping[str, Any], info: TaskInfo) -> bool:
    return data.get("task_id") == info.task_id and data.get("status") == info.status
