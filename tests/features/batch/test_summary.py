"""Rows of a batch: how they rank, what they quote, and what a batch of them ends with."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.scan_sample import sample_batch
from tests.support.graph_factory import VERDICT
from tradingagents.errors import BudgetReached, NoData
from tradingagents.features.batch.progress import Ended
from tradingagents.features.batch.summary import (
    LONGEST_REASON,
    BatchCandidate,
    exit_code,
    key_reason,
    ranked,
    row_of,
    status_of,
)
from tradingagents.schemas.batches import BatchRecord, BatchRow, DisagreementRecord
from tradingagents.schemas.decision import Decision


def decided(**changes: Any) -> Decision:
    return Decision.model_validate({**VERDICT, **changes})


def ended(status: str = "done", *, plan: Any = None, **decision: Any) -> Ended:
    made = decided(**decision) if decision or status == "done" else None
    return Ended("run-1", status, "Acme", made, plan, 0.25, {"folder": "/runs/run-1"}, None, [])


def row(ticker: str, run: Ended | None, error: Any = None) -> BatchRow:
    return row_of(BatchCandidate(ticker, ("scan",)), run, error)


def test_buys_come_first_then_sells_then_holds_each_by_confidence_then_by_ticker():
    rows = [
        row("E", ended(action="HOLD", confidence=0.9)),
        row("H", None, NoData("nothing")),
        row("D", ended(action="SELL", confidence=0.6)),
        row("B", ended(action="BUY", confidence=0.6)),
        row("G", ended("no_decision", action="NO_DECISION", confidence=0.0)),
        row("A", ended(action="BUY", confidence=0.6)),
        row("C", ended(action="BUY", confidence=0.8)),
    ]
    assert [one["ticker"] for one in ranked(rows)] == list("CABDEGH")


BATCH = BatchRecord.model_validate(sample_batch())


@given(st.permutations(BATCH.rows))
def test_the_rank_does_not_depend_on_who_ended_first(rows: list[BatchRow]):
    assert ranked(rows) == ranked(BATCH.rows)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Revenue grew 14.20% in the year. Margins fell.", "Revenue grew 14.20% in the year."),
        ("It trades at 31.05x. Why?", "It trades at 31.05x."),
        ("U.S. Steel rose. It fell.", "U.S. Steel rose."),
        ("Acme Corp. rose vs. 3% for the index. It fell.", "Acme Corp. rose vs. 3% for the index."),
        ("A range (e.g. The best) holds! It fell.", "A range (e.g. The best) holds!"),
        ('He said "buy." Then he sold.', 'He said "buy."'),
        ("**Strong growth.** And more.", "**Strong growth.**"),
        ("The BUY stands. It rests on RSI 46.2. No more.", "It rests on RSI 46.2."),
        ("No full stop", "No full stop"),
        ("營收成長。利潤下降。", "營收成長。"),
        ("Two\nlines. Here.", "Two lines."),
        ("", ""),
    ],
)
def test_the_key_reason_is_the_key_sentence_on_one_line(text: str, sentence: str):
    assert key_reason(decided(rationale=text, key_evidence=[])) == sentence


def test_a_key_reason_is_a_reason_and_no_measure_of_risk():
    evidence = [{"claim": "Revenue fell 9.50% over a year", "source": "get_ttm_analysis"}]
    risk, reason = "What measures the risk: volatility of 82.01 % over 20 days.", "Revenue fell 9.50 % over a year."
    plain = "The price is 3 % below its average."

    def said(rationale: str, claims: Any = evidence) -> str:
        return key_reason(decided(rationale=rationale, key_evidence=claims))

    assert said(f"{risk} {plain} {reason}") == reason
    assert said(f"{risk} {plain}") == plain
    assert said(risk) == evidence[0]["claim"]
    assert said(risk, []) == risk
    assert said(f"Entry 21.30, stop 20.10. {reason}") == reason


@given(st.text())
def test_a_key_reason_is_one_short_line_whatever_a_model_wrote(text: str):
    said = key_reason(decided(rationale=text, key_evidence=[]))
    assert len(said) <= LONGEST_REASON + 1
    assert len(said.splitlines()) <= 1


def test_disagreement_is_what_the_research_manager_was_not_sure_of():
    plan = decided(confidence=0.66, dissent="The price\nis high.")
    assert row("A", ended(plan=plan)).disagreement == DisagreementRecord(
        contested=0.34, other_side="The price is high."
    )


@pytest.mark.parametrize("plan", [None, decided(action="NO_DECISION", confidence=0.0)])
def test_without_the_research_manager_s_decision_disagreement_is_not_known(plan: Any):
    assert row("A", ended(plan=plan)).disagreement == DisagreementRecord(contested=None, other_side=None)


@pytest.mark.parametrize(
    ("run", "error", "status", "code"),
    [
        (ended(), None, "done", 0),
        (ended("no_decision", action="NO_DECISION", confidence=0.0), None, "no_decision", 5),
        (None, NoData("nothing"), "failed", 4),
        (ended("failed"), NoData("nothing"), "failed", 4),
        (ended("budget"), BudgetReached("spent"), "budget", 6),
        (None, BudgetReached("spent"), "budget", 6),
        (None, None, "waiting", 6),
        (ended("interrupted"), None, "interrupted", 130),
    ],
)
def test_a_row_has_its_run_s_status_and_exit_code(run: Ended | None, error: Any, status: str, code: int):
    made = row("A", run, error)
    assert (made["status"], made["exit_code"]) == (status, code)
    assert made["error"] == (None if error is None else str(error))


DONE, NONE = ended(), ended("no_decision", action="NO_DECISION", confidence=0.0)


@pytest.mark.parametrize(
    ("runs", "status", "code"),
    [
        ([], "done", 0),
        ([(DONE, None), (DONE, None)], "done", 0),
        ([(DONE, None), (NONE, None)], "done", 5),
        ([(DONE, None), (None, NoData("x"))], "partial", 4),
        ([(None, NoData("x"))], "failed", 4),
        ([(DONE, None), (None, NoData("x")), (None, BudgetReached("x"))], "budget", 6),
    ],
)
def test_a_batch_ends_as_its_rows_did(runs: list[Any], status: str, code: int):
    rows = ranked(row(str(number), *run) for number, run in enumerate(runs))
    assert status_of(rows) == status
    assert exit_code(BATCH.model_copy(update={"rows": rows, "status": status})) == code
