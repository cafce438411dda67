"""Who speaks next: small pure functions of what was said."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.agents.debates import RESEARCH, RISK, Debate
from tradingagents.agents.roster import judge_of
from tradingagents.agents.states import AgentState, Turn


def next_speaker(turns: Sequence[Turn], order: Sequence[str], *, rounds: int, judge: str) -> str:
    """Return who speaks next: the order goes round `rounds` times, then the judge decides.

    Args:
        turns: What was said so far.
        order: The debaters, first to last.
        rounds: How often each speaks.
        judge: Who ends the debate.
    """
    if len(turns) >= rounds * len(order):
        return judge
    return order[len(turns) % len(order)]


def next_of_side(turns: Sequence[Turn], speaker: str, *, rounds: int, judge: str) -> str:
    """Return who follows a speaker where all sides of a round speak at once: itself, then the judge.

    Args:
        turns: What was said so far, the speaker's newest turn included.
        speaker: The side.
        rounds: How often each speaks.
        judge: Who ends the debate.
    """
    spoken = sum(turn["speaker"] == speaker for turn in turns)
    return speaker if spoken < rounds else judge


class ConditionalLogic:
    """Who speaks next, by the turns so far: the routes for trading graphs that are built by hand."""

    def __init__(self, max_debate_rounds: int = 2, max_risk_discuss_rounds: int = 2) -> None:
        """Set how often each side speaks."""
        self.max_debate_rounds = max_debate_rounds
        self.max_risk_discuss_rounds = max_risk_discuss_rounds

    def should_continue_debate(self, state: AgentState) -> str:
        """Return the researcher who speaks next, or the research manager."""
        return _next(RESEARCH, state, self.max_debate_rounds)

    def should_continue_risk_analysis(self, state: AgentState) -> str:
        """Return the risk debator who speaks next, or the risk manager."""
        return _next(RISK, state, self.max_risk_discuss_rounds)


def _next(debate: Debate, state: AgentState, rounds: int) -> str:
    return next_speaker(debate.turns(state), debate.order, rounds=rounds, judge=judge_of(debate).name)
