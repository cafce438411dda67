"""`GraphSetup`: compiles the trading graph by the names and arguments of the public API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel

from tradingagents.graph.conditional_logic import ConditionalLogic
from tradingagents.graph.trading.graph import TradingGraph, build_trading_graph
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.memory.situations import MEMORY_NAMES, FinancialSituationMemory
from tradingagents.settings import ANALYSTS, load_settings

__all__ = ["GraphSetup", "TradingGraph", "build_trading_graph"]


class GraphSetup:
    """Builds the trading graph from models and memories, by the name and arguments of the public API."""

    def __init__(
        self,
        quick_thinking_llm: BaseChatModel,
        deep_thinking_llm: BaseChatModel,
        tool_nodes: Any = None,  # noqa: ARG002 - the analysts bring their own
        bull_memory: FinancialSituationMemory | None = None,
        bear_memory: FinancialSituationMemory | None = None,
        trader_memory: FinancialSituationMemory | None = None,
        invest_judge_memory: FinancialSituationMemory | None = None,
        risk_manager_memory: FinancialSituationMemory | None = None,
        conditional_logic: ConditionalLogic | None = None,
    ) -> None:
        """Take models and memories; a memory that is not given is empty, `tool_nodes` is ignored."""
        self._models = TierModels(quick_thinking_llm, quick_thinking_llm, deep_thinking_llm)
        given = (bull_memory, bear_memory, trader_memory, invest_judge_memory, risk_manager_memory)
        pairs = zip(MEMORY_NAMES, given, strict=True)
        self._memories = {name: memory or FinancialSituationMemory(name) for name, memory in pairs}
        self._logic = conditional_logic or ConditionalLogic()

    def setup_graph(self, selected_analysts: Sequence[str] = ANALYSTS) -> TradingGraph:
        """Return the compiled graph. Its nodes make their own context from the ticker and date in the state.

        Raises:
            SettingsError: There is no such analyst.
        """
        rounds = {
            "max_debate_rounds": self._logic.max_debate_rounds,
            "max_risk_discuss_rounds": self._logic.max_risk_discuss_rounds,
        }
        settings = load_settings({"analysts": tuple(selected_analysts), **rounds}, environ={})
        return build_trading_graph(self._models, self._memories, settings)
