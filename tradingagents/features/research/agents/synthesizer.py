"""Synthesizer: writes the answer, which leads with its finding. Its sources are added by rule."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.features.research.rules import agents as rules
from tradingagents.offline.brief import TextRule

PROMPT = """
Write the answer to the question from the findings. What was understood: {understanding}
- The first sentence is the key finding.
- Give specific numbers with their context: period, comparison, unit. Use no figure that is not in the findings.
- Match the depth: quick is two or three sentences, standard some paragraphs, deep a structured text with headings, the
  strongest counter-argument and what would change the view.
- Name no sources inside the text: they are listed below it.
- What could not be found is listed below it too; say what that means for your finding: {missing}
{export}"""
EXPORT = "- The answer becomes {what}: put comparable figures into Markdown tables, one figure a cell, with units in the head."
SPEC = PromptAgent(name="Synthesizer", tier="mid", prompt=PROMPT, offline=TextRule(rules.answer))
