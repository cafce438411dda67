"""The whole loop: a run decides, its outcome is settled, a later run reads the lesson and an earlier one does not."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.graph.evaluation.settled_runs import (
    DUE,
    FIRST,
    LATER,
    REFLECTOR,
    card,
    holding,
    learning_graph,
    lessons,
    model_that_learns,
    notes,
)
from tests.support.graph_factory import COMPANY, DECIDERS, Watch, role_of, scripted
from tests.support.tiers import examples
from tradingagents.agents.memory_query import debate_context, situation_of
from tradingagents.agents.verdict_check import HORIZON_DAYS
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.errors import ModelFailure, ModelUnreachable
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.memory.lesson_store import LessonStore
from tradingagents.memory.lessons import Lesson
from tradingagents.memory.situations import MEMORY_NAMES, FinancialSituationMemory

DAYS = st.dates(date(2024, 1, 1), date(2025, 12, 31))
LEARNERS = ("Bull Researcher", "Bear Researcher", "Research Manager", "Trader", "Risk Manager")


def test_a_decision_leaves_what_it_will_be_judged_by(tmp_path: Path):
    run = learning_graph(tmp_path).run(COMPANY, FIRST)
    basis = run.record["judged_by"]
    ends = [row["end"] for row in run.record["data_sheet"] if row["symbol"] == COMPANY and row["end"] is not None]
    assert basis["as_of_session"] == FIRST == max(ends)
    assert (basis["horizon_days"], basis["until"], basis["benchmark"]) == (30, "2025-04-13", "SPY")
    data = MarketData(learning_graph(tmp_path).config, date(2025, 3, 14))
    assert basis["as_of_price"] == float(data.prices(COMPANY).close[-1])
    assert notes(tmp_path) == ["2025-04-13"]
    assert card(tmp_path, FIRST)["judged_by"] == basis.as_json()


def test_a_decision_without_a_horizon_is_judged_after_the_days_that_settings_name(tmp_path: Path):
    run = learning_graph(tmp_path, model_that_learns(holding(None)), outcome_days=10).run(COMPANY, FIRST)
    assert (run.record["judged_by"]["horizon_days"], notes(tmp_path)) == (10, ["2025-03-24"])


def test_no_decision_is_nothing_to_settle(tmp_path: Path):
    run = learning_graph(tmp_path, model_that_learns({"Risk Manager": "I cannot say."})).run(COMPANY, FIRST)
    assert run.decision == "NO_DECISION"
    assert "judged_by" not in run.record.as_json()
    assert notes(tmp_path) == []


def test_from_a_decision_to_the_lesson_in_a_later_prompt_and_report(tmp_path: Path):
    learning_graph(tmp_path).propagate(COMPANY, FIRST)
    model = model_that_learns()
    watch = Watch()
    later = learning_graph(tmp_path, model).run(COMPANY, LATER, subscribers=[watch])

    (outcome,) = learning_graph(tmp_path).services.outcomes.list()
    assert (outcome.start, outcome.end, outcome.settled_on) == (date(2025, 3, 14), date(2025, 4, 14), date(2025, 4, 14))
    assert (outcome.action, outcome.confidence, outcome.benchmark) == ("BUY", 0.7, "SPY")
    data = MarketData(learning_graph(tmp_path).config, date(2025, 8, 1))
    closes = {symbol: data.prices(symbol) for symbol in (COMPANY, "SPY")}
    change = {}
    for symbol, prices in closes.items():
        known = prices.since(outcome.start).upto(outcome.end)
        change[symbol] = float(known.adj_close[-1] / known.adj_close[0] - 1)
    assert outcome.total_return == pytest.approx(change[COMPANY])
    assert outcome.benchmark_return == pytest.approx(change["SPY"])
    assert set(outcome.agents) == set(DECIDERS)

    prompts = {role_of(call.messages): call.messages[-1].text for call in model.calls}
    for agent in LEARNERS:
        assert f"The {agent} learned this." in prompts[agent]
        (used,) = later.record["lessons_used"][agent]
        assert (used["ticker"], used["settled_on"], used["recommendation"]) == (
            *(COMPANY, "2025-04-14"),
            f"The {agent} learned this.",
        )
        assert used["similarity"] > 0.5
    assert set(later.record["lessons_used"]) == set(LEARNERS)
    folder = Path(later.record["paths"]["folder"])
    for name in ("run.json", "reports/complete_report.md", "reports/report.html"):
        text = (folder / name).read_text("utf-8")
        assert all(f"The {agent} learned this." in text for agent in LEARNERS)

    # Five calls of the quick model, in the run's own meter and log.
    assert later.record["usage"]["by_agent"][REFLECTOR]["llm_calls"] == 5
    assert sum(event.node == REFLECTOR for event in watch.of("usage")) == 5
    assert notes(tmp_path) == ["2025-05-15"]

    for day in ("2025-04-11", FIRST):
        model = model_that_learns()
        earlier = learning_graph(tmp_path, model).run(COMPANY, day)
        assert "lessons_used" not in earlier.record.as_json()
        assert not any("learned this" in message.text for call in model.calls for message in call.messages)
    assert len(lessons(learning_graph(tmp_path))) == 5


def test_the_situation_is_remembered_as_it_is_looked_up(tmp_path: Path):
    run = learning_graph(tmp_path).run(COMPANY, FIRST)
    graph = learning_graph(tmp_path)
    graph.settle(DUE)
    (_, lesson), *_ = LessonStore(tmp_path / "memory.sqlite").list()
    reports = {key: text for key, text in run.state.items() if isinstance(text, str)}
    assert run.state["risk_debate_state"]["turns"]
    read = debate_context(
        run.state["risk_debate_state"]["turns"], (reports["trader_investment_plan"], reports["investment_plan"])
    )
    assert lesson.situation == situation_of(COMPANY, run.record["instrument"]["sector"], FIRST, reports, read)
    (match,) = graph.risk_manager_memory.get_memories(lesson.situation, 1)
    assert match["similarity_score"] == 1.0
    assert (match["ticker"], match["outcome"]) == (COMPANY, lesson.outcome)
    assert lesson.outcome
    assert lesson.outcome.startswith(f"{FIRST}: Action: BUY; Confidence: 0.70; Window: 30 calendar days")


def test_each_agent_s_situation_holds_the_day_and_what_it_read_itself(tmp_path: Path):
    graph = learning_graph(tmp_path)
    graph.run(COMPANY, FIRST)
    graph.settle(DUE)
    found = {name: lesson.situation for name, lesson in LessonStore(tmp_path / "memory.sqlite").list()}
    assert all(f"\n{FIRST}\n" in situation for situation in found.values())
    for name in ("bull_memory", "bear_memory", "invest_judge_memory"):
        assert "Bear Researcher says" in found[name]
        assert "Neutral Debator says" not in found[name]
    assert "Neutral Debator says" in found["risk_manager_memory"]
    assert found["risk_manager_memory"].count("**Action:** BUY") == 2  # the plans of the manager and of the trader
    assert "**Action:** BUY" in found["trader_memory"]
    assert "Bear Researcher says" not in found["trader_memory"]


def test_a_lesson_is_shown_with_stock_day_situation_and_outcome(tmp_path: Path):
    learning_graph(tmp_path).run(COMPANY, FIRST)
    model = model_that_learns()
    graph = learning_graph(tmp_path, model)
    graph.settle(DUE)
    graph.run(COMPANY, LATER)
    prompts = [call.messages[-1].text for call in model.calls if role_of(call.messages) == "Trader"]
    (lesson,) = re.findall(r"<lesson .*?</lesson>", prompts[0], re.DOTALL)
    head, situation, outcome, said = lesson.splitlines()[:4]
    assert f'ticker="{COMPANY}"' in head
    assert 'known_since="' in head
    assert situation.startswith(f"Situation: {COMPANY} ")
    assert outcome.startswith(f"Outcome: {FIRST}: Action: BUY; ")
    assert said == "Lesson: The Trader learned this."


@pytest.mark.parametrize(
    ("day", "settled"), [("2025-04-11", 0), ("2025-04-13", 0), ("2025-04-14", 1), ("2025-05-01", 1)]
)
def test_a_decision_is_settled_only_when_its_whole_window_has_passed(tmp_path: Path, day: str, settled: int):
    learning_graph(tmp_path).propagate(COMPANY, FIRST)
    found = learning_graph(tmp_path).settle(day)
    assert (len(found.outcomes), found.unsettled) == (settled, {})
    assert len(lessons(learning_graph(tmp_path))) == 5 * settled
    if settled:
        assert found.outcomes[0].end == date(2025, 4, 14)


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    horizon=st.integers(HORIZON_DAYS[0], 120),
    day=st.dates(date(2025, 3, 15), date(2025, 7, 31)),
)
def test_whatever_the_horizon_no_outcome_comes_before_its_window_and_no_lesson_before_its_outcome(
    tmp_path_factory: pytest.TempPathFactory, horizon: int, day: date
):
    home = tmp_path_factory.mktemp("home")
    graph = learning_graph(home, model_that_learns(holding(horizon)), analysts=("market",))
    graph.propagate(COMPANY, FIRST)
    found = graph.settle(day)
    calendar = sessions()
    until = date.fromisoformat(notes(home)[0]) if notes(home) else None
    if not found.outcomes:
        assert until is not None
        assert calendar.on_or_before(day) < until
        return
    (outcome,) = found.outcomes
    assert (outcome.end - outcome.trade_date).days >= horizon
    until = outcome.trade_date + timedelta(days=horizon)
    assert not calendar.between(until, outcome.end - timedelta(days=1))
    assert outcome.end <= calendar.on_or_before(day)
    assert {settled for _, settled, _ in lessons(graph)} == {outcome.end.isoformat()}


@settings(max_examples=examples(60), deadline=None)
@given(
    settled=st.lists(DAYS, max_size=8),
    as_of=DAYS,
)
def test_a_lesson_settled_after_as_of_never_appears(
    tmp_path_factory: pytest.TempPathFactory, settled: list[date], as_of: date
):
    store = LessonStore(tmp_path_factory.mktemp("home") / "memory.sqlite")
    memory = FinancialSituationMemory("bull_memory", store)
    memory.add_lessons([Lesson("margins expand while growth holds", day.isoformat(), day) for day in settled])
    found = memory.get_memories("margins expand while growth holds", 99, as_of=as_of)
    assert sorted(match["recommendation"] for match in found) == sorted(
        day.isoformat() for day in settled if day <= as_of
    )
    assert all(match["settled_on"] <= as_of.isoformat() for match in found)


def test_where_a_model_fails_nothing_is_kept_and_the_next_run_tries_again(tmp_path: Path):
    learning_graph(tmp_path).propagate(COMPANY, FIRST)
    failing = learning_graph(
        tmp_path, model_that_learns({REFLECTOR: [*["Learned."] * 3, ModelFailure("no."), "Learned."]})
    )
    later = failing.run(COMPANY, LATER)
    assert later.decision == "BUY"
    (warning,) = [line for line in later.record["warnings"] if "not settled" in line]
    assert warning.endswith("is not settled: no.")
    assert failing.services.outcomes.list() == []
    assert lessons(failing) == []
    assert "2025-04-13" in notes(tmp_path)
    assert len(learning_graph(tmp_path).settle(LATER).outcomes) == 1


def test_a_model_out_of_reach_is_asked_for_one_decision_only(tmp_path: Path):
    graph = learning_graph(tmp_path, model_that_learns(holding(5)), auto_settle=False)
    for day in (FIRST, "2025-03-17", "2025-03-18"):
        graph.propagate(COMPANY, day)
    model = model_that_learns({REFLECTOR: ModelUnreachable("out of reach.")})
    found = learning_graph(tmp_path, model, max_concurrent_pipelines=1, llm_max_retries=0).settle(LATER)
    assert list(map(str, found.unsettled.values())) == ["out of reach."]
    assert len(model.calls) == 5


def test_a_budget_that_is_used_up_ends_the_run_and_not_the_settling_alone(tmp_path: Path):
    learning_graph(tmp_path).propagate(COMPANY, FIRST)
    limited = learning_graph(tmp_path, max_llm_calls=3)
    with pytest.raises(Exception, match="max_llm_calls"):
        limited.run(COMPANY, LATER)
    assert limited.services.outcomes.list() == []
    assert card(tmp_path, LATER)["status"] == "budget"


def test_settling_is_bounded_to_the_ticker_and_to_two(tmp_path: Path):
    from tradingagents.dataflows.vendors.simulated import COMPANIES

    other = next(symbol for symbol in COMPANIES if symbol != COMPANY)
    graph = learning_graph(tmp_path, model_that_learns(holding(5)), auto_settle=False)
    for day in (FIRST, "2025-03-17", "2025-03-18"):
        graph.propagate(COMPANY, day)
    graph.propagate(other, FIRST)
    again = learning_graph(tmp_path)
    again.propagate(COMPANY, LATER)
    assert [(one.ticker, one.trade_date.day) for one in again.services.outcomes.list()] == [
        (COMPANY, 18),
        (COMPANY, 17),
    ]
    again.propagate(COMPANY, LATER)
    assert len(again.services.outcomes.list()) == 3
    assert len(again.settle(LATER).outcomes) == 1


def test_a_run_that_is_told_not_to_settles_nothing(tmp_path: Path):
    learning_graph(tmp_path).propagate(COMPANY, FIRST)
    model = model_that_learns()
    learning_graph(tmp_path, model, auto_settle=False).propagate(COMPANY, LATER)
    assert REFLECTOR not in {role_of(call.messages) for call in model.calls}
    assert "2025-04-13" in notes(tmp_path)


def test_a_run_whose_settings_cannot_be_read_is_not_booked_as_one_of_the_real_market(tmp_path: Path):
    learning_graph(tmp_path).propagate(COMPANY, FIRST)
    (path,) = tmp_path.glob(f"runs/*-{FIRST}-*/run.json")
    card = json.loads(path.read_text("utf-8"))
    card["settings"]["database_url"] = "nonsense://x"
    path.write_text(json.dumps(card), encoding="utf-8")
    graph = learning_graph(tmp_path)
    found = graph.settle(LATER)
    assert (found.outcomes, len(found.unsettled)) == ([], 1)
    assert "on which market" in str(found.unsettled)
    assert graph.services.outcomes.list() == []


def test_where_nothing_is_due_no_card_is_read_and_no_database_is_made(tmp_path: Path):
    learning_graph(tmp_path).propagate(COMPANY, FIRST)
    (path,) = tmp_path.glob(f"runs/*-{FIRST}-*/run.json")
    path.write_text("damaged", encoding="utf-8")
    later = learning_graph(tmp_path).run(COMPANY, "2025-04-11")
    assert not any("settled" in line for line in later.record["warnings"])
    assert not (tmp_path / "memory.sqlite").exists()
    due = learning_graph(tmp_path).run(COMPANY, LATER)
    (warning,) = [line for line in due.record["warnings"] if "not settled" in line]
    assert "run.json" in warning


def test_a_plain_run_beside_pending_ones_loads_no_database(tmp_path: Path):
    learning_graph(tmp_path).propagate(COMPANY, FIRST)
    config = {"llm_provider": "offline", "data_vendor": "simulated", "home": str(tmp_path)}
    code = (
        "import json, sys\nfrom tradingagents.graph.trading_graph import TradingAgentsGraph\n"
        f"TradingAgentsGraph(config=json.loads(sys.argv[1])).propagate({COMPANY!r}, '2025-03-20')\n"
        "assert 'sqlalchemy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code, json.dumps(config)], check=True, timeout=120)


def test_offline_analysts_learn_too(tmp_path: Path):
    config = {"llm_provider": "offline", "data_vendor": "simulated", "home": tmp_path}
    graph = TradingAgentsGraph(config=config)
    first = graph.run(COMPANY, FIRST)
    until = date.fromisoformat(first.record["judged_by"]["until"])
    later = graph.run(COMPANY, sessions().after(until))
    assert {name for name, _, _ in lessons(graph)} == set(MEMORY_NAMES)
    (outcome,) = graph.services.outcomes.list()
    for agent in LEARNERS:
        (used,) = later.record["lessons_used"][agent]
        assert f"{outcome.total_return * 100:+.2f}%" in used["recommendation"]
    (opening, *_) = later.record["debates"]["research"]
    assert "A similar day taught us: " in opening["text"]


# What somebody tells


def test_reflecting_on_what_is_told_reaches_every_memory_today(tmp_path: Path):
    graph = learning_graph(tmp_path, model := model_that_learns())
    state, _ = graph.propagate(COMPANY, FIRST)
    assert (graph.curr_state, graph.ticker) == (state, COMPANY)
    told = graph.reflect_and_remember(-1000)
    assert set(told) == set(MEMORY_NAMES)
    assert "Returns and losses, as told: -1000" in model.calls[-1].messages[-1].text
    situation = situation_of(COMPANY, None, FIRST, {key: text for key, text in state.items() if isinstance(text, str)})
    assert len(graph.bull_memory.get_memories(situation)) == 1
    assert graph.bull_memory.get_memories(situation, as_of=date(2025, 8, 1)) == []


def test_telling_it_twice_doubles_nothing_and_the_outcome_is_settled_all_the_same(tmp_path: Path):
    graph = learning_graph(tmp_path, model := model_that_learns())
    graph.propagate(COMPANY, FIRST)
    graph.reflect_and_remember({"pnl": 5})
    graph.reflect_and_remember("it went well")
    assert len(lessons(graph)) == 5
    asked = len(model.calls)
    assert len(graph.settle(LATER).outcomes) == 1
    assert (len(lessons(graph)), len(model.calls)) == (5, asked)


async def test_the_async_face_does_the_same(tmp_path: Path):
    graph = learning_graph(tmp_path)
    await graph.apropagate(COMPANY, FIRST)
    assert len(await graph.areflect_and_remember(0.1)) == 5
    assert len((await graph.asettle(LATER)).outcomes) == 1


def test_there_must_be_something_to_reflect_on(tmp_path: Path):
    from tradingagents.errors import UsageError

    with pytest.raises(UsageError, match=r"run propagate\(ticker, date\) first\."):
        learning_graph(tmp_path, scripted()).reflect_and_remember(1)
