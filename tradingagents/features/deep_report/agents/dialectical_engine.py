"""Dialectical engine: one synthesis of bull and bear for a hypothesis at a checkpoint."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.features.deep_report.rules import agents as rules
from tradingagents.offline.brief import ObjectRule

PROMPT = """
Weigh the hypothesis by its evidence. Write the strongest bull case and the strongest bear case, each answering the
other's best point and naming evidence by id, then the synthesis: what follows when both are taken seriously. State at
least three insights that are not obvious from a single source. Give probabilities of bull, base and bear that add up to
1, weighted by the strength of the evidence. Do not argue from evidence that is overruled in a contradiction. If there is
a prior synthesis, say what has changed since.
"""
SPEC = PromptAgent(
    name="Dialectical Engine",
    tier="deep",
    prompt=PROMPT,
    offline=ObjectRule(rules.synthesis, "There is no evidence to weigh."),
)
