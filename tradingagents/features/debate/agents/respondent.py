"""Respondent: answers questions about a debate that has ended, from its evidence and statements alone."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.features.debate.rules import questions
from tradingagents.offline.brief import TextRule

PROMPT = """
Answer the user's question about the debate above from its evidence, statements and verdict alone; you have no tools.
Lead with the answer. Name who said what, cite evidence by its id, and say so where the debate does not answer it. Asked
what would change the view, name the conditions of the verdict and what each side conceded. At most 200 words.
"""
SPEC = PromptAgent(name="Debate Respondent", tier="mid", prompt=PROMPT, offline=TextRule(questions.answer))
