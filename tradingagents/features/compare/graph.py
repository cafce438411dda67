"""Builds the graph of a comparison: one research run a company, side by side → the table → the comparison."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.messages import AIMessage, ToolCall, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from tradingagents.agents.prompting import fenced
from tradingagents.capabilities.ask import completed
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import registry
from tradingagents.capabilities.tools import answer_of, tool_node
from tradingagents.context import CheckedContext
from tradingagents.dataflows.results import Result
from tradingagents.features.compare.agents import comparer
from tradingagents.features.compare.agents.comparer import research_parts
from tradingagents.features.compare.agents.states import CompareState
from tradingagents.features.compare.agents.topics import TOPICS
from tradingagents.features.compare.rules import ComparableRow, ComparisonBrief
from tradingagents.features.compare.schemas import AnswerNotes, ComparisonRow, ResearchedCompany
from tradingagents.features.compare.table import (
    comparison_table,
    paid_for,
    table_markdown,
    table_sources,
    withheld_cells,
)
from tradingagents.features.research.graph.sources import with_sources
from tradingagents.files.plain_text import one_line
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.offline.brief import Brief, ObjectRule, TextRule
from tradingagents.runtime.graphs.source_check import sourced_text, withheld_note

CompareGraph = CompiledStateGraph[CompareState, "CompareContext", CompareState, CompareState]
NOT_OFFERED = "no configured data vendor answers it"


@dataclass(frozen=True, kw_only=True)
class CompareContext(CheckedContext):
    """The context of a comparison."""

    research: Callable[[str], Awaitable[ResearchedCompany]]
    """Researches one company, or returns what an earlier start of the run found."""


def build_compare_graph(models: TierModels) -> CompareGraph:
    """Compile the graph."""
    graph: StateGraph[CompareState, CompareContext, CompareState, CompareState] = StateGraph(
        CompareState, CompareContext
    )
    steps = _CompareSteps(models)
    # LangGraph's own engine runs the nodes: the number of branches is known from the request only.
    for name in ("research", "tabulate", "compare"):
        graph.add_node(name, cast(Any, getattr(steps, name)))
    graph.add_conditional_edges(
        START, lambda state: [Send("research", {"symbol": symbol}) for symbol in state["tickers"]], ["research"]
    )
    graph.add_edge("research", "tabulate")
    graph.add_edge("tabulate", "compare")
    graph.add_edge("compare", END)
    return graph.compile(name="compare")


class _CompareSteps:
    """The nodes."""

    def __init__(self, models: TierModels) -> None:
        self._models = models

    async def research(self, state: CompareState, runtime: Runtime[CompareContext]) -> dict[str, Any]:
        """Research one company."""
        found = await runtime.context.research(state["symbol"])
        return {"companies": {found.symbol: found}}

    async def tabulate(
        self, state: CompareState, runtime: Runtime[CompareContext], config: RunnableConfig
    ) -> dict[str, Any]:
        """Ask the same of every company, and put what is comparable side by side."""
        tickers, topics = state["tickers"], state["topics"]
        names = list(dict.fromkeys(capability for topic in topics for capability, _ in TOPICS[topic].figures))
        answers = await _answers(runtime, config, tickers, names)
        return {"table": comparison_table(tickers, topics, answers), "paid_for": paid_for(tickers, answers)}

    async def compare(self, state: CompareState, runtime: Runtime[CompareContext]) -> dict[str, Any]:
        """Write the comparison; add the table, what is missing, and the sources."""
        context, tickers, table = runtime.context, state["tickers"], state["table"]
        companies = [state["companies"][symbol] for symbol in tickers]
        missing = [*missing_research(companies), *withheld_cells(table)]
        shown = table_markdown(table, tickers)
        calls = comparer.SPEC.calls(context, self._models, _brief_of(tickers, table, companies))
        written = await sourced_text(
            comparer.SPEC,
            calls,
            "answer",
            [*research_parts(companies), f"<table>\n{fenced(shown)}\n</table>"],
            tickers=", ".join(tickers),
            topics="; ".join(TOPICS[topic].words for topic in state["topics"]),
            missing=fenced(one_line("; ".join(missing))) or "nothing is known to be missing",
        )
        sources = compared_sources(table, companies)
        priced = [f"- {one_line(sentence)}" for sentence in state.get("paid_for") or ()]
        whole = "\n\n".join(part for part in (written.text, shown, "\n".join(priced)) if part)
        answer = with_sources(whole, sources, missing, withheld_note(written.withheld))
        notes = AnswerNotes(sources=sources, missing=missing, withheld=written.withheld)
        return {"answer": answer, "notes": notes, **calls.left}


def missing_research(companies: Sequence[ResearchedCompany]) -> list[str]:
    """Return what the research on companies lacks."""
    failed = [
        f"research on {company.symbol} ({company.note.rstrip('.')})"
        for company in companies
        if company.status != "completed"
    ]
    return [*failed, *(f"{company.symbol}: {gap}" for company in companies for gap in company.missing)]


def compared_sources(table: Sequence[ComparisonRow], companies: Sequence[ResearchedCompany]) -> list[str]:
    """Return the sources of a comparison: those of the table, then those of each company's research."""
    own = [
        f"{company.symbol}, run {company.run_id}: {'; '.join(company.sources)}"
        for company in companies
        if company.sources
    ]
    return [*table_sources(table), *own]


