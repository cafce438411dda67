"""`run_tool_loop`: ask a model that may call tools, until it answers without a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool

from tradingagents.errors import ModelFailure, TradingAgentsError

MAX_TOOL_ROUNDS = 5
WRITE_NOW = "You have no tool calls left. Answer now from what you have; say what is missing."


def run_tool_loop(
    chain: Runnable[LanguageModelInput, BaseMessage],
    messages: Sequence[BaseMessage],
    tools: Sequence[BaseTool],
    max_rounds: int = MAX_TOOL_ROUNDS,
) -> AIMessage:
    """Ask a model, run the tools it calls and repeat, up to a number of rounds; return its answer.

    Args:
        chain: A model with the tools bound, or a chain that ends in one.
        messages: The conversation so far.
        tools: What it may call.
        max_rounds: Rounds of tool calls; then the model must answer from what it has.

    Raises:
        ModelFailure: It keeps calling tools, or its answer is no message.
    """
    known = {tool.name: tool for tool in tools}
    conversation = list(messages)
    for calls_left in range(max_rounds, -1, -1):
        reply = chain.invoke(conversation)
        if not isinstance(reply, AIMessage):
            raise ModelFailure(
                f"The chain answered with {type(reply).__name__}, not with a message; end it in a model."
            )
        if not reply.tool_calls:
            return reply
        conversation += [reply, *(_answer(known, call) for call in reply.tool_calls)]
        if calls_left == 1:
            conversation.append(HumanMessage(WRITE_NOW))
    raise ModelFailure(f"The model still called tools after {max_rounds} rounds; ask it for fewer, or allow more.")


def _answer(known: dict[str, BaseTool], call: Any) -> ToolMessage:
    """Run one call; a typed error and an unknown name become a message that says what to do."""
    tool = known.get(call["name"])
    try:
        text = (
            f"There is no tool {call['name']}; use {', '.join(known)}." if tool is None else tool.invoke(call["args"])
        )
        status = "error" if tool is None else "success"
    except TradingAgentsError as error:
        text, status = str(error), "error"
    return ToolMessage(str(text), name=call["name"], tool_call_id=call["id"] or "", status=status)
