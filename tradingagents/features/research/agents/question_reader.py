"""Question reader: says what a question asks for, and how sure it is; the user is asked where it is not sure."""

from __future__ import annotations

from tradingagents.agents.builders.prompt_agent import PromptAgent
from tradingagents.features.research.rules import agents as rules
from tradingagents.offline.brief import ObjectRule

PROMPT = """
Read the question and fill in everything that it asks for. Take the session into account: a follow-up question means the
companies and metrics of the one before where it names none.

- tickers: every company or symbol that is asked about, by ticker; a company whose ticker you do not know, by its name.
- inferred_depth: from the wording. One or two figures ("P/E of MSFT?") are quick; a thesis, a deep dive or an investment
  case is deep; everything else is standard. Never ask the user for it.
- confidence: how sure you are of what is wanted and of which company. Below 0.8 the user is asked: state the one question
  to ask in `clarification`. A name that may mean two companies, or a question without a subject, is unclear; a question
  that is merely broad is not.
- export_intent: excel or pdf where the user wants a file, else none.
- wants_sentiment, wants_factors: only where the question speaks of news, sentiment or crowd opinion, or of factor
  exposures.
- prior_tickers_researched, prior_frameworks_used: those of the session that this question needs again.
"""
SPEC = PromptAgent(
    name="Question Reader",
    tier="mid",
    prompt=PROMPT,
    offline=ObjectRule(rules.understanding, "The question cannot be read."),
)
