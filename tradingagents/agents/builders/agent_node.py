"""The node that a declared agent is in a graph."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel

from tradingagents.agents.builders.debate import debate_agent
from tradingagents.agents.builders.decide import decide_agent
from tradingagents.agents.builders.node import AgentGraph, Node
from tradingagents.agents.builders.report import report_agent
from tradingagents.agents.builders.synthesis import synthesis_agent
from tradingagents.agents.spec import AgentSpec, DebateAgent, DecideAgent, ReportAgent, SynthesisAgent
from tradingagents.memory.situations import FinancialSituationMemory


def agent_node(
    spec: AgentSpec, llm: BaseChatModel, memory: FinancialSituationMemory | None = None
) -> AgentGraph | Node:
    """Return the node of an agent.

    Args:
        spec: The agent.
        llm: Its model.
        memory: Its lessons; analysts, scanners and the synthesis have none.

    Raises:
        TypeError: It is no agent of a known kind.
    """
    match spec:
        case ReportAgent():
            return report_agent(spec, llm)
        case DebateAgent():
            return debate_agent(spec, llm, memory)
        case DecideAgent():
            return decide_agent(spec, llm, memory)
        case SynthesisAgent():
            return synthesis_agent(spec, llm)
    raise TypeError(f"{spec.name} is a {type(spec).__name__}, and no builder makes its node.")
