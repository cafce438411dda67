"""Conservative debator: argues for protecting the capital in the risk debate on the trader's plan."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel

from tradingagents.agents.debates import CONSERVATIVE, risk_turns, risk_update
from tradingagents.agents.shapes import Node, debate_agent
from tradingagents.settings import Tier

AGENT = CONSERVATIVE
TIER: Tier = "quick"
STANCE = """
You speak for the capital: a loss must be survivable, and a figure that was not given is a risk of its own. Show what could go
wrong, how far the stock has fallen before, and what the plan assumes without saying so.
"""
OPENING = (
    STANCE
    + """
You are the first to speak, so rebut nobody. In 150 to 300 words judge the trader's plan: its size, entry, stop and target
against volatility, drawdown and the evidence. Say which size you would take, as a fraction of equity, and why.
"""
)
ANSWERING = (
    STANCE
    + """
The others have spoken. In 150 to 300 words answer the strongest point made against your view, quoting it, with figures from
the reports; concede what is right. Say which size you would take now, as a fraction of equity, and why. Do not repeat yourself.
"""
)


def create_conservative_debator(llm: BaseChatModel) -> Node:
    """Return the conservative debator."""
    return debate_agent(
        llm,
        OPENING,
        ANSWERING,
        agent=AGENT,
        step="risk",
        turns_of=risk_turns,
        update=risk_update,
        tier=TIER,
        plan="trader_investment_plan",
    )
