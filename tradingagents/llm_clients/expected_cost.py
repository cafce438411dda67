"""What a call that is about to be made will cost: its prompt, uncached, and a reply of usual length."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable
from langchain_core.runnables.base import RunnableBindingBase

from tradingagents.llm_clients.model_profile import effort_for, quirks_of
from tradingagents.llm_clients.pricing import Tokens, cost_usd
from tradingagents.settings import Settings

CHARACTERS_PER_TOKEN = 4
"""Characters per token of English prose with the tokenizers of all large providers. Tables of figures and most other
languages have fewer, which the usage of past runs corrects."""
REPLY_TOKENS = 600
"""Tokens of a report or a debate turn: about 450 words with a table of ten rows. This is an assumption: the prompts set
no length, and models differ by a factor of two either way. The usage of past runs replaces it."""
THINKING_TOKENS: Mapping[str, int] = {
    "none": 0,
    "minimal": 50,
    "low": 300,
    "medium": 1000,
    "high": 2500,
    "xhigh": 5000,
    "max": 5000,
}
"""Hidden tokens per reply that a reasoning model bills as output, by effort. Like `REPLY_TOKENS` these are assumed
orders of magnitude: providers publish no figures, and hard questions take many times as many as easy ones."""
USUAL_EFFORT = "medium"
THINKS_UNASKED = frozenset({"openai", "openai_compatible", "google"})
"""Providers whose reasoning models think without an effort setting; Anthropic's don't."""
TOOL_KEYS = ("tools", "functions", "response_format", "response_json_schema", "format")
"""Bound arguments that the server reads as part of the prompt."""


def tokens_of(text: str) -> int:
    """Return the approximate number of tokens of a text; 0 for none."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def prompt_text(messages: Sequence[BaseMessage], bound: Mapping[str, Any]) -> str:
    """Return everything in a request that is billed as input, in the order a provider's cache reads it: tools first.

    Args:
        messages: The conversation.
        bound: The arguments bound to the model, such as `tools`.
    """
    schemas = [json.dumps(bound[key], default=str) for key in TOOL_KEYS if bound.get(key)]
    return "\n".join([*schemas, *map(_said, messages)])


def bound_to(model: Runnable[Any, Any]) -> dict[str, Any]:
    """Return the arguments bound to a model; empty for a plain one."""
    bound: dict[str, Any] = {}
    while isinstance(model, RunnableBindingBase):
        bound = {**model.kwargs, **bound}
        model = model.bound
    return bound


def thinking_tokens(label: str, settings: Settings) -> int:
    """Return the assumed number of hidden tokens per reply of the model labelled `provider/model`."""
    provider, _, model = label.partition("/")
    effort = effort_for(provider, model, settings)
    if effort is None and provider in THINKS_UNASKED and quirks_of(provider, model).effort:
        effort = USUAL_EFFORT
    return THINKING_TOKENS[effort] if effort else 0


@dataclass(frozen=True)
class Asked:
    """A call about to be made."""

    label: str
    """`provider/model`."""
    model: Runnable[Any, Any]
    """The model with its bound arguments."""
    messages: Sequence[BaseMessage]

    def likely_usd(self, settings: Settings, reply_tokens: float | None = None) -> float:
        """Return the expected cost of the call in USD: the given prompt, uncached, and a reply.

        Args:
            settings: Prices, effort, maximum reply length.
            reply_tokens: Average tokens of replies so far, hidden ones included; None: the assumed length.

        Returns:
            0 for a free model, and if the price is unknown.
        """
        if reply_tokens is None:
            reply_tokens = REPLY_TOKENS + thinking_tokens(self.label, settings)
        tokens = Tokens(
            input=tokens_of(prompt_text(self.messages, bound_to(self.model))),
            output=round(min(reply_tokens, settings.max_output_tokens or reply_tokens)),
        )
        return cost_usd(self.label, tokens, settings.model_prices) or 0.0


def _said(message: BaseMessage) -> str:
    calls = message.tool_calls if isinstance(message, AIMessage) else ()
    return message.text + "".join(call["name"] + json.dumps(call["args"], default=str) for call in calls)
