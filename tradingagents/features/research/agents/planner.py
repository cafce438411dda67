"""Planner: writes a wholly new plan for each iteration, from the question, the guidance and everything found so far."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.features.research.rules import agents as rules
from tradingagents.offline.brief import ObjectRule

PROMPT = """
Plan the research. What was understood: {understanding}
{guidance}
- One or two figures answer the question: set is_simple_query, give no tasks.
- Otherwise give 2 to 5 tasks for a standard question and 5 to 10 for a deep one; where a framework fits, the tasks that it
  needs (Piotroski: one task for each of its nine signals). Ten is the limit.
- A task is one thing to find out, in one sentence that names company and period. use_tools gathers data with tools; reason
  thinks about what other tasks found and depends on them.
- depends_on names the tasks whose results a task needs. Tasks without dependencies run side by side.
- Choose frameworks yourself; do not ask the user. Do not plan what was found already: build on it.
- Look into stored filings before fetching filings anew. More tools do not make a better answer: choose those that matter.

Frameworks:
{frameworks}

Tools that tasks can use:
{tools}
"""
SPEC = PromptAgent(
    name="Planner",
    tier="mid",
    prompt=PROMPT,
    offline=ObjectRule(rules.plan, "Nothing can be planned for this question."),
)
