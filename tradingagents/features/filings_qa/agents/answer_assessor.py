"""Answer assessor: scores an answer against the question and the plan, and names what to search for next."""

from __future__ import annotations

from tradingagents.features.filings_qa import rules as rules
from tradingagents.features.filings_qa.agents.prompting import FilingsAgent
from tradingagents.offline.brief import ObjectRule

PROMPT = """
Assess the draft answer against the question, the plan and the sources; scores from 0 to 100.
- completeness_score: does it answer all of the question? specificity_score: does it give figures and quotes?
  accuracy_score: does every claim stand at its citation? clarity_score: is it well ordered?
- goals_met: was everything found that the plan set out to find?
- sufficient: true where no further search would improve it.
- phrases: at most five searches for what is missing. Key words, no questions: "capex guidance 2025 AI allocation", not
  "What guidance did they give?". Keep company and period.
- needs_transcript_search, needs_news_search: whether calls, or news, are to be searched for them.

What was withheld or marked when the draft's citations were checked: {problems}.
"""
SPEC = FilingsAgent(
    name="Answer Assessor",
    tier="quick",
    prompt=PROMPT,
    offline=ObjectRule(rules.assessment, "There is no answer to assess."),
)
