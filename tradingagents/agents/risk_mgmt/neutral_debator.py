"""Neutral debater: argues for the balance of the two in the risk debate on the trader's plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.agents.debates import RISK
from tradingagents.agents.risk_mgmt.instructions import ANSWERING, OPENING
from tradingagents.agents.spec import DebateAgent
from tradingagents.agents.verdict_check import size_part
from tradingagents.offline.brief import TextRule
from tradingagents.offline.risk import neutral

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import Node

STANCE = """
You speak for proportion: you test both the eager and the cautious view against the figures and look for the size and the
levels that hold in either case.
"""
SPEC = DebateAgent(
    name="Neutral Debator",
    phase=RISK.phase,
    tier="quick",
    output_key=RISK.state_key,
    debate=RISK,
    stance=STANCE,
    opening=OPENING,
    answering=ANSWERING,
    history_key="neutral_history",
    response_key="current_neutral_response",
    plan="trader_investment_plan",
    limits=size_part,
    offline=TextRule(neutral),
    reads_book=True,
)


def create_neutral_debator(llm: BaseChatModel) -> Node:
    """Return the neutral debater."""
    from tradingagents.agents.builders.debate import debate_agent

    return debate_agent(SPEC, llm)
