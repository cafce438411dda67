"""A model for tests that plays back given replies, in order or from a function, and records every call."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

Reply = AIMessage | str | Exception
Script = Sequence[Reply] | Callable[[Sequence[BaseMessage], tuple[str, ...]], Reply]


class ScriptEnded(AssertionError):
    """The model was called more often than its script has replies."""


@dataclass(frozen=True)
class ScriptedCall:
    """One call of the model."""

    messages: tuple[BaseMessage, ...]
    tools: tuple[str, ...]
    """Names of the bound tools."""
    tool_choice: str | None
    """The tool it was forced to call."""


class ScriptedChatModel(BaseChatModel):
    """Plays back a script. Binding tools returns the same model: one script, one list of calls.

    Usage is counted at four characters per token.
    """

    delay: float = 0.0
    """Seconds each call takes."""

    _script: Script = PrivateAttr()
    _position: int = PrivateAttr(default=0)
    _calls: list[ScriptedCall] = PrivateAttr(default_factory=list)
    _under_way: int = PrivateAttr(default=0)
    _most_at_once: int = PrivateAttr(default=0)
    _lock: Any = PrivateAttr(default_factory=threading.Lock)

    def __init__(self, script: Script, **fields: Any) -> None:
        """Set the script.

        Args:
            script: Replies in order, or a function of the messages and the names of the bound tools. A string is the
                text of a reply; an exception is raised.
            **fields: Fields of the model, such as `delay`.
        """
        super().__init__(**fields)
        self._script = script

    @property
    def calls(self) -> tuple[ScriptedCall, ...]:
        """All calls so far, in the order they began."""
        with self._lock:
            return tuple(self._calls)

    @property
    def most_at_once(self) -> int:
        """Maximum number of concurrent calls so far."""
        return self._most_at_once

    def bind_tools(
        self, tools: Sequence[Any], *, tool_choice: str | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return this model with tools: the script receives their names, and the calls record them."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], tool_choice=tool_choice, **kwargs)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - LangChain's signature
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,
    ) -> ChatResult:
        with self._under_way_once():
            reply = self._next(messages, **kwargs)
            time.sleep(self.delay)
            return ChatResult(generations=[ChatGeneration(message=_finished(reply, messages))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - LangChain's signature
        run_manager: AsyncCallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,
    ) -> ChatResult:
        with self._under_way_once():
            reply = self._next(messages, **kwargs)
            await asyncio.sleep(self.delay)
            return ChatResult(generations=[ChatGeneration(message=_finished(reply, messages))])

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - LangChain's signature
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        with self._under_way_once():
            reply = self._next(messages, **kwargs)
            await asyncio.sleep(self.delay)
            for chunk in _chunks(_finished(reply, messages)):
                if run_manager:
                    await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
                yield chunk

    @contextmanager
    def _under_way_once(self) -> Iterator[None]:
        with self._lock:
            self._under_way += 1
            self._most_at_once = max(self._most_at_once, self._under_way)
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1

    def _next(
        self,
        messages: list[BaseMessage],
        tools: Sequence[dict[str, Any]] = (),
        tool_choice: str | None = None,
        **_: Any,
    ) -> Reply:
        names = tuple(str(tool["function"]["name"]) for tool in tools)
        with self._lock:
            self._calls.append(ScriptedCall(tuple(messages), names, tool_choice))
            position = self._position
            self._position += 1
        if callable(self._script):
            return self._script(messages, names)
        if position >= len(self._script):
            raise ScriptEnded(f"the script has {len(self._script)} replies; this is call {position + 1}")
        return self._script[position]


def _finished(reply: Reply, messages: Sequence[BaseMessage]) -> AIMessage:
    """Return a copy of the message with its usage, so that a script may repeat a message."""
    if isinstance(reply, Exception):
        raise reply
    message = AIMessage(reply) if isinstance(reply, str) else reply.model_copy(deep=True)
    if message.usage_metadata is None:
        asked = sum(_tokens(message.text) for message in messages)
        said = _tokens(message.text) + sum(_tokens(json.dumps(call["args"])) for call in message.tool_calls)
        message.usage_metadata = UsageMetadata(input_tokens=asked, output_tokens=said, total_tokens=asked + said)
    return message


def _tokens(text: str) -> int:
    return len(text) // 4


def _chunks(message: AIMessage) -> Iterator[ChatGenerationChunk]:
    """Split a message into words, followed by its tool calls and usage."""
    for word in re.findall(r"\S+\s*|\s+", message.text):
        yield ChatGenerationChunk(message=AIMessageChunk(content=word))
    calls = [
        tool_call_chunk(name=call["name"], args=json.dumps(call["args"]), id=call["id"], index=index)
        for index, call in enumerate(message.tool_calls)
    ]
    broken = [
        tool_call_chunk(name=call["name"], args=call["args"], id=call["id"], index=len(calls) + index)
        for index, call in enumerate(message.invalid_tool_calls)
    ]
    yield ChatGenerationChunk(
        message=AIMessageChunk(
            content="",
            tool_call_chunks=[*calls, *broken],
            usage_metadata=message.usage_metadata,
            response_metadata=message.response_metadata,
            chunk_position="last",
        )
    )
