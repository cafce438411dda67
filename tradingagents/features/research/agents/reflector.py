"""Reflector: judges whether the question can be answered; complete unless something critical is missing."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.features.research.rules import agents as rules
from tradingagents.offline.brief import ObjectRule

PROMPT = """
Judge whether the question can be answered with the findings. This was iteration {iteration} of at most {most}.

Default to complete. Answer incomplete only if
- critical data of the primary company is missing, or
- the core of the question cannot be answered.
Further enrichment never justifies another iteration: a useful answer now is better than a perfect one later. Many tools
exist; using all of them is not the aim. Trust the data once you have what the question needs. A task that failed and that no other source can replace is stated as a gap, not
repeated.

Give the reason in one or two sentences for the user. Where incomplete, name what is missing and what the next plan should
do differently.
"""
SPEC = PromptAgent(
    name="Reflector",
    tier="mid",
    prompt=PROMPT,
    offline=ObjectRule(rules.reflection, "The findings cannot be judged."),
)
