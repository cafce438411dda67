"""What a model is shown of a conversation: normalised, within its context, compacted before the provider would refuse."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from tradingagents.agents.model_calls import ModelCalls
from tradingagents.features.assistant.agents.conversation import Conversation
from tradingagents.features.assistant.agents.events import HiddenEvents
from tradingagents.features.assistant.sessions.budget import (
    ContextBudget,
    context_tokens,
    message_tokens,
    schema_tokens,
)
from tradingagents.features.assistant.sessions.compaction import Summarise, fitted
from tradingagents.schemas.workspace import TaskInfo
from tradingagents.settings import Settings

OpenTasks = Callable[[], Awaitable[Sequence[TaskInfo]]]
"""Returns the tasks of the session, for what a summary says of open ones."""


@dataclass
class Window:
    """Fits one conversation into the context of the model that is asked, call after call."""

    conversation: Conversation
    tasks: OpenTasks
    _factor: float = 1.0
    _shown: list[BaseMessage] = field(default_factory=list)
    _tools: Sequence[Any] = ()

    async def messages(
        self, asking: ModelCalls, system: str, tools: Sequence[Any], *, force: bool = False
    ) -> list[BaseMessage]:
        """Return what the model is shown, the system message first.

        Where the conversation is too long, its older part gives way to a summary, which is noted in the transcript.

        Args:
            asking: The agent's calls of its model.
            system: Its system message.
            tools: Tools in the format of a request.
            force: Whether to compact because a provider refused the length.

        Raises:
            ContextTooSmall: Even the last exchange does not fit.
            BudgetReached: Before the summary is asked for.
        """
        settings, conversation = asking.context.settings, self.conversation
        fit = await fitted(
            conversation.entries,
            conversation.session,
            self._budget(asking, settings, system, tools),
            label=asking.context.labels.get(asking.tier, ""),
            tasks=await self.tasks(),
            summarise=self._summarise(asking),
            force=force,
        )
        if fit.summary is not None:
            conversation.add_summary(fit.summary)
            asking.context.events.emit("progress", "The earlier conversation was summarised.", node=asking.agent)
        self._shown, self._tools = [SystemMessage(system), *fit.messages], tools
        return self._shown

    def learn(self, reply: AIMessage) -> None:
        """Take in how long the provider says the last prompt was."""
        reported = reply.usage_metadata["input_tokens"] if reply.usage_metadata else 0
        estimated = message_tokens(self._shown) + schema_tokens(self._tools)
        known = ContextBudget(context=0, reply=0, factor=self._factor).corrected(estimated, reported)
        self._factor = max(self._factor, known.factor)

    def _budget(self, asking: ModelCalls, settings: Settings, system: str, tools: Sequence[Any]) -> ContextBudget:
        fixed = message_tokens([SystemMessage(system)]) + schema_tokens(tools)
        budget = ContextBudget.of(context_tokens(asking.llm, settings), fixed=fixed, reply=settings.max_output_tokens)
        return replace(budget, factor=self._factor)

    def _summarise(self, asking: ModelCalls) -> Summarise | None:
        """Return how a model is asked for a summary; None where rules answer for it."""
        if getattr(asking.llm, "needs_brief", False):
            return None
        context = asking.context
        quiet = replace(
            context,
            events=HiddenEvents(context.events),
            settings=context.settings.model_copy(update={"stream_tokens": False}),
        )

        async def summarise(instruction: str, conversation: str) -> str:
            calls = ModelCalls(quiet, asking.agent, asking.tier, asking.llm, asking.brief)
            return (await calls.whole([SystemMessage(instruction), HumanMessage(conversation)])).text

        return summarise
