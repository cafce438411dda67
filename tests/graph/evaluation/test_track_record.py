"""What came of earlier decisions like one stands beside its stated confidence; nothing settled later does."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tests.memory.test_outcome_store import OUTCOME
from tradingagents.agents.schemas import Decision
from tradingagents.graph.evaluation.track_record import FEWEST, with_track_record
from tradingagents.memory.outcome import Hits
from tradingagents.memory.outcomes import OutcomeStore

DAY = date(2025, 6, 2)
MODEL = "openai/gpt-5.2"
DECISION = Decision(action="BUY", confidence=0.8, rationale="Because.")


@pytest.fixture
def store(tmp_path: Path) -> OutcomeStore:
    """Twenty-five purchases stated at 0.80 to 0.99, thirteen of them right; and calls of other kinds."""
    found = OutcomeStore(tmp_path / "memory.sqlite")
    like = replace(OUTCOME, action="BUY", confidence=0.85, models={"deep": MODEL}, settled_on=date(2025, 5, 1))
    for number in range(25):
        won = replace(like, run_id=f"like-{number}", total_return=0.05 if number < 13 else -0.05, benchmark_return=0.0)
        found.keep(won, ())
    others = {
        "later": {"settled_on": date(2025, 6, 3)},
        "sale": {"action": "SELL"},
        "unsure": {"confidence": 0.79},
        "another": {"models": {"deep": "openai/gpt-5-mini"}},
    }
    for name, change in others.items():
        found.keep(replace(like, run_id=name, total_return=0.9, **change), ())  # type: ignore[arg-type]
    return found


def test_calls_of_the_same_kind_are_counted_and_no_others(store: OutcomeStore):
    found = with_track_record(DECISION, store, MODEL, DAY)
    assert found.track_record == (
        "Stated 80%; 25 earlier calls like this (BUY by openai/gpt-5.2, stated 80% to 100%) were right in 52%."
    )
    assert (found.action, found.confidence) == ("BUY", 0.8)


def test_nothing_settled_after_the_day_is_known(store: OutcomeStore):
    assert with_track_record(DECISION, store, MODEL, date(2025, 4, 30)).track_record is None
    assert store.hits("BUY", (0.8, 1.01), MODEL, date(2025, 6, 3)) == Hits(26, 14)


def test_few_calls_a_hold_and_a_stated_basis_are_left_alone(store: OutcomeStore):
    sale = DECISION.model_copy(update={"action": "SELL"})
    assert store.hits("SELL", (0.8, 1.01), MODEL, DAY).calls < FEWEST
    assert with_track_record(sale, store, MODEL, DAY) is sale
    hold = DECISION.model_copy(update={"action": "HOLD"})
    assert with_track_record(hold, store, MODEL, DAY) is hold
    known = DECISION.model_copy(update={"track_record": "Measured."})
    assert with_track_record(known, store, MODEL, DAY) is known


def test_without_any_outcome_no_database_is_made(tmp_path: Path):
    assert with_track_record(DECISION, OutcomeStore(tmp_path / "none.sqlite"), MODEL, DAY) is DECISION
    assert not (tmp_path / "none.sqlite").exists()
