"""Deciding agents that are asked again: through the real graph, with models of known answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.caches import InMemoryCache
from langchain_core.globals import set_llm_cache
from langchain_core.messages import BaseMessage

from benchmarks import settling_runs
from tests.support.graph_factory import (
    COMPANY,
    DAY,
    DECIDERS,
    Answers,
    Watch,
    role_of,
    scripted,
    sound_verdict,
    trading_graph,
)
from tradingagents.analytics.decisions.settling import LEAST_ASKS
from tradingagents.errors import BudgetReached
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel
from tradingagents.runtime.manifest import read_manifest
from tradingagents.schemas.cards import RunRecord
from tradingagents.settings import OF_SETTLING, recorded_settings

SMALL: dict[str, Any] = {"analysts": ("market",), "max_debate_rounds": 0, "max_risk_discuss_rounds": 0}
ASKED_ONCE = 4
"""Calls of the small run that asks once: the analyst and three who decide."""


def answering(*actions: str) -> Callable[[Sequence[BaseMessage], tuple[str, ...]], Reply]:
    """Answer with these actions in order, then with the last of them."""
    left = list(actions)

    def answer(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Reply:
        return sound_verdict(messages, action=left.pop(0) if len(left) > 1 else left[0])

    return answer


async def studied(answers: Answers, **config: Any) -> tuple[RunRecord, ScriptedChatModel]:
    model = scripted(answers)
    graph = trading_graph(model, **{**SMALL, "settle": True, "ask_report_company": False, **config})
    return (await graph.arun(COMPANY, DAY)).record, model


def asks_of(model: ScriptedChatModel, role: str) -> list[tuple[BaseMessage, ...]]:
    return [call.messages for call in model.calls if role_of(call.messages) == role]


async def test_answers_that_are_alike_settle_after_six_asks_of_each_who_decides():
    record, model = await studied({})
    assert [(asked.agent, asked.verdict, asked.answers) for asked in record.settling] == [
        (role, "settled", {"BUY": 6}) for role in DECIDERS
    ]
    assert record.decision is not None
    assert record.decision.action == "BUY"
    assert len(model.calls) == ASKED_ONCE + 3 * 5
    assert [asked.added_calls for asked in record.settling] == [5, 5, 5]
    for role in DECIDERS:  # the inputs are kept: every ask is the first one to the letter
        assert len({tuple(message.text for message in messages) for messages in asks_of(model, role)}) == 1


async def test_without_the_setting_each_is_asked_once_and_the_card_says_nothing_of_it():
    record, model = await studied({}, settle=False)
    assert len(model.calls) == ASKED_ONCE
    assert "settling" not in record.as_json()


async def test_the_reasons_are_those_of_an_ask_that_gave_the_settled_action():
    def answer(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Reply:
        told.append("")
        first = len(told) == 1
        return sound_verdict(
            messages,
            action="SELL" if first else "BUY",
            rationale=f"This is what ask number {len(told)} says of the price and its averages.",
        )

    told: list[str] = []
    record, _ = await studied({"Risk Manager": answer})
    asked = record.settling[-1]
    assert (asked.verdict, asked.answers) == ("settled", {"BUY": 10, "SELL": 1})
    assert record.decision is not None
    assert record.decision.action == "BUY"
    assert "ask number 2" in record.decision.rationale


@pytest.mark.parametrize("action", ["NO_DECISION", "HOLD"])
async def test_an_unsettled_run_ends_with_the_action_of_the_setting_and_says_what_spoke_for_each(action: str):
    record, _ = await studied({"Risk Manager": answering(*["BUY", "SELL"] * 10)}, unsettled_action=action)
    asked = record.settling[-1]
    assert asked.verdict == "unsettled"
    assert asked.answers == {"BUY": 3, "SELL": 3}
    assert record.decision is not None
    assert (record.decision.action, record.decision.confidence) == (action, 0.0)
    assert "the Risk Manager gave BUY 3, SELL 3 of 6 times" in record.decision.rationale
    assert record.decision.reasoning is not None
    assert {line.partition(":")[0] for line in record.decision.reasoning.split("\n\n")} == {"BUY", "SELL"}
    assert record.status == ("done" if action == "HOLD" else "no_decision")


async def test_a_plan_that_is_unsettled_unsettles_the_run_and_those_after_it_are_asked_once():
    record, model = await studied({"Research Manager": answering("BUY", "SELL", "HOLD")})
    assert [asked.verdict for asked in record.settling] == ["unsettled", "asked_once", "asked_once"]
    assert [len(asks_of(model, role)) for role in DECIDERS] == [3, 1, 1]
    assert record.decision is not None
    assert record.decision.action == "NO_DECISION"
    assert "Research Manager" in record.decision.rationale
    assert "Risk Manager" not in record.decision.rationale
    assert "before it is unsettled" in record.settling[-1].reason


async def test_answers_that_cannot_be_used_count_as_an_answer_of_their_own():
    record, _ = await studied({"Risk Manager": "I would rather not say."})
    asked = record.settling[-1]
    assert (asked.verdict, asked.answers) == ("settled", {"NO_DECISION": 6})
    assert asked.added_calls == 10, "each ask has its repair"
    assert record.decision is not None
    assert record.decision.action == "NO_DECISION"
    assert "two attempts" in record.decision.rationale


async def test_one_unusable_answer_of_many_leaves_no_gap_in_the_run():
    sound = answering("BUY")
    told: list[int] = []

    def answer(messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Reply:
        told.append(1)
        return "No." if len(told) in (2, 5) else sound(messages, tools)

    record, _ = await studied({"Risk Manager": answer, "Trader": answering("BUY")}, settle_max_asks=40)
    assert record.settling[-1].verdict == "settled"
    assert record.degraded == []
    assert record.warnings == (await studied({}))[0].warnings


async def test_the_maximum_ends_the_asks_as_unsettled():
    record, _ = await studied({"Risk Manager": answering("BUY", "BUY", "SELL", "BUY")}, settle_max_asks=8)
    asked = record.settling[-1]
    assert asked.verdict == "unsettled"
    assert "within the maximum of 8" in asked.reason
    assert asked.asks == 3, "eight asks cannot settle after another answer"


async def test_a_budget_that_ends_the_last_agents_asks_leaves_the_run_unsettled_with_the_reason():
    record, model = await studied({}, max_llm_calls=ASKED_ONCE + 2 * 5 + 3)
    asked = record.settling[-1]
    assert asked.verdict == "unsettled"
    assert asked.answers == {"BUY": 4}
    assert "max_llm_calls" in asked.reason
    assert len(model.calls) == ASKED_ONCE + 2 * 5 + 3
    assert record.decision is not None
    assert record.decision.action == "NO_DECISION"


async def test_rules_are_asked_once_and_the_card_says_why(tmp_path: Path):
    from tradingagents.graph.trading_graph import TradingAgentsGraph

    config = {"llm_provider": "offline", "data_vendor": "simulated", "home": str(tmp_path), **SMALL}
    asked = (await TradingAgentsGraph(config={**config, "settle": True}).arun(COMPANY, DAY)).record
    once = (await TradingAgentsGraph(config=config).arun(COMPANY, DAY)).record
    assert asked.decision == once.decision
    assert {(one.verdict, one.reason, one.added_calls) for one in asked.settling} == {
        ("asked_once", "By rules: one answer, nothing to settle.", 0)
    }


async def test_the_further_asks_are_made_at_once_where_the_test_needs_them_all():
    model = scripted({}, delay=0.05)
    watch = Watch()
    await trading_graph(model, **SMALL, settle=True, ask_report_company=False).arun(COMPANY, DAY, subscribers=[watch])
    assert model.most_at_once == 3
    (*_, last) = watch.of("progress")
    assert last.message == "Risk Manager: Settled: BUY in 6 of 6 asks."


async def test_a_cache_of_langchain_does_not_answer_the_later_asks():
    set_llm_cache(InMemoryCache())
    try:
        record, _ = await studied({"Risk Manager": answering(*["BUY", "SELL"] * 10)})
    finally:
        set_llm_cache(None)
    assert record.settling[-1].answers == {"BUY": 3, "SELL": 3}


async def test_the_records_of_a_run_that_asks_once_know_nothing_of_it_and_it_goes_on_as_it_began(tmp_path: Path):
    graph = trading_graph(scripted({}), **SMALL, home=str(tmp_path), max_llm_calls=2)
    with pytest.raises(BudgetReached):
        await graph.arun(COMPANY, DAY)
    (folder,) = (tmp_path / "runs").iterdir()
    manifest = read_manifest(tmp_path, folder.name)
    assert not set(OF_SETTLING) & {*manifest.settings, *manifest.asked["settings"]}
    here = graph.services.settings.model_copy(update={"settle": True, "unsettled_action": "HOLD"})
    resumed = manifest.resumed_settings(here)
    assert {name: resumed[name] for name in OF_SETTLING} == OF_SETTLING
    assert set(OF_SETTLING) <= set(recorded_settings(here))


def test_the_benchmark_goes_on_after_a_kill_and_draws_the_same(tmp_path: Path):
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    settling_runs.go_on(whole, 1)
    cut.write_bytes(whole.read_bytes()[:-20])  # killed while it wrote the last run
    settling_runs.go_on(cut, 1)
    assert cut.read_text() == whole.read_text()
    assert [run["row"] for run in settling_runs.made(cut)] == [row.name for row in settling_runs.ROWS]
    assert settling_runs.made(cut)[0]["asks"][0] >= LEAST_ASKS
