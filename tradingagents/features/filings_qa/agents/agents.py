"""The agents that answer questions about filings, in the order in which a question meets them."""

from __future__ import annotations

from collections.abc import Mapping

from tradingagents.features.filings_qa.agents import answer_assessor, answer_writer, question_analyzer, research_planner
from tradingagents.features.filings_qa.agents.filings_searcher import DRAFTER, EVALUATOR, PLANNER, TABLE_SELECTOR
from tradingagents.features.filings_qa.agents.prompting import PREAMBLE, FilingsAgent

FILINGS_AGENTS: tuple[FilingsAgent, ...] = (
    question_analyzer.SPEC,
    research_planner.SPEC,
    PLANNER,
    TABLE_SELECTOR,
    DRAFTER,
    EVALUATOR,
    answer_writer.SPEC,
    answer_assessor.SPEC,
)


def filings_prompts() -> Mapping[str, str]:
    """Return all instructions of each agent, for the fingerprint of prompts, and their common preamble."""
    prompts = {agent.name: agent.prompt for agent in FILINGS_AGENTS}
    prompts[answer_writer.SPEC.name] += answer_writer.SEVERAL_COMPANIES + answer_writer.WRITE_NOW + answer_writer.REPAIR
    return {"Filings": PREAMBLE, **prompts}
