"""The trading graph: analysts in parallel, research debate, trader, risk debate, decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, cast, get_type_hints

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from tradingagents.agents import roster
from tradingagents.agents.builders.agent_node import agent_node
from tradingagents.agents.builders.debate_state import merged, order_of
from tradingagents.agents.builders.node import NextNode, Node
from tradingagents.agents.debates import RESEARCH, RISK, SIMULTANEOUS, Debate, next_of_side, next_speaker
from tradingagents.agents.managers import approval
from tradingagents.agents.spec import AgentSpec, DebateAgent, DecideAgent, ReportAgent
from tradingagents.agents.states import AgentState
from tradingagents.context import TradingContext
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.memory.situations import FinancialSituationMemory
from tradingagents.runtime.graphs.branches import fail_without_any, state_with
from tradingagents.settings import Settings

TradingGraph = CompiledStateGraph[AgentState, TradingContext, AgentState, AgentState]
Builder = StateGraph[AgentState, TradingContext, AgentState, AgentState]

REPORTS = "Reports"
"""The node at which the analysts' branches join."""
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
        settings: Which analysts, how many rounds, which debate mode.
        checkpointer: Where steps are saved; None saves none (LangGraph's server brings its own).

    Raises:
        SettingsError: There is no such analyst.
    """
    agents = [spec for spec in roster.trading_agents(settings.analysts) if not _silent(spec, settings)]
    analysts = [spec for spec in agents if isinstance(spec, ReportAgent)]
    graph: Builder = StateGraph(_state_schema(analysts, settings), TradingContext)
    for spec in agents:
        memory = memories[spec.memory] if spec.memory else None
        # LangGraph's types require a plain node here; a compiled graph is one.
        graph.add_node(spec.name, cast(Any, agent_node(spec, models.of(spec.tier), memory)))
    _join_analysts(graph, analysts)
    last = _add_deciders(graph, [spec for spec in agents if spec not in analysts], settings)
    if settings.approve:
        graph.add_node(APPROVAL, approval.create_approval(), destinations=(last, END))
        graph.add_edge(last, APPROVAL)
    else:
        graph.add_edge(last, END)
    return graph.compile(checkpointer=checkpointer, name="trading")


def _silent(spec: AgentSpec, settings: Settings) -> bool:
    """Tell whether an agent speaks in a debate of no rounds, so that its judge reads the reports alone."""
    return isinstance(spec, DebateAgent) and not settings[spec.debate.rounds]


def build_deciding_graph(
    models: TierModels, memories: Mapping[str, FinancialSituationMemory], settings: Settings
) -> TradingGraph:
    """Compile the trading graph without its analysts, for a state that holds their reports already.

    Args:
        models: The models of the three tiers.
        memories: By name, see `memory.situations.MEMORY_NAMES`.
        settings: Whose reports there are, how many rounds, which debate mode.

    Raises:
        SettingsError: There is no such analyst.
    """
    agents = roster.trading_agents(settings.analysts)
    analysts = [spec for spec in agents if isinstance(spec, ReportAgent)]
    deciders = [spec for spec in agents if spec not in analysts]
    graph: Builder = StateGraph(_state_schema(analysts, settings), TradingContext)
    for spec in deciders:
        memory = memories[spec.memory] if spec.memory else None
        graph.add_node(spec.name, cast(Any, agent_node(spec, models.of(spec.tier), memory)))

    async def reports_in(_state: AgentState, *_: Any) -> dict[str, Any]:
        return {}

    graph.add_node(REPORTS, Node(reports_in, name=REPORTS))
    graph.add_edge(START, REPORTS)
    graph.add_edge(_add_deciders(graph, deciders, settings), END)
    return graph.compile(name="deciding")


def _join_analysts(graph: Builder, analysts: Sequence[AgentSpec]) -> None:
    """Run the analysts in the same step, and end a run in which none of them could report."""
    keys = tuple(spec.output_key for spec in analysts)

    async def reports_in(state: AgentState, *_: Any) -> dict[str, Any]:
        fail_without_any(keys, state, who="analyst")
        return {}

    for spec in analysts:
        graph.add_edge(START, spec.name)
        graph.add_edge(spec.name, REPORTS)
    # Deferred: it runs once, when every branch has ended.
    graph.add_node(REPORTS, Node(reports_in, name=REPORTS), defer=True)


def _add_deciders(graph: Builder, agents: Sequence[AgentSpec], settings: Settings) -> str:
    """Connect the debates and decisions that follow the reports, in running order; return the last decider."""
    before = REPORTS
    for spec in agents:
        if isinstance(spec, DecideAgent) and spec.debate and not settings[spec.debate.rounds]:
            graph.add_edge(before, spec.name)
        if isinstance(spec, DebateAgent):
            if spec.name == order_of(spec.debate)[0]:
                _add_debate(graph, spec.debate, after=before, settings=settings)
            continue
        if not (isinstance(spec, DecideAgent) and spec.debate):  # a judge is reached from its debate
            graph.add_edge(before, spec.name)
        before = spec.name
    return before


def _add_debate(graph: Builder, debate: Debate, *, after: str, settings: Settings) -> None:
    """Connect a debate's speakers, in turn or all at once in each round, and its judge."""
    order, judge, rounds = order_of(debate), roster.judge_of(debate).name, settings[debate.rounds]

    def next_turn(state: AgentState) -> str:
        return next_speaker(debate.turns(state), order, rounds=rounds, judge=judge)

    def own_next(speaker: str) -> Callable[[AgentState], str]:
        return lambda state: next_of_side(debate.turns(state), speaker, rounds=rounds, judge=judge)

    if settings.debate_mode == SIMULTANEOUS:
        # All sides speak in the same step, so each round, and the judge, begins when the slowest has ended.
        for speaker in order:
            graph.add_edge(after, speaker)
            graph.add_conditional_edges(speaker, NextNode(own_next(speaker)), [speaker, judge])
        return
    graph.add_edge(after, order[0])
    for number, speaker in enumerate(order, start=1):
        graph.add_conditional_edges(speaker, NextNode(next_turn), [order[number % len(order)], judge])


def _state_schema(analysts: Sequence[ReportAgent], settings: Settings) -> type[AgentState]:
    """Return the graph's state; in simultaneous debates it merges the turns of one step."""
    joined = {}
    if settings.debate_mode == SIMULTANEOUS:
        known = get_type_hints(AgentState, include_extras=True)
        joined = {
            debate.state_key: Annotated[known[debate.state_key], partial(merged, debate)] for debate in (RESEARCH, RISK)
        }
    return state_with(AgentState, analysts, joined)