def _brief_of(
    tickers: Sequence[str], table: Sequence[ComparisonRow], companies: Sequence[ResearchedCompany]
) -> Callable[[str, ObjectRule | TextRule], Brief]:
    rows = tuple(
        ComparableRow(
            topic=row.topic,
            label=row.label,
            period=row.period,
            unit=row.unit,
            values=tuple((cell.symbol, cell.value, cell.shown) for cell in row.cells if cell.value is not None),
        )
        for row in table
    )
    failed = tuple(company.symbol for company in companies if company.status != "completed")
    known = ComparisonBrief(tickers=tuple(tickers), rows=rows, failed=failed)

    def brief(agent: str, rule: ObjectRule | TextRule) -> Brief:
        return Brief(agent, rule, known=known)

    return brief


async def _answers(
    runtime: Runtime[CompareContext], config: RunnableConfig, tickers: Sequence[str], names: Sequence[str]
) -> dict[tuple[str, str], Result | str]:
    """Ask capabilities about every company, side by side; the answers are on the run's data sheet."""
    context = runtime.context
    offered = [registry()[name] for name in names if registry()[name].is_available(context.data)]
    node = tool_node(offered, agent=comparer.SPEC.name)
    arguments = {
        (symbol, capability.name): dict(completed(capability, {"ticker": symbol}, context.data.as_of))
        for symbol in tickers
        for capability in offered
    }
    calls = [
        ToolCall(name=name, args=given, id=f"{symbol}-{name}", type="tool_call")
        for (symbol, name), given in arguments.items()
    ]
    update = await node.ainvoke({"messages": [AIMessage("", tool_calls=calls)]}, config, runtime=runtime)
    replies = {reply.tool_call_id: reply for reply in cast(dict[str, list[ToolMessage]], update)["messages"]}

    async def answer(symbol: str, capability: Capability) -> Result | str:
        reply = replies[f"{symbol}-{capability.name}"]
        if reply.status == "error":
            return str(reply.content)
        given = capability.arguments.model_validate(arguments[symbol, capability.name])
        return await answer_of(context, capability, given)

    keys = [(symbol, capability) for symbol in tickers for capability in offered]
    found = await asyncio.gather(*(answer(symbol, capability) for symbol, capability in keys))
    known: dict[tuple[str, str], Result | str] = {(symbol, name): NOT_OFFERED for symbol in tickers for name in names}
    return known | {(symbol, capability.name): result for (symbol, capability), result in zip(keys, found, strict=True)}
