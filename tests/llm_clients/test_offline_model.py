from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import get_usage_metadata_callback
from langchain_core.messages import AIMessageChunk, HumanMessage, SystemMessage
from langchain_core.tools import tool

from tests.offline.briefs import BULLISH, human, market, report
from tradingagents.agents.schemas import Verdict
from tradingagents.llm_clients.offline_model import OfflineChatModel, answer, forced_tool
from tradingagents.offline.brief import BRIEF, Brief
from tradingagents.offline.readings import Row
from tradingagents.offline.rules import FUNDAMENTALS, MARKET

ROW = Row("rsi", "60.00", 0.5, "RSI clearly strong", "get_indicators")
DECIDE = human("Research Manager", reports={"market_report": report([ROW])})
MESSAGES = [SystemMessage("Rules."), HumanMessage("# Your role: as the brief says")]


@contextmanager
def briefed(brief: Brief) -> Iterator[OfflineChatModel]:
    """The model while an agent with this brief asks it."""
    before = BRIEF.set(brief)
    try:
        yield OfflineChatModel()
    finally:
        BRIEF.reset(before)


@tool
def get_indicators(symbol: str, indicator: str, curr_date: date, look_back_days: int = 30) -> str:
    """Get indicators."""
    return f"{symbol} {indicator} {curr_date} {look_back_days}"


async def test_a_listener_hears_the_reply_that_is_given_where_nobody_listens() -> None:
    with briefed(market(BULLISH)) as model, get_usage_metadata_callback() as heard:
        listened = await model.ainvoke(MESSAGES)
    assert list(heard.usage_metadata) == ["offline"]
    with briefed(market(BULLISH)) as model:
        alone = await model.ainvoke(MESSAGES)
    assert alone.model_copy(update={"id": listened.id}) == listened


def test_the_same_brief_gets_the_same_answer() -> None:
    with briefed(market(BULLISH)) as first:
        one = first.invoke(MESSAGES)
    with briefed(market(BULLISH)) as second:
        assert second.invoke(MESSAGES).content == one.content
    assert one.response_metadata["model_name"] == "offline"


def test_what_stands_in_the_prompt_changes_nothing_but_the_usage() -> None:
    with briefed(market(BULLISH)) as model:
        short, long = model.invoke(MESSAGES), model.invoke([*MESSAGES, HumanMessage("# Your role: Trader\nSell now.")])
    assert short.text == long.text
    assert short.usage_metadata
    assert long.usage_metadata
    assert short.usage_metadata["input_tokens"] < long.usage_metadata["input_tokens"]
    assert short.usage_metadata["input_tokens"] == -(-sum(len(message.text) for message in MESSAGES) // 4)
    assert short.usage_metadata["output_tokens"] == -(-len(short.text) // 4)


def test_without_a_brief_it_says_that_it_has_no_rules() -> None:
    assert "It has no rules for an unnamed role" in OfflineChatModel().invoke("Buy?").text


async def test_async_gives_the_same_and_starts_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a thread was started")

    with briefed(DECIDE) as model:
        expected = model.invoke(MESSAGES).content
        monkeypatch.setattr(threading.Thread, "start", refuse)
        assert (await model.ainvoke(MESSAGES)).content == expected
        chunks = [chunk async for chunk in model.astream(MESSAGES)]
    assert "".join(chunk.text for chunk in chunks) == expected


async def test_a_bound_tool_that_is_forced_is_called() -> None:
    with briefed(DECIDE) as model:
        forced = model.bind_tools([Verdict], tool_choice="Verdict")
        for reply in (forced.invoke(MESSAGES), await forced.ainvoke(MESSAGES)):
            (call,) = reply.tool_calls
            assert call["name"] == "Verdict"
            assert Verdict.model_validate(call["args"]).action == "BUY"


def test_structured_output_works_as_with_any_chat_model() -> None:
    with briefed(DECIDE) as model:
        given = model.with_structured_output(Verdict).invoke(MESSAGES)
    assert isinstance(given, Verdict)
    assert given.action == "BUY"


def test_a_stream_gives_the_words_with_usage_at_the_end() -> None:
    with briefed(market(BULLISH)) as model:
        whole, chunks = model.invoke(MESSAGES), list(model.stream(MESSAGES))
    assert len(chunks) > 50
    merged = chunks[0]
    for chunk in chunks[1:]:
        merged = merged + chunk
    assert isinstance(merged, AIMessageChunk)
    assert merged.text == whole.text
    assert merged.usage_metadata == whole.usage_metadata


def test_a_forced_call_streams_too() -> None:
    with briefed(DECIDE) as model:
        bound = model.bind_tools([Verdict], tool_choice="Verdict")
        merged = sum(bound.stream(MESSAGES), AIMessageChunk(""))
        assert merged.tool_calls[0]["args"] == bound.invoke(MESSAGES).tool_calls[0]["args"]


def test_further_tools_are_called_where_they_are_offered() -> None:
    lacking = {**BULLISH, "get_indicators": {"rsi": "61.00"}}
    with briefed(market(lacking)) as model:
        (call,) = model.bind_tools([get_indicators]).invoke(MESSAGES).tool_calls
        assert call["name"] == "get_indicators"
        assert get_indicators.invoke(call["args"]).startswith("ZZZX close_10_ema,macdh,boll_ub,boll_lb 2025-03-14")
        assert model.invoke(MESSAGES).tool_calls == []


def test_an_analyst_with_results_writes_and_calls_nothing() -> None:
    with briefed(market(BULLISH)) as model:
        reply = model.bind_tools([get_indicators]).invoke(MESSAGES)
    assert reply.tool_calls == []
    assert reply.text.startswith("## Market report")


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("Verdict", "Verdict"),
        ("any", "Verdict"),
        ("required", "Verdict"),
        (True, "Verdict"),
        ({"type": "function", "function": {"name": "Verdict"}}, "Verdict"),
        ({"type": "tool", "name": "Verdict"}, "Verdict"),
        ("auto", None),
        (None, None),
        ("Other", None),
    ],
)
def test_every_way_of_forcing_a_tool_is_understood(choice: Any, expected: str | None) -> None:
    tools: list[Mapping[str, Any]] = [{"function": {"name": "Verdict"}}]
    assert forced_tool(tools, choice) == expected


def test_many_replies_run_side_by_side() -> None:
    async def one(brief: Brief) -> str:
        with briefed(brief) as model:
            return (await model.ainvoke(MESSAGES)).text

    async def ask() -> list[str]:
        return await asyncio.gather(*(one(brief) for brief in [market(BULLISH), DECIDE] * 10))

    said = asyncio.run(ask())
    assert [text.startswith("## Market report") for text in said] == [True, False] * 10
    assert said[1] == answer(DECIDE).text


def test_the_docs_page_states_every_rule_with_its_weight() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "concepts" / "offline-analysts.md").read_text(
        encoding="utf-8"
    )
    stated = {
        (name, float(weight)) for name, weight in re.findall(r"^\| `(\w+)` \| .* \| ([\d.]+) \|$", page, re.MULTILINE)
    }
    assert {(rule.metric, rule.weight) for rule in (*MARKET, *FUNDAMENTALS)} <= stated
