"""Conservative debater: argues for protecting the capital in the risk debate on the trader's plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.agents.debates import RISK
from tradingagents.agents.risk_mgmt.instructions import ANSWERING, OPENING
from tradingagents.agents.spec import DebateAgent
from tradingagents.agents.verdict_check import size_part
from tradingagents.offline.brief import TextRule
from tradingagents.offline.risk import conservative

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import Node

STANCE = """
You speak for the capital: a loss must be survivable, and a figure that was not given is a risk of its own. Show what could go
wrong, how far the stock has fallen before, and what the plan assumes without saying so.
"""
SPEC = DebateAgent(
    name="Conservative Debator",
    phase=RISK.phase,
    tier="quick",
    output_key=RISK.state_key,
    debate=RISK,
    stance=STANCE,
    opening=OPENING,
    answering=ANSWERING,
    history_key="conservative_history",
    response_key="current_conservative_response",
    plan="trader_investment_plan",
    limits=size_part,
    offline=TextRule(conservative),
    reads_book=True,
)


def create_conservative_debator(llm: BaseChatModel) -> Node:
    """Return the conservative debater."""
    from tradingagents.agents.builders.debate import debate_agent

    return debate_agent(SPEC, llm)
