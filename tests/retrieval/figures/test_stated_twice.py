"""The same figure printed twice in one filing: contradictions are told, and what is another figure is none."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.filings.seeded_conflicts import recorded, score
from tests.support.filings import INCOME, filing
from tradingagents.retrieval.figures.answers import answer_from_documents
from tradingagents.retrieval.figures.stated_twice import stated_otherwise
from tradingagents.retrieval.figures.statements import FilingStatements
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.reading.read import read_document
from tradingagents.retrieval.text_tables import with_text_tables

SUMMARY = """\
Item 7. Management's Discussion and Analysis
{title}
(In {scale})
                                       2024      2023      2022
{label}                          {figures}
Gross profit                          4,960     4,294     3,924
Net income                          $ 1,860   $ 1,469   $ 1,308
"""


def summary(
    figures: str, *, label: str = "Net sales", title: str = "Selected results", scale: str = "millions"
) -> SourceDocument:
    """A filing whose discussion repeats rows of the income statement, the first of them as told."""
    page = SUMMARY.format(figures=figures, label=label, title=title, scale=scale)
    return with_text_tables(filing(pages=(INCOME, page)))


def others(document: SourceDocument, item: str = "revenue", year: int = 2024) -> list[tuple[str, int]]:
    operands = FilingStatements(document).read(item, year).operands
    return [
        (found.other.text, found.other.place.page)
        for found in stated_otherwise(document, operands)
        if found.other.place
    ]


def test_another_table_with_another_value_contradicts() -> None:
    document = summary("$ 12,040  $ 11,300  $ 10,900")
    assert others(document) == [("12,040", 1)]
    assert others(document, year=2023) == []
    assert others(document, "gross_profit") == []
    answer = answer_from_documents("What was revenue in fiscal 2024?", [document])
    assert answer.value == 12_400
    assert [other.text for other in answer.others] == ["12,040"]
    assert answer.text.endswith(
        "The filing contradicts itself: Net sales (2024) is 12,400 on page 1, but Net sales (2024) is 12,040 on page 2."
    )


def test_a_ratio_tells_which_of_its_figures_is_printed_twice() -> None:
    answer = answer_from_documents("What was the gross margin in 2024?", [summary("$ 12,040  $ 11,300  $ 10,900")])
    assert answer.value == pytest.approx(40.0)
    assert [other.name for other in answer.others] == ["revenue@2024"]


@pytest.mark.parametrize(
    "figures",
    [
        "$ 12,400  $ 11,300  $ 10,900",  # the same
        "$ (12,400)  $ (11,300)  $ (10,900)",  # only the sign is printed otherwise
        "$ 12,401  $ 11,300  $ 10,900",  # by the last digit: rounded
        "$ 9,400  $ 8,700  $ 8,100",  # of all periods: another figure of the same name
        "—  $ 11,300  $ 10,900",  # not given
    ],
)
def test_equal_rounded_and_other_lines_do_not_contradict(figures: str) -> None:
    assert others(summary(figures)) == []


def test_a_coarser_print_that_rounds_to_the_figure_does_not_contradict() -> None:
    document = with_text_tables(
        filing(
            pages=(
                INCOME,
                SUMMARY.format(figures="$ 12.4  $ 11.3  $ 10.9", label="Net sales", title="", scale="billions"),
            )
        )
    )
    assert others(document) == []
    wrong = SUMMARY.format(figures="$ 12.6  $ 11.3  $ 10.9", label="Net sales", title="", scale="billions")
    wrong = wrong.replace("4,960     4,294     3,924", "  5.0       4.3       3.9").replace(
        "$ 1,860   $ 1,469   $ 1,308", "$ 1.9     $ 1.5     $ 1.3"
    )
    assert others(with_text_tables(filing(pages=(INCOME, wrong)))) == [("12.6", 1)]


@pytest.mark.parametrize(
    "more",
    [
        {"title": "As previously reported"},
        {"title": "Restated results"},
        {"title": "Continuing operations"},
        {"title": "Segment results"},
        {"label": "Net sales from continuing operations"},
        {"label": "Adjusted net sales"},
        {"label": "Net sales, parent company"},
        {"title": "Cash flows"},
    ],
)
def test_what_is_explained_does_not_contradict(more: dict[str, str]) -> None:
    assert others(summary("$ 12,040  $ 11,300  $ 10,900", **more)) == []


def test_a_label_that_stands_twice_in_a_statement_names_no_line() -> None:
    statement = INCOME.replace("Cost of sales ", "Net sales     ")
    repeated = SUMMARY.format(figures="$ 12,040  $ 11,300  $ 10,900", label="Net sales", title="", scale="millions")
    document = with_text_tables(filing(pages=(statement, repeated)))
    assert others(document) == []


def test_another_quarter_or_length_is_another_figure() -> None:
    quarters = SUMMARY.format(
        figures="$ 3,100  $ 11,300  $ 10,900", label="Net sales", title="", scale="millions"
    ).replace(
        "                                       2024 ",
        "Three months ended December 31,\n                                       2024 ",
    )
    assert others(with_text_tables(filing(pages=(INCOME, quarters)))) == []


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["TSLA_10k_2025-01-30"])
def test_recorded_reports_do_not_contradict_themselves(name: str, test_data: Path) -> None:
    content = gzip.decompress((test_data / "market" / "filings" / "10k" / f"{name}.html.gz").read_bytes())
    document = read_document(content, known_at=datetime(2025, 6, 1, tzinfo=UTC))
    statements = FilingStatements(document)
    cells = [
        operand
        for item in (
            "revenue",
            "cost_of_revenue",
            "gross_profit",
            "operating_income",
            "net_income",
            "total_assets",
            "cash",
        )
        for year in statements.years[:2]
        for operand in statements.read(item, year).operands
    ]
    assert len(cells) >= 12
    assert stated_otherwise(document, cells) == ()


@pytest.mark.real_data
def test_a_digit_changed_in_a_recorded_report_is_found_and_what_contradicts_nothing_is_not(test_data: Path) -> None:
    result = score(list(recorded(test_data / "market", ["AAPL_10k_2024-11-01"])), 20)
    assert (result.seeded, result.harmless) == (20, 20)
    assert result.found >= 19
    assert result.false == {}
