"""A trading graph on the simulated market with a scripted model, for tests of agents, graph and runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from benchmarks.openai_answers import quotation
from tradingagents.agents.builders.subject_question import READER
from tradingagents.dataflows.vendors.simulated import COMPANIES, NO_NEWS, NO_STATEMENTS
from tradingagents.events import Event
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels

DAY = "2025-03-14"
COMPANY = next(symbol for symbol in COMPANIES if symbol not in (*NO_NEWS, *NO_STATEMENTS))
ANALYSTS = ("Market Analyst", "Social Media Analyst", "News Analyst", "Fundamentals Analyst")
DECIDERS = ("Research Manager", "Trader", "Risk Manager")
VERDICT: dict[str, Any] = {
    "action": "BUY",
    "confidence": 0.7,
    "rationale": "Revenue grows and the price stands above its averages.",
    "horizon_days": 30,
    "entry": 97.0,
    "stop": 90.0,
    "target": 110.0,
    "position_size": 0.05,
    "key_evidence": [{"claim": "The last close is 96.58", "source": "get_stock_data"}],
    "dissent": "The price is high.",
    "would_change": "A close below 90.",
}


def role_of(messages: Sequence[BaseMessage]) -> str:
    """Return whose prompt this is."""
    for message in messages:
        if message.type == "human" and "# Your role: " in message.text:
            return message.text.rpartition("# Your role: ")[2].partition("\n")[0]
    raise AssertionError("no role in the prompt")


DECISION = {
    **VERDICT,
    "reasoning": None,
    "plan": [],
    "sell_means": None,
    "strength": None,
    "track_record": None,
}
"""The decision that is made of it."""
LEVELS: dict[str, dict[str, Any]] = {
    "SELL": {"stop": 104.0, "target": 84.0},
    "HOLD": {"entry": None, "stop": None, "target": None, "position_size": 0.0},
}
"""What another action's levels are, so that it makes sense."""


def verdict(**changes: Any) -> AIMessage:
    """A decider's answer as a forced tool call."""
    arguments = {**VERDICT, **LEVELS.get(changes.get("action", ""), {}), **changes}
    call = {"name": "Verdict", "args": arguments, "id": "v1", "type": "tool_call"}
    return AIMessage("", tool_calls=[call])


def last_close(messages: Sequence[BaseMessage]) -> float:
    """Return the last close, as the prompt of a run on one stock states it."""
    (close,) = (float(found) for found in re.findall(r"^Last close: (\S+)$", messages[0].text, re.MULTILINE))
    return close


def report_of(messages: Sequence[BaseMessage]) -> str:
    """Return a report with a figure of the data, which one without is not taken for."""
    role, shown = role_of(messages), quotation("\n".join(message.text for message in messages)).rstrip(".")
    return f"{role} says: {f'{shown}; ' if shown else ''}the figures are as the tools gave them."


def sound_verdict(messages: Sequence[BaseMessage], **changes: Any) -> AIMessage:
    """A decider's answer with levels around the last close of its prompt, those of `VERDICT` where they fit."""
    close = last_close(messages)
    evidence = {"key_evidence": [{"claim": f"The last close is {close}", "source": "get_stock_data"}]}
    changes = {**evidence, **changes}
    if abs(close - VERDICT["entry"]) < 1:
        return verdict(**changes)
    stop, target = {"SELL": (1.07, 0.86)}.get(changes.get("action", ""), (0.93, 1.14))
    levels = {"entry": close, "stop": round(close * stop, 4), "target": round(close * target, 4)}
    return verdict(**{**({} if changes.get("action") == "HOLD" else levels), **changes})


def subject(name: str = "none named", ticker: str | None = None, company: str | None = None) -> AIMessage:
    """An answer to the question which company a report is about, as a forced tool call."""
    told = {"name": name, "ticker": ticker, "company": company}
    return AIMessage("", tool_calls=[{"name": "TextSubject", "args": told, "id": "s1", "type": "tool_call"}])


def calls_tool(name: str, number: int = 1, **arguments: Any) -> AIMessage:
    """An answer that asks for a tool."""
    return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": f"t{number}", "type": "tool_call"}])


Answers = dict[str, Reply | list[Reply] | Callable[[Sequence[BaseMessage], tuple[str, ...]], Reply]]


def scripted(answers: Answers | None = None, delay: float = 0.0) -> ScriptedChatModel:
    """A model that answers each role sensibly, or as told: one reply for always, a list in order, or a function."""
    queues = {role: list(replies) for role, replies in (answers or {}).items() if isinstance(replies, list)}

    def script(messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Reply:
        role = role_of(messages)
        if role in queues:
            return queues[role].pop(0)
        told = (answers or {}).get(role)
        if callable(told):
            return told(messages, tools)
        if told is not None:
            return told  # type: ignore[return-value]
        if role == READER:
            return subject()
        return sound_verdict(messages) if role in DECIDERS else report_of(messages)

    return ScriptedChatModel(script, delay=delay)


def trading_graph(model: ScriptedChatModel, **config: Any) -> TradingAgentsGraph:
    """The graph with one scripted model for all tiers, on the simulated market unless told otherwise."""
    return TradingAgentsGraph(config={"data_vendor": "simulated", **config}, models=TierModels.same(model))


class Watch:
    """A subscriber that keeps what it saw."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def __call__(self, event: Event) -> None:
        self.events.append(event)

    def of(self, kind: str) -> list[Event]:
        """Return the events of a type."""
        return [event for event in self.events if event.type == kind]
