"""A model for estimates: its replies have the expected length and count the tokens that a real model would."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

from tradingagents.llm_clients.estimate import CHARACTERS_PER_TOKEN, REPLY_TOKENS, prompt_text, tokens_of
from tradingagents.offline.answer import answer
from tradingagents.offline.decisions import DECIDERS
from tradingagents.offline.scan.synthesis import SYNTHESISERS

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
"""A decision as long as the prompts ask for one: a few sentences, and four facts."""
LEAST_CACHED = 1024
"""Tokens that a prompt must share with an earlier one before a provider's cache serves it, as OpenAI has it."""
_ROLE = re.compile(r"^# Your role: (.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Replies:
    """How long replies are, in tokens."""

    text: Mapping[str, float] = field(default_factory=dict)
    """Of what an agent writes for others to read, by agent; who is not named writes `REPLY_TOKENS`."""
    billed: Mapping[str, float] = field(default_factory=dict)
    """What a reply is billed, by agent; who is not named is billed what it wrote, and `thinking`."""
    thinking: int = 0
    """Hidden tokens of a reply, see `estimate.thinking_tokens`."""
    most: int | None = None
    """The longest reply, hidden tokens included; None: as long as it likes."""
    scale: float = 1.0
    """What all lengths are multiplied with."""


class RehearsalModel(BaseChatModel):
    """Stands in for one model of a run. It calls no tool, and decides nothing: only lengths are meant."""

    _replies: Replies = PrivateAttr()
    _cached: bool = PrivateAttr()
    _seen: list[str] = PrivateAttr(default_factory=list)

    def __init__(self, replies: Replies, *, cached: bool) -> None:
        """Set the lengths.

        Args:
            replies: How long replies are.
            cached: Whether the provider's cache serves what a prompt shares with an earlier one.
        """
        super().__init__(cache=False)
        self._replies, self._cached = replies, cached

    @property
    def _llm_type(self) -> str:
        return "rehearsal"

    def bind_tools(
        self, tools: Sequence[Any], *, tool_choice: Any = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Bind tools: they are part of what a call costs."""
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
        prompt, agent = prompt_text(messages, bound), _role_of(messages)
        text = self._text(agent, messages)
        asked, said = tokens_of(prompt), self._billed(agent, text)
        cached = self._from_cache(prompt)
        usage = UsageMetadata(
            input_tokens=asked,
            output_tokens=said,
            total_tokens=asked + said,
            input_token_details={"cache_read": cached},
        )
        return AIMessage(text, usage_metadata=usage)

    def _text(self, agent: str, messages: Sequence[BaseMessage]) -> str:
        """Return an object where the agent fills one in, or prose of the length it writes."""
        if agent in DECIDERS:
            return json.dumps(VERDICT)
        if agent in SYNTHESISERS:
            # Its picks have to be candidates, which the offline rules take from the prompt.
            return answer(messages).text
        tokens = self._replies.text.get(agent, REPLY_TOKENS) * self._replies.scale
        characters = max(1, round(min(tokens, self._replies.most or tokens) * CHARACTERS_PER_TOKEN))
        return (SENTENCE * (characters // len(SENTENCE) + 1))[:characters]

    def _billed(self, agent: str, text: str) -> int:
        replies = self._replies
        tokens = replies.billed.get(agent)
        if tokens is None:
            is_object = agent in DECIDERS or agent in SYNTHESISERS
            tokens = tokens_of(text) / (1 if is_object else replies.scale) + replies.thinking
        return round(min(tokens * replies.scale, replies.most or tokens * replies.scale))

    def _from_cache(self, prompt: str) -> int:
        """Return how many tokens a provider's cache serves of a prompt, and take the prompt into it."""
        if not self._cached:
            return 0
        shared = max((len(os.path.commonprefix([prompt, one])) for one in self._seen), default=0)  # noqa: RUF071 - by character is what is wanted
        self._seen.append(prompt)
        tokens = shared // CHARACTERS_PER_TOKEN
        return tokens if tokens >= LEAST_CACHED else 0


def _role_of(messages: Sequence[BaseMessage]) -> str:
    """Return whose prompt this is; empty where no role stands in it."""
    asked = (message.text for message in reversed(messages) if message.type == "human")
    return next((str(roles[-1]) for text in asked if (roles := _ROLE.findall(text))), "")
