"""`chat_turn`: the assistant answers one message of a session."""

from __future__ import annotations

from pydantic import Field

from tradingagents.errors import ConfigurationError
from tradingagents.llm_clients.tiers import TIERS
from tradingagents.runtime.services import Services
from tradingagents.schemas.workspace import TaskPolicy
from tradingagents.tasks.control import TaskControl
from tradingagents.tasks.kind import TaskKind, TaskOutcome, TaskRequest

LONGEST_MESSAGE = 20_000
TITLE = 60


class ChatTurnRequest(TaskRequest):
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
        from tradingagents.runtime import executor
        from tradingagents.tasks.chat.host import WorkspaceTools
        from tradingagents.workflows.assistant import ASSISTANT_TURN, AssistantRequest

        if control.kernel is None or control.sessions is None:
            raise ConfigurationError("A turn needs the sessions of a workspace; send the message through one.")
        services = await control.services()
        lender = None if control.tasks is None else control.tasks.lender
        host = WorkspaceTools(control.kernel, control.sessions, control.tasks, lender=lender, free=is_free(services))
        with control.sessions.turn(request.session_id):
            asked = AssistantRequest(
                day=control.info.as_of,
                session_id=request.session_id,
                text=request.text,
                turn=control.info.task_id,
                store=control.sessions,
                host=host,
            )
            options = executor.RunOptions(subscribers=(control.subscriber,), persist="none")
            result = await executor.start(ASSISTANT_TURN, asked, services, options).result()
        return TaskOutcome({"reply": result.reply, "cost_usd": result.usage.get("cost_usd"), "seconds": result.seconds})


def is_free(services: Services) -> bool:
    """Tell whether no tier's model is paid for: all answer by fixed rules."""
    return all(services.models.label(tier).startswith("offline/") for tier in TIERS)


CHAT_TURN = ChatTurnKind()
