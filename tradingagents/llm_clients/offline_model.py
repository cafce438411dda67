"""The offline chat model: answers by the rules that agents declare, from typed briefs; no key, no network.

It stands where a language model would, so that a run without one goes through the same graph, events and meter. It does
not read its prompts: they count as tokens, and what it knows stands in the call's `BRIEF`.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolCall
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from tradingagents.offline.brief import BRIEF, Brief, DialogueRule, ObjectRule, TextRule, ToolWish
from tradingagents.offline.reports import figures_only

MODEL_NAME = "offline"
CHARACTERS_PER_TOKEN = 4
ANY_TOOL = ("any", "required", True)
NO_BRIEF = Brief(agent="")
NOT_OFFERED = "The tools that would answer this are not available."


class OfflineChatModel(BaseChatModel):
    """A deterministic analyst with the interface of a chat model: the same brief gives the same answer."""

    model_name: str = MODEL_NAME
    needs_brief: ClassVar[bool] = True
    """Whether agents are to make a brief for it."""

    @property
    def _llm_type(self) -> str:
        return MODEL_NAME

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: Any = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Bind tools; a `tool_choice` that names one, or `any`, makes a deciding role answer with that call."""
        return self.bind(tools=[_named(tool) for tool in tools], tool_choice=tool_choice, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._reply(messages, kwargs))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: AsyncCallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._reply(messages, kwargs))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in _chunks(self._reply(messages, kwargs)):
            if run_manager:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in _chunks(self._reply(messages, kwargs)):
            if run_manager:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    def _reply(self, messages: Sequence[BaseMessage], kwargs: dict[str, Any]) -> AIMessage:
        reply = answer(BRIEF.get() or NO_BRIEF, kwargs.get("tools") or (), kwargs.get("tool_choice"))
        reply.usage_metadata = _usage(messages, reply)
        reply.response_metadata = {"model_name": self.model_name}
        return reply


def _named(tool: dict[str, Any] | type | Callable[..., Any] | BaseTool) -> dict[str, Any]:
    """Return a tool in the OpenAI format; of a tool with a schema its name alone, which is all that rules read."""
    if isinstance(tool, BaseTool):
        return {"type": "function", "function": {"name": tool.name}}
    return convert_to_openai_tool(tool)


def answer(brief: Brief, tools: Sequence[Mapping[str, Any]] = (), choice: Any = None) -> AIMessage:
    """Answer by the rule of the agent that asks.

    Args:
        brief: What the agent knows.
        tools: Bound tools in the OpenAI format.
        choice: What a chat model's `tool_choice` may be: a tool's name, any/required, auto/none, or OpenAI's dict.
    """
    rule = brief.rule
    if rule is None:
        return AIMessage(figures_only(brief))
    if isinstance(rule, ObjectRule):
        filled = rule.fill_in(brief)
        if filled is None:
            return AIMessage(rule.nothing)
        forced = forced_tool(tools, choice)
        if forced is None:
            return AIMessage(json.dumps(filled))
        return AIMessage(
            "", tool_calls=[ToolCall(name=forced, args=dict(filled), id=f"offline_{forced}", type="tool_call")]
        )
    if isinstance(rule, TextRule):
        return AIMessage(rule.write(brief))
    if isinstance(rule, DialogueRule):
        said, wishes = rule.act(brief)
        calls = _offered_calls(wishes, tools)
        return AIMessage("" if calls else said or NOT_OFFERED, tool_calls=calls)
    calls = _offered_calls(rule.further(brief), tools)
    return AIMessage("" if calls or brief.reading is None else brief.reading.text, tool_calls=calls)


def forced_tool(tools: Sequence[Mapping[str, Any]], choice: Any) -> str | None:
    """Return the tool the model is made to call; None where it is free. Of several, "any" takes the first."""
    if isinstance(choice, Mapping):
        choice = choice.get("function", choice).get("name")
    names = [tool["function"]["name"] for tool in tools]
    if choice in ANY_TOOL:
        return names[0] if names else None
    return choice if choice in names else None


def _offered_calls(wishes: Sequence[ToolWish], tools: Sequence[Mapping[str, Any]]) -> list[ToolCall]:
    names = {tool["function"]["name"] for tool in tools}
    offered = [(tool, arguments) for tool, arguments in wishes if tool in names]
    return [
        ToolCall(name=tool, args=dict(arguments), id=f"offline_{number}_{tool}", type="tool_call")
        for number, (tool, arguments) in enumerate(offered, start=1)
    ]


def _usage(messages: Sequence[BaseMessage], reply: AIMessage) -> UsageMetadata:
    """Estimate tokens as characters over four, rounded up; nothing is sent anywhere."""
    read = -(-sum(len(message.text) for message in messages) // CHARACTERS_PER_TOKEN)
    written = len(reply.text) + sum(len(str(call["args"])) for call in reply.tool_calls)
    wrote = -(-written // CHARACTERS_PER_TOKEN)
    return UsageMetadata(input_tokens=read, output_tokens=wrote, total_tokens=read + wrote)


def _chunks(reply: AIMessage) -> Iterator[ChatGenerationChunk]:
    """Split a reply into words; the last chunk carries tool calls, usage and the model's name."""
    *words, last = reply.text.split(" ")
    for piece in (*(f"{word} " for word in words), last):
        if piece:
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
    yield ChatGenerationChunk(
        message=AIMessageChunk(
            content="",
            tool_call_chunks=[
                tool_call_chunk(name=call["name"], args=json.dumps(call["args"]), id=call["id"], index=index)
                for index, call in enumerate(reply.tool_calls)
            ],
            usage_metadata=reply.usage_metadata,
            response_metadata=reply.response_metadata,
            chunk_position="last",
        )
    )
