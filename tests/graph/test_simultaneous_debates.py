"""Debates in which all sides of a round speak at once: shorter chains, the same state, the same order every time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.agents.shown_prompts import rendered
from tests.support.golden_files import assert_golden
from tests.support.graph_factory import (
    COMPANY,
    DAY,
    Watch,
    report_of,
    role_of,
    scripted,
    sound_verdict,
    trading_graph,
)
from tradingagents.agents.builders.debate_state import merged, order_of, with_turns
from tradingagents.agents.debates import RESEARCH, RISK
from tradingagents.agents.states import Turn
from tradingagents.errors import BudgetReached, ModelFailure
from tradingagents.events import Event
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel

MODE = {"debate_mode": "simultaneous"}
VOICES = (*order_of(RESEARCH), *order_of(RISK))


class Uneven(ScriptedChatModel):
    """Answers as scripted, earlier speakers later: whoever ends first is last in the order."""

    async def _agenerate(self, messages: list[Any], *args: Any, **kwargs: Any) -> Any:
        role = role_of(messages)
        await asyncio.sleep(0.02 * (len(VOICES) - VOICES.index(role)) if role in VOICES else 0.01)
        return await super()._agenerate(messages, *args, **kwargs)


def numbered() -> Uneven:
    """A model whose debaters number what they say."""
    said: dict[str, int] = {}

    def script(messages: Sequence[Any], _tools: tuple[str, ...]) -> Reply:
        role = role_of(messages)
        if role in VOICES:
            said[role] = said.get(role, 0) + 1
            return f"{role} speaks for the {said[role]}. time."
        return sound_verdict(messages) if "Rules of a decision" in messages[-1].text else report_of(messages)

    return Uneven(script)


def chain(events: Sequence[Event]) -> int:
    """Return how many model calls had to wait for each other, from who had ended before whom began."""
    depth: dict[str, int] = {}
    ended = 0
    for event in events:
        if event.type == "node_start":
            depth[event.node or ""] = ended + 1
        elif event.type == "node_end":
            ended = max(ended, depth[event.node or ""])
    return ended


@pytest.mark.parametrize(("mode", "length"), [("turns", 14), ("simultaneous", 8)])
async def test_the_chain_of_a_run_with_two_rounds(tmp_path: Path, mode: str, length: int) -> None:
    watch, model = Watch(), numbered()
    await trading_graph(model, home=tmp_path, debate_mode=mode).arun(COMPANY, DAY, subscribers=[watch])
    assert chain(watch.events) == length
    assert len(model.calls) == 17


async def test_turns_stand_in_the_order_of_the_speakers_whoever_ends_first(tmp_path: Path) -> None:
    run = await trading_graph(numbered(), home=tmp_path, **MODE).arun(COMPANY, DAY)
    research, risk = run.state["investment_debate_state"], run.state["risk_debate_state"]
    assert [turn["speaker"] for turn in research["turns"]] == list(order_of(RESEARCH)) * 2
    assert [turn["speaker"] for turn in risk["turns"]] == list(order_of(RISK)) * 2
    assert research["bull_history"] == "\n\n".join(
        f"Bull Researcher: Bull Researcher speaks for the {number}. time." for number in (1, 2)
    )
    assert research["current_response"] == "Bear Researcher speaks for the 2. time."
    assert (research["count"], risk["count"], risk["latest_speaker"]) == (4, 6, "Neutral Debator")
    assert risk["current_aggressive_response"] == "Aggressive Debator speaks for the 2. time."
    assert research["judge_decision"] == run.state["investment_plan"]
    assert risk["judge_decision"] == run.state["final_trade_decision"]
    assert run.record["debates"]["research"] == research["turns"]


async def test_each_turn_is_told_with_its_own_number(tmp_path: Path) -> None:
    watch = Watch()
    await trading_graph(numbered(), home=tmp_path, **MODE).arun(COMPANY, DAY, subscribers=[watch])
    said = sorted(event.message for event in watch.of("debate_turn") if event.step == "research")
    assert said == [
        "Bear Researcher, turn 2",
        "Bear Researcher, turn 4",
        "Bull Researcher, turn 1",
        "Bull Researcher, turn 3",
    ]


async def test_a_side_sees_what_the_others_said_in_earlier_rounds_only(tmp_path: Path) -> None:
    model = numbered()
    await trading_graph(model, home=tmp_path, **MODE).arun(COMPANY, DAY)
    first, second = (call.messages[-1].text for call in model.calls if role_of(call.messages) == "Neutral Debator")
    assert "# Debate so far" not in first
    assert second.count("<turn ") == 3
    assert "Aggressive Debator speaks for the 1. time." in second
    assert "for the 2. time" not in second


@pytest.mark.parametrize("agent", VOICES)
async def test_the_prompts_of_a_side(tmp_path: Path, agent: str) -> None:
    model = scripted()
    await trading_graph(model, home=tmp_path, **MODE).arun(COMPANY, DAY)
    own = [call for call in model.calls if role_of(call.messages) == agent]
    assert_golden(f"prompts/simultaneous/{agent.lower().replace(' ', '_')}.md", rendered(own))


async def test_a_side_that_fails_leaves_a_stated_gap(tmp_path: Path) -> None:
    model = scripted({"Conservative Debator": ModelFailure("no luck")})
    run = await trading_graph(model, home=tmp_path, **MODE).arun(COMPANY, DAY)
    turns = run.record["debates"]["risk"]
    assert [turn["speaker"] for turn in turns] == list(order_of(RISK)) * 2
    assert all(
        turn["text"].startswith("**Not available.**") == (turn["speaker"] == order_of(RISK)[1]) for turn in turns
    )
    assert run.record["decision"]["action"] == "BUY"
    assert {one["kind"] for one in run.record["degraded"]} == {"silent_debater"}


async def test_a_run_stopped_within_a_round_asks_no_side_twice(tmp_path: Path) -> None:
    model = numbered()
    graph = trading_graph(model, home=tmp_path, max_llm_calls=7, **MODE)
    watch = Watch()
    with pytest.raises(BudgetReached):
        await graph.arun(COMPANY, DAY, subscribers=[watch])
    again = trading_graph(model, home=tmp_path, **MODE)
    run = await again.aresume(watch.events[0].run_id)
    assert len(model.calls) == 17
    assert [turn["speaker"] for turn in run.record["debates"]["research"]] == list(order_of(RESEARCH)) * 2


async def test_the_offline_analysts_decide_the_same_each_time(tmp_path: Path) -> None:

    config = {"llm_provider": "offline", "data_vendor": "simulated", **MODE}
    one, other = [
        await TradingAgentsGraph(config={**config, "home": tmp_path / name}).arun(COMPANY, DAY) for name in "ab"
    ]
    assert one.record["debates"] == other.record["debates"]
    assert one.record["decision"] == other.record["decision"]
    assert len(one.record["debates"]["risk"]) == 6


def test_turns_given_at_once_are_joined_whatever_their_sequence() -> None:
    before = [Turn(speaker=speaker, text="first") for speaker in order_of(RISK)]
    sides = [
        with_turns(RISK, [*before, Turn(speaker=speaker, text="then")])["risk_debate_state"]
        for speaker in order_of(RISK)
    ]
    forward, backward = sides[0], sides[2]
    for one, other in ((sides[1], sides[1]), (sides[2], sides[0])):
        forward, backward = merged(RISK, forward, one), merged(RISK, backward, other)
    assert (
        forward
        == backward
        == with_turns(RISK, [*before, *(Turn(speaker=one, text="then") for one in order_of(RISK))])["risk_debate_state"]
    )
