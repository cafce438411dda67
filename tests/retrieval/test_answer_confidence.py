"""The confidence of an answer without a model: its signals, its weights, and the bar."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.filings.answer_confidence import RatedAnswer, fit, out_of_fold, reliability
from tests.retrieval.filing_pages import ANNUAL_REPORT
from tradingagents.retrieval.figures import answer_confidence as module
from tradingagents.retrieval.figures.answer_confidence import (
    BAR,
    SIGNALS,
    above_bar,
    answer_confidence,
    answer_signals,
    signal_weights,
)
from tradingagents.retrieval.figures.answers import answer_from_documents
from tradingagents.retrieval.models import DocumentInfo, Page, Scope, SourceDocument
from tradingagents.retrieval.store import DocumentStore

QUESTION = "What is Example's FY2023 capex?"
SHARES = st.floats(0, 1)


def test_the_weights_that_are_shipped_are_of_the_signals() -> None:
    assert set(signal_weights()) == {"constant", *SIGNALS}


def test_the_confidence_is_the_logistic_function_of_the_signals() -> None:
    weights = {"constant": -1.0, "computed": 0.5, "words": 1.0, "first_page": 2.0, "first_pages": 0.0}
    signals = {"computed": 1.0, "words": 0.5, "first_page": 0.5, "first_pages": 1.0}
    assert answer_confidence(signals, weights) == 0.73  # 1 / (1 + e^-1)


@given(SHARES, SHARES, SHARES, st.booleans())
def test_more_of_a_signal_is_never_less_sure(words: float, page: float, pages: float, computed: bool) -> None:
    signals = {"computed": float(computed), "words": words, "first_page": page, "first_pages": pages}
    sure = answer_confidence(signals)
    assert 0 <= sure <= 1
    assert all(answer_confidence({**signals, name: 1.0}) >= sure for name in signals)


def _store(folder: Path) -> tuple[DocumentStore, SourceDocument]:
    info = DocumentInfo("0" * 64, "EXM 10-K 2023", "filing", "Example Corp", "EXM", "10-K",
                        datetime(2024, 2, 15, tzinfo=UTC), fiscal_year=2023)  # fmt: skip
    document = SourceDocument(info, tuple(Page(number, text) for number, text in enumerate(ANNUAL_REPORT)))
    store = DocumentStore(folder)
    store.add(document)
    return store, document


def test_signals_say_how_high_the_cited_pages_stand_and_which_words_are_there(tmp_path: Path) -> None:
    store, _ = _store(tmp_path)
    ranked = store.search_pages(QUESTION, Scope(), 10)
    first, fourth = ((hit.place.document, hit.place.page) for hit in (ranked[0], ranked[3]))
    found = answer_signals(
        "What is Example's FY2023 capex of pumps?", ["Capex was 61."], [fourth, first], ranked, computed=True
    )
    assert found == {"computed": 1.0, "words": 0.5, "first_page": 1.0, "first_pages": 0.5}
    nowhere = answer_signals(QUESTION, [], [("other", 1)], ranked, computed=False)
    assert nowhere == {"computed": 0.0, "words": 0.0, "first_page": 0.0, "first_pages": 0.0}
    store.close()


def test_an_answer_below_the_bar_is_a_refusal_with_its_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, document = _store(tmp_path)
    question = "What is Example's FY2023 gross profit?"
    answer = answer_from_documents(question, [document])
    assert above_bar(store, question, answer) == answer
    assert answer.value == 389
    asked = "What does Example say of pumps?"
    quoted = answer_from_documents(asked, [document], store.search(asked, Scope(), 5))
    assert quoted.kind == "sentences"
    monkeypatch.setattr(module, "signal_weights", lambda: {"constant": -9.0, **dict.fromkeys(SIGNALS, 0.0)})
    refused = above_bar(store, asked, quoted)
    assert (refused.kind, refused.sentences) == ("refusal", quoted.sentences)
    assert refused.refusal.startswith("The answer was not found")
    assert above_bar(store, question, answer) == answer, "rules chose the figure, whatever rank its page has"
    store.close()


def _answers() -> list[RatedAnswer]:
    """Twenty companies with four answers each, right where their page stands first."""
    return [
        RatedAnswer(f"Company {number}", {**dict.fromkeys(SIGNALS, 0.5), "first_page": float(at % 2)}, at % 2 == 1)
        for number in range(20)
        for at in range(4)
    ]


def test_the_fit_finds_the_signal_that_tells_right_from_wrong() -> None:
    answers = _answers()
    weights = fit(answers)
    assert weights["first_page"] > 4 * abs(weights["words"])
    said = out_of_fold(answers, seeds=1)
    assert all((share >= BAR) == answer.right for share, answer in zip(said, answers, strict=True))
    table = reliability(answers, said)
    assert (table["right"], table["right_lost"], table["wrong_refused"]) == (40, 0, 40)
