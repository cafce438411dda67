"""Refiner: turns contradictions and gaps into the questions of the next round."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.features.deep_report.rules import agents as rules
from tradingagents.offline.brief import ObjectRule

PROMPT = """
For each open hypothesis, write the questions that the next round of research should answer: those that would decide a
contradiction come first, then those that would fill a gap. Ask what a filing, a call, a statement, news or peers can
answer. Propose a new hypothesis only where the evidence, or a hint of the reader, suggests one that no title above covers.
"""
SPEC = PromptAgent(
    name="Refiner", tier="mid", prompt=PROMPT, offline=ObjectRule(rules.refinement, "There is nothing to ask.")
)
