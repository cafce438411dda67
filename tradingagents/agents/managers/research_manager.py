"""Research manager: judges the debate of bull and bear; writes `investment_plan`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.agents.debates import RESEARCH
from tradingagents.agents.decision_text import render_decision
from tradingagents.agents.spec import DecideAgent, ReportSection
from tradingagents.offline.brief import ObjectRule
from tradingagents.offline.decisions import NOTHING_READ, research_manager

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import Node
    from tradingagents.memory.situations import FinancialSituationMemory

PROMPT = """
You judge the debate and give the trader a plan. Weigh arguments by the evidence behind them, not by their number or their
confidence, and check each figure against the reports. Account for the macro regime and for past lessons.

Decide BUY, SELL or HOLD. HOLD is right only where the evidence is balanced; it is no refuge from a hard choice.
- rationale: the points that decided it, with their figures.
- reasoning: the main points of both sides, which hold against the reports and which do not, and how they weigh.
- plan: three to six strategic actions for the trader, each with the level, date or condition it hangs on: how to get in or
  out, what to watch, when to add, cut or leave.
- dissent: what the losing side had right. would_change: the observable event or level that would turn you.
Leave entry, stop, target and size null unless the reports support them. Confidence is the probability that the action proves
right over the horizon.
"""
SPEC = DecideAgent(
    name="Research Manager",
    phase=RESEARCH.phase,
    tier="deep",
    output_key="investment_plan",
    memory="invest_judge_memory",
    duty="judges the debate of bull and bear and gives the trader a plan",
    prompt=PROMPT,
    debate=RESEARCH,
    render=render_decision,
    sections=(ReportSection("investment_plan", "Investment plan", "investment plan", "2_research/investment_plan.md"),),
    offline=ObjectRule(research_manager, NOTHING_READ),
)


def create_research_manager(llm: BaseChatModel, memory: FinancialSituationMemory | None = None) -> Node:
    """Return the research manager.

    Args:
        llm: The model.
        memory: Lessons of past judgements.
    """
    from tradingagents.agents.builders.decide import decide_agent

    return decide_agent(SPEC, llm, memory)
