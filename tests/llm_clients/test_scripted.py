from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from tests.llm_clients.schemas import GOOD, Opinion
from tradingagents.errors import ModelUnreachable
from tradingagents.llm_clients.calls import call_model
from tradingagents.llm_clients.scripted import ScriptedChatModel, ScriptEnded

CALL = AIMessage("", tool_calls=[{"name": "Opinion", "args": GOOD, "id": "call_1"}])


async def test_replies_come_in_order_and_every_call_is_noted() -> None:
    model = ScriptedChatModel(["one", CALL])
    assert (await model.ainvoke("first")).text == "one"
    bound = model.bind_tools([Opinion], tool_choice="Opinion")
    second = await bound.ainvoke("second")
    assert isinstance(second, AIMessage)
    assert second.tool_calls[0]["args"] == GOOD
    first_call, second_call = model.calls
    assert (first_call.messages[0].text, first_call.tools, first_call.tool_choice) == ("first", (), None)
    assert (second_call.messages[0].text, second_call.tools) == ("second", ("Opinion",))
    assert second_call.tool_choice == "Opinion"


async def test_a_script_that_ends_too_early_says_so() -> None:
    model = ScriptedChatModel(["one"])
    await model.ainvoke("x")
    with pytest.raises(ScriptEnded, match="has 1 replies; this is call 2"):
        await model.ainvoke("x")


async def test_a_function_sees_messages_and_tools() -> None:
    def script(messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> str:
        return f"{messages[-1].text} with {','.join(tools) or 'nothing'}"

    model = ScriptedChatModel(script)
    assert (await model.ainvoke("a")).text == "a with nothing"
    assert (await model.bind_tools([Opinion]).ainvoke("b")).text == "b with Opinion"


async def test_an_exception_in_the_script_is_raised_as_it_stands() -> None:
    failure = ModelUnreachable("nobody there")
    with pytest.raises(ModelUnreachable) as caught:
        await call_model(ScriptedChatModel([failure]), [HumanMessage("x")])
    assert caught.value is failure


async def test_usage_is_a_quarter_of_the_characters() -> None:
    reply = await ScriptedChatModel(["12345678"]).ainvoke([HumanMessage("x" * 40)])
    assert reply.usage_metadata == {"input_tokens": 10, "output_tokens": 2, "total_tokens": 12}


async def test_a_reply_played_twice_is_two_messages() -> None:
    model = ScriptedChatModel([CALL, CALL])
    first, second = await model.ainvoke("x"), await model.ainvoke("x")
    assert first.id != second.id
    assert CALL.usage_metadata is None


async def test_streamed_it_comes_in_words_and_amounts_to_the_same() -> None:
    heard: list[str] = []
    reply = await call_model(ScriptedChatModel(["buy the dip"]), [HumanMessage("x")], on_token=heard.append)
    assert heard == ["buy ", "the ", "dip"]
    assert reply.text == "buy the dip"
    assert reply.usage_metadata is not None
    called = await call_model(ScriptedChatModel([CALL]), [HumanMessage("x")], on_token=heard.append)
    assert called.tool_calls == [{"name": "Opinion", "args": GOOD, "id": "call_1", "type": "tool_call"}]


async def test_calls_that_take_time_overlap() -> None:
    model = ScriptedChatModel(lambda messages, tools: "x", delay=0.01)
    await asyncio.gather(*(model.ainvoke("x") for _ in range(5)))
    assert model.most_at_once == 5
    assert len(model.calls) == 5


def test_it_answers_without_an_event_loop_too() -> None:
    assert ScriptedChatModel(["one"]).invoke("x").text == "one"
