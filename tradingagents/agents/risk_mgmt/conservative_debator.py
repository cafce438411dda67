"""Conservative debator: argues for protecting the capital in the risk debate on the trader's plan."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel

from tradingagents.agents.builders.node import Node
from tradingagents.agents.debates import CONSERVATIVE, risk_debator
from tradingagents.settings import Tier

AGENT = CONSERVATIVE
TIER: Tier = "quick"
STANCE = """
You speak for the capital: a loss must be survivable, and a figure that was not given is a risk of its own. Show what could go
wrong, how far the stock has fallen before, and what the plan assumes without saying so.
"""


def create_conservative_debator(llm: BaseChatModel) -> Node:
    """Return the conservative debator."""
    return risk_debator(llm, STANCE, agent=AGENT, tier=TIER)
