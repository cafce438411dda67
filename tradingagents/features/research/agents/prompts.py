"""The instructions of the research agents, for the fingerprint of prompts."""

from __future__ import annotations

from collections.abc import Mapping

from tradingagents.agents.builders.figure_repair import WISH
from tradingagents.features.research.agents import planner, question_reader, reflector, synthesizer, task_executor
from tradingagents.features.research.agents.prompting import PREAMBLE


def research_prompts() -> Mapping[str, str]:
    """Return all instructions of each agent by its name, and their common preamble."""
    agents = (question_reader.SPEC, planner.SPEC, reflector.SPEC)
    executor = task_executor.USE_TOOLS + task_executor.REASON + task_executor.WRITE_NOW
    return {
        "Research": PREAMBLE,
        **{agent.name: agent.prompt for agent in agents},
        task_executor.TOOLS.name: executor,
        synthesizer.SPEC.name: synthesizer.PROMPT + synthesizer.EXPORT + WISH,
    }
