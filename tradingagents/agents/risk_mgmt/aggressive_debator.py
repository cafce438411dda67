"""Aggressive debater: argues for taking the risk in the risk debate on the trader's plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.agents.debates import RISK
from tradingagents.agents.risk_mgmt.instructions import ANSWERING, OPENING
from tradingagents.agents.spec import DebateAgent
from tradingagents.agents.verdict_check import size_part
from tradingagents.offline.brief import TextRule
from tradingagents.offline.risk import aggressive

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import Node

STANCE = """
You speak for reward: where the evidence carries it, too small a position or too tight a stop is a mistake with a price. Show
what caution would miss. You may not wave a risk away: weigh it.
"""
SPEC = DebateAgent(
    name="Aggressive Debator",
    phase=RISK.phase,
    tier="quick",
    output_key=RISK.state_key,
    debate=RISK,
    stance=STANCE,
    opening=OPENING,
    answering=ANSWERING,
    history_key="aggressive_history",
    response_key="current_aggressive_response",
    plan="trader_investment_plan",
    limits=size_part,
    offline=TextRule(aggressive),
    reads_book=True,
)


def create_aggressive_debator(llm: BaseChatModel) -> Node:
    """Return the aggressive debater."""
    from tradingagents.agents.builders.debate import debate_agent

    return debate_agent(SPEC, llm)
