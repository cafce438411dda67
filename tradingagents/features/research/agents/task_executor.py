"""Task executor: carries out one task of a plan with the tools that it needs, or by thinking about earlier findings."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.features.research.rules import agents as rules
from tradingagents.offline.brief import TextRule

USE_TOOLS = """
Carry out this task: {task}
Choose the tools by what the task needs and by what is not found yet; call independent tools together. Further tools are
found with find_tools. Search stored filings (search_filings) before you fetch a filing. Stop as soon as the task is
answered. Then write what you found in at most 150 words: figures with unit, period and company; what could not be found.
"""
REASON = """
Carry out this task by thinking about the findings above; you have no tools: {task}
Write your conclusion in at most 150 words with the figures it rests on; say what is missing.
"""
WRITE_NOW = "You have no tool calls left. Write what you found now; say what is missing."
TOOLS = PromptAgent(name="Task Executor", tier="mid", prompt=USE_TOOLS, offline=TextRule(rules.findings))
THINKING = PromptAgent(name="Task Executor", tier="mid", prompt=REASON, offline=TextRule(rules.conclusion))
