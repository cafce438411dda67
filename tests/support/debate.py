"""Debates with a scripted model on the simulated market."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from tests.support.graph_factory import role_of
from tests.support.research import DAY, research_services, tool_call
from tradingagents.events import Event
from tradingagents.features.debate.kind import DEBATE, DebateRequest
from tradingagents.features.debate.question_kind import DEBATE_QUESTION, question_about
from tradingagents.features.debate.question_run import DebateAnswer
from tradingagents.features.debate.run import DebateResult
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel
from tradingagents.runtime.executor import RunOptions, start
from tradingagents.runtime.services import Services

BULL, BEAR, MODERATOR, RESPONDENT = "Bull Advocate", "Bear Advocate", "Debate Moderator", "Debate Respondent"
TTM = ("get_ttm_analysis", {"ticker": "VELQ", "curr_date": DAY})
"""A call that both sides make."""
OWN_CALL = {BULL: ("valuation", {"ticker": "VELQ"}), BEAR: ("risk_profile", {"ticker": "VELQ"})}
"""A call that one side makes. By ids: E1 of both, E2 of the bull, E3 of the bear."""


def point(claim: str, *evidence: str) -> dict[str, Any]:
    """Return a point of a case."""
    return {"claim": claim, "evidence": list(evidence or ("E1",)), "strength": "moderate"}


def case(*points: Mapping[str, Any], summary: str = "The figures say so.") -> dict[str, Any]:
    """Return a case."""
    return {"summary": summary, "points": list(points), "confidence": 0.6}


CASES = {
    BULL: case(
        point("The operating margin is 52.18%."),
        point("Year-on-year revenue growth is 20.74%."),
        point("The value per share is 117.23 USD.", "E2"),
    ),
    BEAR: case(
        point("The 252-day volatility is 38.02%.", "E3"),
        point("Growth of 20.74% is hard to repeat.", "E1"),
        point("The largest drawdown was -34.69%.", "E3"),
    ),
}


def counter(name: str, quote: str, reply: str = "The evidence says otherwise.", **more: Any) -> dict[str, Any]:
    """Return an answer to an argument."""
    return {"point": name, "quote": quote, "reply": reply, "evidence": ["E1"], "concedes": False, **more}


REBUTTALS = {
    BULL: {"counters": [counter("bear-2", "Growth of 20.74% is hard to repeat")]},
    BEAR: {"counters": [counter("bull-1", "The operating margin is 52.18%.", concedes=True)]},
}
CONTENTION = {
    "question": "Will growth last?",
    "bull": "Year-on-year revenue growth is 20.74%.",
    "bear": "That is hard to repeat.",
    "evidence": ["E1"],
    "leans": "bull",
    "why": "The margins pay for it.",
}
VERDICT: dict[str, Any] = {
    "contentions": [CONTENTION, {**CONTENTION, "question": "Is it cheap?", "leans": "open", "evidence": ["E2"]}],
    "evidence": {"bull": ["E1", "E2"], "bear": ["E3"], "disputed": []},
    "consensus": ["Margins are high."],
    "discrepancies": [],
    "conviction": 7,
    "because": "margins of 52.18% pay for growth",
    "other_conviction": 4,
    "other_if": "revenue shrinks",
    "thesis": "the growth thesis",
    "breaks_if": "the operating margin falls below 52.18%",
}


def phase_of(messages: Sequence[BaseMessage], tools: Sequence[str]) -> str:
    """Return which phase a prompt belongs to: research, opening, rebuttal, or the agent's only one."""
    role = role_of(messages)
    if role not in CASES:
        return role
    text = next(one.text for one in messages if one.type == "human" and "# Your role" in one.text)
    if "Gather the data" in text:
        return f"{role} research"
    return f"{role} opening" if "State your case" in text else f"{role} rebuttal"


def gathers(messages: Sequence[BaseMessage], role: str) -> Reply:
    """Make the common and the own call at once, then stop."""
    if any(one.type == "tool" for one in messages):
        return "DONE"
    calls = [
        {"name": name, "args": dict(args), "id": f"c{number}", "type": "tool_call"}
        for number, (name, args) in enumerate((TTM, OWN_CALL[role]))
    ]
    return AIMessage("", tool_calls=calls)


def debating(
    changes: Mapping[str, Any] | None = None, kind: type[ScriptedChatModel] = ScriptedChatModel, **fields: Any
) -> ScriptedChatModel:
    """A model that answers each phase as above, or as told: a value for always, a list in order, a function."""
    told: dict[str, Any] = {MODERATOR: VERDICT, RESPONDENT: "If revenue shrinks. [E1]"}
    for role in CASES:
        told[f"{role} opening"], told[f"{role} rebuttal"] = CASES[role], REBUTTALS[role]
    told |= changes or {}
    queues = {phase: list(reply) for phase, reply in told.items() if isinstance(reply, list)}

    def script(messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Reply:
        phase = phase_of(messages, tools)
        reply = queues[phase].pop(0) if phase in queues else told.get(phase)
        if reply is None:
            return gathers(messages, role_of(messages))
        if isinstance(reply, Callable):  # type: ignore[arg-type]
            reply = reply(messages, tools)
        if isinstance(reply, str | AIMessage | Exception):
            return reply
        return json.dumps(reply) if not tools else tool_call(tools[0], reply)

    return kind(script, **fields)


def debate_services(home: Path, model: ScriptedChatModel | None = None, **settings: Any) -> Services:
    """Return services; without a model the offline rules answer."""
    return research_services(home, model, **settings)


async def debated(
    services: Services, *, watch: Callable[[Event], None] | None = None, persist: Any = "all", **request: Any
) -> DebateResult:
    """Hold a debate to its end."""
    asked = DebateRequest(**{"ticker": "VELQ", "day": DAY, **request})
    options = RunOptions(subscribers=(watch,) if watch else (), persist=persist)
    return await start(DEBATE, asked, services, options).result()


async def asked_about(services: Services, run_id: str, question: str) -> DebateAnswer:
    """Ask a question about a debate."""
    request = question_about(services.settings.home_dir, run_id, question)
    return await start(DEBATE_QUESTION, request, services).result()
