"""The two debates, and who speaks next; what each agent says of itself names its debate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tradingagents.agents.states import Turn

SIMULTANEOUS = "simultaneous"
"""The `debate_mode` in which all sides of a round speak at once."""


@dataclass(frozen=True)
class Debate:
    """One debate of the trading graph."""

    phase: str
    state_key: str
    rounds: str
    """Name of the setting for the number of rounds."""
    newest: Mapping[str, str]
    """Keys of the debate's state that hold a part of the newest turn: `text` or `speaker`."""

    def turns(self, state: Mapping[str, Any]) -> list[Turn]:
        """Return the turns; a state from elsewhere that has only `history` counts as one turn."""
        debate = state.get(self.state_key)
        if not debate:
            return []
        if "turns" in debate:
            return list(debate["turns"])
        history = str(debate.get("history") or "").strip()
        return [Turn(speaker="Earlier debate", text=history)] if history else []


RESEARCH = Debate("research", "investment_debate_state", "max_debate_rounds", newest={"current_response": "text"})
RISK = Debate("risk", "risk_debate_state", "max_risk_discuss_rounds", newest={"latest_speaker": "speaker"})


def next_speaker(turns: Sequence[Turn], order: Sequence[str], *, rounds: int, judge: str) -> str:
    """Return the next speaker: each in order for `rounds` rounds, then the judge.

    Args:
        turns: The turns so far.
        order: The debaters, first to last.
        rounds: How often each speaks.
        judge: Who ends the debate.
    """
    if len(turns) >= rounds * len(order):
        return judge
    return order[len(turns) % len(order)]


def next_of_side(turns: Sequence[Turn], speaker: str, *, rounds: int, judge: str) -> str:
    """Return the next node of one side in a simultaneous debate: itself for the next round, or the judge.

    Args:
        turns: The turns so far, with the speaker's newest one.
        speaker: The side.
        rounds: How often each speaks.
        judge: Who ends the debate.
    """
    spoken = sum(turn["speaker"] == speaker for turn in turns)
    return speaker if spoken < rounds else judge
