"""Differences between providers and models: structured output, accepted settings, and the limit of a reply's length.

One table; the first match wins. A model that isn't listed takes a temperature, no effort setting, and a forced tool
call.

A prompt that states a length gets four tokens for each of the words that it asks for. Measured with a tokenizer, our
texts have 3 characters a token, so that a word takes about two tokens: the limit is twice what the text needs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable
from langchain_core.runnables.base import RunnableBindingBase

from tradingagents.llm_clients.servers import server_of
from tradingagents.settings import Settings

Method = Literal["function_calling", "json_schema", "json_mode", "prompt"]


@dataclass(frozen=True)
class Quirks:
    """Request options of one model."""

    structured: Method = "function_calling"
    """function_calling works on every server that supports tools, with schemas that strict JSON modes refuse."""
    repair: Method | None = None
    """How to ask again where a reply has no call of the forced tool; None: as before. Some servers take a forced call
    and ignore it, where the model's chat template has no tools, but constrain decoding to a schema."""
    temperature: bool = True
    """Whether a temperature may be sent."""
    effort: bool = False
    """Whether the provider's effort setting may be sent."""


_RULES: tuple[tuple[str, str, Quirks], ...] = (
    # Local models: LangChain's client can't force a tool call there, but the server constrains decoding to a schema.
    ("ollama", r"", Quirks(structured="json_schema")),
    # Chat variants of GPT-5 take a temperature; the others reason and refuse it.
    (r"openai|openai_compatible", r"gpt-([5-9]|\d\d).*chat", Quirks()),
    (r"openai|openai_compatible", r"gpt-([5-9]|\d\d)|o\d", Quirks(temperature=False, effort=True)),
    (r"openai_compatible", r"gpt-oss", Quirks(effort=True, repair="json_schema")),
    # Reasoning models that refuse both tool_choice and response_format.
    (r"openai_compatible", r"deepseek-(reasoner|r\d)|.*(-thinking|qwq)", Quirks(structured="prompt")),
    # These refuse a forced tool call; the newest of each family no longer accept sampling parameters.
    (
        r"anthropic",
        r"claude-((fable|mythos)-5-[1-9]|opus-5-5|sonnet-5-5)",
        Quirks(structured="prompt", temperature=False, effort=True),
    ),
    (
        r"anthropic",
        r"claude-(fable|mythos|opus-4-[7-9]|(opus|sonnet|haiku)-[5-9])",
        Quirks(temperature=False, effort=True),
    ),
    (r"anthropic", r"claude-opus-4-[5-6]|claude-sonnet-4-6", Quirks(effort=True)),
    (r"google", r"gemini-([3-9]|\d\d)", Quirks(effort=True)),
    (r"openai_compatible", r"", Quirks(repair="json_schema")),
)
_EFFORTS = {
    "openai": "openai_reasoning_effort",
    "openai_compatible": "openai_reasoning_effort",
    "anthropic": "anthropic_effort",
    "google": "google_thinking_level",
}


def quirks_of(provider: str, model: str) -> Quirks:
    """Return the profile of a model; a vendor prefix, as in `deepseek/deepseek-r1`, is ignored."""
    name = model.lower().rpartition("/")[2]
    for providers, models, quirks in _RULES:
        if re.fullmatch(providers, provider) and re.match(models, name):
            return quirks
    return Quirks()


def may_reason(provider: str, model: str) -> bool:
    """Return whether a model may reason before it writes; its reasoning counts as part of the reply's length."""
    quirks = quirks_of(provider, model)
    return quirks.effort or quirks.structured == "prompt"


def structured_method(label: str, settings: Settings) -> Method:
    """Return the structured output method of the model labelled `provider/model`; an explicit setting wins.

    The offline and scripted models support forced tool calls only.
    """
    provider, _, model = label.partition("/")
    if provider in ("offline", "scripted"):
        return "function_calling"
    if settings.structured_output != "auto":
        no_json_mode = provider in ("anthropic", "google") and settings.structured_output == "json_mode"
        return "prompt" if no_json_mode else settings.structured_output
    if provider == "anthropic" and settings.anthropic_effort is not None:
        return "prompt"  # an effort turns thinking on, and a thinking Claude refuses a forced tool call
    return quirks_of(provider, model).structured


def repair_method(label: str, settings: Settings) -> Method | None:
    """Return how the model labelled `provider/model` is asked again where it ignored a forced tool call.

    None: by the same method, which an explicit setting always means.
    """
    provider, _, model = label.partition("/")
    return quirks_of(provider, model).repair if settings.structured_output == "auto" else None


def temperature_for(provider: str, model: str, settings: Settings) -> float | None:
    """Return the temperature to send; None if unset or refused. Effort "none" makes a reasoning model accept one."""
    takes = quirks_of(provider, model).temperature or (
        provider in ("openai", "openai_compatible") and settings.openai_reasoning_effort == "none"
    )
    return settings.temperature if takes else None


def effort_for(provider: str, model: str, settings: Settings) -> str | None:
    """Return the provider's effort setting; None if unset or not supported by the model."""
    key = _EFFORTS.get(provider)
    if key is None or not quirks_of(provider, model).effort:
        return None
    effort: str | None = getattr(settings, key)
    return effort


def ignored_settings(provider: str, model: str, settings: Settings) -> list[str]:
    """Return a sentence for each setting that was given but isn't supported by this model."""
    ignored = []
    if settings.temperature is not None and temperature_for(provider, model, settings) is None:
        ignored.append("temperature")
    key = _EFFORTS.get(provider)
    if key is not None and getattr(settings, key) is not None and effort_for(provider, model, settings) is None:
        ignored.append(key)
    return [f"{provider}/{model} does not take {name}; the setting is ignored." for name in ignored]


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
