"""`Reflector`: draws lessons from a state and an outcome into a memory, for those who run the graph themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.language_models import BaseChatModel

from tradingagents.agents import reflector
from tradingagents.agents.memory_query import situation_of
from tradingagents.agents.model_calls import ModelCalls
from tradingagents.agents.prompting import fenced
from tradingagents.agents.standalone import context_of, parts_here, wait_for
from tradingagents.graph.evaluation.lessons import ROLES
from tradingagents.memory.situations import FinancialSituationMemory
from tradingagents.offline.brief import Happened


class Reflector:
    """Draws the lesson of one agent. `TradingAgentsGraph.reflect_and_remember` draws all of a run's at once."""

    def __init__(self, quick_thinking_llm: BaseChatModel) -> None:
        """Take the model that writes the lessons."""
        self.quick_thinking_llm = quick_thinking_llm

    def reflect_bull_researcher(self, state: Mapping[str, Any], came: Any, memory: FinancialSituationMemory) -> str:
        """Return the bull researcher's lesson, after remembering it."""
        return self._reflect("bull_memory", state["investment_debate_state"]["bull_history"], state, came, memory)

    def reflect_bear_researcher(self, state: Mapping[str, Any], came: Any, memory: FinancialSituationMemory) -> str:
        """Return the bear researcher's lesson, after remembering it."""
        return self._reflect("bear_memory", state["investment_debate_state"]["bear_history"], state, came, memory)

    def reflect_trader(self, state: Mapping[str, Any], came: Any, memory: FinancialSituationMemory) -> str:
        """Return the trader's lesson, after remembering it."""
        return self._reflect("trader_memory", state["trader_investment_plan"], state, came, memory)

    def reflect_invest_judge(self, state: Mapping[str, Any], came: Any, memory: FinancialSituationMemory) -> str:
        """Return the research manager's lesson, after remembering it."""
        said = state["investment_debate_state"]["judge_decision"]
        return self._reflect("invest_judge_memory", said, state, came, memory)

    def reflect_risk_manager(self, state: Mapping[str, Any], came: Any, memory: FinancialSituationMemory) -> str:
        """Return the risk manager's lesson, after remembering it."""
        said = state["risk_debate_state"]["judge_decision"]
        return self._reflect("risk_manager_memory", said, state, came, memory)

    def _reflect(
        self, name: str, said: str, state: Mapping[str, Any], came: Any, memory: FinancialSituationMemory
    ) -> str:
        role = next(role for role in ROLES if role.memory == name)
        context = context_of(state, parts_here(self.quick_thinking_llm))
        texts = {key: value for key, value in state.items() if isinstance(value, str)}
        situation = situation_of(state["company_of_interest"], None, str(state.get("trade_date", "")), texts)
        words = " ".join(str(came).split())
        told, happened = f"Returns and losses, as told: {words}", Happened("", told=words)
        turn = f'<turn speaker="{role.agent}" number="1">\n{fenced(said)}\n</turn>'
        looked = reflector.ReflectionInput(role.agent, role.duty, situation, turn, told, happened)
        asking = ModelCalls(context, reflector.AGENT, reflector.TIER, self.quick_thinking_llm)
        lesson = wait_for(reflector.reflect(asking, looked))
        memory.add_situations([(situation, lesson)])
        return lesson
