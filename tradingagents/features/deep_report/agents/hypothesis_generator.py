"""Hypothesis generator: states what must be true for the company's value, so that research can prove it wrong."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.features.deep_report.rules import agents as rules
from tradingagents.offline.brief import ObjectRule

PROMPT = """
State {least} to {most} hypotheses about the company that matter for the value of a share: thesis and antithesis in turn,
the most important first. Each is specific and falsifiable: it names a figure, a direction or an event, and its second
sentence says what would prove it wrong. Cover growth, margins, capital, risk and what the price expects. Repeat none of
the earlier ones. The title has at most 15 words. For each, list the evidence to look up: filings, calls, statements,
prices, news, insiders, peers, estimates.
"""
SPEC = PromptAgent(
    name="Hypothesis Generator",
    tier="mid",
    prompt=PROMPT,
    offline=ObjectRule(rules.hypotheses, "No hypothesis can be stated."),
)
