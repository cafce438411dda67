"""Replies that no encoding has are mended before anybody else reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from tests.support.graph_factory import COMPANY, DAY, DECISION, scripted, trading_graph, verdict
from tradingagents.agents.sanitize import encodable


def test_two_halves_become_the_character_and_a_lone_one_its_stand_in():
    assert encodable(AIMessage("up \ud83d\ude00, down \ud83d.")).text == "up \U0001f600, down \ufffd."


def test_the_arguments_of_tool_calls_are_mended_too():
    call = {"name": "f", "args": {"a": ["\ud83d"], "b": 1.5, "ü": None}, "id": "c1", "type": "tool_call"}
    (mended,) = encodable(AIMessage("", tool_calls=[call])).tool_calls
    assert mended == {**call, "args": {"a": ["\ufffd"], "b": 1.5, "ü": None}}


def test_so_are_arguments_that_broke_off():
    broken = {"name": "f", "args": '{"a": "\ud83d', "id": "c1", "error": None, "type": "invalid_tool_call"}
    (mended,) = encodable(AIMessage("", invalid_tool_calls=[broken])).invalid_tool_calls
    assert mended == {**broken, "args": '{"a": "\ufffd'}


@given(text=st.text(st.characters(exclude_categories=[]) | st.sampled_from("\ud83d\ude00"), max_size=20))
def test_any_reply_can_be_encoded_and_a_sound_one_is_left_alone(text: str):
    reply = AIMessage(text)
    encodable(reply).text.encode("utf-8")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return
    assert encodable(reply) is reply


@pytest.mark.parametrize("role", ["Market Analyst", "Bull Researcher"])
async def test_half_a_character_of_a_model_ends_no_run(role: str):
    run = await trading_graph(scripted({role: "It rose \ud83d since, to 96.58."})).arun(COMPANY, DAY)
    assert run.decision == "BUY"
    said = (*run.record["reports"].values(), run.record["debates"]["research"][0]["text"])
    assert "It rose \ufffd since, to 96.58." in said


async def test_half_a_character_in_a_verdict_is_no_reason_for_no_decision():
    answer = verdict(rationale="The close rose \ud83d above its average.")
    run = await trading_graph(scripted({"Risk Manager": answer})).arun(COMPANY, DAY)
    assert run.decision.model_dump(mode="json") == {
        **DECISION,
        "rationale": "The close rose \ufffd above its average.",
    }
