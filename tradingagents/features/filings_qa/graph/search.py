"""Builds the search in filings: plan → retrieve → draft → evaluate, and again for what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from tradingagents.agents.builders.node import Node
from tradingagents.agents.prompting import fenced
from tradingagents.errors import ModelFailure, ModelUnreachable
from tradingagents.features.filings_qa.agents.filings_searcher import DRAFTER, EVALUATOR, PLANNER, TABLE_SELECTOR
from tradingagents.features.filings_qa.agents.modes import SEC_CONFIDENCE, SEC_MAX_ITERATIONS
from tradingagents.features.filings_qa.agents.prompting import question_part, sources_part
from tradingagents.features.filings_qa.agents.schemas import DraftQuality, SearchPlan, SubQuestion, TableChoice
from tradingagents.features.filings_qa.agents.states import FilingsSearchState
from tradingagents.features.filings_qa.graph.compute import complete_of, nearest_sentences
from tradingagents.features.filings_qa.graph.lookup import FilingsContext, labelled_hits, search_filings
from tradingagents.features.filings_qa.rules import FilingsBrief
from tradingagents.files.plain_text import one_line
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.retrieval.models import Hit
from tradingagents.runtime.graphs.by_rules import models_of

MOST_TABLES = 2
"""Tables chosen in a round."""
CANDIDATE_TABLES = 12
TEXT_HITS = 10
"""Passages of text kept of a round, the best of all searches."""
TITLE_LINES = 3
"""First lines of a table that are shown to choose from."""


def build_filings_search(models: TierModels) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Compile the sub-graph; it reads question, analysis and targets, and adds sources."""
    steps = _SearchSteps(models)
    graph = StateGraph(FilingsSearchState)
    for name in ("plan", "retrieve", "write_draft", "evaluate"):
        graph.add_node(name, Node(getattr(steps, name), name=name))
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "retrieve")
    graph.add_edge("retrieve", "write_draft")
    graph.add_edge("write_draft", "evaluate")
    graph.add_conditional_edges("evaluate", _again, ["plan", END])
    return graph.compile(name="filings_search")


def _again(state: FilingsSearchState) -> str:
    """Search again where the sources are not enough, something to search for is named, and rounds are left."""
    enough = state["quality"] >= 100 * SEC_CONFIDENCE
    return END if enough or state["round"] >= SEC_MAX_ITERATIONS or not state["missing"] else "plan"


