"""Capabilities as tools: what a model is shown, and what its calls are answered with."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.graph import END, START, MessagesState, StateGraph

from tests.capabilities.market import CAPABILITIES, DAY, LATER, QUESTIONS, snapshot_market
from tests.support.fakes import RowsVendor
from tests.support.golden_files import assert_golden
from tests.support.graph_factory import Watch
from tradingagents.agents.analysts import (
    fundamentals_analyst,
    market_analyst,
    news_analyst,
    social_media_analyst,
)
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.prices import get_stock_data
from tradingagents.capabilities.tools import as_tool, tool_node
from tradingagents.context import RunContext
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import NewsItem, Profile
from tradingagents.events import EventStream
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.settings import load_settings

ANALYSTS = (market_analyst, social_media_analyst, news_analyst, fundamentals_analyst)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tools") / "market"


class Listener(AsyncCallbackHandler):
    """Someone who listens to LangChain's tools, as a tracer does."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def on_tool_start(self, serialized: dict[str, Any], input_str: str, **kwargs: Any) -> None:
        self.heard.append(serialized["name"])

    async def on_tool_error(self, error: BaseException, **kwargs: Any) -> None:
        self.heard.append(type(error).__name__)


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def context(folder: Path, watch: Watch) -> RunContext:
    data = snapshot_market(folder)
    return RunContext(
        run_id="r",
        settings=data.settings,
        data=data,
        preamble="",
        events=EventStream("r", (watch,)),
        meter=UsageMeter(data.settings),
        executor=ThreadPoolExecutor(1),
    )


async def reply(
    context: RunContext,
    *calls: dict[str, Any],
    tools: tuple[Capability, ...] = CAPABILITIES,
    listener: Listener | None = None,
) -> Any:
    """Run tool calls through a tool node inside a graph; return its messages in order."""
    graph = StateGraph(MessagesState, RunContext)
    graph.add_node("tools", tool_node(tools, agent="Some Analyst"))
    graph.add_edge(START, "tools")
    graph.add_edge("tools", END)
    asked = [{"id": f"c{number}", "type": "tool_call", **call} for number, call in enumerate(calls)]
    config = {"callbacks": [listener]} if listener else None
    given = {"messages": [AIMessage("", tool_calls=asked)]}
    state = await graph.compile().ainvoke(given, config, context=context)
    return [message for message in state["messages"] if isinstance(message, ToolMessage)]


@pytest.mark.parametrize("capability", CAPABILITIES, ids=lambda one: one.name)
def test_the_schema_a_model_sees(capability: Capability):
    schema = convert_to_openai_tool(as_tool(capability))
    assert "runtime" not in json.dumps(schema)
    assert_golden(f"tools/{capability.name}.json", json.dumps(schema, indent=2, ensure_ascii=False) + "\n")


def test_the_sixteen_trading_tools_are_declared_and_each_has_an_agent():
    names = {capability.name for capability in CAPABILITIES}
    assert len(names) == 16
    where_answered = {"get_earnings_calendar", "get_financials", "get_filings"}
    where_answered |= {"valuation", "fundamental_screen", "search_filings", "guidance", "guidance_record"}
    assert {tool.name for analyst in ANALYSTS for tool in analyst.TOOLS} == names | where_answered


@pytest.mark.parametrize("capability", CAPABILITIES, ids=lambda one: one.name)
async def test_a_call_is_answered_with_the_result_s_markdown(context: RunContext, capability: Capability):
    (message,) = await reply(context, {"name": capability.name, "args": QUESTIONS[capability]})
    assert message.status == "success"
    assert message.content == capability.ask(context.data, **QUESTIONS[capability]).to_markdown()


class Witness(RowsVendor):
    """Notes in which thread it is asked for news."""

    def __init__(self, *, local: bool) -> None:
        super().__init__()
        self.local = local  # type: ignore[misc]
        self.threads: list[threading.Thread] = []

    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        self.threads.append(threading.current_thread())
        return super().get_news(symbol, start, end)


