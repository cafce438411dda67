"""Evaluator: scores what an iteration produced against the rubric; what can be counted is counted by code."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.features.deep_report.rules import agents as rules
from tradingagents.offline.brief import ObjectRule

PROMPT = """
Score the draft from 0 to 10 on each criterion: specificity (are the hypotheses specific and falsifiable), insights (do
they go beyond what a reader of the annual report knows), logic (do conclusions follow from the evidence), actionability
(could an investor act on it). 7 is the standard of an institutional report. Recommend at most five improvements.
"""
SPEC = PromptAgent(
    name="Thesis Evaluator", tier="quick", prompt=PROMPT, offline=ObjectRule(rules.scores, "There is nothing to score.")
)
