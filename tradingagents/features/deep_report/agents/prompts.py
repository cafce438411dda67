"""The instructions of the deep report's agents, for the fingerprint of prompts."""

from __future__ import annotations

from collections.abc import Mapping

from tradingagents.features.deep_report.agents import (
    deep_researcher,
    dialectical_engine,
    guidance_reader,
    hypothesis_generator,
    narrative_builder,
    refiner,
    source_filter,
    thesis_evaluator,
)
from tradingagents.features.deep_report.agents.prompting import PREAMBLE

AGENTS = tuple(
    module.SPEC
    for module in (
        hypothesis_generator,
        guidance_reader,
        source_filter,
        deep_researcher,
        dialectical_engine,
        refiner,
        thesis_evaluator,
        narrative_builder,
    )
)
"""In running order."""


def thesis_prompts() -> Mapping[str, str]:
    """Return the instruction of each agent by its name, and their common preamble."""
    return {"Deep Report": PREAMBLE, **{agent.name: agent.prompt for agent in AGENTS}}
