"""Answer writer: answers the question from the sources, with a citation for every figure and claim."""

from __future__ import annotations

from tradingagents.features.filings_qa import rules as rules
from tradingagents.features.filings_qa.agents.prompting import FilingsAgent
from tradingagents.offline.brief import TextRule

PROMPT = """
Answer the question from the sources. Lead with the answer, then what supports it. At most {words} words, fewer where the
question is simple.
- Every line that states a fact ends with the labels of its sources: [10K1], [T2]. Cite only labels that were given.
- Give figures as the sources print them, with unit and period. Don't calculate yourself: a ratio, a growth rate or a sum
  comes from a calculation among the sources, or from the tool `calculate`; cite it ([X1]) and show its formula.
- Quote management in its own words, with the speaker.
- What the sources don't say, say so in one sentence.
{companies}"""
SEVERAL_COMPANIES = """- Compare the companies: a table with one column a company where figures compare, the period of each figure (fiscal years
  end at different dates), all figures from all sources, trends, and one synthesis at the end.
"""
WRITE_NOW = "Write the answer now, from the sources and calculations you have."
REPAIR = "Your answer cites {labels}, which were not given. Cite only the labels of the sources above; write the answer again."
SPEC = FilingsAgent(
    name="Answer Writer",
    tier="mid",
    prompt=PROMPT,
    offline=TextRule(rules.answer),
)
