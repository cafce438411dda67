"""Guidance reader: reads what a company guides to in sentences that no rule reads; each range quotes its words."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.features.deep_report.rules import agents as rules
from tradingagents.offline.brief import ObjectRule

PROMPT = """
Write down what the company guides to in the numbered sentences: one range for each figure that it expects of one coming
fiscal quarter or year. Quote word for word, in one piece; the item, the figures with their unit, and the period stand in
the quotation. Leave out what was reported or said before, forecasts of others, effects on another figure (currency, prices,
acquisitions), goals over years, and sentences whose words name no period. No range is a good answer.
"""
SPEC = PromptAgent(
    name="Guidance Reader", tier="quick", prompt=PROMPT, offline=ObjectRule(rules.guidance, "Rules have read it.")
)
