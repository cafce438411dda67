"""`chat_turn`: the assistant answers one message of a session."""

from __future__ import annotations

import asyncio
from typing import cast

from pydantic import Field

from tradingagents.errors import ConfigurationError
from tradingagents.llm_clients.tiers import TIERS
from tradingagents.runtime.request import Request
from tradingagents.runtime.runs.session_findings import SessionFindings
from tradingagents.runtime.services import Services
from tradingagents.runtime.task_kind import TaskControl, TaskKind, TaskOutcome
from tradingagents.schemas.workspace import TaskPolicy
from tradingagents.service.tasks.control import WorkspaceTaskControl

LONGEST_MESSAGE = 20_000
TITLE, MOST_TASKS = 60, 200


class ChatTurnRequest(Request):
    """One message."""

    session_id: str = Field(min_length=1, max_length=80, description="Session that the message belongs to")
    text: str = Field(min_length=1, max_length=LONGEST_MESSAGE, description="What the user says")


class ChatTurnKind(TaskKind[ChatTurnRequest]):
    """One turn of a conversation. It runs in its own lane, and no catalogue lists it."""

    name = "chat_turn"
    summary = "Answer one message of a conversation with the assistant."
    request = ChatTurnRequest
    policy = TaskPolicy(costs_money=True, writes=True, listed=False)
    lane = "turns"

    def title(self, request: ChatTurnRequest) -> str:
        """Return the beginning of the message."""
        line = " ".join(request.text.split())
        return line if len(line) <= TITLE else f"{line[:TITLE]}\u2026"

    async def run(self, request: ChatTurnRequest, control: TaskControl) -> TaskOutcome:
        """Answer the message, or continue from the transcript of an earlier start.

        Raises:
            ConfigurationError: The task was started without a kernel or sessions.
            SessionBusy: Another turn of the session is running.
        """
        from tradingagents.features.assistant.kind import ASSISTANT_TURN, AssistantRequest
        from tradingagents.runtime import executor
        from tradingagents.service.tasks.chat.host import WorkspaceTools

        start = cast(WorkspaceTaskControl, control)  # what a manager hands over has the sessions of its workspace
        if start.kernel is None or start.sessions is None:
            raise ConfigurationError("A turn needs the sessions of a workspace; send the message through one.")
        services = await control.services()
        lender = None if start.tasks is None else start.tasks.lender
        host = WorkspaceTools(start.kernel, start.sessions, start.tasks, lender=lender, free=is_free(services))
        with start.sessions.turn(request.session_id):
            await _tell_of_research(start, request.session_id)
            asked = AssistantRequest(
                day=control.info.as_of,
                session_id=request.session_id,
                text=request.text,
                turn=control.info.task_id,
                store=start.sessions,
                host=host,
            )
            options = executor.RunOptions(subscribers=(control.subscriber,), persist="none")
            result = await executor.start(ASSISTANT_TURN, asked, services, options).result()
        return TaskOutcome({"reply": result.reply, "cost_usd": result.usage.get("cost_usd"), "seconds": result.seconds})


async def _tell_of_research(start: WorkspaceTaskControl, session_id: str) -> None:
    """Tell the session of research that the command line, Python or another session's task has added to it."""
    from tradingagents.service.tasks.session_notice import tell_of_research

    if start.sessions is None or start.tasks is None:
        return
    home = start.settings.home_dir
    if not await asyncio.to_thread(SessionFindings(home, session_id).not_told):
        return
    tasks = await start.tasks.list(session_id=session_id, limit=MOST_TASKS)
    known = {run_id for task in tasks for run_id in task.run_ids}
    await asyncio.to_thread(tell_of_research, start.sessions, home, session_id, known)


def is_free(services: Services) -> bool:
    """Tell whether no tier's model is paid for: all answer by fixed rules."""
    return all(services.models.label(tier).startswith("offline/") for tier in TIERS)


CHAT_TURN = ChatTurnKind()
