"""Trader: turns the research manager's plan into a trade; writes `trader_investment_plan`."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel

from tradingagents.agents.builders.decide import decide_agent
from tradingagents.agents.builders.node import Node
from tradingagents.agents.decision_text import render_decision
from tradingagents.agents.schemas import Decision
from tradingagents.memory.situations import FinancialSituationMemory
from tradingagents.settings import Tier

AGENT = "Trader"
TIER: Tier = "mid"
PROMPT = """
You turn the research manager's plan into a trade, or decline it. Check the plan against the reports; you may disagree, and
then say why.

Decide BUY, SELL or HOLD. For a trade set entry, stop and target from the stock's own volatility and levels as the reports
give them, the size as a fraction of equity such that a stopped trade costs about one per cent of it, and the horizon in days.
Set nothing the reports do not support. In reasoning say how each level and the size follow from the figures, and where you
part from the manager's plan; in plan, how the trade is placed, watched, changed and ended. Past lessons apply to size and
patience as much as to direction.
"""


def render_trade(decision: Decision) -> str:
    """Write the trader's decision; it ends with the documented proposal line."""
    return f"{render_decision(decision)}\n\nFINAL TRANSACTION PROPOSAL: **{decision.action}**"


def create_trader(llm: BaseChatModel, memory: FinancialSituationMemory | None = None) -> Node:
    """Return the trader.

    Args:
        llm: The model.
        memory: Lessons of past trades.
    """
    return decide_agent(
        llm,
        PROMPT,
        agent=AGENT,
        step="trading",
        writes="trader_investment_plan",
        tier=TIER,
        memory=memory,
        plans_before=("investment_plan",),
        render=render_trade,
        update=lambda _state, _text: {"sender": AGENT},
    )
