"""Source filter: scores sources by relevance to a hypothesis, ten at a time, so that only relevant ones are read."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.features.deep_report.rules import agents as rules
from tradingagents.offline.brief import ObjectRule

PROMPT = """
Score each source from 0 to 10 by how much it can tell about the hypothesis and the open questions: 10 decisive, 7 worth
reading whole, below 7 not worth it. A source that speaks against the hypothesis is as relevant as one that supports it.
"""
SPEC = PromptAgent(
    name="Source Filter", tier="quick", prompt=PROMPT, offline=ObjectRule(rules.relevance, "There is no source.")
)
