"""The offline chat model: reads the prompts that a language model would, and answers by rules; no key, no network."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from tradingagents.offline.answer import MODEL_NAME, answer

CHARACTERS_PER_TOKEN = 4
_PIECE = re.compile(r"\S+\s*|\s+")


class OfflineChatModel(BaseChatModel):
    """A deterministic analyst behind a chat model's face: the same prompt gives the same answer."""

    model_name: str = MODEL_NAME

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
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], tool_choice=tool_choice, **kwargs)

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
        reply = answer(messages, kwargs.get("tools") or (), kwargs.get("tool_choice"))
        reply.usage_metadata = _usage(messages, reply)
        reply.response_metadata = {"model_name": self.model_name}
        return reply


def _usage(messages: Sequence[BaseMessage], reply: AIMessage) -> UsageMetadata:
    """Estimate tokens as characters over four, rounded up; nothing is sent anywhere."""
    read = -(-sum(len(message.text) for message in messages) // CHARACTERS_PER_TOKEN)
    written = len(reply.text) + sum(len(str(call["args"])) for call in reply.tool_calls)
    wrote = -(-written // CHARACTERS_PER_TOKEN)
    return UsageMetadata(input_tokens=read, output_tokens=wrote, total_tokens=read + wrote)


def _chunks(reply: AIMessage) -> Iterator[ChatGenerationChunk]:
    """Split a reply into words; the last chunk carries tool calls, usage and the model's name."""
    for piece in _PIECE.findall(reply.text):
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
