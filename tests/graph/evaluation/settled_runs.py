"""Runs on the simulated market whose decisions are to be settled, and what of them is looked at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from tests.support.graph_factory import Answers, scripted, sound_verdict, trading_graph
from tradingagents.graph.evaluation.pending import NOTE
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.scripted import ScriptedChatModel

FIRST, DUE, LATER = "2025-03-14", "2025-04-14", "2025-04-15"
"""A Friday; the Monday on which a window of 30 days ends, 13 April being a Sunday; the day after."""
REFLECTOR = "Reflector"


def model_that_learns(answers: Answers | None = None) -> ScriptedChatModel:
    """A model that decides to buy for 30 days, and whose lessons say for whom they are."""

    def lesson(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> str:
        whose = messages[-1].text.partition("lesson that the ")[2].partition(" is to")[0]
        return f"The {whose} learned this."

    return scripted({REFLECTOR: lesson, **(answers or {})})


def learning_graph(home: Path, model: ScriptedChatModel | None = None, **config: Any) -> TradingAgentsGraph:
    """A graph on the simulated market with that model, short in its debates."""
    short = {"max_debate_rounds": 1, "max_risk_discuss_rounds": 1, "home": home}
    return trading_graph(model or model_that_learns(), **{**short, **config})


def holding(days: int | None) -> Answers:
    """Answers of deciders that name this horizon."""

    def said(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> AIMessage:
        return sound_verdict(messages, horizon_days=days, entry=None, stop=None, target=None)

    return {"Research Manager": said, "Trader": said, "Risk Manager": said}


def notes(home: Path) -> list[str]:
    """Return the days that the notes of unsettled runs say."""
    return sorted(path.read_text("utf-8").partition(" ")[0] for path in home.glob(f"runs/*/{NOTE}"))


def card(home: Path, day: str) -> dict[str, Any]:
    """Return the card of the one run of a day."""
    (path,) = home.glob(f"runs/*-{day}-*/run.json")
    return json.loads(path.read_text("utf-8"))  # type: ignore[no-any-return]


def lessons(graph: TradingAgentsGraph) -> list[tuple[str, str, str]]:
    """Return memory, day and text of every lesson, in the order in which they were kept."""
    from tradingagents.memory.lesson_store import LessonStore, memory_address

    found = LessonStore(memory_address(graph.config)).list(most=None)
    return [(name, one.settled_on.isoformat(), one.recommendation) for name, one in reversed(found)]
