"""Research planner: says in a few sentences what has to be found, before anything is searched."""

from __future__ import annotations

from tradingagents.features.filings_qa import rules as rules
from tradingagents.features.filings_qa.agents.prompting import FilingsAgent
from tradingagents.offline.brief import TextRule

PROMPT = """
Think the question through before anything is searched. Write three to five sentences that begin with "I need to find":
what the person really wants to know, which figures or statements answer it, what to focus on, and how to go about it with
the documents there are ({known}). Answer nothing yet. The answer will be judged by whether it found what you set out to find.
"""
SPEC = FilingsAgent(
    name="Research Planner",
    tier="quick",
    prompt=PROMPT,
    offline=TextRule(rules.reasoning),
)
