"""What a call is likely to use, told from its prompt, its tools and the model's habits; worked out by hand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from tradingagents.llm_clients.expected_cost import (
    REPLY_TOKENS,
    THINKING_TOKENS,
    Asked,
    bound_to,
    prompt_text,
    thinking_tokens,
    tokens_of,
)
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.settings import Settings

LABEL = "openai_compatible/mine"
PRICES = {"mine": (2.0, 0.5, 10.0)}
TOOL = {"type": "function", "function": {"name": "get_news", "description": "News.", "parameters": {}}}


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("a" * 400, 100)])
def test_four_characters_are_a_token_and_a_part_of_one_counts_whole(text: str, tokens: int):
    assert tokens_of(text) == tokens


@given(st.text(), st.text())
def test_a_longer_text_never_takes_fewer_tokens(text: str, more: str):
    assert tokens_of(text) <= tokens_of(text + more) <= tokens_of(text) + tokens_of(more)


def test_tools_and_tool_calls_are_part_of_the_prompt_and_tools_come_first():
    asked = AIMessage("", tool_calls=[{"name": "get_news", "args": {"ticker": "VELQ"}, "id": "1"}])
    text = prompt_text([SystemMessage("Rules."), HumanMessage("Question."), asked], {"tools": [TOOL]})
    assert text == f'{json.dumps(TOOL_LIST)}\nRules.\nQuestion.\nget_news{{"ticker": "VELQ"}}'


TOOL_LIST = [TOOL]


def test_what_a_model_is_bound_to_is_found_through_several_bindings():
    model = ScriptedChatModel(["text"])
    assert bound_to(model) == {}
    bound = model.bind_tools([TOOL]).bind(stop=["x"])
    assert bound_to(bound)["tools"] == [TOOL]
    assert bound_to(bound)["stop"] == ["x"]


@pytest.mark.parametrize(
    ("label", "settings", "tokens"),
    [
        ("openai/gpt-5-mini", {}, THINKING_TOKENS["medium"]),
        ("openai/gpt-5-mini", {"openai_reasoning_effort": "none"}, 0),
        ("openai/gpt-5.2", {"openai_reasoning_effort": "high"}, THINKING_TOKENS["high"]),
        ("openai/gpt-4o", {"openai_reasoning_effort": "high"}, 0),
        ("google/gemini-3-pro", {}, THINKING_TOKENS["medium"]),
        ("anthropic/claude-opus-4-6", {}, 0),
        ("anthropic/claude-opus-4-6", {"anthropic_effort": "low"}, THINKING_TOKENS["low"]),
        ("openai_compatible/llama-3", {}, 0),
        ("offline/offline", {}, 0),
        ("", {}, 0),
    ],
)
def test_models_that_think_are_billed_for_it(label: str, settings: dict[str, str], tokens: int):
    assert thinking_tokens(label, Settings(**settings)) == tokens  # type: ignore[arg-type]


def test_the_cost_of_a_call_by_hand():
    asked = Asked(LABEL, ScriptedChatModel(["text"]), [HumanMessage("x" * 4000)])
    # 1000 tokens in at 2 USD, 600 out at 10 USD per million
    assert REPLY_TOKENS == 600
    assert asked.likely_usd(Settings(model_prices=PRICES)) == pytest.approx(0.002 + 0.006)
    assert asked.likely_usd(Settings(model_prices=PRICES), reply_tokens=50) == pytest.approx(0.002 + 0.0005)
    assert asked.likely_usd(Settings(model_prices=PRICES, max_output_tokens=100)) == pytest.approx(0.002 + 0.001)


def test_free_models_and_unknown_prices_cost_nothing_here():
    for label in ("offline/offline", "ollama/llama3.1", LABEL):
        asked = Asked(label, ScriptedChatModel(["text"]), [HumanMessage("x" * 4000)])
        assert asked.likely_usd(Settings()) == 0.0
