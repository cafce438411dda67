"""A question that names rows by their printed labels is answered by these rows, and by none that is near to them."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import FIGURES, annual, answered
from tradingagents.retrieval.lines.cells.printed_rows import is_called, printed_words, shortens

OTHER_INCOME = """\
Other income (expense)
(in millions)
Year Ended December 31,                     2025     2024
Interest expense                         $  (71)  $  (69)
Interest and other income (expense)          26      (48)
"""
PENSIONS = """\
Components of net periodic benefit cost
(in millions)
Year Ended December 31,    2025     2024
Service cost            $     5  $     3
Cost of services            810      790
"""
LEASES = """\
Lease balances
(in millions)
December 31,                          2025     2024
Operating lease liabilities, current         $  241  $  243
Operating lease liabilities, noncurrent         200     190
Total operating lease liabilities               441     433
"""
SEGMENTS = """\
Operating results of our segments
(in millions)
Year Ended December 31,                     2025     2024
Operating profit
Cloud Nine                               $  150  $  120
Devices                                     102      98
Total segment operating profit              252     218
Unallocated corporate items                 (20)    (20)
"""
GOWNS = """\
Sales of gowns
(in millions)
Year Ended December 31,    2025     2024
Revenues
Gown sales              $   410  $  380
Costs of revenues
Gown sales                  310     290
"""
VELQ = annual("VELQ", "Velquor Systems", 2025, FIGURES, OTHER_INCOME, PENSIONS, LEASES, SEGMENTS, GOWNS)
RETIREES = PENSIONS.replace("Components of", "Retirees: components of").replace("  5  $     3", " 51  $    60")
TWICE = annual("VELQ", "Velquor Systems", 2025, FIGURES, PENSIONS, RETIREES)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What was Interest and other income (expense) of Velquor in fiscal 2025?", [26]),
        ("Interest and other income (expense) of VELQ in 2024 and 2025", [-48, 26]),
        ("VELQ Service cost FY25", [5]),
        ("Gown sales of Velquor in 2024 and 2025", [380, 410]),
        ("Total operating lease liabilities of Velquor in 2024 and 2025", [433, 441]),
        ("What was Total segment operating profit of Velquor in fiscal 2025?", [252]),
        ("Service cost or Cost of services of VELQ in 2025: which is higher?", [5, 810]),
    ],
)
def test_a_row_is_found_by_its_very_label(question: str, values: list[float]) -> None:
    answer = answered(question, VELQ)
    assert answer.complete
    assert [(value.value or 0.0) / 1e6 for value in answer.values] == values


def test_the_winner_of_two_rows_is_named_by_its_label() -> None:
    answer = answered("Service cost or Cost of services of VELQ in 2025: which is higher?", VELQ)
    assert answer.winner == "cost of services"


def test_rows_of_one_label_that_differ_are_listed_and_no_other_row_is_taken() -> None:
    answer = answered("What was Service cost of Velquor in fiscal 2025?", TWICE)
    assert "several rows fit and differ" in answer.refusal
    assert "51" in answer.refusal


def test_more_than_a_label_is_answered_by_all_words() -> None:
    answer = answered("Cloud Nine operating profit of Velquor in 2025 and 2024", VELQ)
    assert [(value.value or 0.0) / 1e6 for value in answer.values] == [120, 150]


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("Selling, general & administrative (a)", ("selling", "general", "and", "administrative")),
        ("Total reportable segments\u2019 profit 1", ("total", "segments", "profit")),
        ("Net sales(1)", ("net", "sales")),
    ],
)
def test_labels_are_compared_without_notes_and_signs(label: str, words: tuple[str, ...]) -> None:
    assert printed_words(label) == words


def test_a_row_may_be_called_by_its_heading_and_a_shorter_name_is_no_other_row() -> None:
    assert is_called("Reality Labs / Loss from operations", "reality labs")
    assert not is_called("(Gains) losses on equity investments, net", "equity investments")
    assert shortens("Backlog", "backlog at year end")
    assert not shortens("Cost of services", "service cost")
