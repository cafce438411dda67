from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.retrieval.filing_pages import ANNUAL_REPORT, BALANCE, CASH, INCOME
from tests.support.tiers import sampled
from tradingagents.retrieval.page_kinds import LIKELY, STATEMENTS, KindsOfPage, StatementPage, page_kinds


def statement_pages(kinds: Sequence[KindsOfPage], statement: StatementPage) -> list[int]:
    """Return the likely pages of a statement, the likeliest first."""
    scores = {page.page: page.scores.get(statement, 0.0) for page in kinds}
    return sorted((page for page, score in scores.items() if score >= LIKELY), key=lambda page: -scores[page])


def test_the_pages_of_an_annual_report_are_told_apart():
    assert [page.kind for page in page_kinds(ANNUAL_REPORT)] == [
        "contents", "business", "risks", "mda", "income", "balance", "cashflow", "notes", "segments", "exhibits",
    ]  # fmt: skip
    assert page_kinds(ANNUAL_REPORT)[8].scores["notes"] >= 0.5


def test_each_primary_statement_is_found_on_its_page():
    kinds = page_kinds(ANNUAL_REPORT)
    assert [statement_pages(kinds, kind) for kind in STATEMENTS] == [[4], [5], [6], [], []]


def test_a_statement_of_the_parent_company_alone_is_not_preferred_to_the_consolidated_one():
    parent = BALANCE.replace("Consolidated Balance Shee ts", "Parent Company Only\nBalance Sheets")
    kinds = page_kinds([INCOME, BALANCE, CASH, *["Notes to Consolidated Financial Statements"] * 9, parent])
    assert statement_pages(kinds, "balance")[0] == 1
    assert kinds[1].scores["balance"] > 1.5 * kinds[12].scores["balance"]


def test_words_about_a_statement_do_not_make_a_page_one():
    prose = (
        "Our consolidated balance sheets show total assets and total current liabilities of all subsidiaries.\n" * 30
    )
    assert page_kinds([prose])[0].statement is None
    assert page_kinds([]) == ()
    assert page_kinds([""])[0].kind is None


@pytest.mark.real_data
@pytest.mark.parametrize("part", sampled(range(8), every=8))
def test_statement_pages_of_recorded_filings(test_data: Path, part: int):
    pages: dict[str, list[str]] = {}
    with gzip.open(test_data / "financebench" / "pages.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["doc"].endswith(("10K", "10Q")):
                pages.setdefault(row["doc"], []).append(row["text"])
    missing = []
    assert len(pages) > 40
    for name, texts in list(pages.items())[part::8]:
        kinds = page_kinds(texts)
        missing += [(name, kind) for kind in ("income", "balance", "cashflow") if not statement_pages(kinds, kind)]
    assert missing == []
