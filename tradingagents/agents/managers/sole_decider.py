"""Sole decider: decides on the evidence of all analysts in one call; writes `final_trade_decision`. No team runs."""

from __future__ import annotations

from tradingagents.agents.decision_text import render_decision
from tradingagents.agents.spec import DecideAgent
from tradingagents.offline.brief import ObjectRule
from tradingagents.offline.decisions import NOTHING_READ, research_manager

PROMPT = """
You decide alone. Above is the evidence that a team of analysts would start from: results of tools, unread by anyone. Nobody
has reported on it, argued about it or proposed anything.

Decide BUY, SELL or HOLD. HOLD is right only where the evidence is balanced or the risk cannot be carried. Where a computed
valuation was given, say how far the price stands from it. Leave entry, stop, target and size null unless the evidence supports
them; the size is the fraction of equity you would really commit.
- rationale: the figures that decide.
- reasoning: what speaks for and against, and how it weighs.
- plan: three to six steps, each with its level, size, date or condition.
- key_evidence: each fact with its figure, and the tool it comes from.
- dissent: the strongest case against. would_change: what would turn the decision.
Confidence is the probability that the action proves right over the horizon.
"""
SPEC = DecideAgent(
    name="Sole Decider",
    phase="decision",
    tier="deep",
    output_key="final_trade_decision",
    prompt=PROMPT,
    ends_run=True,
    render=render_decision,
    offline=ObjectRule(research_manager, NOTHING_READ),
)
