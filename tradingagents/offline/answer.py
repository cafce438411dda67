"""From a prompt and the bound tools to a reply: a report, a turn, an object, or tool calls. A pure function."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolCall

from tradingagents.offline.calls import wanted_calls
from tradingagents.offline.debate import RESEARCHERS
from tradingagents.offline.decisions import DECIDERS
from tradingagents.offline.reading import Prompt, read_prompt
from tradingagents.offline.reflection import REFLECTORS
from tradingagents.offline.reports import ANALYSTS, figures_only
from tradingagents.offline.risk import DEBATORS
from tradingagents.offline.scan.reports import SCANNERS
from tradingagents.offline.scan.synthesis import NO_CANDIDATE, SYNTHESISERS

WRITERS = ANALYSTS | SCANNERS | RESEARCHERS | DEBATORS | REFLECTORS
"""Roles that answer in text."""
OBJECTS = DECIDERS | SYNTHESISERS
"""Roles that answer with an object."""
NO_READING = "No decision: no report in the prompt holds a reading that the offline rules can weigh."
ANY_TOOL = ("any", "required", True)
MODEL_NAME = "offline"


def answer(messages: Sequence[BaseMessage], tools: Sequence[Mapping[str, Any]] = (), choice: Any = None) -> AIMessage:
    """Answer a prompt by the rules of its role.

    Args:
        messages: The prompt as the agents write it.
        tools: Bound tools in the OpenAI format.
        choice: What a chat model's `tool_choice` may be: a tool's name, any/required, auto/none, or OpenAI's dict.
    """
    prompt = read_prompt(messages)
    fill_in = OBJECTS.get(prompt.role)
    if fill_in:
        filled = fill_in(prompt)
        if filled is None:
            return AIMessage(NO_CANDIDATE if prompt.role in SYNTHESISERS else NO_READING)
        forced = forced_tool(tools, choice)
        if forced is None:
            return AIMessage(json.dumps(filled))
        return AIMessage("", tool_calls=[ToolCall(name=forced, args=filled, id=f"offline_{forced}", type="tool_call")])
    calls = wanted_calls(prompt, tools)
    return AIMessage("", tool_calls=calls) if calls else AIMessage(_text(prompt))


def forced_tool(tools: Sequence[Mapping[str, Any]], choice: Any) -> str | None:
    """Return the tool the model is made to call; None where it is free. Of several, "any" takes the first."""
    if isinstance(choice, Mapping):
        choice = choice.get("function", choice).get("name")
    names = [tool["function"]["name"] for tool in tools]
    if choice in ANY_TOOL:
        return names[0] if names else None
    return choice if choice in names else None


def _text(prompt: Prompt) -> str:
    return WRITERS.get(prompt.role, figures_only)(prompt)
