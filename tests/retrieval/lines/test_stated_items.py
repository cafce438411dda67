"""Amounts that only a sentence of a report states of an item and a year."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import answered, asked
from tests.retrieval.lines.test_worded_heads import velq

TEXT = """\
Discussion of results
Subscriptions grew in all regions. Orbital Cloud ARR exiting fiscal 2025 was $2.37 billion, up from $1.93 billion at the
end of fiscal 2024. At the end of fiscal 2025, total Lunar Cloud ARR was $640 million. Other things were as expected.
"""


@pytest.mark.parametrize(
    ("item", "value"), [("orbital cloud ARR", 2.37e9), ("Lunar Cloud ARR", 640e6), ("lunar cloud ARR total", 640e6)]
)
def test_an_amount_of_one_item_and_year_is_read_from_its_sentence(item: str, value: float) -> None:
    answer = answered(f"VELQ {item} at the end of fiscal 2025", velq(TEXT))
    assert [(each.value, each.unit) for each in answer.values] == [(value, "USD")]
    assert any("told in a sentence" in note for note in answer.notes)
    (operand,) = answer.values[0].operands
    assert operand.place is not None
    assert operand.text in ("$2.37", "$640")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("VELQ orbital cloud ARR at the end of fiscal 2024", TEXT),  # an amount of another year in its sentence
        ("VELQ cloud ARR at the end of fiscal 2025", TEXT),  # a part of the name
        ("VELQ orbital cloud enterprise ARR at the end of fiscal 2025", TEXT),  # more than the name
        ("VELQ orbital cloud ARR as a share of lunar cloud ARR in fiscal 2025", TEXT),  # a share is asked for
        (
            "VELQ orbital cloud ARR at the end of fiscal 2025",
            f"{TEXT}\nElsewhere it is put so. Orbital Cloud ARR for fiscal 2025 was $2.44 billion.\n",
        ),
    ],
)
def test_sentences_that_say_something_else_give_nothing(question: str, text: str) -> None:
    answer = asked(question, velq(text))
    assert answer is None or answer.refusal or not answer.complete


def test_a_dollar_is_that_of_the_report() -> None:
    canadian = f"All amounts are in Canadian dollars unless otherwise stated.\n{TEXT}"
    answer = answered("VELQ orbital cloud ARR at the end of fiscal 2025", velq(canadian))
    assert [(each.value, each.unit) for each in answer.values] == [(2.37e9, "CAD")]


def test_a_sentence_in_another_currency_has_it() -> None:
    answer = answered("VELQ orbital cloud ARR at the end of fiscal 2025", velq(TEXT.replace("$2.37", "€2.37")))
    assert [(each.value, each.unit) for each in answer.values] == [(2.37e9, "EUR")]
