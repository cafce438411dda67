"""Which column a question means: a convenience translation, restated figures, predecessors, a quarter beside a year."""

from __future__ import annotations

import pytest

from tests.retrieval.figures.filings import CONVENIENT, ROWS, html_report, html_statement, report, statement
from tradingagents.retrieval.figures.answers import answer_from_documents
from tradingagents.retrieval.figures.extractive_answer import ExtractiveAnswer
from tradingagents.retrieval.models import SourceDocument

CAPTION = "(in millions, except per share data)"
THREE = [(label, first, second, third) for (label, first, second), third in zip(ROWS, "12345678", strict=True)]
ENDED = "Year ended December 31,"


def ask(question: str, document: SourceDocument) -> ExtractiveAnswer:
    return answer_from_documents(question, [document])


CONVENIENCE = [
    report(statement(CAPTION, (ENDED, "2023 2024 2024", "RMB RMB US$"), CONVENIENT)),
    report(statement(CAPTION, (ENDED, "2023 RMB 2024 RMB 2024 US$"), CONVENIENT)),
    report(statement(CAPTION, (ENDED, "2023 2024 2024", "(RMB) (RMB) (US$)"), CONVENIENT)),
    report(statement("", (ENDED, "2023 2024 2024", "RMB millions RMB millions US$ millions"), CONVENIENT)),
    html_report(html_statement(CAPTION, (("2023", "2024", "2024"), ("RMB", "RMB", "US$")), CONVENIENT)),
    html_report(html_statement(CAPTION, (("2023<br/>RMB", "2024<br/>RMB", "2024<br/>US$"),), CONVENIENT)),
    html_report(
        html_statement("", (("2023", "2024", "2024"), ("RMB millions", "RMB millions", "US$ millions")), CONVENIENT)
    ),
    report(
        statement(
            CAPTION,
            (ENDED, "2023 2024 2024"),
            [(row[0], f"RMB {row[1]}", f"RMB {row[2]}", f"US$ {row[3]}") for row in CONVENIENT],
        )
    ),
]


@pytest.mark.parametrize("document", CONVENIENCE)
def test_the_reporting_currency_is_the_answer_and_the_translation_where_dollars_are_asked(
    document: SourceDocument,
) -> None:
    own = ask("What is the FY2024 revenue?", document)
    assert (own.value, own.unit) == (4_700.0, "CNY millions")
    assert "Taken from the column" in own.text
    translated = ask("What is the FY2024 net income in USD millions?", document)
    assert (translated.value, translated.unit) == (97.0, "USD millions")
    assert ask("What is the FY2024 diluted EPS?", document).unit == "CNY/share"
    assert ask("What is the FY2024 diluted EPS in US dollars?", document).value == 0.19
    assert ask("What is the growth of revenue from FY2023 to FY2024?", document).value == pytest.approx(
        100 * 300 / 4400
    )
    earlier = ask("What is the FY2023 revenue in USD millions?", document)
    assert earlier.value is None
    assert "but it is not in USD" in earlier.refusal
    assert "in EUR" in ask("What is the FY2024 revenue in EUR millions?", document).refusal


IN_THOUSANDS = [
    (label, before, after, dollars if "." in dollars else f"{int(dollars) * 1000:,}")
    for label, before, after, dollars in CONVENIENT
]
TWO_SCALES = [
    report(statement("", (ENDED, "Millions of yen Thousands of U.S. dollars", "2023 2024 2024"), IN_THOUSANDS)),
    report(statement("", (ENDED, "2023 2024 2024", "¥ millions ¥ millions US$ thousands"), IN_THOUSANDS)),
    html_report(
        html_statement(
            "",
            (("Millions of yen", "Millions of yen", "Thousands of U.S. dollars"), ("2023", "2024", "2024")),
            IN_THOUSANDS,
        )
    ),
]


@pytest.mark.parametrize("document", TWO_SCALES)
def test_a_translation_may_have_a_scale_of_its_own(document: SourceDocument) -> None:
    own = ask("What is the FY2024 revenue?", document)
    assert (own.value, own.unit) == (4_700.0, "JPY millions")
    translated = ask("What is the FY2024 revenue in USD millions?", document)
    assert (translated.value, translated.unit) == (650.0, "USD millions")
    assert translated.formula.endswith("650,000 thousand USD")
    assert ask("What is the FY2024 diluted EPS in US dollars?", document).value == 0.19


RESTATED = [
    report(
        statement("(€ in millions)", (ENDED, "2024 2024 2023", "As restated As previously reported As reported"), THREE)
    ),
    report(statement("(€ in millions)", (ENDED, "2024 (As restated) 2024 (As previously reported) 2023"), THREE)),
    html_report(
        html_statement(
            "(€ in millions)", (("2024", "2024", "2023"), ("As restated", "As previously reported", "")), THREE
        )
    ),
]


@pytest.mark.parametrize("document", RESTATED)
def test_restated_figures_are_meant_unless_those_first_reported_are_asked(document: SourceDocument) -> None:
    plain = ask("What is the FY2024 revenue?", document)
    assert plain.value == 4_400.0
    assert "estated" in plain.text
    assert "reported" in plain.text
    assert ask("What is the FY2024 revenue as restated?", document).value == 4_400.0
    assert ask("What is the FY2024 revenue as previously reported?", document).value == 4_700.0


