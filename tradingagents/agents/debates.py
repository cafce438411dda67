"""The two debates: who takes part and how, and what the state keeps of them: turns, and the documented strings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel

from tradingagents.agents.builders.debate import debate_agent
from tradingagents.agents.builders.node import Node
from tradingagents.agents.states import AgentState, InvestDebateState, RiskDebateState, Turn
from tradingagents.agents.verdict_check import size_part
from tradingagents.memory.situations import FinancialSituationMemory
from tradingagents.settings import Tier

BULL, BEAR = "Bull Researcher", "Bear Researcher"
AGGRESSIVE, CONSERVATIVE, NEUTRAL = "Aggressive Debator", "Conservative Debator", "Neutral Debator"
RESEARCHERS = (BULL, BEAR)
RISK_DEBATORS = (AGGRESSIVE, CONSERVATIVE, NEUTRAL)


RISK_OPENING = """
You are the first to speak, so rebut nobody. In 150 to 300 words judge the trader's plan: its size, entry, stop and target
against volatility, drawdown and the evidence. Say which size you would take, as a fraction of equity, and why.
"""
RISK_ANSWERING = """
The others have spoken. In 150 to 300 words answer the strongest point made against your view, quoting it, with figures from
the reports; concede what is right. Say which size you would take now, as a fraction of equity, and why. Do not repeat yourself.
"""


def research_turns(state: AgentState) -> list[Turn]:
    """Return what bull and bear have said."""
    return _turns(state.get("investment_debate_state"))


def risk_turns(state: AgentState) -> list[Turn]:
    """Return what the risk debators have said."""
    return _turns(state.get("risk_debate_state"))


def _turns(debate: Mapping[str, Any] | None) -> list[Turn]:
    """Return a debate's turns; of a state from elsewhere, which has only the history, that as one turn."""
    if not debate:
        return []
    if "turns" in debate:
        return list(debate["turns"])
    history = str(debate.get("history") or "").strip()
    return [Turn(speaker="Earlier debate", text=history)] if history else []


def research_update(turns: list[Turn]) -> dict[str, Any]:
    """Return the state's update after a turn of bull or bear."""
    debate = InvestDebateState(
        turns=turns,
        history=transcript(turns),
        bull_history=transcript(turns, BULL),
        bear_history=transcript(turns, BEAR),
        current_response=turns[-1]["text"] if turns else "",
        count=len(turns),
        judge_decision="",
    )
    return {"investment_debate_state": debate}


def risk_update(turns: list[Turn]) -> dict[str, Any]:
    """Return the state's update after a turn of a risk debator."""
    debate = RiskDebateState(
        turns=turns,
        history=transcript(turns),
        aggressive_history=transcript(turns, AGGRESSIVE),
        conservative_history=transcript(turns, CONSERVATIVE),
        neutral_history=transcript(turns, NEUTRAL),
        current_aggressive_response=_last(turns, AGGRESSIVE),
        current_conservative_response=_last(turns, CONSERVATIVE),
        current_neutral_response=_last(turns, NEUTRAL),
        latest_speaker=turns[-1]["speaker"] if turns else "",
        count=len(turns),
        judge_decision="",
    )
    return {"risk_debate_state": debate}


def transcript(turns: Sequence[Turn], speaker: str | None = None) -> str:
    """Return the debate as text, of one speaker or of all."""
    return "\n\n".join(
        f"{turn['speaker']}: {turn['text']}" for turn in turns if speaker is None or turn["speaker"] == speaker
    )


def _last(turns: Sequence[Turn], speaker: str) -> str:
    return next((turn["text"] for turn in reversed(turns) if turn["speaker"] == speaker), "")


def researcher(
    llm: BaseChatModel,
    opening: str,
    answering: str,
    *,
    agent: str,
    tier: Tier,
    memory: FinancialSituationMemory | None,
) -> Node:
    """Return a side of the research debate; see `builders.debate.debate_agent`."""
    return debate_agent(
        llm,
        opening,
        answering,
        agent=agent,
        step="research",
        turns_of=research_turns,
        update=research_update,
        tier=tier,
        memory=memory,
    )


def risk_debator(llm: BaseChatModel, stance: str, *, agent: str, tier: Tier) -> Node:
    """Return a voice of the risk debate: its stance, and what all three are asked; see `builders.debate.debate_agent`."""
    return debate_agent(
        llm,
        stance + RISK_OPENING,
        stance + RISK_ANSWERING,
        agent=agent,
        step="risk",
        turns_of=risk_turns,
        update=risk_update,
        tier=tier,
        plan="trader_investment_plan",
        limits=size_part,
    )
