"""Risk manager: judges the risk debate and both plans; writes `final_trade_decision`, the run's answer."""

from __future__ import annotations

from typing import Any

from langchain_core.language_models import BaseChatModel

from tradingagents.agents.builders.decide import decide_agent
from tradingagents.agents.builders.node import Node
from tradingagents.agents.debates import risk_turns
from tradingagents.agents.decision_text import render_decision
from tradingagents.agents.states import AgentState
from tradingagents.memory.situations import FinancialSituationMemory
from tradingagents.settings import Tier

AGENT = "Risk Manager"
TIER: Tier = "deep"
PROMPT = """
You have the last word. You see the trader's plan, the debate on its risk, and the research manager's plan behind it. Refine
the trader's plan rather than start over; overrule it where the evidence demands, and say why.

Decide BUY, SELL or HOLD. HOLD is right only where the evidence is balanced or the risk cannot be carried; never because the
debaters disagreed. Account for the macro regime and for past mistakes. Keep or correct entry, stop, target and size: the size
is the fraction of equity you would really commit.
- rationale: the figures that decide.
- reasoning: what each debater had right and wrong, how that changed the trader's plan, and which risks remain.
- plan: the final plan, three to six steps, each with its level, size, date or condition.
- key_evidence: each fact with its figure, and the tool or report it comes from.
- dissent: what the overruled side had right. would_change: what would turn the decision.
Confidence is the probability that the action proves right over the horizon.
"""


def create_risk_manager(llm: BaseChatModel, memory: FinancialSituationMemory | None = None) -> Node:
    """Return the risk manager.

    Args:
        llm: The model.
        memory: Lessons of past risk decisions.
    """

    def judged(state: AgentState, text: str) -> dict[str, Any]:
        return {"risk_debate_state": {**state["risk_debate_state"], "judge_decision": text}}

    return decide_agent(
        llm,
        PROMPT,
        agent=AGENT,
        step="risk",
        writes="final_trade_decision",
        tier=TIER,
        memory=memory,
        turns_of=risk_turns,
        plans_before=("trader_investment_plan",),
        plans_after=("investment_plan",),
        render=render_decision,
        update=judged,
    )
