"""Filings searcher: plans searches in filings, chooses tables, drafts an answer and judges whether more is needed."""

from __future__ import annotations

from tradingagents.features.filings_qa import rules as rules
from tradingagents.features.filings_qa.agents.prompting import FilingsAgent
from tradingagents.offline.brief import ObjectRule, TextRule

PLAN_PROMPT = """
Split the question into the searches that answer it, at most eight. For each: the key words as a filing prints them, and
whether its answer stands in a table of the statements (kind table: figures) or in text (kind text: everything else). A
ratio needs a search for each of its parts: inventory turnover needs cost of goods sold [table] and inventory [table].
items: where it stands in the filing: 1 business, 1A risk factors, 3 legal proceedings, 7 management's discussion, 8
financial statements, 11 executive compensation; empty to search all of it.
{missing}"""
TABLES_PROMPT = """
Choose the tables that hold the figures asked for, by number: one or two for each search. Prefer the primary statements
(income statement, balance sheet, cash flow statement) to tables in notes.
"""
DRAFT_PROMPT = """
Answer the question from the sources alone, in a few lines, each with its citation. Say what is missing.
"""
EVALUATION_PROMPT = """
Judge whether the sources and the draft answer the question. quality_score: 0 to 100; 90 and more only where every part of
the question has its figure or passage. missing_info: what is still to be found, as key words a filing would print.
"""
PLANNER = FilingsAgent(
    name="Filings Search Planner",
    tier="quick",
    prompt=PLAN_PROMPT,
    offline=ObjectRule(rules.search_plan, "Nothing can be planned."),
)
TABLE_SELECTOR = FilingsAgent(
    name="Table Selector",
    tier="quick",
    prompt=TABLES_PROMPT,
    offline=ObjectRule(rules.table_choice, "There is no table."),
)
DRAFTER = FilingsAgent(
    name="Filings Drafter",
    tier="quick",
    prompt=DRAFT_PROMPT,
    offline=TextRule(rules.draft),
)
EVALUATOR = FilingsAgent(
    name="Filings Evaluator",
    tier="quick",
    prompt=EVALUATION_PROMPT,
    offline=ObjectRule(rules.draft_quality, "There is nothing to judge."),
)
