"""Heads of columns that the figures below confirm or contradict: totals, rates of change, counts without a scale."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.retrieval.builders import filing
from tests.retrieval.lines.test_lines import annual, answered, asked
from tradingagents.retrieval.lines.read_tables import readable
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.text_tables import with_text_tables

FIGURES = (1452, 1320, 232, 198, 150, 120)
MODELS = """\
Results of the yard
(Dollars in millions)
Years ended December 31, 2025 2024
Costs of the yard $25,867 $19,493
Wages of the yard $12,411 $10,040
The yard built more of its boats than in the year before, and it will build more of them in the years to come.
Boats, including those for its own use, as of December 31 were handed over to buyers of many kinds as follows here:
B37 * B47 B67 * B77 B87 Total
2025
Deliveries 387 (13) 5 33 (15) 24 31 480
2024
Deliveries 263 (16) 7 32 (13) 24 14 340
"""
QUARTER = """\
International metrics
As of or for the three months
ended June 30,
As of or for the six months
ended June 30,
(in millions, except where
otherwise noted) 2025 2024 Change 2025 2024 Change
Freight by sea
Northern ports $ 4,280 $ 3,784 13 % $ 8,972 $ 7,844 14 %
Eastern ports 2,023 1,792 13 4,008 4,053 (1)
Southern ports 464 460 1 1,141 954 20
Western ports 5,180 7,178 (28) 11,355 14,968 (24)
"""
USERS = """\
We count a person who plays two of our games twice, and third parties tell us how many people play some others; what
they tell may be corrected later. The following table details our average MAUs for each of our studios (amounts in
millions):
Years ended December 31, 2025 2024
Lumo 128 53
Velora 32 35
"""


def velq(*pages: str) -> SourceDocument:
    return annual("VELQ", "Velquor Systems", 2025, FIGURES, *pages)


def of_quarter(page: str) -> SourceDocument:
    known_at = datetime(2025, 8, 1, 21, tzinfo=UTC)
    return with_text_tables(
        filing([page], company="Velquor Systems", symbol="VELQ", form="10-Q", year=2025, quarter=2, known_at=known_at)
    )


def test_the_last_column_under_heads_that_end_with_total_is_the_total() -> None:
    answer = answered("VELQ deliveries 2024 and 2025", velq(MODELS))
    assert [(value.value, value.unit) for value in answer.values] == [(340.0, "count"), (480.0, "count")]


def test_a_last_column_that_is_not_the_largest_is_no_total() -> None:
    document = velq(MODELS.replace("31 480", "31 48").replace("14 340", "14 34"))
    heads = {column.header for table in readable(document).tables for column in table.columns}
    assert not any(head.startswith("Total") for head in heads)


def test_columns_that_a_header_misdates_are_read_by_the_line_above_them() -> None:
    document = readable(of_quarter(QUARTER))
    (table,) = (table for table in document.tables if any("Eastern" in row.label for row in table.rows))
    assert [(column.fiscal_year, column.months) for column in table.columns] == [
        (2025, 3), (2024, 3), (None, None), (2025, 6), (2024, 6), (None, None),
    ]  # fmt: skip
    answer = answered("VELQ freight by sea of eastern ports, Q2 2025", of_quarter(QUARTER))
    assert [value.value for value in answer.values] == [2_023e6]


def test_columns_that_nothing_dates_have_no_period() -> None:
    page = QUARTER.replace("As of or for the three months\n", "").replace("As of or for the six months\n", "")
    assert asked("VELQ freight by sea of eastern ports, Q2 2025", of_quarter(page)) is None


def test_the_sentence_above_a_table_says_what_it_counts() -> None:
    answer = answered("VELQ Velora monthly active users 2024 and 2025", velq(USERS))
    assert [(value.value, value.unit) for value in answer.values] == [(35e6, "count"), (32e6, "count")]


SPENDING = """\
Selected statistics
(Millions, except percentages and where indicated)
2025 2024 2023 2025 vs. 2024 2024 vs. 2023
Card spending (billions) $ 553.0 $ 444.2 $ 337.6 24 % 32 %
Cards in force 41.7 39.0 37.7 7 3
Interest of cards 7,474 5,933 6,222
Interest of loans 158 139 288
Interest of deposits 228 110 189
Interest of others 385 981 321
Fees 4,120 3,905 3,377 6 5
"""
LEFT_OVER = """\
Purchases of shares
(in millions)
Year Ended December 31,                        2025     2024
Shares bought back                             (0.1)  $ (3.4)  (1.1)  (10.9)
Options taken up                               12       10
Grants                                         22       20
Cancelled                                      11       10
"""
OWN_FIGURE = LEFT_OVER.replace(
    "Shares bought back                             (0.1)  $ (3.4)", "Lumo Holdings (50%)"
).replace("12       10", "$ 12  $  10")


def test_figures_behind_those_of_the_columns_are_their_changes() -> None:
    answer = answered("VELQ card spending 2023, 2024 and 2025", velq(SPENDING))
    assert [value.value for value in answer.values] == [337.6e9, 444.2e9, 553.0e9]


def test_a_row_with_more_figures_than_columns_has_none() -> None:
    answer = asked("VELQ shares bought back, 2025 and 2024", velq(LEFT_OVER))
    assert answer is None or all(value.value is None for value in answer.values)
    assert [value.value for value in answered("VELQ options taken up, 2024 and 2025", velq(LEFT_OVER)).values] == [
        10e6,
        12e6,
    ]


def test_a_share_that_is_owned_is_a_part_of_a_label() -> None:
    answer = answered("VELQ Lumo Holdings, 2024 and 2025", velq(OWN_FIGURE))
    assert [value.value for value in answer.values] == [-10.9e6, -1.1e6]
