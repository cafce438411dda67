"""Question analyzer: reads companies, periods and intent from a question; chooses where its answer is looked for."""

from __future__ import annotations

from tradingagents.features.filings_qa import rules as rules
from tradingagents.features.filings_qa.agents.prompting import FilingsAgent
from tradingagents.offline.brief import ObjectRule

PROMPT = """
Read the question and fill in what it asks. Follow-up questions refer to the conversation so far: complete them from it.

- valid: false for a question that is not about companies, their filings, calls, figures or news; give the reason.
- companies: every company asked about, by ticker where the question gives one ($AAPL), else by name.
- fiscal_years, fiscal_quarters: the periods named. last_periods: 1 for "latest", 3 for "the last three quarters".
- data_source, by what the question wants to know, not by its words:
  - 10k: annual and audited figures, statements, total assets, debt, executive compensation (only filings have it), risk
    factors, legal and regulatory matters, business and segment detail, comparisons over several years.
  - earnings_transcripts: results of a quarter, management's commentary and tone, guidance, answers to analysts,
    launches, changes from quarter to quarter.
  - latest_news: the last days and weeks, market reaction, deals, changes of leadership.
  - hybrid: more than one of these, such as filings against recent news, or a comprehensive view.
- needs_10k, needs_latest_news: what is needed besides data_source.
- answer_mode: direct for one fact, standard by default, detailed for a comprehensive analysis. deep_search only where the
  question asks to search thoroughly, to dig deep, for an exhaustive search, or to find everything.
- search_query: the key words of what is wanted as a filing or a speaker would say them, with company and period.

Documents of these companies are in the store: {known}.
"""
SPEC = FilingsAgent(
    name="Question Analyzer",
    tier="quick",
    prompt=PROMPT,
    offline=ObjectRule(rules.analysis, "The question cannot be read."),
)
