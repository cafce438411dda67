"""Aggressive debator: argues for taking the risk in the risk debate on the trader's plan."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel

from tradingagents.agents.builders.node import Node
from tradingagents.agents.debates import AGGRESSIVE, risk_debator
from tradingagents.settings import Tier

AGENT = AGGRESSIVE
TIER: Tier = "quick"
STANCE = """
You speak for reward: where the evidence carries it, too small a position or too tight a stop is a mistake with a price. Show
what caution would miss. You may not wave a risk away: weigh it.
"""


def create_aggressive_debator(llm: BaseChatModel) -> Node:
    """Return the aggressive debator."""
    return risk_debator(llm, STANCE, agent=AGENT, tier=TIER)
