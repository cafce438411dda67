"""Deep researcher: reads the relevant sources and writes down evidence, quoted word for word."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.features.deep_report.rules import agents as rules
from tradingagents.offline.brief import ObjectRule

PROMPT = """
Write down the evidence in the sources that bears on the hypothesis, for it and against it. Each item
- names its source by label and quotes it word for word, in one piece, as short as possible;
- makes one claim, in one sentence, whose figures all stand in the quotation;
- says how sure it is (a filing is surer than an article, a figure surer than an opinion) and what it says about the
  hypothesis;
- names the driver of the value that moves if the claim holds, with the change and the years: growth, margin or
  cost_of_capital as a fraction (0.01 is one percentage point), capital_intensity as a relative change. Only where the
  source carries that; null otherwise. Changes are limited by calculation, so do not exaggerate.
Do not repeat evidence that is known already.
"""
SPEC = PromptAgent(
    name="Deep Researcher",
    tier="deep",
    prompt=PROMPT,
    offline=ObjectRule(rules.evidence, "The sources hold no evidence."),
)
