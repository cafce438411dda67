"""The limit that every request sets to the length of its reply, so that a model that does not stop is stopped.

A prompt that states a length gets four tokens for each of the words that it asks for. Measured with a tokenizer, our
texts have 3 characters a token, so that a word takes about two tokens: the limit is twice what the text needs.
"""

from __future__ import annotations

import re
from typing import Any

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable
from langchain_core.runnables.base import RunnableBindingBase

from tradingagents.llm_clients.model_profile import may_reason
from tradingagents.llm_clients.servers import server_of
from tradingagents.settings import Settings

Model = Runnable[LanguageModelInput, BaseMessage]

TOKENS_PER_WORD = 4
TABLE_TOKENS = 800
"""For the table of key metrics that ends a report: 20 rows of 40 tokens."""
VERDICT_TOKENS = 3_000
"""For a decision as an object: its texts take 400 to 900 tokens."""
USUAL_TOKENS = 6_000
"""For answers without a stated length: typed objects with lists, replies of the assistant."""
REASONING_TOKENS = 25_000
"""For hidden reasoning, which counts as part of a reply. Source: OpenAI's guide to reasoning models, which advises to
reserve at least 25,000 tokens for reasoning and output."""
REASONED = "reasoned"
"""Key of a reply's metadata: whether its model reasoned before it wrote."""

_WORDS = re.compile(r"(?:\d{1,5} to |at most )(\d{1,5}) words", re.IGNORECASE)
_ARGUMENTS = {
    "openai": "max_tokens",
    "openai_compatible": "max_tokens",
    "anthropic": "max_tokens",
    "google": "max_output_tokens",
}
"""How each provider's client calls the limit of one request. Clients that are not listed are sent none."""


def words_asked(instruction: str) -> int | None:
    """Return the largest number of words that an instruction asks for; None where it states none."""
    return max((int(number) for number in _WORDS.findall(instruction)), default=None)


def text_limit(instruction: str) -> int:
    """Return the tokens of a text, by the length that its instruction states."""
    words = words_asked(instruction)
    return USUAL_TOKENS if words is None else TOKENS_PER_WORD * words


def report_limit(instruction: str) -> int:
    """Return the tokens of a report that ends with a table of key metrics."""
    return text_limit(instruction) + TABLE_TOKENS


def with_limit(model: Model, tokens: int) -> Model:
    """Return a model whose replies have at most this number of tokens.

    A model of a client that we do not know is returned as it is.
    """
    provider = server_of(model).provider
    if name := _ARGUMENTS.get(provider):
        return model.bind(**{name: tokens})
    return _shorter(model, tokens) if provider == "ollama" else model


def _shorter(model: Any, tokens: int) -> Any:
    """Return a model of Ollama's client with a limit, which it takes as a field only."""
    if isinstance(model, RunnableBindingBase):
        return model.model_copy(update={"bound": _shorter(model.bound, tokens)})
    assert isinstance(model, BaseChatModel)  # noqa: S101 - all that `server_of` reads
    return model.model_copy(update={"num_predict": tokens})


def limit_of(label: str, tokens: int, settings: Settings, *, reasons: bool) -> int | None:
    """Return the limit of a reply; None where the setting `max_output_tokens` sets it for all replies.

    Args:
        label: `provider/model`.
        tokens: Limit of what the agent reads of the reply.
        settings: Of the run.
        reasons: Whether the model was seen to reason; the models of the table of profiles may, unseen.
    """
    if settings.max_output_tokens is not None:
        return None
    provider, _, model = label.partition("/")
    return tokens + REASONING_TOKENS if reasons or may_reason(provider, model) else tokens


def has_reasoned(reply: AIMessage) -> bool:
    """Return whether a model reasoned before it wrote a reply, by what its server tells."""
    usage = reply.usage_metadata
    return bool(
        reply.response_metadata.get(REASONED) or (usage and usage.get("output_token_details", {}).get("reasoning"))
    )
