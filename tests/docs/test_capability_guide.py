"""What the guides show in one file appears everywhere: tools, plain calls, the page, shared answers, the leak test."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from datetime import date, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langgraph.graph import END, START, MessagesState, StateGraph

from tests.contracts.test_look_ahead import AS_OF, CUTOFF, LATER, SIMULATED, Answers, questions
from tests.contracts.test_look_ahead import simulated as simulated_source
from tests.docs.blocks import ROOT
from tests.support.installed import example_of, installed
from tradingagents.capabilities.registry import CapabilityRegistry, built_in, by_name, registry
from tradingagents.capabilities.tools import standalone_tool, tool_node
from tradingagents.context import RunContext
from tradingagents.dataflows.config import set_config
from tradingagents.dataflows.gateway.answers.lru import Memo
from tradingagents.dataflows.interface import Vendors, route_to_vendor
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.vendor import METHODS, Vendor
from tradingagents.errors import NoData, SettingsError, UsageError
from tradingagents.events import EventStream
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.reports.anchors import source_markup, used_in
from tradingagents.reports.names import tool_label
from tradingagents.runtime.services import open_services
from tradingagents.settings import Settings, load_settings

GUIDES = ROOT / "docs" / "guides"
CAPABILITY, VENDOR = GUIDES / "adding-a-capability.md", GUIDES / "adding-a-vendor.md"


@pytest.fixture
def drawdown(tmp_path: Path) -> Iterator[None]:
    """The capability of the guide, installed."""
    with installed(tmp_path / "site", "tradingagents_drawdown", *example_of(CAPABILITY)):
        yield


@pytest.fixture
def exchange(tmp_path: Path) -> Iterator[None]:
    """The vendor of the guide with a question of its own, installed."""
    with installed(tmp_path / "site", "tradingagents_exchange", *example_of(VENDOR, 1)):
        yield


def simulated(tmp_path: Path, **more: Any) -> Settings:
    return load_settings({"data_vendor": "simulated", "home": tmp_path, **more}, environ={})


def with_exchange(tmp_path: Path, day: date, **more: Any) -> MarketData:
    settings = simulated(tmp_path, data_vendor=None, tool_vendors={"get_short_positions": "exchange"}, **more)
    return MarketData(settings, day, memo=Memo(16))


def test_an_installed_capability_is_in_the_registry_after_ours(drawdown: None):
    assert list(registry()) == [*built_in(), "get_drawdown"]
    assert by_name("get_drawdown").requires == {"get_stock_data"}


def test_and_is_gone_with_its_package():
    assert "get_drawdown" not in registry()
    with pytest.raises(UsageError, match="no tool 'get_drawdown'"):
        by_name("get_drawdown")


def test_reports_and_pages_call_it_by_its_title(drawdown: None, tmp_path: Path):
    assert tool_label("get_drawdown") == "Drawdown from the high"
    assert 'href="#data-drawdown"' in source_markup("get_drawdown")
    data = MarketData(simulated(tmp_path), date(2025, 3, 14))
    by_name("get_drawdown").ask(data, ticker=SIMULATED)
    places = used_in({"market_report": "| 12.5 % | `get_drawdown` |"}, [], data.sheet.to_records())
    assert [title for _, title in places["get_drawdown"]] == ["Market"]


def test_a_plain_call_and_a_standalone_tool_answer_it(drawdown: None, tmp_path: Path):
    set_config({"data_vendor": "simulated", "home": str(tmp_path)})
    text = route_to_vendor("get_drawdown", SIMULATED, "2025-03-14")
    assert text.startswith(f"## Drawdown of {SIMULATED}")
    assert "| drawdown | " in text
    asked = {"ticker": SIMULATED, "curr_date": "2025-03-14"}
    assert by_name("get_drawdown").invoke(asked) == text
    assert standalone_tool(by_name("get_drawdown")).invoke(asked) == text


async def test_a_model_calls_it_as_a_tool_of_a_run(drawdown: None, tmp_path: Path):
    data = MarketData(simulated(tmp_path), AS_OF)
    context = RunContext(
        run_id="r",
        settings=data.settings,
        data=data,
        preamble="",
        events=EventStream("r"),
        meter=UsageMeter(data.settings),
        executor=ThreadPoolExecutor(1),
    )
    graph = StateGraph(MessagesState, RunContext)
    graph.add_node("tools", tool_node([by_name("get_drawdown")], agent="Some Analyst"))
    graph.add_edge(START, "tools")
    graph.add_edge("tools", END)
    call = {"name": "get_drawdown", "args": {"ticker": SIMULATED}, "id": "1", "type": "tool_call"}
    state = await graph.compile().ainvoke({"messages": [AIMessage("", tool_calls=[call])]}, context=context)
    assert state["messages"][-1].content.startswith(f"## Drawdown of {SIMULATED}")
    assert "get_drawdown" in {row.method for row in data.sheet.rows}


def test_runs_share_its_answer_of_a_past_day(drawdown: None, tmp_path: Path):
    memo = Memo(16)
    given = by_name("get_drawdown").arguments.model_validate({"ticker": SIMULATED})
    first, second = (
        by_name("get_drawdown").reply(MarketData(simulated(tmp_path), AS_OF, memo=memo), given) for _ in range(2)
    )
    assert first.result is second.result


def test_the_generated_page_describes_it(drawdown: None, monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as patch:  # undone at once: a later undo would bring the package's folder back
        patch.syspath_prepend(str(ROOT / "docs"))
        from pages.tools import tools_page
        from pages.watched import Watched

    settings = load_settings({"data_vendor": "simulated"}, environ={})
    only = CapabilityRegistry([registry()["get_drawdown"]])
    page = tools_page(Watched({}, settings, Vendors(settings)), only)
    assert "## get_drawdown" in page
    assert "Ticker, for example AAPL." in page
    assert "`drawdown` (%)" in page


def test_the_leak_test_asks_it(drawdown: None, tmp_path: Path):
    asked = {"get_drawdown": questions(registry())["get_drawdown"]}
    with ExitStack() as opened:
        found = Answers(lambda poisoned: simulated_source(tmp_path, poisoned), asked, opened)
        assert found["get_drawdown", True, AS_OF] == found["get_drawdown", False, AS_OF]
        assert found["get_drawdown", True, LATER] != found["get_drawdown", False, LATER], "the poison would show"


def test_a_capability_of_a_package_takes_no_name_of_ours(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    code, points = example_of(CAPABILITY)
    with installed(tmp_path / "site", "tradingagents_drawdown", code.replace("get_drawdown", "get_news"), points):
        assert registry()["get_news"] is built_in()["get_news"]
    assert "offers a tool 'get_news', which there is already" in caplog.text


def test_a_package_that_cannot_be_loaded_disturbs_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    with installed(
        tmp_path / "site", "tradingagents_drawdown", "raise RuntimeError('half')", example_of(CAPABILITY)[1]
    ):
        assert list(registry()) == list(built_in())
    assert "cannot be loaded (RuntimeError: half)" in caplog.text


# A question that one vendor brings with it


def test_a_vendors_own_question_is_declared_with_it_alone(exchange: None, tmp_path: Path):
    vendors = Vendors(simulated(tmp_path))
    method = vendors.methods["get_short_positions"]
    assert (method.category, method.vendor_name) == ("fundamental_data", "get_short_positions")
    assert "get_short_positions" not in METHODS
    assert not vendors.get("simulated").supports(method)
    assert vendors.get("exchange").supports(method)


def test_its_rows_are_cut_at_the_day_and_stand_in_the_data_sheet(exchange: None, tmp_path: Path):
    asked = by_name("get_short_interest")
    data = with_exchange(tmp_path, AS_OF)
    assert asked.ask(data, ticker="aapl").shares == 4_000_000, "that of the day itself is published a week later"
    assert asked.ask(with_exchange(tmp_path, LATER), ticker="aapl").shares == 9_000_000
    assert {(row.method, row.symbol, row.vendor) for row in data.sheet.rows} == {
        ("get_short_positions", "AAPL", "exchange"),
        ("get_short_interest", "AAPL", "exchange"),
    }
    with pytest.raises(NoData, match="had been published by 2025-02-03"):
        asked.ask(with_exchange(tmp_path, date(2025, 2, 3)), ticker="aapl")


def test_settings_know_the_question_and_refuse_a_mistyped_one(exchange: None, tmp_path: Path):
    models = {"llm_provider": "offline"}
    open_services(simulated(tmp_path, tool_vendors={"get_short_positions": "exchange"}, **models), {}).close()
    with pytest.raises(SettingsError, match="did you mean get_short_positions"):
        open_services(simulated(tmp_path, tool_vendors={"get_short_position": "exchange"}, **models), {})


def test_a_vendor_without_it_says_so(exchange: None, tmp_path: Path):
    data = MarketData(simulated(tmp_path), AS_OF)
    assert not by_name("get_short_interest").is_available(data)
    assert by_name("get_short_interest").is_available(with_exchange(tmp_path, AS_OF))
    with pytest.raises(NoData, match="simulated has no get_short_positions; choose another vendor in tool_vendors"):
        by_name("get_short_interest").ask(data, ticker="AAPL")


def test_its_answers_go_to_the_cache_and_come_back(exchange: None, tmp_path: Path):
    from tradingagents.dataflows.gateway.answers.codec import decode, encode

    vendors = Vendors(simulated(tmp_path))
    method = vendors.methods["get_short_positions"]
    rows = vendors.answer("exchange", method, "AAPL")
    assert decode(method, json.loads(json.dumps(encode(method, rows)))) == rows


def test_the_leak_test_poisons_it(exchange: None, tmp_path: Path):
    """The generic poison of the contract: rows of any question that became known a second after the cut-off."""
    kind: type[Vendor] = import_module("tradingagents_exchange").ExchangeVendor

    class Poisoned(kind):  # type: ignore[misc, valid-type]
        def get_short_positions(self, symbol: str) -> tuple[Any, ...]:
            known = super().get_short_positions(symbol)
            late = [replace(row, shares=9.99e14, known_at=CUTOFF + timedelta(seconds=1)) for row in known]
            return (*late, *known)

    def answer(vendor: Vendor, day: date) -> str:
        settings = simulated(tmp_path, data_vendor=None, tool_vendors={"get_short_positions": "exchange"})
        data = MarketData(settings, day, vendors=Vendors(settings, {"exchange": vendor}))
        return by_name("get_short_interest").ask(data, ticker="AAPL").to_markdown()

    assert answer(Poisoned(), AS_OF) == answer(kind(), AS_OF)
    assert answer(Poisoned(), LATER) != answer(kind(), LATER)
