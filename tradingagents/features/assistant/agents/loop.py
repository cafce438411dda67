"""The loop of one agent: ask the model, note its reply, run its calls side by side, note each result."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage

from tradingagents.agents.model_calls import MakeBrief, Model, ModelCalls, asks_for_tools
from tradingagents.agents.prompting import said_last
from tradingagents.capabilities.tools import told_call
from tradingagents.context import RunContext
from tradingagents.errors import ModelFailure
from tradingagents.features.assistant.agents.conversation import UNREADABLE, Conversation
from tradingagents.features.assistant.agents.definitions import AgentDefinition
from tradingagents.features.assistant.agents.guard import LoopGuard
from tradingagents.features.assistant.agents.host import ToolCaller, ToolHost, ToolOffer, ToolOutcome
from tradingagents.features.assistant.agents.window import Window
from tradingagents.llm_clients.calls import PromptTooLong
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.schemas.memo import GuruResearchMemo
from tradingagents.schemas.workspace import TranscriptEntry

LONGEST_RESULT = 12_000
"""Characters of a tool result that a model is shown."""
CUT = "\n\n(Cut here: the result is longer. Ask for less, or for the next part.)"
NOT_JSON = "The arguments are not valid JSON; make the call again."


@dataclass(frozen=True)
class Answered:
    """What one call came to."""

    outcome: ToolOutcome
    memo: GuruResearchMemo | None = None


OwnCall = Callable[[TranscriptEntry], Awaitable[Answered | None]]
"""Runs a call of a tool that is not the host's, such as a consultation; None leaves the call without a result."""


