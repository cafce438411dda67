"""Build the synthesis of a scan: it weighs the reports and answers with a typed summary whose picks are checked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from tradingagents.agents.builders.briefs import synthesis_brief
from tradingagents.agents.builders.node import Node
from tradingagents.agents.model_calls import ModelCalls
from tradingagents.agents.prompting import joined, reports_part, role_part
from tradingagents.agents.roster import report_keys
from tradingagents.agents.scan_states import ScannerState, Seen
from tradingagents.agents.scanners.candidates import (
    NoSummary,
    PickCount,
    asked_for,
    candidates_table,
    problem_with,
    recorded,
    studyable,
)
from tradingagents.agents.schemas import ScanSummary
from tradingagents.agents.spec import SynthesisAgent
from tradingagents.context import RunContext
from tradingagents.errors import ModelFailure, ModelUnreachable, NoData

CANDIDATES = "candidates"
"""Name of the candidates' table among the reports."""
CANDIDATES_BY = "the tools of the scan"


def synthesis_agent(spec: SynthesisAgent, llm: BaseChatModel) -> Node:
    """Return the node of a scan's synthesis.

    It raises NoData where nothing that was read names a stock, and NoSummary where the model twice gave no summary
    that names as many different candidates as asked.
    """
    keys = report_keys(spec.input_phases)

    async def synthesise(state: ScannerState, runtime: Runtime[RunContext], _config: RunnableConfig) -> dict[str, Any]:
        context, seen = runtime.context, studyable(state.get("seen", {}))
        context.events.emit("node_start", spec.name, node=spec.name, step=spec.phase)
        if not seen:
            raise NoData("No stock stands in what the scan read, so it has nothing to pick from; see its warnings.")
        asked = asked_for(context.settings.max_auto_tickers, len(seen))
        asking = ModelCalls(
            context, spec.name, spec.tier, llm, partial(synthesis_brief, spec, context, state, seen, asked)
        )
        messages = _messages(spec, context, {key: str(state.get(key, "")) for key in keys}, seen, asked)
        summary = recorded(await _summary(asking, messages, seen, asked), seen)
        picks = ", ".join(pick.ticker for pick in summary.stocks_to_investigate)
        context.events.emit("node_end", spec.name, node=spec.name, step=spec.phase, picks=picks)
        return {
            spec.output_key: json.dumps(summary.as_json(), ensure_ascii=False),
            "summary": summary,
            "sender": spec.name,
            "warnings": [asked.shortage] if asked.shortage else [],
            **asking.left,
        }

    return Node(synthesise, name=spec.name, llm=llm)


def _messages(
    spec: SynthesisAgent, context: RunContext, reports: Mapping[str, str], seen: Seen, asked: PickCount
) -> list[BaseMessage]:
    texts = {**reports, CANDIDATES: candidates_table(seen)}
    read = reports_part(texts, tuple(texts), others={CANDIDATES: CANDIDATES_BY})
    role = role_part(spec.name, spec.prompt.format(asked=asked.words))
    return [SystemMessage(context.preamble), HumanMessage(joined([read, role]))]


async def _summary(asking: ModelCalls, messages: Sequence[BaseMessage], seen: Seen, asked: PickCount) -> ScanSummary:
    def problem(summary: ScanSummary) -> str | None:
        return problem_with(summary.stocks_to_investigate, seen, asked)

    try:
        return await asking.typed(ScanSummary, messages, check=problem)
    except ModelUnreachable:
        raise
    except ModelFailure as failure:
        raise NoSummary(
            f"{asking.agent} gave no usable summary: {failure}; run the scan again, or with another model."
        ) from failure
