from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessageChunk, HumanMessage
from langchain_core.tools import tool

from tests.offline.prompts import BULLISH, human, market, report, system
from tradingagents.agents.schemas import Verdict
from tradingagents.offline import OfflineChatModel
from tradingagents.offline.answer import forced_tool
from tradingagents.offline.rules import FUNDAMENTALS, MARKET
from tradingagents.offline.tables import Row

ROW = Row("rsi", "60.00", 0.5, "RSI clearly strong", "get_indicators")
DECIDE = human("Research Manager", reports={"market_report": report([ROW])})


@tool
def get_stock_data(symbol: str, start_date: date, end_date: date) -> str:
    """Get daily bars."""
    return f"{symbol} {start_date} {end_date}"


@tool
def get_indicators(symbol: str, indicator: str, curr_date: date, look_back_days: int = 30) -> str:
    """Get indicators."""
    return f"{symbol} {indicator} {curr_date} {look_back_days}"


def test_the_same_prompt_gets_the_same_answer() -> None:
    first, second = OfflineChatModel().invoke(market(BULLISH)), OfflineChatModel().invoke(market(BULLISH))
    assert first.content == second.content
    assert first.response_metadata["model_name"] == "offline"


def test_usage_is_estimated_from_characters() -> None:
    messages = market(BULLISH)
    reply = OfflineChatModel().invoke(messages)
    assert reply.usage_metadata is not None
    assert reply.usage_metadata["input_tokens"] == -(-sum(len(message.text) for message in messages) // 4)
    assert reply.usage_metadata["output_tokens"] == -(-len(reply.text) // 4)


async def test_async_gives_the_same_and_starts_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = OfflineChatModel().invoke(DECIDE).content

    def refuse(*_: Any) -> None:
        raise AssertionError("a thread was started")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert (await OfflineChatModel().ainvoke(DECIDE)).content == expected
    chunks = [chunk async for chunk in OfflineChatModel().astream(DECIDE)]
    assert "".join(chunk.text for chunk in chunks) == expected


async def test_a_bound_tool_that_is_forced_is_called() -> None:
    forced = OfflineChatModel().bind_tools([Verdict], tool_choice="Verdict")
    for reply in (forced.invoke(DECIDE), await forced.ainvoke(DECIDE)):
        (call,) = reply.tool_calls
        assert call["name"] == "Verdict"
        assert Verdict.model_validate(call["args"]).action == "BUY"


def test_structured_output_works_as_with_any_chat_model() -> None:
    answer = OfflineChatModel().with_structured_output(Verdict).invoke(DECIDE)
    assert isinstance(answer, Verdict)
    assert answer.action == "BUY"


def test_streaming_gives_the_text_in_pieces_with_usage_at_the_end() -> None:
    whole = OfflineChatModel().invoke(market(BULLISH))
    chunks = list(OfflineChatModel().stream(market(BULLISH)))
    assert len(chunks) > 50
    merged = chunks[0]
    for chunk in chunks[1:]:
        merged = merged + chunk
    assert isinstance(merged, AIMessageChunk)
    assert merged.text == whole.text
    assert merged.usage_metadata == whole.usage_metadata


def test_a_forced_call_streams_too() -> None:
    bound = OfflineChatModel().bind_tools([Verdict], tool_choice="Verdict")
    merged = sum(bound.stream(DECIDE), AIMessageChunk(""))
    assert merged.tool_calls[0]["args"] == bound.invoke(DECIDE).tool_calls[0]["args"]


def test_an_analyst_without_results_asks_for_the_prescribed_tools_it_has() -> None:
    bound = OfflineChatModel().bind_tools([get_stock_data, get_indicators])
    calls = bound.invoke([system(), HumanMessage("# Your role: Market Analyst\nWrite.")]).tool_calls
    assert [call["name"] for call in calls] == ["get_stock_data", "get_indicators"]
    assert calls[0]["args"] == {"symbol": "ZZZX", "start_date": "2024-03-14", "end_date": "2025-03-14"}
    assert get_indicators.invoke(calls[1]["args"]).startswith("ZZZX close_50_sma,close_200_sma")


def test_an_analyst_with_results_writes_and_calls_nothing() -> None:
    reply = OfflineChatModel().bind_tools([get_stock_data]).invoke(market(BULLISH))
    assert reply.tool_calls == []
    assert reply.text.startswith("## Market report")


def test_an_analyst_without_tools_or_results_says_that_it_has_nothing() -> None:
    assert "Nothing could be scored" in OfflineChatModel().invoke([HumanMessage("# Your role: Market Analyst")]).text


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
    async def ask() -> set[str]:
        model = OfflineChatModel()
        replies = await asyncio.gather(*(model.ainvoke(market(BULLISH)) for _ in range(20)))
        return {reply.text for reply in replies}

    assert len(asyncio.run(ask())) == 1


def test_the_docs_page_states_every_rule_with_its_weight() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "concepts" / "offline-analysts.md").read_text(
        encoding="utf-8"
    )
    stated = {
        (name, float(weight)) for name, weight in re.findall(r"^\| `(\w+)` \| .* \| ([\d.]+) \|$", page, re.MULTILINE)
    }
    assert {(rule.metric, rule.weight) for rule in (*MARKET, *FUNDAMENTALS)} <= stated
