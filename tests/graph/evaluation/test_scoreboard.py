"""The scoreboard: by agent, ticker, model and vintage, and what is pending."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tests.graph.evaluation.settled_runs import FIRST, LATER, holding, learning_graph, model_that_learns
from tests.memory.test_outcome_store import OUTCOME
from tests.support.graph_factory import COMPANY
from tradingagents.graph.evaluation.scoreboard import By, ScoreRow, scoreboards
from tradingagents.memory.cohort import Cohort
from tradingagents.memory.outcome import Said
from tradingagents.memory.outcomes import OutcomeStore

TODAY = date(2025, 6, 1)


@pytest.fixture
def store(tmp_path: Path) -> OutcomeStore:
    """A purchase that beat its benchmark, a sale that did not, a hold."""
    found = OutcomeStore(tmp_path / "memory.sqlite")
    won = replace(OUTCOME, total_return=0.10, benchmark_return=0.04)
    agents = {
        "Research Manager": Said("SELL", 0.8),
        "Trader": Said("NO_DECISION", 0.0),
        "Risk Manager": Said("BUY", 0.7),
    }
    found.keep(replace(won, agents=agents), ())
    lost = replace(
        won, run_id="b", ticker="ELMQ", action="SELL", confidence=0.9, models={"quick": "a/x", "deep": "b/y"}
    )
    found.keep(replace(lost, agents={"Risk Manager": Said("SELL", 0.9)}, vintage="0.2.0-aaaaaa"), ())
    held = replace(won, run_id="c", action="HOLD", confidence=0.5, agents={"Risk Manager": Said("HOLD", 0.5)})
    found.keep(held, ())
    return found


def rows(store: OutcomeStore, home: Path, by: By, **which: object) -> dict[str, ScoreRow]:
    found = scoreboards(store, home, by, today=TODAY, **which)  # type: ignore[arg-type]
    return {row.name: row for board in found for row in board.groups}


def test_the_total_is_of_the_final_decisions(store: OutcomeStore, tmp_path: Path):
    (board,) = scoreboards(store, tmp_path, "agent", today=TODAY)
    total = board.total
    assert (total.decisions, total.holds, total.score.calls) == (3, 1, 2)
    assert total.score.hit_rate == 0.5
    assert total.score.excess.mean == pytest.approx((0.06 - 0.06) / 2)
    assert total.score.brier == pytest.approx((0.3**2 + 0.9**2) / 2)


def test_each_agent_is_judged_by_what_itself_decided(store: OutcomeStore, tmp_path: Path):
    found = rows(store, tmp_path, "agent")
    assert set(found) == {"Research Manager", "Risk Manager"}
    assert (found["Research Manager"].score.calls, found["Research Manager"].score.hit_rate) == (1, 0.0)
    assert found["Research Manager"].score.brier == pytest.approx(0.64)
    assert (found["Risk Manager"].score.calls, found["Risk Manager"].holds) == (2, 1)


def test_by_ticker_model_and_vintage(store: OutcomeStore, tmp_path: Path):
    assert {name: row.score.calls for name, row in rows(store, tmp_path, "ticker").items()} == {
        "ACME": 1,
        "ELMQ": 1,
    }
    assert set(rows(store, tmp_path, "model")) == {"offline/rules", "a/x + b/y"}
    assert set(rows(store, tmp_path, "vintage")) == {"0.1.0-abcdef", "0.2.0-aaaaaa"}
    assert set(rows(store, tmp_path, "ticker", ticker="ELMQ")) == {"ELMQ"}
    assert rows(store, tmp_path, "ticker", as_of=date(2025, 4, 13)) == {}


def test_what_is_pending_and_due_is_counted(tmp_path: Path):
    graph = learning_graph(tmp_path, model_that_learns(holding(5)), auto_settle=False, analysts=("market",))
    graph.propagate(COMPANY, FIRST)
    graph.propagate(COMPANY, LATER)
    (found,) = scoreboards(graph.services.outcomes, tmp_path, "agent", today=date(2025, 4, 16))
    assert (found.market, found.decided_by) == ("simulated-7", "scripted")
    assert (found.pending, found.due, found.next, found.total["decisions"]) == (2, 1, "2025-04-20", 0)
    assert scoreboards(graph.services.outcomes, tmp_path, "agent", today=date(2025, 4, 16), ticker="X") == []


def test_cohorts_have_boards_of_their_own_and_are_never_added_up(store: OutcomeStore, tmp_path: Path):
    toy = replace(OUTCOME, run_id="d", total_return=0.5, benchmark_return=0.0, cohort=Cohort("simulated-7", "rules"))
    store.keep(toy, ())
    boards = scoreboards(store, tmp_path, "agent", today=TODAY)
    assert [(board.market, board.decided_by, board.total["decisions"]) for board in boards] == [
        ("real", "rules", 3),
        ("simulated-7", "rules", 1),
    ]
    bound = OutcomeStore(tmp_path / "memory.sqlite", Cohort("simulated-7", "rules"))
    assert [outcome.run_id for outcome in bound.list()] == ["d"]
