"""What an answer's confidence means: below the bar it is not found, and "sufficient" never contradicts it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.filings import answerer, filing
from tradingagents.features.filings_qa.agents.modes import ANSWER_MODES, AnswerMode
from tradingagents.features.filings_qa.agents.schemas import Assessment
from tradingagents.features.filings_qa.graph.graph import _stop_reason
from tradingagents.features.filings_qa.kind import FILINGS_QA
from tradingagents.features.filings_qa.rules import FilingsBrief, assessment
from tradingagents.offline.brief import Brief
from tradingagents.retrieval.figures import answer_confidence
from tradingagents.retrieval.figures.answer_confidence import BAR, SIGNALS

SCORES = st.floats(0, 100)
QUESTION = "What was Acme's gross margin in fiscal 2024?"


@given(SCORES, SCORES, SCORES, SCORES, st.booleans(), st.integers(1, 10), st.sampled_from(list(AnswerMode)))
def test_sufficient_and_the_percentage_never_contradict(
    complete: float, specific: float, accurate: float, clear: float, sufficient: bool, number: int, mode: AnswerMode
) -> None:
    assessed = Assessment(completeness_score=complete, specificity_score=specific, accuracy_score=accurate,
                          clarity_score=clear, goals_met=False, sufficient=sufficient)  # fmt: skip
    stopped = _stop_reason(assessed, number, ANSWER_MODES[mode], found=True)
    shown = float(f"{assessed.overall_confidence:.2f}")
    assert stopped not in ("sufficient", "confident") or shown >= BAR
    assert stopped != "unsure" or shown < BAR


@given(st.integers(0, 100).map(lambda percent: percent / 100), st.sampled_from(list(AnswerMode)))
def test_rules_find_an_answer_from_the_bar_on(confidence: float, mode: AnswerMode) -> None:
    brief = Brief("Answer Assessor", assessment, known=FilingsBrief(question=QUESTION, confidence=confidence))
    assessed = Assessment.model_validate(assessment(brief))
    assert assessed.overall_confidence == pytest.approx(confidence, abs=1e-4)
    stopped = _stop_reason(assessed, 1, ANSWER_MODES[mode], found=True)
    assert (stopped == "unsure") == (not assessed.goals_met) == (confidence < BAR)


def test_an_answer_below_the_bar_is_not_found_and_withheld(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_confidence, "signal_weights", lambda: {"constant": -9.0, **dict.fromkeys(SIGNALS, 0.0)})
    with answerer(tmp_path, None, filing()) as agent:
        record = agent.ask("Why did Acme's gross margin rise?").record
        figure = agent.ask(QUESTION).record
    assert (record.status, record.stopped, record.confidence) == ("no_answer", "unsure", 0.0)
    assert FILINGS_QA.found_nothing(record)
    assert record.answer.startswith("The answer was not found")
    assert "Nearest passages:" in record.answer
    assert record.cited
    assert (figure.status, "40.00 %" in figure.answer) == ("done", True), "rules chose the figure"


def test_a_figure_that_cannot_be_given_is_not_found(tmp_path: Path) -> None:
    with answerer(tmp_path, None, filing()) as agent:
        record = agent.ask("What was Acme's gross margin in fiscal 1999?").record
    assert (record.status, record.stopped, record.confidence) == ("no_answer", "unsure", 0.0)
    assert record.answer.startswith("The figure cannot be given")
