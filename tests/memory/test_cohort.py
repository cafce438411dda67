"""Toy runs teach real ones nothing: lessons, scores, cost history and lists are kept apart by market and by decider."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from tests.graph.evaluation.settled_runs import FIRST, LATER, holding, learning_graph, model_that_learns
from tests.memory.test_outcome_store import OUTCOME, lessons
from tests.support.graph_factory import COMPANY
from tradingagents.graph.evaluation.evaluate_due import settles
from tradingagents.graph.evaluation.pending import pending
from tradingagents.memory.cohort import Cohort, cohort_of, cohort_of_card
from tradingagents.memory.lesson_store import LessonStore
from tradingagents.memory.outcomes import OutcomeStore
from tradingagents.memory.situations import FinancialSituationMemory
from tradingagents.settings import load_settings, without_secrets

SOCKET = "postgresql+psycopg://me:hunter2@/db?host=/tmp/socket"
RISING = "revenue growth accelerates while margins expand and the stock trades above its 200 day average"
REAL, TOY = Cohort("real", "models"), Cohort("simulated-7", "rules")


@pytest.mark.parametrize(
    ("given", "models", "cohort"),
    [
        ({}, {}, Cohort("real", "models")),
        ({"llm_provider": "offline", "data_vendor": "snapshot"}, {}, Cohort("real", "rules")),
        ({"llm_provider": "offline", "data_vendor": "simulated"}, {}, Cohort("simulated-7", "rules")),
        ({"data_vendor": "simulated", "simulated_seed": 3}, {}, Cohort("simulated-3", "models")),
        ({"data_vendors": {"core_stock_apis": "yfinance,simulated"}}, {}, Cohort("simulated-7", "models")),
        # The deep tier decides, and what the models are called wins over the settings.
        ({"llm_provider": "offline", "deep_think_llm_provider": "ollama"}, {}, Cohort("real", "models")),
        ({"deep_think_llm_provider": "offline"}, {}, Cohort("real", "rules")),
        ({}, {"quick": "openai/a", "deep": "scripted/b"}, Cohort("real", "scripted")),
    ],
)
def test_market_and_decider_follow_from_settings_and_models(given, models, cohort):
    settings = load_settings(given, environ={})
    assert cohort_of(settings, models) == cohort
    assert cohort_of_card({"settings": settings.model_dump(mode="json"), "models": models}) == cohort
    assert Cohort.parse(str(cohort)) == cohort


@pytest.mark.parametrize("url", [SOCKET, "postgresql://me:hunter2@h:5432/db", "sqlite:////tmp/x.sqlite"])
def test_a_card_tells_its_cohort_whatever_its_database_lost_of_its_address(url: str):
    settings = load_settings({"llm_provider": "offline", "data_vendor": "simulated", "database_url": url}, environ={})
    kept = without_secrets(settings.model_dump(mode="json"))
    assert "hunter2" not in str(kept)
    assert cohort_of_card({"settings": kept, "models": {}}) == TOY


@pytest.mark.parametrize("card", [{}, {"settings": None}, {"settings": {"llm_timeout": "soon"}}])
def test_a_card_that_does_not_tell_has_no_cohort(card):
    assert cohort_of_card(card) is None


@pytest.mark.parametrize("text", ["", "real", "real/", "/models", "real/somebody"])
def test_what_is_no_cohort_is_refused(text):
    with pytest.raises(ValueError, match="is not a cohort"):
        Cohort.parse(text)


def test_a_lesson_of_a_toy_run_reaches_no_run_of_another_market_or_decider(tmp_path: Path):
    file = tmp_path / "memory.sqlite"
    FinancialSituationMemory("bull_memory", LessonStore(file, TOY)).add_situations([(RISING, "toy")])
    same = FinancialSituationMemory("bull_memory", LessonStore(file, TOY))
    assert [match["recommendation"] for match in same.get_memories(RISING)] == ["toy"]
    for other in (REAL, Cohort("real", "rules"), Cohort("simulated-8", "rules"), Cohort("simulated-7", "models")):
        assert FinancialSituationMemory("bull_memory", LessonStore(file, other)).get_memories(RISING) == []
    everything = LessonStore(file).list()
    assert [(lesson.recommendation, lesson.cohort) for _, lesson in everything] == [("toy", TOY)]


def test_an_outcome_s_lessons_are_recalled_in_the_run_s_cohort_whoever_settles_it(tmp_path: Path):
    graph = learning_graph(tmp_path, model_that_learns(holding(5)), auto_settle=False, analysts=("market",))
    graph.propagate(COMPANY, FIRST)
    rules = learning_graph(tmp_path, None, llm_provider="offline")
    (waiting,) = pending(tmp_path)
    assert waiting.cohort == graph.services.cohort == Cohort("simulated-7", "scripted")
    assert rules.settle(LATER).outcomes[0].cohort == graph.services.cohort
    assert {lesson.cohort for _, lesson in LessonStore(tmp_path / "memory.sqlite").list()} == {graph.services.cohort}
    assert pending(tmp_path) == []


def test_a_run_settles_at_its_start_what_its_own_cohort_decided(tmp_path: Path):
    graph = learning_graph(tmp_path, model_that_learns(holding(5)), analysts=("market",))
    graph.propagate(COMPANY, FIRST)
    other_market = learning_graph(tmp_path, model_that_learns(holding(5)), analysts=("market",), simulated_seed=8)
    other_market.propagate(COMPANY, LATER)
    assert graph.services.outcomes.list() == []
    graph.propagate(COMPANY, LATER)
    assert [outcome.trade_date for outcome in graph.services.outcomes.list()] == [date.fromisoformat(FIRST)]


def test_a_note_of_an_earlier_version_takes_its_cohort_from_the_card(tmp_path: Path):
    graph = learning_graph(tmp_path, model_that_learns(holding(5)), auto_settle=False, analysts=("market",))
    graph.propagate(COMPANY, FIRST)
    (note,) = tmp_path.glob("runs/*/unsettled")
    note.write_text("2025-03-19\n", "utf-8")
    (waiting,) = pending(tmp_path, cohort=graph.services.cohort)
    assert waiting.until == date(2025, 3, 19)


@pytest.mark.parametrize(
    ("own", "other", "settled"),
    [
        (REAL, REAL, True),
        (REAL, TOY, False),  # no prices of it
        (REAL, Cohort("real", "rules"), False),  # a paid model would reflect on a rule's decision
        (Cohort("real", "rules"), REAL, True),
        (REAL, None, True),
    ],
)
def test_which_decisions_are_settled_on_request(own: Cohort, other: Cohort | None, settled: bool):
    assert settles(own, other) is settled


def test_a_database_of_an_earlier_version_gets_its_cohorts_from_what_it_kept(tmp_path: Path):
    file = tmp_path / "memory.sqlite"
    OutcomeStore(file).keep(OUTCOME, lessons())
    LessonStore(file).add("bull_memory", [lesson for _, lesson in lessons("told by hand")[:1]])
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE lessons SET run_id = NULL WHERE recommendation = 'told by hand'")
        connection.execute("UPDATE outcomes SET vendor = 'simulated', models = ?", (json.dumps({"deep": "offline/r"}),))
        for table in ("lessons", "outcomes"):
            connection.execute(f"ALTER TABLE {table} DROP COLUMN cohort")
    connection.close()
    found = LessonStore(file).list()
    assert {(lesson.recommendation, lesson.cohort) for _, lesson in found} == {
        ("let it run", TOY),
        ("told by hand", REAL),
    }
    assert [outcome.cohort for outcome in OutcomeStore(file).list()] == [TOY]


def test_cohorts_of_many_runs_are_filled_in_by_a_fixed_number_of_passes(tmp_path: Path):
    """A home of years has thousands of runs: its lessons are not read once for each."""
    file = tmp_path / "memory.sqlite"
    store = OutcomeStore(file)
    for number in range(20):
        run = f"run-{number}"
        own = [(memory, replace(lesson, run_id=run)) for memory, lesson in lessons()]
        store.keep(replace(OUTCOME, run_id=run, models={"deep": "offline/r" if number % 2 else "openai/m"}), own)
    with closing(sqlite3.connect(file)) as connection, connection:
        for table in ("lessons", "outcomes"):
            connection.execute(f"ALTER TABLE {table} DROP COLUMN cohort")
    asked: list[str] = []

    def note(*given: Any) -> None:
        asked.append(given[2])

    event.listen(Engine, "before_cursor_execute", note)
    try:
        found = LessonStore(file).list()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert {(lesson.run_id, lesson.cohort.decided_by) for _, lesson in found if lesson.cohort} == {
        (f"run-{number}", "rules" if number % 2 else "models") for number in range(20)
    }
    assert sum(statement.startswith("UPDATE lessons") for statement in asked) == 2
