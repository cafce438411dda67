"""Builds the graph of a grid: every cell side by side, then the conflicts between documents of a company."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Annotated, Any, TypedDict, cast

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from tradingagents.agents.prompting import fenced
from tradingagents.agents.states import Degraded, united
from tradingagents.context import RunContext
from tradingagents.errors import ModelFailure, ModelUnreachable
from tradingagents.features.filings_grid.agents import cell_reader
from tradingagents.features.filings_grid.agents.cell_reader import CellReading
from tradingagents.features.filings_grid.cells import asks_figure, other_company, read_figure, with_conflicts
from tradingagents.features.filings_grid.documents import OpenDocuments
from tradingagents.features.filings_grid.rules import CellBrief, nearest_sentence
from tradingagents.features.filings_grid.schemas import CitedPassage, FilingsCell, GridDocument
from tradingagents.files.plain_text import one_line
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.offline.brief import Brief
from tradingagents.provenance.citations import check_answer
from tradingagents.retrieval.figures.answer_confidence import BAR, rated, unlikely
from tradingagents.retrieval.models import Hit, Scope
from tradingagents.retrieval.questions.companies import Instruments
from tradingagents.retrieval.store import DocumentStore

MOST_PASSAGES = 6
"""Passages of a document that a cell is read from."""
AT_ONCE = 8
"""Cells that are read at the same time; the limits of the models' servers hold besides."""
SHOWN_QUESTION = 60
BY_RULES = "Fixed rules found no sentence near to the question; a language model reads more."
GridGraph = CompiledStateGraph["GridState", "GridContext", "GridState", "GridState"]


class GridState(TypedDict, total=False):
    """What is known while a grid is read. All values can be written as JSON."""

    questions: list[str]
    documents: list[GridDocument]
    row: int
    """Of one branch: the document."""
    column: int
    """Of one branch: the question."""
    question: str
    document: GridDocument
    cells: Annotated[dict[str, FilingsCell], united]
    """By row and column, such as `0:3`."""
    degraded: Degraded


@dataclass
class GridProgress:
    """The cells that have been read, over all starts of the run."""

    total: int
    read: dict[str, FilingsCell]
    """By row and column. A cell is in the log of events before anything else happens, so that none is read twice."""


@dataclass(frozen=True, kw_only=True)
class GridContext(RunContext):
    """The context of a grid."""

    store: DocumentStore
    documents: OpenDocuments
    companies: Instruments
    """Those of the rows."""
    as_of: datetime
    """Nothing known later is read."""
    progress: GridProgress
    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))


def build_grid_graph(models: TierModels) -> GridGraph:
    """Compile the graph."""
    graph: StateGraph[GridState, GridContext, GridState, GridState] = StateGraph(GridState, GridContext)
    steps = _GridSteps(models)
    for name in ("read", "compare"):
        graph.add_node(name, cast(Any, getattr(steps, name)))
    graph.add_conditional_edges(START, _branches, ["read"])
    graph.add_edge("read", "compare")
    graph.add_edge("compare", END)
    return graph.compile(name="filings_grid")


def _branches(state: GridState) -> list[Send]:
    """Return a branch for each cell, document by document."""
    return [
        Send("read", {"row": row, "column": column, "question": question, "document": document})
        for row, document in enumerate(state["documents"])
        for column, question in enumerate(state["questions"])
    ]