@pytest.mark.parametrize("far", [False, True], ids=["all local", "news from far away"])
async def test_a_tool_waits_for_a_network_beside_the_event_loop_whoever_gives_the_prices(
    context: RunContext, watch: Watch, far: bool
):
    settings = load_settings({"data_vendor": "near", "tool_vendors": {"get_news": "witness"}}, environ={})
    profile = Profile("ACMQ", "Acme", "stock", "technology")
    near, witness = RowsVendor(profiles={"ACMQ": profile}), Witness(local=not far)
    near.local = True  # type: ignore[misc]
    data = MarketData(settings, date(2025, 3, 14), vendors=Vendors(settings, {"near": near, "witness": witness}))
    asked = {"ticker": "ACMQ", "start_date": "2025-03-10", "end_date": "2025-03-14"}
    (message,) = await reply(replace(context, data=data), {"name": "get_news", "args": asked})
    assert witness.threads, message.text
    assert all((thread is threading.current_thread()) is not far for thread in witness.threads)


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (
            {"name": "get_stock_data", "args": {"symbol": "ACMQ"}},
            "start_date: Field required; end_date: Field required",
        ),
        (
            {"name": "get_income_statement", "args": {"ticker": "ACMQ", "freq": "weekly"}},
            "freq: Input should be 'quarterly' or 'annual'",
        ),
        (
            {"name": "get_ttm_analysis", "args": {"ticker": "ACMQ", "until": LATER}},
            "until: Extra inputs are not permitted",
        ),
        ({"name": "get_ttm_analysis", "args": {"ticker": "../../x"}}, "'../../x' is not a ticker symbol"),
        ({"name": "get_balance_sheet", "args": {"ticker": "CRGQ"}}, "CRGQ"),
        ({"name": "buy", "args": {"ticker": "ACMQ"}}, "buy is not a valid tool"),
    ],
)
async def test_a_call_that_cannot_be_answered_gets_an_error_that_says_why(
    context: RunContext, watch: Watch, call: dict[str, Any], answer: str
):
    (message,) = await reply(context, call)
    assert message.status == "error"
    assert answer in message.content
    assert "Traceback" not in message.content
    assert "runtime" not in message.content
    (ended,) = watch.of("tool_end")
    assert (ended.node, ended.data["tool"], ended.data["status"]) == ("Some Analyst", call["name"], "error")
    assert context.data.sheet.rows == () or not any(row.figures for row in context.data.sheet.rows)


async def test_who_listens_hears_of_every_call_and_of_its_failure(context: RunContext):
    listener = Listener()
    await reply(context, {"name": "get_ttm_analysis", "args": {"ticker": "ACMQ"}}, listener=listener)
    await reply(context, {"name": "get_ttm_analysis", "args": {"ticker": "../../x"}}, listener=listener)
    assert listener.heard == ["get_ttm_analysis", "get_ttm_analysis", "BadSymbol"]


async def test_a_model_cannot_pass_its_own_run(context: RunContext):
    forged = {"name": "get_stock_data", "args": {**QUESTIONS[get_stock_data], "runtime": {"context": None}}}
    (message,) = await reply(context, forged)
    assert message.content == get_stock_data.ask(context.data, **QUESTIONS[get_stock_data]).to_markdown()


async def test_calls_of_one_message_are_answered_each_whatever_becomes_of_the_others(context: RunContext):
    messages = await reply(
        context,
        {"name": "get_stock_data", "args": QUESTIONS[get_stock_data]},
        {"name": "get_balance_sheet", "args": {"ticker": "CRGQ"}},
        {"name": "get_macro_regime", "args": {"curr_date": DAY}},
    )
    assert [(message.tool_call_id, message.status) for message in messages] == [
        ("c0", "success"),
        ("c1", "error"),
        ("c2", "success"),
    ]


async def test_every_call_is_seen_to_begin_and_to_end(context: RunContext, watch: Watch):
    await reply(context, {"name": "get_macro_regime", "args": {"curr_date": LATER}})
    started, ended = watch.events
    about = {"tool": "get_macro_regime", "call": "c0"}
    assert (started.type, started.data) == ("tool_start", {**about, "args": {"curr_date": LATER}})
    assert started.message == f"get_macro_regime(curr_date={LATER})"
    assert (ended.type, ended.message, ended.data["status"]) == (
        "tool_end",
        "Macro regime: regime_score 1, vix 25.86, signal_vix_level -1",
        "success",
    )
    assert f"{LATER} lies after {DAY}" in ended.data["content"]


async def test_a_bug_in_a_tool_is_no_tool_message(context: RunContext, monkeypatch: pytest.MonkeyPatch):
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(type(context.data), "prices", broken)
    with pytest.raises(ZeroDivisionError):
        await reply(context, {"name": "get_stock_data", "args": QUESTIONS[get_stock_data]})
