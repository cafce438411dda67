"""Estimates of a model call before it is made: tokens of prompt and reply, and their cost."""

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
"""English prose takes some four characters a token with the tokenizers of all large providers. Tables of figures take
fewer, and so does text in most other languages: what past runs used corrects that."""
REPLY_TOKENS = 600
"""A report or a turn of a debate: about 450 words with a table of ten rows. An assumption, not a measurement: the
prompts set no length, and models differ by a factor of two either way. What past runs used takes its place."""
THINKING_TOKENS: Mapping[str, int] = {
    "none": 0,
    "minimal": 50,
    "low": 300,
    "medium": 1000,
    "high": 2500,
    "xhigh": 5000,
    "max": 5000,
}
"""Hidden tokens that a model which thinks bills as output for a reply, by effort. Orders of magnitude, assumed as
`REPLY_TOKENS` is: providers publish no figures, and hard questions take several times as many as easy ones."""
USUAL_EFFORT = "medium"
THINKS_UNASKED = frozenset({"openai", "openai_compatible", "google"})
"""Providers whose thinking models think where no effort is set; Anthropic's do not."""
TOOL_KEYS = ("tools", "functions", "response_format", "response_json_schema", "format")
"""What a model may be bound to that its server reads as part of the prompt."""


def tokens_of(text: str) -> int:
    """Return about how many tokens a text takes; 0 for none."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def prompt_text(messages: Sequence[BaseMessage], bound: Mapping[str, Any]) -> str:
    """Return everything of a request that is billed as input, in the order a provider's cache reads it: tools first.

    Args:
        messages: The conversation.
        bound: What the model is bound to, such as `tools`.
    """
    schemas = [json.dumps(bound[key], default=str) for key in TOOL_KEYS if bound.get(key)]
    return "\n".join([*schemas, *map(_said, messages)])


def bound_to(model: Runnable[Any, Any]) -> dict[str, Any]:
    """Return what a model is bound to; empty for a plain one."""
    bound: dict[str, Any] = {}
    while isinstance(model, RunnableBindingBase):
        bound = {**model.kwargs, **bound}
        model = model.bound
    return bound


def thinking_tokens(label: str, settings: Settings) -> int:
    """Return how many hidden tokens a reply of the model labelled `provider/model` is taken to need."""
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
    """With what it is bound to."""
    messages: Sequence[BaseMessage]

    def likely_usd(self, settings: Settings, reply_tokens: float | None = None) -> float:
        """Return what the call is likely to cost in USD: its very prompt, none of it cached, and a reply.

        Args:
            settings: Prices, effort, the longest reply.
            reply_tokens: What replies took so far, hidden ones included; None: as long as replies usually are.

        Returns:
            0 for a free model, and where the price is not known.
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
