"""Trader: turns the research manager's plan into a trade; writes `trader_investment_plan`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.agents.decision_text import render_decision
from tradingagents.agents.schemas import Decision
from tradingagents.agents.spec import DecideAgent, ReportSection
from tradingagents.offline.brief import ObjectRule
from tradingagents.offline.decisions import NOTHING_READ, trader

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import Node
    from tradingagents.memory.situations import FinancialSituationMemory

NAME = "Trader"
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


SPEC = DecideAgent(
    name=NAME,
    phase="trading",
    tier="mid",
    output_key="trader_investment_plan",
    memory="trader_memory",
    duty="turns that plan into a trade: entry, stop, target, size and horizon",
    prompt=PROMPT,
    plans_before=("investment_plan",),
    render=render_trade,
    update=lambda _state: {"sender": NAME},
    sections=(ReportSection("trader_investment_plan", "Trading plan", "trading plan", "3_trading/trader.md"),),
    offline=ObjectRule(trader, NOTHING_READ),
    reads_book=True,
)


def create_trader(llm: BaseChatModel, memory: FinancialSituationMemory | None = None) -> Node:
    """Return the trader.

    Args:
        llm: The model.
        memory: Lessons of past trades.
    """
    from tradingagents.agents.builders.decide import decide_agent

    return decide_agent(SPEC, llm, memory)
