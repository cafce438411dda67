"""Amounts of several years that only a sentence of a report lists."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import answered, asked
from tests.retrieval.lines.test_worded_heads import velq

TEXT = """\
Discussion of results
Freight costs, which include sorting and delivery, were $1.5 billion , $1.6 billion , and $2.1 billion in 2023 , 2024 ,
and 2025. We expect them to rise. The Company recorded pension expense of approximately $35 million and $31 million for
the years ended December 31, 2025 and 2024, respectively. Of Velquor U.S.'s total net sales, approximately $640 million
and $580 million related to eCommerce for fiscal 2025 and 2024, respectively. Other things were as expected.
Promotional costs are expensed as incurred and were $12 million and $11 million in 2025 and 2024.
"""


@pytest.mark.parametrize(
    ("item", "values"),
    [
        ("freight costs 2023 to 2025", [1.5e9, 1.6e9, 2.1e9]),
        ("freight expense 2024 and 2025", [1.6e9, 2.1e9]),
        ("pension expense 2024 and 2025", [31e6, 35e6]),
        ("promotional expense 2024 and 2025", [11e6, 12e6]),
        ("Velquor U.S. ecommerce net sales 2024 and 2025", [580e6, 640e6]),
    ],
)
def test_amounts_of_several_years_are_read_from_the_sentence_that_lists_them(item: str, values: list[float]) -> None:
    answer = answered(item if "Velquor" in item else f"VELQ {item}", velq(TEXT))
    assert [each.value for each in answer.values] == pytest.approx(values)
    assert any("told in a sentence" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("VELQ delivery costs 2024 and 2025", TEXT),  # what the item includes
        ("VELQ air freight costs 2024 and 2025", TEXT),  # more than its name
        ("VELQ freight costs 2021 and 2022", TEXT),  # years that are not listed
        ("VELQ freight costs 2024 and 2025", TEXT.replace("2024 ,\nand 2025", "2024")),  # fewer years than amounts
        ("VELQ freight costs 2024 and 2025", f"{TEXT}\nFreight costs were $3 million and $4 million in 2024 and 2025."),
    ],
)
def test_sentences_that_list_something_else_give_nothing(question: str, text: str) -> None:
    answer = asked(question, velq(text))
    assert answer is None or answer.refusal or not answer.complete