class _GridSteps:
    """The nodes."""

    def __init__(self, models: TierModels) -> None:
        self._models = models

    async def read(self, state: GridState, runtime: Runtime[GridContext]) -> dict[str, Any]:
        """Read one cell: a figure by rule, else what the model finds in the passages nearest to the question."""
        context, document, question = runtime.context, state["document"], state["question"]
        place = {"row": state["row"], "column": state["column"]}
        if known := context.progress.read.get(f"{place['row']}:{place['column']}"):
            return {"cells": {f"{known.row}:{known.column}": known}}
        left: dict[str, Any] = {}
        async with context.slots:
            if reason := other_company(question, document, context.companies):
                cell = FilingsCell(**place, status="absent", reason=reason)
            else:
                cell = await asyncio.to_thread(_by_rule, context, document, question, place)
                if cell.status not in ("value", "conflict") and not (context.by_rules and asks_figure(question)):
                    cell, left = await self._from_passages(context, document, question, cell)
                    cell = await asyncio.to_thread(_likely, context, document, question, cell)
        _tell(context, document, question, cell)
        return {"cells": {f"{cell.row}:{cell.column}": cell}, **left}

    async def compare(self, state: GridState, runtime: Runtime[GridContext]) -> dict[str, Any]:
        """Mark the cells that another document of the company contradicts."""
        found = with_conflicts(state["cells"], state["documents"])
        if found:
            runtime.context.events.emit("progress", f"{len(found)} cells conflict", step="cells")
        return {"cells": found}

    async def _from_passages(
        self, context: GridContext, document: GridDocument, question: str, cell: FilingsCell
    ) -> tuple[FilingsCell, dict[str, Any]]:
        """Return what the passages of a document say, and what the calls left in the state."""
        search = partial(context.store.search, question, Scope(context.as_of, (document.key,)), MOST_PASSAGES)
        hits = await asyncio.to_thread(search)
        if not hits:
            return cell.model_copy(update={"reason": cell.reason or "No passage of the document is near."}), {}
        labelled = [(f"10K{number}", hit) for number, hit in enumerate(hits, 1)]
        known = CellBrief(quotation=nearest_sentence(question, labelled))
        spec = cell_reader.SPEC
        calls = spec.calls(context, self._models, lambda agent, rule: Brief(agent, rule, known=known))
        try:
            given = [f"<question>\n{fenced(question)}\n</question>", *(_passage(*each) for each in labelled)]
            reply = await spec.typed(calls, CellReading, given, document=one_line(document.name))
        except ModelUnreachable:
            raise
        except ModelFailure as failure:
            return cell.model_copy(update={"status": "failed", "reason": str(failure)}), calls.left
        return _checked(context, question, cell, reply, labelled), calls.left


def _by_rule(context: GridContext, document: GridDocument, question: str, place: dict[str, int]) -> FilingsCell:
    if not asks_figure(question):
        return FilingsCell(**place, status="absent")
    return _likely(context, document, question, read_figure(question, context.documents.get(document.key), **place))


def _likely(context: GridContext, document: GridDocument, question: str, cell: FilingsCell) -> FilingsCell:
    """Return a cell; absent, with the passages, where rules read it and its confidence is below the bar."""
    if cell.written_by != "rules" or cell.status not in ("value", "quoted") or not cell.passages:
        return cell
    texts = [f"{cell.answer} {' '.join(passage.text for passage in cell.passages)}"]
    pages = list(dict.fromkeys((document.key, passage.page) for passage in cell.passages))
    computed = cell.status == "value"
    texts = texts if computed else [cell.answer]
    confidence = rated(context.store, question, texts, pages, computed=computed, as_of=context.as_of)
    if confidence >= BAR:
        return cell
    place = {"row": cell.row, "column": cell.column}
    return FilingsCell(**place, status="absent", reason=unlikely(confidence), passages=cell.passages)


def _checked(
    context: GridContext, question: str, cell: FilingsCell, reply: CellReading, labelled: Sequence[tuple[str, Hit]]
) -> FilingsCell:
    """Return a reply as a cell, where every figure and claim of it stands at its citation."""
    if not reply.found or not reply.answer.strip():
        lacks = BY_RULES if context.by_rules else "The passages nearest to the question do not say."
        return cell.model_copy(update={"reason": cell.reason or lacks})
    checked = check_answer(one_line(reply.answer), {label: hit.text for label, hit in labelled}, given=question)
    if checked.problems or not checked.cited:
        reason = "What was written does not stand at its citation, and is withheld."
        return cell.model_copy(update={"status": "failed", "reason": reason})
    hits = dict(labelled)
    cited = [(label, hits[label]) for label in checked.cited]
    return cell.model_copy(
        update={
            "status": "quoted" if context.by_rules else "value",
            "answer": checked.text,
            "reason": "",
            "passages": [
                CitedPassage(
                    page=hit.place.page, characters=(hit.place.start, hit.place.end), text=hit.text, label=label
                )
                for label, hit in cited
            ],
            "written_by": "rules" if context.by_rules else "model",
        }
    )


def _passage(label: str, hit: Hit) -> str:
    return f'<source id="{label}" page="{hit.place.page + 1}">\n{fenced(hit.text)}\n</source>'


def _tell(context: GridContext, document: GridDocument, question: str, cell: FilingsCell) -> None:
    """Emit that a cell has been read, with the cost so far."""
    progress = context.progress
    progress.read[f"{cell.row}:{cell.column}"] = cell
    used = context.meter.totals()
    cost = "" if used.cost_usd is None or context.by_rules else f", {used.cost_usd:.4f} USD so far"
    asked = question if len(question) <= SHOWN_QUESTION else f"{question[: SHOWN_QUESTION - 1]}…"
    context.events.emit(
        "progress",
        f"{len(progress.read)} of {progress.total} cells{cost}: {document.name}: {one_line(asked)}: {cell.status}",
        step="cells",
        cell=cell.as_json(),
        done=len(progress.read),
        total=progress.total,
        cost_usd=used.cost_usd,
    )
