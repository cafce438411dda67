"""Questions over years, companies and qualifiers as whole runs: the report as agreed, the same with a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.retrieval.lines.test_lines import STORED
from tests.support.filings import ANALYSIS, INCOME, answerer, answering, filing
from tests.support.golden_files import assert_golden
from tradingagents.features.filings_qa.report import answer_markdown, answer_page
from tradingagents.features.filings_qa.schemas import FilingsRecord

YEARS = "What was VELQ's revenue in fiscal 2022, 2023, 2024 and 2025?"
DAY = "2026-06-12"


def test_the_report_of_an_answer_over_years_reads_as_agreed(tmp_path: Path) -> None:
    with answerer(tmp_path, None, *STORED) as agent:
        record = agent.ask(YEARS, as_of=DAY).record
    fixed = record.model_copy(update={"run_id": "20260612T200000Z-FILINGS_QA-2026-06-12-abc123"})
    assert_golden("reports/filings/over_years.md", answer_markdown(fixed))
    assert record.lines is not None
    assert [(each.period, each.value) for each in record.lines.values] == [
        ("FY2022", None), ("FY2023", 1.2e9), ("FY2024", 1.32e9), ("FY2025", 1.452e9)
    ]  # fmt: skip
    assert FilingsRecord.model_validate(record.as_json()).lines == record.lines
    assert "Exhibit 1. Revenue" in answer_page(record)
    assert "Exhibit 1" not in answer_page(record.model_copy(update={"status": "no_answer"})), "what is not given"


def test_with_a_model_the_table_of_the_rules_stands_before_its_words(tmp_path: Path) -> None:
    analysis = {**ANALYSIS, "companies": ["VELQ"], "fiscal_years": [2022, 2023, 2024, 2025]}
    said = "Revenue rose each year [10K1]."
    model = answering({"Question Analyzer": analysis, "Answer Writer": said})
    with answerer(tmp_path / "model", model, *STORED) as agent:
        record = agent.ask(YEARS, as_of=DAY).record
    with answerer(tmp_path / "rules", None, *STORED) as agent:
        offline = agent.ask(YEARS, as_of=DAY).record
    assert record.written_by == "model"
    assert record.lines == offline.lines
    table, _, words = record.answer.partition("\n\nRevenue rose")
    assert words == " each year [10K1]."
    rows = [line for line in table.splitlines() if line.startswith("| VELQ")]
    assert [row.count("1,452") for row in rows] == [1]
    assert set(record.cited) <= {source.label for source in record.sources}


def test_a_qualifier_that_no_row_honours_is_refused(tmp_path: Path) -> None:
    with answerer(tmp_path, None, *STORED) as agent:
        record = agent.ask("VELQ revenue in 2025 excluding Orbital Notes", as_of=DAY).record
    assert "the answer does not exclude orbital notes" in record.answer
    assert "1,452" not in record.answer
    assert record.confidence is not None
    assert record.confidence < 0.1


def test_an_answer_with_a_gap_is_less_sure_than_a_whole_one(tmp_path: Path) -> None:
    with answerer(tmp_path, None, *STORED) as agent:
        gap, whole = (
            agent.ask(question, as_of=DAY).record for question in (YEARS, "VELQ's revenue in 2023, 2024 and 2025")
        )
    assert gap.confidence is not None
    assert whole.confidence is not None
    assert gap.confidence < whole.confidence


TWICE = """Item 7. Management's Discussion and Analysis
Selected results
(In millions)
                                       2024      2023      2022
Net sales                          $ 12,040  $ 11,300  $ 10,900
Gross profit                          4,960     4,294     3,924
"""


@pytest.mark.parametrize(
    "question", ["What was ACME's revenue in fiscal 2024?", "What was ACME's revenue in fiscal 2022, 2023 and 2024?"]
)
def test_a_figure_that_the_filing_prints_twice_is_told_with_both_pages(tmp_path: Path, question: str) -> None:
    with answerer(tmp_path, None, filing(pages=(INCOME, TWICE))) as agent:
        record = agent.ask(question, as_of=DAY).record
    assert "12,400" in record.answer
    assert record.answer.count("Net sales (2024) is 12,400 on page 1, but Net sales (2024) is 12,040 on page 2") == 1
    cited = {(source.page, source.kind) for source in record.sources if source.label in record.cited}
    assert {(0, "filing"), (1, "filing")} <= cited
    assert record.problems == []
