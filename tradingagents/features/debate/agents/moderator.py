"""Moderator: weighs both cases without tools, and says how convinced it is, of what, and what would change that."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.features.debate.rules import speakers as rules
from tradingagents.offline.brief import ObjectRule

PROMPT = """
Weigh the debate. You have no tools: use only the evidence and what was said.
- Name 2 to 5 contentions: questions on which the sides differ, what each says, whom the evidence favours, and why. A
  conceded argument counts for the other side.
- Sort the evidence: what favours the bull, what favours the bear, what both sides claim. Each id stands once.
- Name what both sides accept (consensus), and facts that the sides or the sources state differently (discrepancies).
- conviction: 1 to 3 strong bear, 4 lean bear, 5 neutral, 6 lean bull, 7 to 10 strong bull. Say it as
  "X because …, would be Y if …": `because` and `other_if` hold the clauses, `other_conviction` holds Y.
- Name the thesis that prevails and the one observable event that would break it: "… breaks if …".
"""
SPEC = PromptAgent(
    name="Debate Moderator", tier="deep", prompt=PROMPT, offline=ObjectRule(rules.verdict, rules.TOO_LITTLE)
)
