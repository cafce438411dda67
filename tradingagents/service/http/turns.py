"""Turns of the assistant for clients with a protocol of their own: a session for each conversation, and its events."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from tradingagents.errors import NotFound
from tradingagents.schemas.workspace import TaskEvent, ViewContext
from tradingagents.service.http.threads import ThreadMap
from tradingagents.service.workspace.api import WorkspaceApi

TITLE_LENGTH = 80


@dataclass(frozen=True)
class ReplyPart:
    """A piece of the reply's text."""

    text: str
    part: int = 0
    """Number of the message within the turn: the assistant may say something before it calls a tool."""


@dataclass(frozen=True)
class TurnEnd:
    """How the turn ended."""

    task_id: str
    status: str
    error_code: str | None = None
    error_message: str | None = None


TurnStep = TaskEvent | ReplyPart | TurnEnd


async def find_session(workspace: WorkspaceApi, threads: ThreadMap, client: str, thread: str, first: str) -> str:
    """Return the session of a client's conversation, which is begun where there is none, or it was deleted.

    Args:
        workspace: Has the sessions.
        threads: Knows which conversations have one.
        client: Kind of client, such as `agui`.
        thread: The client's id of the conversation.
        first: What was said first, for the title.
    """
    known = await threads.session_of(client, thread)
    if known is not None:
        try:
            return (await workspace.session(known)).session_id
        except NotFound:
            pass  # deleted since
    title = " ".join(first.split())[:TITLE_LENGTH]
    session = await workspace.create_session(title=title)
    await threads.remember(client, thread, session.session_id)
    return session.session_id


async def turn(
    workspace: WorkspaceApi, session_id: str, text: str, view: ViewContext | None = None
) -> AsyncGenerator[TurnStep]:
    """Say something to the assistant and yield what happens: events, pieces of the reply, and last how it ended.

    The turn is a task: it goes on when this is closed.

    Raises:
        TradingAgentsError: As `send_message` does, before anything is yielded.
    """
    task = await workspace.send_message(session_id, text, view=view)
    spoken: set[int] = set()
    async with aclosing(_closable(workspace, task.task_id)) as events:
        async for event in events:
            if event.type == "message":
                part = int(event.data.get("part", 0))
                # A message is followed by its whole text, also where it was not sent in pieces.
                said = event.data.get("delta") or ("" if part in spoken else event.data.get("text"))
                if said:
                    spoken.add(part)
                    yield ReplyPart(str(said), part)
            else:
                yield event
    ended = await workspace.task(task.task_id)
    if not spoken and (reply := reply_of(ended.result)):
        yield ReplyPart(reply)
    error = ended.error
    yield TurnEnd(task.task_id, ended.status, error.code if error else None, error.message if error else None)


def reply_of(result: dict[str, Any] | None) -> str:
    """Return the text of the reply in a turn's result; empty where there is none."""
    return str((result or {}).get("reply") or "")


async def _closable(workspace: WorkspaceApi, task_id: str) -> AsyncGenerator[TaskEvent]:
    async for event in workspace.task_events(task_id):
        yield event
