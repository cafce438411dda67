"""Builds the graph of a question about a debate that has ended: one step, without tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from tradingagents.agents.builders.node import Node
from tradingagents.agents.prompting import fenced
from tradingagents.context import CheckedContext
from tradingagents.features.debate.agents import respondent
from tradingagents.features.debate.agents.prompting import debate_so_far, evidence_part, exchanges_part
from tradingagents.features.debate.agents.states import DebateQuestionState
from tradingagents.features.debate.graph.brief import kept_brief
from tradingagents.features.debate.schemas import AnsweredDebateQuestion, DebateRecord
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.offline.brief import Brief, ObjectRule, TextRule
from tradingagents.runtime.graphs.source_check import sourced_text, withheld_note

DebateQuestionGraph = CompiledStateGraph[
    DebateQuestionState, "DebateQuestionContext", DebateQuestionState, DebateQuestionState
]
KEPT_QUESTIONS = 8
"""Earlier questions about one debate that are shown to the respondent."""


@dataclass(frozen=True, kw_only=True)
class DebateQuestionContext(CheckedContext):
    """The context of a question about a debate."""

    debate: DebateRecord
    """The card of the debate."""


def build_debate_question_graph(models: TierModels) -> DebateQuestionGraph:
    """Compile the graph."""

    async def respond(
        state: DebateQuestionState, runtime: Runtime[DebateQuestionContext], _config: RunnableConfig
    ) -> dict[str, Any]:
        context, spec = runtime.context, respondent.SPEC
        debate, asked = context.debate, state.get("asked", [])

        def brief(agent: str, rule: ObjectRule | TextRule) -> Brief:
            return Brief(agent, rule, known=kept_brief(context.data.as_of, debate, state["question"], asked))

        calls = spec.calls(context, models, brief)
        verdict = debate.reports.get("verdict", "")
        parts = [
            evidence_part(debate.evidence),
            debate_so_far(debate.cases, debate.rebuttals),
            f'# Verdict\n<turn by="moderator" statement="verdict">\n{fenced(verdict)}\n</turn>' if verdict else "",
            exchanges_part(asked),
            f"# Question\n<question>\n{fenced(state['question'])}\n</question>",
        ]
        shown = await sourced_text(spec, calls, "answer", parts)
        note = withheld_note(shown.withheld)
        answer = f"{shown.text}\n\n{note}" if note else shown.text
        exchange = AnsweredDebateQuestion(question=state["question"], answer=answer)
        return {
            "answer": answer,
            "asked": [*asked, exchange][-KEPT_QUESTIONS:],
            "withheld": shown.withheld,
            **calls.left,
        }

    graph: StateGraph[DebateQuestionState, DebateQuestionContext, DebateQuestionState, DebateQuestionState] = (
        StateGraph(DebateQuestionState, DebateQuestionContext)
    )
    graph.add_node("respond", Node(respond, name="respond"))
    graph.add_edge(START, "respond")
    graph.add_edge("respond", END)
    return graph.compile(name="debate_question")
