"""What a document guides to: ranges with their item and period, and what is withheld with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.guidance import GROUPS, score
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
        (
            ["Widgets revenue rose, and the segment did well.", "We expect fiscal 2024 revenue of $2 billion."],
            "part of the company",
        ),
        (
            [
                "We expect service fees to be down 5% from the first quarter.",
                "We expect revenue to be up 3% in the second quarter.",
            ],
            "quarter before or the year before",
        ),
        (["As you might expect, revenue should be $2 billion in fiscal 2024."], "others than the company"),
        (["We expect revenue from Umbrix of $2 billion in fiscal 2024."], "Umbrix"),
        (["We expect net promote income of $0.55 in fiscal 2024."], "an amount per share"),
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


@pytest.mark.parametrize(
    ("sentences", "part", "item", "ends"),
    [
        (["In Widgets, we expect revenue of $2 billion to $3 billion for 2024."], "widgets", "revenue", (2e9, 3e9)),
        (
            ["Turning to our Widgets segment, orders were good.", "We expect fiscal 2024 revenue of $2 billion."],
            "widgets", "revenue", (2e9, 2e9),
        ),
        (
            ["We expect Umbrix, a new business, to deliver $2 billion of revenue in fiscal 2024."],
            "umbrix", "revenue", (2e9, 2e9),
        ),
        (["For fiscal 2024, we expect development starts of $4.5 billion to $5 billion."],
         "", "development starts", (4.5e9, 5e9)),
        (["We expect to finish about 145 remodels in fiscal 2024."], "", "finish remodels", (145.0, 145.0)),
        (["In fiscal 2024, we expect to spend around $5 billion in marketing."], "", "marketing", (5e9, 5e9)),
        (["We are increasing development starts by $300 million and now expect a midpoint of $3.2 billion in 2024."],
         "", "development starts", (3.2e9, 3.2e9)),
        (["We still expect capex to be roughly 2.5% of sales in fiscal 2024."], "", "capex to revenue", (2.5, 2.5)),
        (["We expect interest income to be an expense of approximately $25 million in the second quarter."],
         "", "interest income", (-25e6, -25e6)),
        (["We expect other income and expense to be an expense of $25 million in the second quarter."],
         "", "other_income", (-25e6, -25e6)),
    ],
)  # fmt: skip
def test_parts_of_the_company_and_items_in_its_own_words_are_read(
    sentences: list[str], part: str, item: str, ends: tuple[float, ...]
) -> None:
    found = read_guidance(call(2024, 1, "2024-01-30", *sentences)).statements
    assert [(row.part, row.item, (row.low, row.high)) for row in found] == [(part, item, ends)]


THREE_COASTS = (
    "In the second quarter, we expect sales volumes to fall within these ranges: Gulf Coast at 1.65 million to 1.7 "
    "million barrels; Mid-Continent at 430,000 to 450,000 barrels; and West Coast at 250,000 to 270,000 barrels."
)


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (
            (THREE_COASTS,),
            [
                ("gulf coast", "Q2 FY2024", 1.65e6),
                ("mid-continent", "Q2 FY2024", 430e3),
                ("west coast", "Q2 FY2024", 250e3),
            ],
        ),
        (
            ("For fiscal 2024, we expect revenue of $14 billion.", "This represents growth of 8% to 10%."),
            [("", "FY2024", 14e9), ("", "FY2024", 8.0)],
        ),
        (
            ("For fiscal 2024, we expect revenue of $14 billion.", "This is an increase of 3% from our guidance."),
            [("", "FY2024", 14e9)],
        ),
        (("Now to our outlook for the second quarter.", "Turning to slide 9.", "We expect revenue of $2 billion."), []),
        (
            ("In fiscal 2024, we expect operating margin of above 36% from our original outlook of 35%.",),
            [("", "FY2024", 36.0)],
        ),
    ],
)
def test_lists_restated_growth_and_new_slides(
    sentences: tuple[str, ...], expected: list[tuple[str, str, float]]
) -> None:
    found = read_guidance(call(2024, 1, "2024-01-30", *sentences)).statements
    assert [(row.part, row.period.label, row.low) for row in found] == expected


def test_a_growth_on_the_quarter_before_is_told_apart_from_one_on_the_year_before() -> None:
    found, _ = read(
        "We expect revenue to be down between 3% and 5% in the second quarter from the first quarter.",
        "We expect net interest income to be up 2% year-over-year in the second quarter.",
    )
    assert [(row[0], row[5]) for row in found] == [("revenue", "sequential"), ("net_interest_income", "growth")]


def test_guidance_of_the_whole_company_begins_anew_behind_its_heading() -> None:
    found, _ = read(
        "Our Widgets business did well in the first quarter, and the segment grew.",
        "Now let me cover our outlook for the full year.",
        "We expect revenue to grow 5% to 6%.",
    )
    assert [row[:4] for row in found] == [("revenue", "FY2024", 5.0, 6.0)]


@pytest.mark.real_data
@pytest.mark.nightly
def test_recorded_calls_are_read_as_labelled(test_data: Path) -> None:
    scores = score(test_data / "market")
    assert [len(group.wrong_periods) for group in scores.values()] == [0, 0, 0]
    assert scores[GROUPS[0]].precision >= 0.99
    assert scores[GROUPS[1]].precision >= 0.95
    assert scores[GROUPS[0]].recall >= 0.58  # lines of a part of the company are withheld