def test_pro_forma_figures_are_taken_only_where_they_are_asked() -> None:
    heads = (("2024", "2024", "2023"), ("Pro forma", "Actual", "Actual"))
    document = html_report(html_statement("(€ in millions)", heads, THREE))
    assert ask("What is the FY2024 revenue?", document).value == 4_700.0
    assert ask("What is the FY2024 pro forma revenue?", document).value == 4_400.0
    only = html_report(html_statement("(€ in millions)", (("2023", "2024<br/>Pro forma"),)))
    refused = ask("What is the FY2024 revenue?", only).refusal
    assert "Pro forma" in refused
    assert "none of them has the company's own figures" in refused


def test_parts_of_a_year_under_two_owners_are_named_and_not_added() -> None:
    head = (
        "Successor Predecessor Predecessor",
        (
            "Period from May 1, 2024 to December 31, 2024 Period from January 1, 2024 to April 30, 2024 "
            "Year ended December 31, 2023"
        ),
    )
    document = report(statement("(US$ in millions)", head, THREE))
    refused = ask("What is the FY2024 revenue?", document).refusal
    assert "none of them is for the whole year" in refused
    assert "(successor)" in refused
    assert "(predecessor)" in refused
    year_before = ask("What is the FY2023 revenue?", document)
    assert (year_before.value, year_before.unit) == (1.0, "USD millions")
    assert "predecessor" in year_before.text


SIDE_BY_SIDE = [
    (label, *figures)
    for label, *figures in (
        ("Revenue", "1,200", "1,100", "4,700", "4,400"),
        ("Cost of sales", "700", "650", "2,700", "2,500"),
        ("Gross profit", "500", "450", "2,000", "1,900"),
        ("Operating income", "200", "190", "900", "800"),
        ("Income before income taxes", "190", "180", "850", "760"),
        ("Income tax expense", "40", "40", "150", "140"),
        ("Net income", "150", "140", "700", "620"),
    )
]


@pytest.mark.parametrize(
    "first",
    [
        "Three months ended December 31, Year ended December 31,",
        "Three months ended 31 December Twelve months ended 31 December",
        "Three months ended Year ended",
        "Quarter ended December 31, Year ended December 31,",
    ],
)
def test_a_quarter_beside_a_year(first: str) -> None:
    document = report(statement("(US$ in millions)", (first, "2024 2023 2024 2023"), SIDE_BY_SIDE))
    assert ask("What is the FY2024 revenue?", document).value == 4_700.0
    if "31" not in first:
        return
    assert ask("What is the Q4 FY2024 revenue?", document).value == 1_200.0
    refused = ask("What is the Q2 FY2024 revenue?", document).refusal
    assert "no column of it is of that quarter" in refused
    assert "Three months" in refused or "Quarter" in refused


def test_a_column_is_said_to_be_missing_only_where_there_is_none() -> None:
    document = report(statement("(US$ in millions)"))
    missing = ask("What is the FY2019 revenue?", document).refusal
    assert "No column of the income statement is for fiscal 2019; its columns are" in missing
    assert "December 31, 2023" in missing
    untold = html_report(html_statement("(US$ in millions)"), form="10-Q")
    assert "does not tell of which fiscal year" in ask("What is the FY2024 revenue?", untold).refusal
    rows = [("Revenue", "4,400", "n/a"), *ROWS[1:]]
    unread = ask("What is the FY2024 revenue?", report(statement("(US$ in millions)", rows=rows))).refusal
    assert "The row 'Revenue' of the income statement has no figure that could be read" in unread
    doubled = report(statement("(US$ in millions)", (ENDED, "2024 2024")))
    two = ask("What is the FY2024 revenue?", doubled).refusal
    assert "has 2 columns for fiscal 2024" in two
    halves = report(statement("(US$ in millions)", ("Six months ended June 30,", "2023 2024")))
    assert "it is not for the whole year" in ask("What is the FY2024 revenue?", halves).refusal


def test_a_row_that_is_not_there_is_told_with_the_rows_that_are() -> None:
    refused = ask(
        "What is the FY2024 research and development expense?", report(statement("(US$ in millions)"))
    ).refusal
    assert (
        "No row of the income statement gives research and development; its rows are Revenue; Cost of sales;" in refused
    )


def test_digits_that_can_be_grouped_in_two_ways_are_not_guessed() -> None:
    rows = [("Revenue", "1 120", "999"), ("Cost of sales", "1 020", "900"), *ROWS[2:]]
    plain = [(row[0], *(figure.replace(",", " ") for figure in row[1:])) for row in rows]
    refused = ask("What is the FY2024 revenue?", report(statement("(SEK m)", rows=plain)))
    assert refused.value is None
    assert "no figure that could be read" in refused.refusal
    assert ask("What is the FY2024 cost of sales?", report(statement("(SEK m)", rows=plain))).value == 900.0
