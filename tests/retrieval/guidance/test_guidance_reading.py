"""What a document guides to: ranges with their item and period, and what is withheld with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.guidance import score
from tests.retrieval.guidance.calls import call
from tradingagents.retrieval.guidance.statements import GuidanceStatement, read_guidance


def told(statement: GuidanceStatement) -> tuple[object, ...]:
    return (
        statement.item, statement.period.label, statement.low, statement.high, statement.unit, statement.measure,
        statement.basis,
    )  # fmt: skip


def read(*sentences: str, quarter: int = 1) -> tuple[list[tuple[object, ...]], list[str]]:
    document = call(2024, quarter, "2024-01-30", *sentences)
    reading = read_guidance(document)
    for statement in reading.statements:
        assert document.text(statement.place).split() == statement.words.split()
    return [told(statement) for statement in reading.statements], [one.reason for one in reading.withheld]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "For the second quarter, we expect revenue of $1.2 billion to $1.4 billion.",
            ("revenue", "Q2 FY2024", 1.2e9, 1.4e9, "USD", "level", ""),
        ),
        (
            "We expect fiscal 2024 revenue to grow 8% to 10%.",
            ("revenue", "FY2024", 8.0, 10.0, "percent", "growth", ""),
        ),
        (
            "For the full year, we expect GAAP diluted earnings per share in the range of $2.10 to $2.20.",
            ("eps", "FY2024", 2.1, 2.2, "USD/share", "level", "GAAP"),
        ),
        (
            "We now expect our full-year 2024 adjusted EPS to be between $3.40 and $3.50.",
            ("eps", "FY2024", 3.4, 3.5, "USD/share", "level", "adjusted"),
        ),
        (
            "For fiscal 2024, we expect a tax rate of approximately 16%.",
            ("tax_rate", "FY2024", 16.0, 16.0, "percent", "level", ""),
        ),
        (
            "Second quarter revenue is expected to be $91.0 billion, plus or minus 2%.",
            ("revenue", "Q2 FY2024", 89.18e9, 92.82e9, "USD", "level", ""),
        ),
        (
            "We expect capital expenditures of at least $500 million in fiscal 2024.",
            ("capex", "FY2024", 500e6, None, "USD", "level", ""),
        ),
    ],
)
def test_a_plain_statement_is_read(sentence: str, expected: tuple[object, ...]) -> None:
    assert read(sentence) == ([expected], [])


def test_a_heading_names_the_period_of_what_follows_it() -> None:
    found, withheld = read(
        "As we move into the March quarter, let me review our outlook.",
        "We expect gross margin to be between 46% and 47%.",
        "We expect OpEx to be between $15.6 billion and $15.8 billion.",
    )
    assert [row[:4] for row in found] == [
        ("gross_margin", "Q2 FY2024", 46.0, 47.0),
        ("operating_expenses", "Q2 FY2024", 15.6e9, 15.8e9),
    ]
    assert withheld == []


def test_two_bases_that_one_sentence_names_are_told_apart() -> None:
    found, _ = read(
        "For the second quarter, GAAP and non-GAAP gross margins are expected to be 74.9% and 75.0%, respectively, "
        "plus or minus 50 basis points."
    )
    assert found == [
        ("gross_margin", "Q2 FY2024", 74.4, 75.4, "percent", "level", "GAAP"),
        ("gross_margin", "Q2 FY2024", 74.5, 75.5, "percent", "level", "adjusted"),
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "Revenue was $1.3 billion in the first quarter, above our guidance of $1.2 billion.",
        "Gross margin of 46% was within the range we had expected for the first quarter.",
        "We expect industry demand to grow 4% in 2024.",
        "Over the long term, we expect revenue to grow 10% annually.",
        "If rates rise, we expect revenue of $2 billion in fiscal 2024.",
    ],
)
def test_what_was_reported_or_is_of_others_is_no_guidance(sentence: str) -> None:
    assert read(sentence)[0] == []


@pytest.mark.parametrize(
    ("sentences", "reason"),
    [
        (["We expect revenue of $1.2 billion to $1.4 billion."], "no words near it say"),
        (
            ["We expect sales of $4 billion in the second quarter and $5 billion in the third."],
            "leaves the period open",
        ),
        (["In fiscal 2024, we expect an additional $200 million of revenue."], "difference from another figure"),
        (["Last year, we anticipated revenue of about $9.6 billion in 2024."], "said or expected before"),
        (["We expect Widgets revenue of $2 billion in fiscal 2024."], "not of the whole company"),
        (
            ["Turning to our Widgets segment, orders were good.", "We expect fiscal 2024 revenue of $2 billion."],
            "part of the company",
        ),
        (["As you might expect, revenue should be $2 billion in fiscal 2024."], "others than the company"),
        (["We expect Umbrix, a new business, to deliver $2 billion of revenue in fiscal 2024."], "Umbrix"),
    ],
)
def test_what_is_not_plain_is_withheld_with_its_reason(sentences: list[str], reason: str) -> None:
    found, withheld = read(*sentences)
    assert [row for row in found if row[2] != 4e9] == []
    assert any(reason in one for one in withheld), withheld


def test_an_answer_takes_no_period_from_what_was_prepared_and_analysts_guide_to_nothing() -> None:
    document = call(
        2024, 1, "2024-01-30", "For the second quarter, we expect a tax rate of 16%.",
        answers="We expect gross margin of 46%.",
    )  # fmt: skip
    reading = read_guidance(document)
    assert [statement.item for statement in reading.statements] == ["tax_rate"]
    assert [one.figure for one in reading.withheld] == ["46%"]


@pytest.mark.real_data
@pytest.mark.nightly
def test_recorded_calls_are_read_as_labelled(test_data: Path) -> None:
    developed, aside = score(test_data / "market")
    assert (len(developed.wrong_periods), len(aside.wrong_periods)) == (0, 0)
    assert developed.precision >= 0.99
    assert developed.recall >= 0.37
    assert aside.precision >= 0.95
    assert aside.recall >= 0.28
