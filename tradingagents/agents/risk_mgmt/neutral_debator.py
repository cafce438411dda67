"""Neutral debator: argues for the balance of the two in the risk debate on the trader's plan."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel

from tradingagents.agents.builders.node import Node
from tradingagents.agents.debates import NEUTRAL, risk_debator
from tradingagents.settings import Tier

AGENT = NEUTRAL
TIER: Tier = "quick"
STANCE = """
You speak for proportion: you test both the eager and the cautious view against the figures and look for the size and the
levels that hold in either case.
"""


def create_neutral_debator(llm: BaseChatModel) -> Node:
    """Return the neutral debator."""
    return risk_debator(llm, STANCE, agent=AGENT, tier=TIER)
