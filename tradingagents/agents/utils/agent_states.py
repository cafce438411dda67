"""The states by their public import path; they live in `agents.states`."""

from tradingagents.agents.states import AgentState, InvestDebateState, RiskDebateState

__all__ = ["AgentState", "InvestDebateState", "RiskDebateState"]
