"""Follow-up questions are completed from the question before: company, period, and what is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.filings import answerer, filing
from tradingagents.features.filings_qa.graph.follow_up import complete_question

DOCUMENTS = [filing().info, filing("BETA", "Beta Works Inc").info]
BEFORE = "What was Acme's gross margin in fiscal 2024?"


@pytest.mark.parametrize(
    ("question", "before", "complete"),
    [
        ("and in 2022?", BEFORE, "What was Acme's gross margin ? (fiscal 2022)"),
        ("What about Beta Works?", BEFORE, "What was gross margin in fiscal 2024? (BETA)"),
        ("And for BETA in Q2 2023?", BEFORE, "What was gross margin ? (BETA, Q2 fiscal 2023)"),
        ("And the net income?", BEFORE, "What was the net income? (ACME, fiscal 2024)"),
        ("What drove it?", BEFORE, "What drove it? (ACME, fiscal 2024)"),
        ("How about the latest quarter?", BEFORE, "What was Acme's gross margin ? (latest quarter)"),
        ("What was Beta's revenue?", BEFORE, "What was Beta's revenue?"),
        ("And the net income of Beta?", BEFORE, "What was the net income of Beta? (fiscal 2024)"),
        ("Thanks!", BEFORE, "Thanks! (ACME, fiscal 2024)"),
        ("and in 2022?", None, "and in 2022?"),
    ],
)
def test_what_a_question_leaves_out_is_taken_from_the_one_before(
    question: str, before: str | None, complete: str
) -> None:
    assert complete_question(question, [before] if before else [], DOCUMENTS) == complete


def test_follow_ups_offline_keep_company_period_and_metric(tmp_path: Path) -> None:
    with answerer(tmp_path, None, filing(), filing("BETA", "Beta Works Inc")) as agent:
        answers = [
            agent.ask(question, conversation="talk").text
            for question in (BEFORE, "and in 2022?", "What about Beta Works?", "And its net income?")
        ]
    assert "ACME: Gross margin: 40.00 %" in answers[0]
    assert "ACME: Gross margin: 36.00 %" in answers[1]
    assert "BETA: Gross margin: 36.00 %" in answers[2]
    assert "BETA: Net income: 1,308.00 USD millions" in answers[3]
    assert "ACME" not in answers[3]


def test_the_question_is_recorded_as_it_was_asked(tmp_path: Path) -> None:
    with answerer(tmp_path, None, filing()) as agent:
        agent.ask(BEFORE, conversation="talk")
        record = agent.ask("and in 2022?", conversation="talk").record
    assert record["question"] == "and in 2022?"
    assert record["analysis"] is not None
    assert record["analysis"]["complete"] == "What was Acme's gross margin ? (fiscal 2022)"
