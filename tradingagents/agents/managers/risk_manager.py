"""Risk manager: judges the risk debate and both plans; writes `final_trade_decision`, the run's answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.agents.debates import RISK
from tradingagents.agents.decision_text import render_decision
from tradingagents.agents.spec import DecideAgent, ReportSection
from tradingagents.offline.brief import ObjectRule
from tradingagents.offline.decisions import NOTHING_READ, risk_manager

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import Node
    from tradingagents.memory.situations import FinancialSituationMemory

PROMPT = """
You have the last word. You see the trader's plan, the debate on its risk, and the research manager's plan behind it. Refine
the trader's plan rather than start over; overrule it where the evidence demands, and say why.

Decide BUY, SELL or HOLD. HOLD is right only where the evidence is balanced or the risk cannot be carried; never because the
debaters disagreed. Where a computed valuation was given, say how far the price stands from it, and which of its assumptions
you doubt. Account for the macro regime and for past mistakes. Keep or correct entry, stop, target and size: the size
is the fraction of equity you would really commit.
- rationale: the figures that decide.
- reasoning: what each debater had right and wrong, how that changed the trader's plan, and which risks remain.
- plan: the final plan, three to six steps, each with its level, size, date or condition.
- key_evidence: each fact with its figure, and the tool or report it comes from.
- dissent: what the overruled side had right. would_change: what would turn the decision.
Confidence is the probability that the action proves right over the horizon.
"""
SPEC = DecideAgent(
    name="Risk Manager",
    phase="decision",
    tier="deep",
    output_key="final_trade_decision",
    memory="risk_manager_memory",
    duty="judges the trade's risk and has the last word",
    prompt=PROMPT,
    debate=RISK,
    plans_before=("trader_investment_plan",),
    plans_after=("investment_plan",),
    needs_plan="trader_investment_plan",
    ends_run=True,
    render=render_decision,
    sections=(ReportSection("final_trade_decision", "Decision", "decision", "5_decision/decision.md"),),
    offline=ObjectRule(risk_manager, NOTHING_READ),
    reads_book=True,
)


def create_risk_manager(llm: BaseChatModel, memory: FinancialSituationMemory | None = None) -> Node:
    """Return the risk manager.

    Args:
        llm: The model.
        memory: Lessons of past risk decisions.
    """
    from tradingagents.agents.builders.decide import decide_agent

    return decide_agent(SPEC, llm, memory)
