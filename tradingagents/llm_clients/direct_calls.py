"""Calls of a chat model without LangChain's preparations for listeners, where nobody listens."""

from __future__ import annotations

from typing import Any, TypeGuard, cast

from langchain_core.callbacks import AsyncCallbackManager
from langchain_core.globals import get_llm_cache
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableConfig, ensure_config

_UNUSUAL = frozenset({"stream", "ls_structured_output_format", "structured_output_format"})
"""Arguments that LangChain itself reads."""


class DirectCalls(BaseChatModel):
    """A chat model whose asynchronous calls take the short way to its answer where LangChain has nothing to add."""

    async def ainvoke(
        self,
        input: LanguageModelInput,  # noqa: A002 - LangChain's name
        config: RunnableConfig | None = None,
        *,
        stop: list[str] | None = None,
        **kwargs: Any,
    ) -> AIMessage:
        """Return the reply to a conversation.

        Where a tracer or another callback listens, or LangChain has more to do with the call, LangChain makes it. Where
        nobody does, what it prepares for them takes as long as building a request.
        """
        settled = ensure_config(config)
        if not _is_plain(input) or not _UNUSUAL.isdisjoint(kwargs) or self._has_more_to_do(settled):
            return await super().ainvoke(input, settled, stop=stop, **kwargs)
        result = await self._agenerate(list(input), stop, **kwargs)
        generation = result.generations[0]
        message = cast(AIMessage, generation.message)
        told = result.llm_output if len(result.generations) == 1 else None
        message.response_metadata = {
            **(told or {}),
            **(generation.generation_info or {}),
            **message.response_metadata,
        }
        return message

    def _has_more_to_do(self, config: RunnableConfig) -> bool:
        """Return whether a call needs more of LangChain than building the request and reading the answer."""
        if self.callbacks or self.verbose or self.rate_limiter or self.output_version == "v1":
            return True
        if self.cache is not None or get_llm_cache() is not None:
            return True
        listening = config.get("callbacks")
        if listening is None:
            listening = AsyncCallbackManager.configure()  # tracers that the environment or a block of code names
        return bool(getattr(listening, "handlers", listening))


def _is_plain(given: LanguageModelInput) -> TypeGuard[list[BaseMessage]]:
    """Return whether a conversation is a list of messages of text, which LangChain would pass on as they are."""
    return isinstance(given, list) and all(
        isinstance(one, BaseMessage) and isinstance(one.content, str) for one in given
    )
