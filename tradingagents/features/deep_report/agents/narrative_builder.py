"""Narrative builder: writes the report from validated hypotheses; every claim names its evidence."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.features.deep_report.rules import agents as rules
from tradingagents.offline.brief import ObjectRule

PROMPT = """
Write the report in these sections, in this order: Executive summary, Investment thesis, Catalysts and risks, Scenarios,
Counter-argument. Paragraphs are short; each names the ids of the evidence that its claims rest on. Lead with the
finding. Give figures with period and unit, only those that stand in the evidence. State what is not known.
Where evidence contradicts, name both sides; what prevails is decided by the rank of the source, not by you. In
Scenarios, say what would have to happen in bull, base and bear; their values are added by calculation.
"""
SPEC = PromptAgent(
    name="Narrative Builder",
    tier="deep",
    prompt=PROMPT,
    most_tokens=16_000,  # five sections of up to twelve paragraphs
    offline=ObjectRule(rules.narrative, "There is no evidence to write about."),
)
