"""The two debates as the state keeps them: a list of turns, and the documented strings derived from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tradingagents.agents.states import AgentState, InvestDebateState, RiskDebateState, Turn

BULL, BEAR = "Bull Researcher", "Bear Researcher"
AGGRESSIVE, CONSERVATIVE, NEUTRAL = "Aggressive Debator", "Conservative Debator", "Neutral Debator"
RESEARCHERS = (BULL, BEAR)
RISK_DEBATORS = (AGGRESSIVE, CONSERVATIVE, NEUTRAL)


def research_turns(state: AgentState) -> list[Turn]:
    """Return what bull and bear have said."""
    debate = state.get("investment_debate_state")
    return debate["turns"] if debate else []


def risk_turns(state: AgentState) -> list[Turn]:
    """Return what the risk debators have said."""
    debate = state.get("risk_debate_state")
    return debate["turns"] if debate else []


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
