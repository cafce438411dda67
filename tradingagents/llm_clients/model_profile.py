"""Differences between providers and models: structured output method and accepted settings.

One table; the first match wins. A model that isn't listed takes a temperature, no effort setting, and a forced tool
call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

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
