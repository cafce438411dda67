"""Bear researcher: argues the case against the stock in the research debate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.agents.debates import RESEARCH
from tradingagents.agents.spec import DebateAgent
from tradingagents.offline.brief import TextRule
from tradingagents.offline.debate import bear

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import Node
    from tradingagents.memory.situations import FinancialSituationMemory

OPENING = """
You make the case against buying the stock. You open the debate: nobody has spoken for it, so rebut nobody.

In 200 to 350 words give your three or four strongest points, strongest first: slowing growth, thin or falling margins, debt,
a weak tape, a price that assumes too much, events. Each point names its figure and the report it stands in. Use past lessons
where they apply. Close with the one strength of the stock that you take most seriously.
"""
ANSWERING = """
You make the case against buying the stock. The bull has spoken.

In 200 to 350 words: quote the bull's strongest point in its own words and answer it with figures from the reports; concede it
where it is right and say why the risk stands all the same. Then bring evidence you have not used yet. Do not repeat yourself.
Use past lessons where they apply.
"""
SPEC = DebateAgent(
    name="Bear Researcher",
    phase=RESEARCH.phase,
    tier="mid",
    output_key=RESEARCH.state_key,
    memory="bear_memory",
    duty="makes the case against buying a stock",
    debate=RESEARCH,
    opening=OPENING,
    answering=ANSWERING,
    history_key="bear_history",
    offline=TextRule(bear),
)


def create_bear_researcher(llm: BaseChatModel, memory: FinancialSituationMemory | None = None) -> Node:
    """Return the bear researcher.

    Args:
        llm: The model.
        memory: Lessons of past bear cases.
    """
    from tradingagents.agents.builders.debate import debate_agent

    return debate_agent(SPEC, llm, memory)