@dataclass(frozen=True, kw_only=True)
class AgentLoop:
    """The steps of one agent in one turn."""

    agent: AgentDefinition
    context: RunContext
    models: TierModels
    conversation: Conversation
    window: Window
    """What the model is shown of the conversation."""
    host: ToolHost
    offers: Sequence[ToolOffer]
    """All tools that the model may call."""
    brief: MakeBrief
    """Makes what offline rules answer from."""
    system: str
    shown: Callable[[], Sequence[ToolOffer]] | None = None
    """Gives the tools that the model is shown at present; None: all."""
    own_calls: dict[str, OwnCall] = field(default_factory=dict)
    """Tools that are not the host's, by name."""

    async def ask(
        self, *, context: RunContext | None = None, last: str = "", offers: Sequence[ToolOffer] | None = None
    ) -> AIMessage:
        """Ask the model and note its reply with its calls.

        Args:
            context: With the events of this reply; None: the run's.
            last: What the model is told last, without being noted.
            offers: Tools that it may call; None: those that it is shown.

        Raises:
            BudgetReached: Before the call.
            ModelFailure: Neither the model nor its fallback gave an answer.
        """
        if offers is None:
            offers = self.offers if self.shown is None else self.shown()
        tools = [offer.to_openai() for offer in offers]
        asking = ModelCalls(
            context or self.context, self.agent.role, self.agent.tier, self.models.of(self.agent.tier), self.brief
        )

        def bind(model: BaseChatModel) -> Model:
            return model.bind_tools(tools)

        async def asked(messages: Sequence[BaseMessage]) -> AIMessage:
            return await asking.reply(messages, bind=bind if tools else None)

        messages = await self._messages(asking, last, tools)
        try:
            reply = await asked(messages)
        except PromptTooLong:  # the estimate was too low: once more, with less
            messages = await self._messages(asking, last, tools, force=True)
            reply = await asked(messages)
        if not (tools and asks_for_tools(reply)):
            reply = await asking.mended(reply, messages, asked, or_calls=bool(tools))
        if not tools and asks_for_tools(reply):
            if not reply.text.strip():
                raise ModelFailure(
                    f"{self.agent.role}: the model still calls tools instead of answering; ask for less."
                )
            reply = AIMessage(reply.text, response_metadata=reply.response_metadata)
        self.window.learn(reply)
        self.conversation.add_reply(reply, self.context.labels.get(self.agent.tier, ""))
        return reply

    async def answer_calls(self) -> None:
        """Run the calls that have no result yet, side by side, and note each result when it is there."""
        waiting = self.conversation.unanswered
        guard = self.conversation.guard()
        refusals = [self._refusal(guard, call) for call in waiting]
        await _together([self._answer(call, refusal) for call, refusal in zip(waiting, refusals, strict=True)])
        self.conversation.note_symbols({call.call_id for call in waiting})

    async def _answer(self, call: TranscriptEntry, refusal: str | None) -> None:
        name, arguments = call.name or "", dict(call.arguments or {})
        shown, private = told_call(name, arguments)
        details = {"tool": name, "call": call.call_id, "args": shown, **({"private": True} if private else {})}
        asked = ", ".join(f"{key}={value}" for key, value in shown.items())
        events = self.context.events
        events.emit("tool_start", f"{name}({asked})"[:300], node=self.agent.role, step="tools", **details)
        if refusal is not None:
            answered = Answered(ToolOutcome(text=refusal, failed=True))
        elif name in self.own_calls:
            found = await self.own_calls[name](call)
            if found is None:
                return
            answered = found
        else:
            answered = Answered(await self.host.call(self._caller(), name, arguments, key=call.call_id or ""))
        outcome = replace(answered.outcome, text=_bounded(self.context.secrets.text(answered.outcome.text)))
        self.conversation.add_result(call, outcome, answered.memo)
        if answered.memo is not None:
            memo = answered.memo.model_dump(mode="json")
            events.emit("memo", f"{answered.memo.title}: {answered.memo.stance}", node=self.agent.role, step="tools",
                        call=call.call_id, **memo)  # fmt: skip
        if outcome.approval_id:
            events.emit("approval", outcome.text.partition("\n")[0][:300], node=self.agent.role, step="tools",
                        waiting=True, approval_id=outcome.approval_id, call=call.call_id, tool=name)  # fmt: skip
        events.emit(
            "tool_end",
            (outcome.title or name) if private else _gist(outcome),
            node=self.agent.role,
            step="tools",
            status="error" if outcome.failed else "success",
            content=outcome.text,
            task_id=outcome.task_id or None,
            artifacts=list(outcome.artifacts),
            **details,
        )

    def _caller(self) -> ToolCaller:
        conversation = self.conversation
        return ToolCaller(
            agent=self.agent,
            session_id=conversation.session.session_id,
            turn=conversation.turn,
            as_of=conversation.session.defaults.as_of,
            outside_text_seen=conversation.outside_text_seen,
            auto_approve=conversation.session.defaults.auto_approve,
        )

    def _refusal(self, guard: LoopGuard, call: TranscriptEntry) -> str | None:
        if call.data.get(UNREADABLE):
            return NOT_JSON
        return guard.refusal(call.name or "", call.arguments or {})

    async def _messages(
        self, asking: ModelCalls, last: str, tools: Sequence[Any], *, force: bool = False
    ) -> list[BaseMessage]:
        shown = await self.window.messages(asking, self.system, tools, force=force)
        return said_last(shown, last) if last else shown


async def _together(steps: Sequence[Awaitable[None]]) -> None:
    """Run steps side by side; where one fails, the others are cancelled, and their ends awaited."""
    tasks = [asyncio.ensure_future(step) for step in steps]
    try:
        await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


def _bounded(text: str) -> str:
    return text if len(text) <= LONGEST_RESULT else text[:LONGEST_RESULT] + CUT


def _gist(outcome: ToolOutcome) -> str:
    """Return a result in a line: its title and its first figures, or its first line."""
    first = ", ".join(f"{name} {value}" for name, value in list(outcome.shown.items())[:3])
    line = next((line.strip("# ") for line in outcome.text.splitlines() if line.strip()), "")
    return ": ".join(part for part in (outcome.title or line, first) if part)[:200]
