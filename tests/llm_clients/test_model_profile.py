from __future__ import annotations

import pytest

from tradingagents.llm_clients.model_profile import (
    effort_for,
    ignored_settings,
    repair_method,
    structured_method,
    temperature_for,
)
from tradingagents.settings import Settings


@pytest.mark.parametrize(
    ("label", "method"),
    [
        ("openai/gpt-5-mini", "function_calling"),
        ("openai_compatible/qwen2.5-32b-instruct", "function_calling"),
        ("openai_compatible/deepseek-chat", "function_calling"),
        ("openai_compatible/deepseek-reasoner", "prompt"),
        ("openai_compatible/deepseek/deepseek-r1", "prompt"),
        ("openai_compatible/qwen3-30b-thinking", "prompt"),
        ("ollama/llama3.1", "json_schema"),
        ("anthropic/claude-sonnet-4-5", "function_calling"),
        ("anthropic/claude-opus-5-5", "prompt"),
        ("google/gemini-2.5-flash", "function_calling"),
        ("offline/rules", "function_calling"),
        ("", "function_calling"),
    ],
)
def test_each_model_is_asked_for_typed_answers_in_a_way_it_takes(label: str, method: str) -> None:
    assert structured_method(label, Settings()) == method


def test_an_explicit_setting_wins_except_where_no_language_model_reads_the_prompt() -> None:
    chosen = Settings(structured_output="json_mode")
    assert structured_method("openai/gpt-5-mini", chosen) == "json_mode"
    assert structured_method("anthropic/claude-sonnet-4-5", chosen) == "prompt"
    assert structured_method("offline/rules", chosen) == "function_calling"
    assert structured_method("scripted/scripted", chosen) == "function_calling"


def test_a_thinking_claude_is_asked_by_prompt() -> None:
    assert structured_method("anthropic/claude-opus-4-6", Settings(anthropic_effort="low")) == "prompt"


@pytest.mark.parametrize(
    ("provider", "model", "takes"),
    [
        ("openai", "gpt-4o-mini", True),
        ("openai", "gpt-5-mini", False),
        ("openai", "gpt-5-chat-latest", True),
        ("openai", "o3", False),
        ("openai_compatible", "openai/gpt-5-mini", False),
        ("openai_compatible", "llama-3.3-70b", True),
        ("anthropic", "claude-sonnet-4-5", True),
        ("anthropic", "claude-opus-4-7", False),
        ("ollama", "gpt-oss:20b", True),
        ("google", "gemini-3-pro", True),
    ],
)
def test_a_temperature_goes_only_to_models_that_take_one(provider: str, model: str, takes: bool) -> None:
    assert temperature_for(provider, model, Settings(temperature=0.0)) == (0.0 if takes else None)


def test_effort_none_makes_a_reasoning_model_take_a_temperature() -> None:
    assert temperature_for("openai", "gpt-5.2", Settings(temperature=0.2, openai_reasoning_effort="none")) == 0.2


def test_an_effort_goes_only_to_its_provider_and_to_models_that_reason() -> None:
    chosen = Settings(openai_reasoning_effort="low", google_thinking_level="high")
    assert effort_for("openai", "gpt-5-mini", chosen) == "low"
    assert effort_for("openai", "gpt-4o-mini", chosen) is None
    assert effort_for("google", "gemini-3-pro", chosen) == "high"
    assert effort_for("anthropic", "claude-opus-4-6", chosen) is None
    assert effort_for("ollama", "gpt-oss:20b", chosen) is None


def test_what_is_given_but_not_taken_is_said() -> None:
    chosen = Settings(temperature=0.0, openai_reasoning_effort="low")
    assert ignored_settings("openai", "gpt-5-mini", chosen) == [
        "openai/gpt-5-mini does not take temperature; the setting is ignored."
    ]
    assert ignored_settings("openai", "gpt-4o-mini", chosen) == [
        "openai/gpt-4o-mini does not take openai_reasoning_effort; the setting is ignored."
    ]
    assert ignored_settings("openai", "gpt-5-mini", Settings()) == []


@pytest.mark.parametrize(
    ("label", "method"),
    [
        ("openai_compatible/llama3", "json_schema"),
        ("openai_compatible/gpt-oss-20b", "json_schema"),
        ("openai_compatible/deepseek-r1", None),
        ("openai/gpt-5-mini", None),
        ("ollama/llama3", None),
        ("anthropic/claude-sonnet-4-5", None),
    ],
)
def test_only_a_compatible_server_is_asked_again_by_another_method(label: str, method: str | None):
    assert repair_method(label, Settings()) == method
    assert repair_method(label, Settings(structured_output="function_calling")) is None