class _SearchSteps:
    """The nodes."""

    def __init__(self, models: TierModels) -> None:
        self._models = models

    async def plan(
        self, state: FilingsSearchState, runtime: Runtime[FilingsContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Split the question into searches; in a later round, into searches for what is missing."""
        context, missing = runtime.context, state.get("missing", [])
        calls = PLANNER.filings_calls(context, models_of(state, self._models), _brief(state))
        gap = f"The search so far lacks: {'; '.join(missing)}. Search for that only." if missing else ""
        try:
            plan = await PLANNER.typed(calls, SearchPlan, [question_part(state["question"])], missing=gap)
        except ModelUnreachable:
            raise
        except ModelFailure as failure:
            phrase = state["analysis"].get("search_query") or state["question"]
            plan = SearchPlan(sub_questions=[SubQuestion(phrase=phrase, kind=kind) for kind in ("table", "text")])
            context.events.emit("progress", f"No search plan: {failure}", step="filings", warning=True)
        searches = [part.model_dump(mode="json") for part in plan.sub_questions]
        return {"plan": searches, "round": state.get("round", 0) + 1, **calls.left}

    async def retrieve(
        self, state: FilingsSearchState, runtime: Runtime[FilingsContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Make all searches side by side; choose tables; keep the best passages."""
        context = runtime.context
        plan = [SubQuestion.model_validate(part) for part in state["plan"]]
        tables = [part.phrase for part in plan if part.kind == "table"]
        texts = [part.phrase for part in plan if part.kind == "text"]
        items = tuple(dict.fromkeys(item for part in plan if part.kind == "text" for item in part.items))
        table_hits = await search_filings(context, tables, state["targets"], tables=True) if tables else []
        chosen, places, left = await self._choose(state, context, table_hits)
        text_hits = await search_filings(context, texts, state["targets"], items=items) if texts else []
        found = [*chosen, *text_hits[:TEXT_HITS]]
        sources = labelled_hits(found, state, "10K")
        context.events.emit(
            "10k_search",
            f"{len(sources)} passages of filings",
            step="filings",
            round=state["round"],
            phrases=[*tables, *texts],
            found=len(sources),
            tables=len(chosen),
        )
        return {"sources": sources, "tables": [*state.get("tables", []), *places], **left}

    async def write_draft(
        self, state: FilingsSearchState, runtime: Runtime[FilingsContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Answer from what was found so far, to see what is missing."""
        if not state.get("sources"):
            return {"draft": ""}
        calls = DRAFTER.filings_calls(runtime.context, models_of(state, self._models), _brief(state))
        parts = [question_part(state["question"]), sources_part(state["sources"])]
        try:
            return {"draft": await DRAFTER.text(calls, parts), **calls.left}
        except ModelUnreachable:
            raise
        except ModelFailure as failure:
            runtime.context.events.emit("progress", f"No draft: {failure}", step="filings", warning=True)
            return {"draft": "", **calls.left}

    async def evaluate(
        self, state: FilingsSearchState, runtime: Runtime[FilingsContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        """Judge whether the sources are enough."""
        context = runtime.context
        if not state.get("sources"):
            return {"quality": 0.0, "missing": []}
        calls = EVALUATOR.filings_calls(context, models_of(state, self._models), _brief(state))
        draft = f"# Draft\n<draft>\n{fenced(state['draft'])}\n</draft>"
        parts = [question_part(state["question"]), sources_part(state["sources"]), draft]
        try:
            judged = await EVALUATOR.typed(calls, DraftQuality, parts)
        except ModelUnreachable:
            raise
        except ModelFailure as failure:
            context.events.emit("progress", f"The search was not judged: {failure}", step="filings", warning=True)
            return {"quality": 0.0, "missing": [], **calls.left}
        message = f"filings: quality {judged.quality_score:.0f} of 100"
        context.events.emit("progress", message, step="filings", round=state["round"], **judged.model_dump(mode="json"))
        return {"quality": judged.quality_score, "missing": list(judged.missing_info), **calls.left}

    async def _choose(
        self, state: FilingsSearchState, context: FilingsContext, hits: Sequence[Hit]
    ) -> tuple[list[Hit], list[list[Any]], dict[str, Any]]:
        """Have one or two tables chosen that were not chosen before; the best ones where the choice fails."""
        known = {(place[0], place[1], place[2]) for place in state.get("tables", [])}
        fresh = [hit for hit in hits if (hit.place.document, hit.place.page, hit.place.start) not in known]
        candidates = fresh[:CANDIDATE_TABLES]
        if not candidates:
            return [], [], {}
        calls = TABLE_SELECTOR.filings_calls(
            context, models_of(state, self._models), _brief(state, tables=len(candidates))
        )
        listed = "\n".join(f"{number}. {_title(hit)}" for number, hit in enumerate(candidates, start=1))
        searched = "; ".join(part["phrase"] for part in state["plan"] if part["kind"] == "table")
        parts = [
            question_part(state["question"]),
            f"# Searches\n{fenced(searched)}",
            f"# Tables\n<source>\n{fenced(listed)}\n</source>",
        ]
        try:
            choice = await TABLE_SELECTOR.typed(calls, TableChoice, parts)
            numbers = [number for number in dict.fromkeys(choice.tables) if 1 <= number <= len(candidates)]
        except ModelUnreachable:
            raise
        except ModelFailure as failure:
            context.events.emit("progress", f"No table was chosen: {failure}", step="filings", warning=True)
            numbers = []
        chosen = [candidates[number - 1] for number in numbers] or candidates[:MOST_TABLES]
        places = [[hit.place.document, hit.place.page, hit.place.start] for hit in chosen]
        return chosen, places, calls.left


def _brief(state: FilingsSearchState, *, tables: int = 0) -> FilingsBrief:
    analysis, sources = state["analysis"], tuple(state.get("sources", []))
    return FilingsBrief(
        question=complete_of(state),
        phrase=analysis.get("search_query", ""),
        asks_figure=bool(analysis.get("asks_figure")),
        tables=tables,
        sources=sources,
        sentences=nearest_sentences(state, sources),
    )


def _title(hit: Hit) -> str:
    lines = [one_line(line) for line in hit.text.splitlines() if line.strip()][:TITLE_LINES]
    return f"{hit.info.name}, page {hit.place.page + 1}: {' / '.join(lines)}"[:300]
