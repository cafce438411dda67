"""`ConditionalLogic`: who speaks next in a debate, by the names of the public API."""

from __future__ import annotations

from tradingagents.agents.builders.debate_state import order_of
from tradingagents.agents.debates import RESEARCH, RISK, Debate, next_speaker
from tradingagents.agents.roster import judge_of
from tradingagents.agents.states import AgentState


class ConditionalLogic:
    """Routing functions for trading graphs that are built by hand."""

    def __init__(self, max_debate_rounds: int = 2, max_risk_discuss_rounds: int = 2) -> None:
        """Set how often each side speaks."""
        self.max_debate_rounds = max_debate_rounds
        self.max_risk_discuss_rounds = max_risk_discuss_rounds

    def should_continue_debate(self, state: AgentState) -> str:
        """Return the researcher who speaks next, or the research manager."""
        return _next(RESEARCH, state, self.max_debate_rounds)

    def should_continue_risk_analysis(self, state: AgentState) -> str:
        """Return the risk debater who speaks next, or the risk manager."""
        return _next(RISK, state, self.max_risk_discuss_rounds)


def _next(debate: Debate, state: AgentState, rounds: int) -> str:
    return next_speaker(debate.turns(state), order_of(debate), rounds=rounds, judge=judge_of(debate).name)
