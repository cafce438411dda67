"""Bull researcher: argues the case for the stock in the research debate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.agents.debates import RESEARCH
from tradingagents.agents.spec import DebateAgent
from tradingagents.offline.brief import TextRule
from tradingagents.offline.debate import bull

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import Node
    from tradingagents.memory.situations import FinancialSituationMemory

OPENING = """
You make the case for buying the stock. You open the debate: nobody has spoken against you, so rebut nobody.

In 200 to 350 words give your three or four strongest points, strongest first: growth, competitive position, strength of the
tape, valuation, catalysts. Each point names its figure and the report it stands in. Use past lessons where they apply. Close
with the one weakness of your case that you take most seriously.
"""
ANSWERING = """
You make the case for buying the stock. The bear has spoken.

In 200 to 350 words: quote the bear's strongest point in its own words and answer it with figures from the reports; concede it
where it is right and say why the case stands all the same. Then bring evidence you have not used yet. Do not repeat yourself.
Use past lessons where they apply.
"""
SPEC = DebateAgent(
    name="Bull Researcher",
    phase=RESEARCH.phase,
    tier="mid",
    output_key=RESEARCH.state_key,
    memory="bull_memory",
    duty="makes the case for buying a stock",
    debate=RESEARCH,
    opening=OPENING,
    answering=ANSWERING,
    history_key="bull_history",
    offline=TextRule(bull),
)


def create_bull_researcher(llm: BaseChatModel, memory: FinancialSituationMemory | None = None) -> Node:
    """Return the bull researcher.

    Args:
        llm: The model.
        memory: Lessons of past bull cases.
    """
    from tradingagents.agents.builders.debate import debate_agent

    return debate_agent(SPEC, llm, memory)
