"""Builds the trading graph: analysts side by side, the research debate, the trader, the risk debate, the decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from langchain_core.language_models import BaseChatModel
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from tradingagents.agents.analysts import (
    fundamentals_analyst,
    market_analyst,
    news_analyst,
    social_media_analyst,
)
from tradingagents.agents.builders.node import Node
from tradingagents.agents.debates import (
    AGGRESSIVE,
    BEAR,
    BULL,
    CONSERVATIVE,
    NEUTRAL,
    RESEARCHERS,
    RISK_DEBATORS,
    research_turns,
    risk_turns,
)
from tradingagents.agents.managers import approval, research_manager, risk_manager
from tradingagents.agents.researchers import bear_researcher, bull_researcher
from tradingagents.agents.risk_mgmt import aggressive_debator, conservative_debator, neutral_debator
from tradingagents.agents.states import AgentState
from tradingagents.agents.trader import trader
from tradingagents.context import TradingContext
from tradingagents.graph.branches import fail_without_any
from tradingagents.graph.conditional_logic import ConditionalLogic, next_speaker
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.memory.situations import MEMORY_NAMES, FinancialSituationMemory
from tradingagents.settings import ANALYSTS, AnalystName, Settings, load_settings

TradingGraph = CompiledStateGraph[AgentState, TradingContext, AgentState, AgentState]

ANALYST = {
    "market": (market_analyst.AGENT, "market_report", market_analyst.create_market_analyst),
    "social": (social_media_analyst.AGENT, "sentiment_report", social_media_analyst.create_social_media_analyst),
    "news": (news_analyst.AGENT, "news_report", news_analyst.create_news_analyst),
    "fundamentals": (
        fundamentals_analyst.AGENT,
        "fundamentals_report",
        fundamentals_analyst.create_fundamentals_analyst,
    ),
}
"""Agent, report and factory by the name settings know an analyst by."""

DESK = "Reports"
"""The node at which the analysts' branches join."""
RESEARCH_MANAGER, TRADER, RISK_MANAGER = research_manager.AGENT, trader.AGENT, risk_manager.AGENT
APPROVAL = approval.AGENT


def build_trading_graph(
    models: TierModels,
    memories: Mapping[str, FinancialSituationMemory],
    settings: Settings,
    *,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> TradingGraph:
    """Compile the trading graph.

    Args:
        models: The models of the three tiers.
        memories: By name, see `memory.situations.MEMORY_NAMES`.
        settings: Which analysts, how many rounds.
        checkpointer: Where steps are kept; None keeps none (LangGraph's server brings its own).
    """
    graph: StateGraph[AgentState, TradingContext, AgentState, AgentState] = StateGraph(AgentState, TradingContext)
    quick, mid, deep = models.quick, models.mid, models.deep

    _add_analysts(graph, quick, settings.analysts)
    graph.add_node(BULL, bull_researcher.create_bull_researcher(mid, memories["bull_memory"]))
    graph.add_node(BEAR, bear_researcher.create_bear_researcher(mid, memories["bear_memory"]))
    graph.add_node(RESEARCH_MANAGER, research_manager.create_research_manager(deep, memories["invest_judge_memory"]))
    graph.add_node(TRADER, trader.create_trader(mid, memories["trader_memory"]))
    graph.add_node(AGGRESSIVE, aggressive_debator.create_aggressive_debator(quick))
    graph.add_node(CONSERVATIVE, conservative_debator.create_conservative_debator(quick))
    graph.add_node(NEUTRAL, neutral_debator.create_neutral_debator(quick))
    graph.add_node(RISK_MANAGER, risk_manager.create_risk_manager(deep, memories["risk_manager_memory"]))

    def after_research_turn(state: AgentState) -> str:
        return next_speaker(
            research_turns(state), RESEARCHERS, rounds=settings.max_debate_rounds, judge=RESEARCH_MANAGER
        )

    def after_risk_turn(state: AgentState) -> str:
        return next_speaker(
            risk_turns(state), RISK_DEBATORS, rounds=settings.max_risk_discuss_rounds, judge=RISK_MANAGER
        )

    graph.add_edge(DESK, BULL)
    for researcher in RESEARCHERS:
        graph.add_conditional_edges(researcher, after_research_turn, _after(researcher, RESEARCHERS, RESEARCH_MANAGER))
    graph.add_edge(RESEARCH_MANAGER, TRADER)
    graph.add_edge(TRADER, AGGRESSIVE)
    for debator in RISK_DEBATORS:
        graph.add_conditional_edges(debator, after_risk_turn, _after(debator, RISK_DEBATORS, RISK_MANAGER))
    if settings.approve:
        graph.add_node(APPROVAL, approval.create_approval(), destinations=(RISK_MANAGER, END))
        graph.add_edge(RISK_MANAGER, APPROVAL)
    else:
        graph.add_edge(RISK_MANAGER, END)
    return graph.compile(checkpointer=checkpointer, name="trading")


def _after(speaker: str, order: tuple[str, ...], judge: str) -> list[str]:
    """Return where a debate can go from a speaker: to the next in order, or to the judge."""
    return [order[(order.index(speaker) + 1) % len(order)], judge]


def _add_analysts(
    graph: StateGraph[AgentState, TradingContext, AgentState, AgentState],
    llm: BaseChatModel,
    names: tuple[AnalystName, ...],
) -> None:
    """Add the analysts as sub-graphs that run in the same step, and the node that waits for all of them."""
    keys = []
    for name in names:
        agent, key, create = ANALYST[name]
        # LangGraph's types want a plain node here; a compiled graph is one.
        graph.add_node(agent, cast(Any, create(llm)))
        graph.add_edge(START, agent)
        graph.add_edge(agent, DESK)
        keys.append(key)
    # Deferred: it runs once, when every branch has ended.
    graph.add_node(DESK, _services(tuple(keys)), defer=True)


def _services(keys: tuple[str, ...]) -> Node:
    """Return the join: it ends a run in which no analyst could report, since there is nothing to decide on."""

    async def reports_in(state: AgentState, *_: Any) -> dict[str, Any]:
        fail_without_any(keys, state, who="analyst")
        return {}

    return Node(reports_in, name=DESK)


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
        """Take what the graph is made of; a memory that is not given is empty, `tool_nodes` are not used."""
        self._models = TierModels(quick_thinking_llm, quick_thinking_llm, deep_thinking_llm)
        given = (bull_memory, bear_memory, trader_memory, invest_judge_memory, risk_manager_memory)
        pairs = zip(MEMORY_NAMES, given, strict=True)
        self._memories = {name: memory or FinancialSituationMemory(name) for name, memory in pairs}
        self._logic = conditional_logic or ConditionalLogic()

    def setup_graph(self, selected_analysts: Sequence[str] = ANALYSTS) -> TradingGraph:
        """Return the compiled graph; run with a ticker and a date, each of its nodes makes the context it needs.

        Raises:
            SettingsError: There is no such analyst.
        """
        rounds = {
            "max_debate_rounds": self._logic.max_debate_rounds,
            "max_risk_discuss_rounds": self._logic.max_risk_discuss_rounds,
        }
        settings = load_settings({"analysts": tuple(selected_analysts), **rounds}, environ={})
        return build_trading_graph(self._models, self._memories, settings)
