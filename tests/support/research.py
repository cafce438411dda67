"""Research runs with a scripted model on the simulated market."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from tests.support.graph_factory import role_of
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.events import Event
from tradingagents.features.research.kind import RESEARCH, ResearchRequest
from tradingagents.features.research.run import ResearchAnswer
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.executor import RunOptions, start
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

DAY = "2025-03-14"
UNDERSTOOD = {
    "intent": "research",
    "tickers": ["VELQ"],
    "confidence": 0.95,
    "inferred_depth": "standard",
    "timeframe": None,
    "metrics_focus": ["margins"],
}
COMPLETE = {"is_complete": True, "reasoning": "The margins are known.", "missing_info": [], "guidance": ""}
INCOMPLETE = {
    "is_complete": False,
    "reasoning": "The price is missing.",
    "missing_info": ["the price of VELQ"],
    "guidance": "Look up the price.",
}


def task(number: int, what: str = "", *, after: Sequence[int] = (), reason: bool = False) -> dict[str, Any]:
    """Return a task of a plan."""
    return {
        "id": f"task_{number}",
        "description": what or f"Find out part {number} of VELQ",
        "task_type": "reason" if reason else "use_tools",
        "depends_on": [f"task_{one}" for one in after],
    }


def plan_of(*tasks: Mapping[str, Any], summary: str = "Look at the margins.", simple: bool = False) -> dict[str, Any]:
    """Return a plan."""
    return {"summary": summary, "selected_frameworks": [], "tasks": list(tasks), "is_simple_query": simple}


REPLIES: Mapping[str, Any] = {
    "Question Reader": UNDERSTOOD,
    "Planner": plan_of(task(1, "Margins of VELQ"), task(2, "Weigh the margins of VELQ", after=[1], reason=True)),
    "Reflector": COMPLETE,
    "Synthesizer": "VELQ keeps 52.18% of its revenue as operating income.",
}
CALL = {"name": "get_ttm_analysis", "args": {"ticker": "VELQ", "curr_date": DAY}}


def tool_call(name: str, args: Mapping[str, Any], number: int = 1) -> AIMessage:
    """Return a reply that calls a tool."""
    return AIMessage("", tool_calls=[{"name": name, "args": dict(args), "id": f"c{number}", "type": "tool_call"}])


def executes(messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Reply:
    """Carry out a task: call one tool, then write; think where there are no tools."""
    if not tools or any(message.type == "tool" for message in messages):
        return "The operating margin of VELQ is 52.18%."
    return tool_call(CALL["name"], CALL["args"])


def scripted(
    changes: Mapping[str, Any] | None = None, kind: type[ScriptedChatModel] = ScriptedChatModel, **fields: Any
) -> ScriptedChatModel:
    """A model that answers each agent as in `REPLIES`, or as told: a value for always, a list in order, a function."""
    told = {**REPLIES, "Task Executor": executes, **(changes or {})}
    queues = {role: list(reply) for role, reply in told.items() if isinstance(reply, list)}

    def script(messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Reply:
        role = role_of(messages)
        reply = queues[role].pop(0) if role in queues else told[role]
        if isinstance(reply, Callable):  # type: ignore[arg-type]
            reply = reply(messages, tools)
        if isinstance(reply, str | AIMessage | Exception):
            return reply
        return json.dumps(reply) if not tools else tool_call(tools[0], reply)

    return kind(script, **fields)


@cache
def simulated_vendors() -> Vendors:
    """Return the simulated market, opened once."""
    return Vendors(load_settings({"data_vendor": "simulated"}, environ={}))


def research_services(home: Path, model: ScriptedChatModel | None = None, **settings: Any) -> Services:
    """Return services; without a model the offline rules answer."""
    given = {"data_vendor": "simulated", "llm_provider": "offline", "home": home, **settings}
    return open_services(
        load_settings(given, environ={}),
        {},
        models=TierModels.same(model) if model is not None else None,
        vendors=simulated_vendors(),
    )


async def researched(
    services: Services,
    question: str = "What are the margins of VELQ?",
    *,
    watch: Callable[[Event], None] | None = None,
    persist: Any = "all",
    **request: Any,
) -> ResearchAnswer:
    """Run a question to its end."""
    asked = ResearchRequest(question=question, day=request.pop("day", DAY), **request)
    options = RunOptions(subscribers=(watch,) if watch else (), persist=persist)
    return await start(RESEARCH, asked, services, options).result()
