"""A model for estimates: its replies have the expected length and token counts of a real model."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

from tradingagents.llm_clients.expected_cost import CHARACTERS_PER_TOKEN, REPLY_TOKENS, prompt_text, tokens_of
from tradingagents.llm_clients.offline_model import answer
from tradingagents.offline.brief import BRIEF, Brief, ObjectRule

SENTENCE = "The trend holds while the close stays above its 50-day average and volume confirms it. "
VERDICT = {
    "action": "HOLD",
    "confidence": 0.55,
    "rationale": SENTENCE * 5,
    "horizon_days": 90,
    "entry": None,
    "stop": None,
    "target": None,
    "position_size": None,
    "key_evidence": [{"claim": SENTENCE.strip(), "source": "get_ttm_analysis"}] * 4,
    "dissent": SENTENCE,
    "would_change": SENTENCE,
}
"""A decision of the length that the prompts ask for: a few sentences and four facts."""
MIN_CACHED = 1024
"""Minimum number of tokens that a prompt must share with an earlier one for a provider's cache to serve it (OpenAI's
rule)."""


@dataclass(frozen=True)
class Replies:
    """Expected lengths of replies, in tokens."""

    text: Mapping[str, float] = field(default_factory=dict)
    """Visible length by agent; `REPLY_TOKENS` for agents not listed."""
    billed: Mapping[str, float] = field(default_factory=dict)
    """Billed length by agent; for agents not listed, the visible length plus `thinking`."""
    thinking: int = 0
    """Hidden tokens per reply, see `estimate.thinking_tokens`."""
    most: int | None = None
    """Maximum length of a reply, hidden tokens included; None: no limit."""
    scale: float = 1.0
    """Factor applied to all lengths."""


class RehearsalModel(BaseChatModel):
    """Stands in for one model of a run. It calls no tools and decides nothing; only its lengths matter."""

    needs_brief: ClassVar[bool] = True
    """Whether agents make a brief for it: it says who asks."""
    _replies: Replies = PrivateAttr()
    _cached: bool = PrivateAttr()
    _seen: list[str] = PrivateAttr(default_factory=list)

    def __init__(self, replies: Replies, *, cached: bool) -> None:
        """Set the lengths.

        Args:
            replies: Expected lengths of replies.
            cached: Whether the provider's cache serves the prefix shared with an earlier prompt.
        """
        super().__init__(cache=False)
        self._replies, self._cached = replies, cached

    @property
    def _llm_type(self) -> str:
        return "rehearsal"

    def bind_tools(
        self, tools: Sequence[Any], *, tool_choice: Any = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Bind tools; their schemas are part of a call's cost."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], tool_choice=tool_choice, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - LangChain's signature
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._reply(messages, kwargs))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - LangChain's signature
        run_manager: AsyncCallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._reply(messages, kwargs))])

    def _reply(self, messages: Sequence[BaseMessage], bound: Mapping[str, Any]) -> AIMessage:
        prompt, brief = prompt_text(messages, bound), BRIEF.get() or Brief("")
        text = self._text(brief)
        asked, said = tokens_of(prompt), self._billed(brief, text)
        cached = self._from_cache(prompt)
        usage = UsageMetadata(
            input_tokens=asked,
            output_tokens=said,
            total_tokens=asked + said,
            input_token_details={"cache_read": cached},
        )
        return AIMessage(text, usage_metadata=usage)

    def _text(self, brief: Brief) -> str:
        """Return an object if the agent expects structured output, otherwise prose of the expected length."""
        if isinstance(brief.rule, ObjectRule):
            # Picks must be real candidates, which the offline rule takes from the brief.
            return answer(replace(brief, readings={})).text if brief.candidates else json.dumps(VERDICT)
        tokens = self._replies.text.get(brief.agent, REPLY_TOKENS) * self._replies.scale
        characters = max(1, round(min(tokens, self._replies.most or tokens) * CHARACTERS_PER_TOKEN))
        return (SENTENCE * (characters // len(SENTENCE) + 1))[:characters]

    def _billed(self, brief: Brief, text: str) -> int:
        replies = self._replies
        tokens = replies.billed.get(brief.agent)
        if tokens is None:
            is_object = isinstance(brief.rule, ObjectRule)
            tokens = tokens_of(text) / (1 if is_object else replies.scale) + replies.thinking
        return round(min(tokens * replies.scale, replies.most or tokens * replies.scale))

    def _from_cache(self, prompt: str) -> int:
        """Return how many tokens of a prompt the provider's cache serves, and add the prompt to the cache."""
        if not self._cached:
            return 0
        shared = max((len(os.path.commonprefix([prompt, one])) for one in self._seen), default=0)  # noqa: RUF071 - by character is what is wanted
        self._seen.append(prompt)
        tokens = shared // CHARACTERS_PER_TOKEN
        return tokens if tokens >= MIN_CACHED else 0
