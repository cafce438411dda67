"""Questions in six languages are of the right kind, or declined; thresholds were chosen on the other half of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest

from tradingagents.files.yaml_file import packaged_table
from tradingagents.retrieval.questions.kinds import LANGUAGES, KindReader, kind_reader, question_kinds
from tradingagents.retrieval.questions.names import names_table
from tradingagents.retrieval.questions.reading import QuestionReading

DAY = date(2025, 3, 14)
ROWS: list[dict[str, Any]] = packaged_table("tests.retrieval.questions", "questions.yaml")
PHRASINGS: dict[str, Any] = packaged_table("tradingagents.retrieval.questions", "phrasings.yaml")


@dataclass(frozen=True)
class Measured:
    """How the questions of a half were read."""

    precision: float
    """Of the questions that were answered, the share that had to be, by the right kind."""
    recall: float
    """Of the questions that have an answer, the share read as the right kind."""
    declined: float
    """Of the questions that have none, the share that was declined."""
    companies: float
    """Of the questions that have an answer, the share whose companies were all read, and no other."""


def measured(kinds: KindReader, *, held_out: bool) -> Measured:
    """Read the questions of one half."""
    right = answered = companies = declined = 0
    rows = [row for row in ROWS if row["held_out"] == held_out]
    answerable = [row for row in rows if row["kind"]]
    for row in rows:
        reading = QuestionReading(row["question"], DAY, kinds=kinds)
        # A question such as "Debate it" is understood: the conversation before it says which company is meant.
        of_conversation = row["kind"] and not row["tickers"] and reading.declined.startswith("Which company")
        kind = "" if reading.declined and not of_conversation else reading.kind
        answered += bool(kind)
        right += bool(kind) and kind == row["kind"]
        declined += not kind and not row["kind"]
        companies += bool(row["kind"]) and reading.tickers == tuple(row["tickers"])
    others = len(rows) - len(answerable)
    return Measured(right / answered, right / len(answerable), declined / others, companies / len(answerable))


def check(found: Measured, precision: float, recall: float, declined: float) -> None:
    assert found.precision >= precision, found
    assert found.recall >= recall, found
    assert found.declined >= declined, found
    assert found.companies >= 0.95, found


def test_by_words_alone():
    check(measured(KindReader(question_kinds()), held_out=True), 0.85, 0.75, 0.9)


def test_by_words_and_vectors():
    pytest.importorskip("wordllama")
    check(measured(kind_reader(), held_out=True), 0.85, 0.8, 0.9)


def test_the_halves_are_of_one_size_and_hold_enough_to_decline():
    assert len(ROWS) >= 200
    assert abs(sum(row["held_out"] for row in ROWS) * 2 - len(ROWS)) <= len(LANGUAGES)
    assert sum(not row["kind"] for row in ROWS) >= 60
    assert {row["language"] for row in ROWS} == set(LANGUAGES)


@pytest.mark.parametrize("name", sorted(question_kinds()))
def test_every_kind_has_phrasings_in_every_language(name: str):
    kind = PHRASINGS[name]
    assert all(len(kind[language]) >= (12 if language == "en" else 4) for language in LANGUAGES)
    assert bool(kind.get("example")) != bool(kind.get("declined")), "what can be asked, or why not"


def test_no_name_stands_for_two_measures():
    names = [name for names in names_table()["measures"].values() for name in names]
    assert len(names) == len(set(names))
