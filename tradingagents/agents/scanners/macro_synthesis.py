"""Macro synthesis: weighs the four reports into macro context, themes and stocks; writes `macro_scan_summary` (JSON)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from tradingagents.agents.builders.node import Node
from tradingagents.agents.model_calls import Asking
from tradingagents.agents.prompting import joined, reports_part, role_part
from tradingagents.agents.scan_states import SCAN_REPORTS, ScannerState, Seen
from tradingagents.agents.scanners.candidates import (
    Asked,
    asked_for,
    candidates_table,
    problem_with,
    recorded,
    studyable,
)
from tradingagents.agents.schemas import ScanSummary
from tradingagents.context import RunContext
from tradingagents.errors import ModelFailure, ModelUnreachable, NoData
from tradingagents.settings import Tier

AGENT = "Macro Synthesis"
TIER: Tier = "deep"
STEP = "synthesis"
PROMPT = """
You have the last word of the scan. Weigh the four reports into one view of the market: where the economy stands, which themes
run through it, and which stocks a team of analysts should study next. A pick is a stock worth studying, up or down; it is no
recommendation to buy.

Take picks only from the table of candidates above, by the ticker as it stands there, each at most once, best first; its last
column names the tools that gave each. Of a company's share classes one stands there. Prefer stocks that several findings point to;
put first what moved for a reason that was read, and spread them over more than one sector unless the evidence lies in one. For
each give the stance (buy_candidate, short_candidate, or watch), the angle, the conviction, the rationale with
its figures as they were read, catalysts and risks that stand in the reports, and one to three facts with the tool or report each
comes from. Conviction is high only where several independent findings agree. What the reports do not tell is not known: leave a
list empty rather than fill it.

Picks asked: {asked}
"""


class NoSummary(ModelFailure):
    """The model gave no summary that could be used; the message says what was wrong with the last one."""


def create_macro_synthesis(llm: BaseChatModel) -> Node:
    """Return the macro synthesis.

    Its node raises NoData where nothing that was read names a stock, and NoSummary where the model twice gave no summary
    that names as many different candidates as asked.
    """

    async def synthesise(state: ScannerState, runtime: Runtime[RunContext], _config: RunnableConfig) -> dict[str, Any]:
        context, seen = runtime.context, studyable(state.get("seen", {}))
        context.events.emit("node_start", AGENT, node=AGENT, step=STEP)
        if not seen:
            raise NoData("No stock stands in what the scan read, so it has nothing to pick from; see its warnings.")
        asked = asked_for(context.settings.max_auto_tickers, len(seen))
        asking = Asking(context, AGENT, TIER, llm)
        summary = recorded(await _summary(asking, _messages(context, state, seen, asked), seen, asked), seen)
        picks = ", ".join(pick["ticker"] for pick in summary["stocks_to_investigate"])
        context.events.emit("node_end", AGENT, node=AGENT, step=STEP, picks=picks)
        return {
            "macro_scan_summary": json.dumps(summary, ensure_ascii=False),
            "summary": summary,
            "sender": AGENT,
            "warnings": [asked.shortage] if asked.shortage else [],
            **asking.left,
        }

    return Node(synthesise, name=AGENT, llm=llm)


def _messages(context: RunContext, state: Mapping[str, Any], seen: Seen, asked: Asked) -> list[BaseMessage]:
    texts = {**{key: state.get(key, "") for key in SCAN_REPORTS}, "candidates": candidates_table(seen)}
    read = reports_part(texts, (*SCAN_REPORTS, "candidates"))
    role = role_part(AGENT, PROMPT.format(asked=asked.words))
    return [SystemMessage(context.preamble), HumanMessage(joined([read, role]))]


async def _summary(asking: Asking, messages: list[BaseMessage], seen: Seen, asked: Asked) -> ScanSummary:
    def problem(summary: ScanSummary) -> str | None:
        return problem_with(summary.stocks_to_investigate, seen, asked)

    try:
        return await asking.typed(ScanSummary, messages, check=problem)
    except ModelUnreachable:
        raise
    except ModelFailure as failure:
        raise NoSummary(
            f"{AGENT} gave no usable summary: {failure}; run the scan again, or with another model."
        ) from failure
