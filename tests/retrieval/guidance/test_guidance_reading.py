"""What a document guides to: ranges with their item and period, and what is withheld with its reason."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.guidance import GROUPS, score
from tests.retrieval.guidance.calls import call
from tradingagents.retrieval.guidance.guided_items import guided_items
from tradingagents.retrieval.guidance.statements import GuidanceStatement, read_guidance
from tradingagents.retrieval.reading.read import read_document


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


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (
            (
                "For the second quarter, we expect cost of sales to grow 6%.",
                "And operating expenses to grow between 7% and 8%.",
            ),
            ("", "operating_expenses", "Q2 FY2024", 7.0, 8.0),
        ),
        (
            ("We expect fiscal 2024 adjusted EPS of $2.10.", "For 2025, we expect it to be $3.35 to $3.60."),
            ("", "eps", "FY2025", 3.35, 3.6),
        ),
        (("The tax rate was 15%.", "There is no change to our outlook of 16% for the year."),
         ("", "tax_rate", "FY2024", 16.0, 16.0)),
        (("On the capex line, we invested $2 billion so far and expect to reach about $3 billion for the full year.",),
         ("", "capex", "FY2024", 3e9, 3e9)),
        (("In 2024, our guidance is $9.50 to $9.75 per share.",), ("", "eps", "FY2024", 9.5, 9.75)),
        (("Our segment operating margin guidance for 2024 is 10 basis points higher at 11.7% to 11.9%.",),
         ("segment", "operating_margin", "FY2024", 11.7, 11.9)),
        (
            (
                "We invest in our cloud tools business.",
                "For 2024, cloud tools revenue will range between $4 and $5 billion.",
            ),
            ("cloud tools", "revenue", "FY2024", 4e9, 5e9),
        ),
        (("We expect operating margin of 26% in the back half of the year.",),
         ("", "operating_margin", "H2 FY2024", 26.0, 26.0)),
        (("For fiscal 2024, we expect adjusted EPS of 67 to 71 cents per share.",), ("", "eps", "FY2024", 0.67, 0.71)),
    ],
)  # fmt: skip
def test_what_a_sentence_leaves_out_stands_before_it(sentences: tuple[str, ...], expected: tuple[object, ...]) -> None:
    found = read_guidance(call(2024, 1, "2024-01-30", *sentences)).statements
    told = [(row.part, row.item, row.period.label, row.low, row.high) for row in found]
    assert told[-1] == (*expected[:3], pytest.approx(expected[3]), pytest.approx(expected[4]))


@pytest.mark.parametrize(
    "sentences",
    [
        ["Widgets is expected to deliver revenue of $2 billion and $0.50 of adjusted EPS in fiscal 2024."],
        ["In fiscal 2024, we expect capital expenditures for pollution control of $15 million."],
        ["A rise in rates by one point would increase our annual interest expense by $60 million."],
        ["We expect this change will reduce our full-year 2024 depreciation by approximately $3 billion."],
        ["In Widgets, we expect revenue of $2 billion, and in Gadgets, we expect gross profit of $3 billion in 2024."],
        ["Our outlook for 2024 assumes a statutory tax rate of 21%."],
        [
            "Turning to our Widgets segment.",
            "Orders were good.",
            "Costs fell.",
            "We expect 2024 revenue of $2 billion.",
        ],
    ],
)
def test_what_a_part_adds_and_what_would_change_is_no_figure_of_the_company(sentences: list[str]) -> None:
    found = read_guidance(call(2024, 1, "2024-01-30", *sentences)).statements
    assert [row.item for row in found if row.item in guided_items() and row.item != "revenue"] == []
    assert [row.part for row in found if row.item == "revenue"] in ([], ["widgets"])


def test_a_year_that_is_the_only_one_guided_for_is_that_of_what_names_none() -> None:
    named = "For fiscal 2024, we expect {} of $2 billion."
    said = [named.format(item) for item in ("revenue", "capital expenditures", "operating income")]
    none = ["Now, moving on to another slide.", *["Thank you."] * 12, "We expect free cash flow of $1 billion."]
    assert read(*said, *none)[0][-1][:2] == ("free_cash_flow", "FY2024")
    quarter = "For the second quarter, we expect interest expense of $5 million."
    assert "free_cash_flow" not in {row[0] for row in read(*said, quarter, *none)[0]}


@pytest.mark.parametrize(
    ("period", "label"),
    [
        ("FY2025", "FY2025"), ("FY25", "FY2025"), ("fiscal 25", "FY2025"), ("full-year 25", "FY2025"),
        ("Q1 FY25", "Q1 FY2025"), ("1Q25", "Q1 FY2025"), ("2Q 2025", "Q2 FY2025"), ("H2 FY25", "H2 FY2025"),
        ("the fiscal 2025 first quarter", "Q1 FY2025"), ("the third quarter of fiscal 25", "Q3 FY2025"),
        ("the quarter ending March 31, 2025", "Q1 FY2025"),
        ("the third quarter ending September 30, 2025", "Q3 FY2025"),
    ],
)  # fmt: skip
def test_a_period_is_read_as_releases_and_speakers_write_it(period: str, label: str) -> None:
    found = read_guidance(call(2024, 4, "2025-01-30", f"We expect revenue of $5 billion in {period}.")).statements
    assert [row.period.label for row in found] == [label]


def test_a_percentage_or_a_date_is_no_period() -> None:
    sentences = [
        "In fiscal 25% growth is the aim.",
        "On March 3, 2025, we expect to pay a dividend of $0.20 per share.",
    ]
    reading = read_guidance(call(2024, 4, "2025-01-30", *sentences))
    assert reading.statements == ()
    assert [one.reason for one in reading.withheld] == ["no words near it say for which period it is"]


def test_the_year_of_a_goal_heads_nothing_and_a_result_is_the_next_entry() -> None:
    found, _ = read(
        "Turning to our full-year 2024 outlook, it is in line with our expectations and our 2028 targets.",
        "We expect organic net sales growth to range between 1% and 3%.",
        "Our share count is expected to be approximately 425 million shares.",
        "This results in adjusted earnings per share to be in the range of 45 cents to 55 cents.",
    )
    assert [row[:4] for row in found] == [
        ("revenue", "FY2024", 1.0, 3.0), ("share_count", "FY2024", 425e6, 425e6), ("eps", "FY2024", 0.45, 0.55),
    ]  # fmt: skip


def test_entries_of_a_list_are_read_behind_a_sentence_that_guides() -> None:
    found, _ = read(
        "For the second quarter, we expect revenue in the range of $1.5 billion to $1.6 billion.",
        "Non-GAAP gross margin of 80% to 81%.",
        "Operating margin is 31% to 33%.",
        "And earnings per share of $0.52 to $0.54, which assumes a share count of 780 million.",
        "Headcount was 4,000.",
        "Leverage of 2.1 times.",
    )
    assert [row[:4] for row in found] == [
        ("revenue", "Q2 FY2024", 1.5e9, 1.6e9), ("gross_margin", "Q2 FY2024", 80.0, 81.0),
        ("operating_margin", "Q2 FY2024", 31.0, 33.0), ("eps", "Q2 FY2024", 0.52, 0.54),
        ("share_count", "Q2 FY2024", 780e6, 780e6),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("For fiscal 2024, we expect revenue of $2 billion, down 5% to 7% relative to 2023.",
         [("revenue", 2e9, 2e9), ("revenue", -7.0, -5.0)]),
        ("For fiscal 2024, we expect operating income of $260 million, which implies an operating margin of 23%.",
         [("operating_income", 260e6, 260e6), ("operating_margin", 23.0, 23.0)]),
        ("Fiscal 2024 G&A expense is anticipated to decline 8% to 10% to $965 to $985 million.",
         [("general_and_administrative", -10.0, -8.0), ("general_and_administrative", 965e6, 985e6)]),
        ("We expect fiscal 2024 income from operations to be in the range of 9% to 10%.",
         [("operating_margin", 9.0, 10.0)]),
        ("For fiscal 2024, we expect to operate at a 21% tax rate.", [("tax_rate", 21.0, 21.0)]),
        ("For fiscal 2024, we expect a 2% operating margin improvement.", []),
        ("We do not expect a recurrence of revenue of $1 billion in fiscal 2024.", []),
        ("In line with our long-term target, we expect 2024 gross margin of 30% to 32%.",
         [("gross_margin", 30.0, 32.0)]),
        ("For fiscal 2024, we expect revenue of $15.8 to 16.8 billion.", [("revenue", 15.8e9, 16.8e9)]),
        ("For fiscal 2024, we expect revenue to grow by 2% to 4%.", [("revenue", 2.0, 4.0)]),
        ("We expect 2024 revenue growth of 1% to 3%, with a midpoint of 2%.", [("revenue", 1.0, 3.0)]),
        ("For fiscal 2024, we expect EPS of $2.50, based on approximately 376 million weighted average diluted shares.",
         [("eps", 2.5, 2.5), ("share_count", 376e6, 376e6)]),
        ("The other one. which is new, is forecast to grow revenue by 2% in fiscal 2024.", []),
        ("Our 2024 outlook for revenue in dollars is wide; we expect capital expenditures of 2.9 to 3.1 billion.", []),
        ("For 2024, we expect revenue of $5 billion and capital expenditures between 2.9 and 3.1 billion.",
         [("revenue", 5e9, 5e9), ("capex", 2.9e9, 3.1e9)]),
        ("We are providing initial guidance for 2024 revenue of $4 billion.", [("revenue", 4e9, 4e9)]),
        ("Our initial guidance for 2024 revenue was $4 billion.", []),
        ("We expect 2024 net interest expense of $200 million plus or minus five percent.",
         [("interest_expense", 190e6, 210e6)]),
        ("We expect 2024 revenue of $970 to $1.05 billion.", [("revenue", 970e6, 1.05e9)]),
        ("In 2024, we maintain our target of 5% to 7% EPS growth off a higher base of $5.84.", []),
        ("We expect 2024 operating margin to be in the upper half of our 5% to 7% range.", []),
        ("Our guidance for 2024 operating margin continues to be 27% to 28% with annual operating margin gains.",
         [("operating_margin", 27.0, 28.0)]),
        ("We are confident in achieving our guidance of 8% to 10% organic revenue growth for 2024.",
         [("revenue", 8.0, 10.0)]),
        ("For fiscal 2024, we expect revenue growth to remain at elevated levels, reaching 18% to 20%.",
         [("revenue", 18.0, 20.0)]),
        ("For fiscal 2024, we expect net income of $2.1 billion, up 12% to 14% compared to our prior guidance of 9%.",
         [("net_income", 2.1e9, 2.1e9), ("net_income", 12.0, 14.0)]),
        ("For 2024, we expect a 6% increase in earnings per share to a midpoint of $4.10.",
         [("eps", 6.0, 6.0), ("eps", 4.1, 4.1)]),
        ("We expect an 18% increase in adjusted EBITDA in 2024 to $2.4 billion.",
         [("ebitda", 18.0, 18.0), ("ebitda", 2.4e9, 2.4e9)]),
        ("As it relates to capital expenditures, our guidance for 2024 assumes a range of $1.8 to $2.1 billion.",
         [("capex", 1.8e9, 2.1e9)]),
        ("In 2024, operating cash flow is expected to be an outflow of $90 million.",
         [("operating_cash_flow", -90e6, -90e6)]),
        ("Other income net is expected to be income in the range of $30 to $35 million in 2024.",
         [("other_income", 30e6, 35e6)]),
        ("We project depreciation, depletion, amortization, and accretion expenses of $700 million in 2024.",
         [("depreciation_and_amortization", 700e6, 700e6)]),
        ("Our 2024 gross margin is projected to be 30 to 60 basis points higher than 2023.",
         [("gross_margin", 30.0, 60.0)]),
        ("Our 2024 gross margin is projected to be 30 to 60 basis points lower than 2023.",
         [("gross_margin", -60.0, -30.0)]),
        ("For the second quarter of this year, we project to earn in the range of $1.10 per share to $1.20 per share.",
         [("eps", 1.1, 1.2)]),
        ("As we outlined in our press release yesterday, we established our EPS guidance for 2024 at $3.60 to $3.70.",
         [("eps", 3.6, 3.7)]),
        ("I would also highlight that our board approved a 10% increase in our 2024 dividend per share.", []),
        ("We expect the deal to be $0.10 to $0.12 accretive to EPS in 2024.", []),
        ("For 2024, we expect revenue of $6.6 billion, representing reported growth of 5% and core growth of 6%.",
         [("revenue", 6.6e9, 6.6e9), ("revenue", 5.0, 5.0), ("revenue", 6.0, 6.0)]),
        ("In helping you build out your models, we're planning for a tax rate of 14% in 2024.",
         [("tax_rate", 14.0, 14.0)]),
        ("We're also introducing adjusted EPS guidance for the second quarter of approximately $1.31 to $1.35.",
         [("eps", 1.31, 1.35)]),
        ("Umbrix is a leading maker of valves with expected sales in 2024 of $250 million.", []),
        ("In 2024, this will allow us to scale our business beyond the $10 billion sales level.", []),
        ("Second quarter non-GAAP earnings are expected to be in the range of $1.16 to $1.18.",
         [("eps", 1.16, 1.18)]),
        ("Looking to the fourth quarter and early next year, we anticipate a 10% increase in revenue.", []),
        ("In our wells division, we anticipate sequential revenue growth of 5% to 7% in fiscal 2024.", []),
        ("We expect our 2024 capital expenditures to be closer to $800 million.", [("capex", 800e6, 800e6)]),
    ],
)  # fmt: skip
def test_what_a_sentence_derives_likens_or_denies(sentence: str, expected: list[tuple[object, ...]]) -> None:
    found, _ = read(sentence)
    assert [(row[0], row[2], row[3]) for row in found] == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("By the end of 2024, we expect our total liquidity will step down to around $2.5 billion.",
         [("liquidity", "", 2.5e9, 2.5e9)]),
        ("Our full-year capex plan continues to be approximately $180 million.", [("capex", "", 180e6, 180e6)]),
        ("For 2024, we expect approximately $2.1 billion for widgets revenues and $680 million of gadgets revenues.",
         [("revenue", "widgets", 2.1e9, 2.1e9), ("revenue", "gadgets", 680e6, 680e6)]),
        ("For 2024, we forecast 7% to 9% revenue growth and 15% to 17% adjusted operating income growth.",
         [("revenue", "", 7.0, 9.0), ("operating_income", "", 15.0, 17.0)]),
        ("Our 2024 outlook for collection and disposal yield is 3.7% or greater.",
         [("collection and disposal yield", "", 3.7, None)]),
        ("In 2024, we expect to deliver 4 million to 5 million flu vaccines and 2 million to 3 million antigen tests.",
         [("flu vaccines", "", 4e6, 5e6), ("antigen tests", "", 2e6, 3e6)]),
        ("For 2024, we expect interest expense to be reduced to approximately $33 million.",
         [("interest_expense", "", 33e6, 33e6)]),
        ("We expect organic growth in the range of 7% to 8% in 2024.", [("revenue", "", 7.0, 8.0)]),
        ("For 2024, we expect gross margin contraction of 350 basis points.", [("gross_margin", "", -350.0, -350.0)]),
        ("For 2024, we expect Widgets sales to be flat to 1% and Gadgets to be between 15% and 16%.",
         [("revenue", "widgets", 0.0, 1.0), ("revenue", "gadgets", 15.0, 16.0)]),
        ("We raised our 2024 outlook for sales growth from 4.5% to now 5% to 6%.", [("revenue", "", 5.0, 6.0)]),
        ("Our 2024 adjusted EPS guidance is now $4.07, plus or minus $0.01.", [("eps", "", 4.06, 4.08)]),
        ("For 2024, we expect widgets operating profit to be up $50 million to $75 million versus prior year.",
         [("operating_income", "widgets", 50e6, 75e6)]),
        ("For 2024, we expect Umbrix to increase revenue by 1% and decrease operating margin by 50 basis points.",
         []),
        ("For 2024, we expect online sales to be 15% as a percentage of total sales.", []),
        ("We now anticipate $110 million of dispositions in early November of this year.", []),
        ("For 2024, the market is expected to decline to approximately 10 new wind installations.", []),
    ],
)  # fmt: skip
def test_a_figure_is_of_the_noun_phrase_that_governs_it(sentence: str, expected: list[tuple[object, ...]]) -> None:
    found = read_guidance(call(2024, 1, "2024-01-30", sentence)).statements
    assert [(row.item, row.part, row.low, row.high) for row in found] == expected


BASES = """<html><body><p>Exhibit 99.1</p><p>Acme reports second quarter results</p><p>Business Outlook</p>
<p>For the third quarter of 2026, the company expects:</p><ul><li>Revenue between $60 million and $62 million.</li></ul>
<table><tr><td>Q3 2026</td><td>GAAP</td><td>Non-GAAP</td></tr><tr><td>Gross margin</td><td>41.0%</td>
<td>42.0%</td></tr></table><p>Full Year 2026 Guidance</p><table><tr><td></td><td>Low</td><td></td><td>High</td></tr>
<tr><td>Net Income 2</td><td>$</td><td>19.5</td><td>-</td><td>$</td><td>22.2</td><td>million</td></tr>
<tr><td>Organic revenues</td><td>Approx. 5% growth</td></tr></table></body></html>"""


def test_rows_on_two_bases_with_signs_in_cells_and_bullets_between_two_ends_are_read() -> None:
    document = read_document(BASES.encode(), known_at=datetime(2026, 8, 5, tzinfo=UTC))
    found = {told(statement) for statement in read_guidance(document).statements}
    assert found == {
        ("revenue", "Q3 FY2026", 60e6, 62e6, "USD", "level", ""),
        ("gross_margin", "Q3 FY2026", 41.0, 41.0, "percent", "level", "GAAP"),
        ("gross_margin", "Q3 FY2026", 42.0, 42.0, "percent", "level", "adjusted"),
        ("net_income", "FY2026", 19.5e6, 22.2e6, "USD", "level", ""),
        ("revenue", "FY2026", 5.0, 5.0, "percent", "growth", "organic"),
    }


def test_a_range_behind_a_heading_is_guided_to_and_a_figure_or_an_old_range_is_not() -> None:
    heading = "Turning to our outlook for the second quarter."
    factors = "This factors in trends that resemble the first quarter."
    found, _ = read(heading, factors, "Revenue growth of 2% to 4% includes currency.")
    assert [row[:4] for row in found] == [("revenue", "Q2 FY2024", 2.0, 4.0)]
    assert read(heading, factors, "Revenue growth of 2% includes currency.")[0] == []
    assert read(heading, factors, "Prior revenue guidance of $2 to $3 billion.")[0] == []


SAFE_HARBOUR = """<html><body><p>Exhibit 99.1</p><p>Acme reports second quarter results</p>
<p>This release contains forward-looking statements regarding guidance for 2026 that involve risks.</p>
<p>Second Quarter 2026 Highlights</p><p>Gross margin of 45% to 46%.</p></body></html>"""


def test_a_warning_about_statements_heads_no_guidance_and_a_standing_policy_is_none() -> None:
    document = read_document(SAFE_HARBOUR.encode(), known_at=datetime(2026, 8, 5, tzinfo=UTC))
    assert read_guidance(document).statements == ()
    heading = "Turning to our outlook for the second quarter."
    assert read(heading, "We target a payout ratio of 40% to 50% of free cash flow.")[0] == []


def test_an_outlook_that_a_heading_names_holds_whatever_other_periods_it_names() -> None:
    found, _ = read(
        "Let me take you through our full-year 2024 outlook, which contemplates rate cuts in 2Q and 4Q.",
        "We expect net interest income to be up 3% to 5%.",
    )
    assert [row[:4] for row in found] == [("net_interest_income", "FY2024", 3.0, 5.0)]


def test_the_next_line_of_a_part_is_of_it_and_one_that_is_given_again_is_not() -> None:
    widgets = "In Widgets, we expect 2024 revenue of $8 billion."
    margin, again = "Operating margin is expected to be about 12%.", "We expect revenue of $20 billion."
    found = read_guidance(call(2024, 1, "2024-01-30", widgets, margin)).statements
    assert [(row.part, row.item) for row in found] == [("widgets", "revenue"), ("widgets", "operating_margin")]
    assert len(read_guidance(call(2024, 1, "2024-01-30", widgets, again)).statements) == 1


RELEASE = """<html><body><p>Exhibit 99.1</p><p>Acme reports fourth quarter results</p>
<p>Revenue was $400 million in the fourth quarter of 2024.</p><p>Full Year 2025 Outlook</p><table>
<tr><td>($ in millions, except per share)</td><td>Q1 2025</td><td>Full Year 2025</td></tr>
<tr><td>Total revenue</td><td>$500 - $510</td><td>$2,100 - $2,150</td></tr>
<tr><td>Adjusted EPS</td><td>$0.50 - $0.55</td><td>$2.10 - $2.20</td></tr>
<tr><td>Operating margin</td><td>20% - 21%</td><td>22%</td></tr></table>
<p>2025 Guidance</p><table><tr><td></td><td>Prior</td><td>Current</td></tr>
<tr><td>Tax rate</td><td>20% to 21%</td><td>19% to 20%</td></tr>
<tr><td>Gross margin</td><td>40%</td><td>41%</td></tr></table>
<p>For fiscal 2025, Acme expects:</p><ul><li>Capital expenditures of $90 million to $100 million; and</li>
<li>Depreciation of approximately $40 million.</li></ul>
<p>Reconciliation of GAAP to non-GAAP outlook</p><p>2025 Outlook</p><table><tr><td></td><td>2025</td></tr>
<tr><td>GAAP operating margin</td><td>17%</td></tr></table></body></html>"""


def test_rows_and_bullets_of_a_release_are_read_by_their_columns() -> None:
    document = read_document(RELEASE.encode(), known_at=datetime(2025, 2, 6, tzinfo=UTC))
    found = {(row.item, row.period.label): (row.low, row.high) for row in read_guidance(document).statements}
    assert found == {
        ("revenue", "Q1 FY2025"): (500e6, 510e6),
        ("revenue", "FY2025"): (2.1e9, 2.15e9),
        ("eps", "Q1 FY2025"): (0.5, 0.55),
        ("eps", "FY2025"): (2.1, 2.2),
        ("operating_margin", "Q1 FY2025"): (20.0, 21.0),
        ("operating_margin", "FY2025"): (22.0, 22.0),
        ("tax_rate", "FY2025"): (19.0, 20.0),
        ("gross_margin", "FY2025"): (41.0, 41.0),
        ("capex", "FY2025"): (90e6, 100e6),
        ("depreciation", "FY2025"): (40e6, 40e6),
    }


@pytest.mark.real_data
@pytest.mark.nightly
def test_recorded_calls_are_read_as_labelled(test_data: Path) -> None:
    scores = score(test_data / "market")
    assert {len(group.wrong_periods) for group in scores.values()} == {0}
    assert scores[GROUPS[0]].precision >= 0.99
    assert scores[GROUPS[1]].precision >= 0.95
    assert scores[GROUPS[0]].recall >= 0.80
