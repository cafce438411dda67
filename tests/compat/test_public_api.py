"""Calls that scripts written for the public API make: each holds, on the simulated market with the offline provider."""

from __future__ import annotations

import asyncio
import copy
import json
import pickle
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.graph import END, START, StateGraph

from tradingagents.agents.schemas import Decision
from tradingagents.dataflows.config import LegacyConfigWarning, get_config, set_config
from tradingagents.default_config import DEFAULT_CONFIG
from tradingagents.errors import BadDate, BadSymbol, ModelFailure, SettingsError, UsageError
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.settings import load_settings

TICKER, DAY = "VELQ", "2025-03-14"
ACTIONS = ("BUY", "SELL", "HOLD")


def offline(home: Path, **changes: Any) -> dict[str, Any]:
    config = DEFAULT_CONFIG.copy()
    config.update(llm_provider="offline", data_vendor="simulated", home=str(home), max_debate_rounds=1, **changes)
    config.update(max_risk_discuss_rounds=1)
    return config


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("eval_results")


@pytest.fixture(scope="module")
def ta(home: Path, results: Path) -> TradingAgentsGraph:
    return TradingAgentsGraph(config=offline(home, results_dir=str(results)))


@pytest.fixture(scope="module")
def propagated(ta: TradingAgentsGraph) -> tuple[Any, Any]:
    return ta.propagate(TICKER, DAY)


@pytest.fixture
def decision(propagated: tuple[Any, Any]) -> Any:
    return propagated[1]


@pytest.fixture
def state(propagated: tuple[Any, Any]) -> Any:
    return propagated[0]


@pytest.fixture
def configured(home: Path) -> Iterator[None]:
    """Set the configuration of plain calls, as the first lines of such a script do; undone after the test."""
    from tradingagents.dataflows import config

    token = config._CONFIG.set(None)
    set_config({"llm_provider": "offline", "data_vendor": "simulated", "home": str(home)})
    yield
    config._CONFIG.reset(token)


# The decision


def test_the_decision_is_its_action_as_text(decision: Any):
    assert isinstance(decision, str)
    assert decision in ACTIONS
    assert str(decision) == decision.action == decision.upper().strip() == decision.lower().upper()
    assert decision in f"The answer is {decision}"
    assert decision[:2] in decision
    assert {"BUY": 1, "SELL": -1, "HOLD": 0}[decision] in (-1, 0, 1)
    assert json.loads(json.dumps({"decision": decision})) == {"decision": decision.action}
    assert f"{decision:>6}|" == f"{decision.action:>6}|"
    assert f"{decision}" == decision.action


def test_the_decision_carries_the_whole_decision(decision: Any):
    assert isinstance(decision.decision, Decision)
    for name in Decision.model_fields:
        assert getattr(decision, name) == getattr(decision.decision, name)
    assert decision.model_dump(mode="json")["action"] == decision
    assert "confidence" in dir(decision)
    assert decision == decision.decision
    with pytest.raises(AttributeError):
        _ = decision.no_such_field


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])  # noqa: S301
def test_the_decision_survives_copies_and_pickles(decision: Any, duplicate: Any):
    twin = duplicate(decision)
    assert (type(twin), twin, twin.decision) == (type(decision), decision, decision.decision)
    assert hash(twin) == hash(decision) == hash(str(decision.action))


# The graph's object


def test_the_state_has_messages_and_is_kept_by_date(ta: TradingAgentsGraph, state: Any):
    assert isinstance(state["messages"][-1], AIMessage)
    assert [message.name for message in state["messages"]][-1] == "Risk_Manager"
    assert state["messages"][0].content == state["market_report"]
    assert ta.curr_state["final_trade_decision"] == state["final_trade_decision"]
    logged = ta.log_states_dict[DAY]
    assert logged["company_of_interest"] == TICKER
    json.dumps(logged)


def test_the_results_file(results: Path, propagated: Any):
    path = results / TICKER / "TradingAgentsStrategy_logs" / f"full_states_log_{DAY}.json"
    logged = json.loads(path.read_text("utf-8"))[DAY]
    assert logged["final_trade_decision"] == propagated[0]["final_trade_decision"]


def test_process_signal(ta: TradingAgentsGraph, state: Any, decision: Any):
    assert ta.process_signal(state["final_trade_decision"]) == decision
    assert ta.process_signal(state["trader_investment_plan"]) in ACTIONS
    assert ta.process_signal("After all: FINAL TRANSACTION PROPOSAL: **HOLD**, though some would BUY.") == "HOLD"
    assert ta.process_signal("I would SELL.") == "SELL"
    for text in ("No idea.", "BUY or SELL?"):
        with pytest.raises(UsageError, match="does not state one action"):
            ta.process_signal(text)


def test_models_memories_and_config_are_where_they_were(ta: TradingAgentsGraph):
    assert ta.quick_thinking_llm is ta.mid_thinking_llm
    assert ta.deep_thinking_llm is not None
    assert ta.config["llm_provider"] == "offline"
    assert ta.config.get("no_such_key", 7) == 7
    assert {**ta.config}["max_debate_rounds"] == 1
    assert "deep_think_llm" in ta.config
    with pytest.raises(KeyError):
        _ = ta.config["no_such_key"]
    ta.bull_memory.add_situations([("High inflation and rising rates", "Prefer defensive sectors")])
    (match,) = ta.bull_memory.get_memories("rising rates and high inflation", n_matches=1)
    assert match["recommendation"] == "Prefer defensive sectors"


def test_positional_arguments_and_chosen_analysts(home: Path):
    ta = TradingAgentsGraph(["market"], False, offline(home))
    state, decision = ta.propagate(TICKER.lower(), date(2025, 3, 14))
    assert decision in ACTIONS
    assert state.get("news_report") is None


def test_debug_prints_what_the_agents_write(home: Path, capsys: pytest.CaptureFixture[str]):
    state, _ = TradingAgentsGraph(["market"], debug=True, config=offline(home)).propagate(TICKER, DAY)
    shown = capsys.readouterr().out
    for author in ("Market Analyst", "Bull Researcher", "Research Manager", "Trader", "Risk Manager"):
        assert f" {author} ====" in shown
    assert state["market_report"].splitlines()[-1] in shown
    assert "Market Analyst calls get_stock_data(" in shown


@pytest.mark.parametrize(("ticker", "day", "error"), [("AAPL", 20250314, BadDate), (7, DAY, BadSymbol)])
def test_an_argument_of_another_type_is_a_typed_error(ta: TradingAgentsGraph, ticker: Any, day: Any, error: Any):
    with pytest.raises(error):
        ta.propagate(ticker, day)


# The compiled graph


def test_the_graph_streams_from_the_propagators_state(ta: TradingAgentsGraph, state: Any):
    first = ta.propagator.create_initial_state(TICKER, DAY)
    chunks = list(ta.graph.stream(first, **ta.propagator.get_graph_args()))
    assert all("messages" in chunk for chunk in chunks)
    assert chunks[-1]["final_trade_decision"] == state["final_trade_decision"]
    assert chunks[-1]["messages"][-1].content == state["final_trade_decision"]


def test_the_graph_is_invoked_with_a_ticker_and_a_date(ta: TradingAgentsGraph, state: Any):
    asked = {"company_of_interest": TICKER, "trade_date": DAY}
    assert ta.graph.invoke(asked)["final_trade_decision"] == state["final_trade_decision"]
    awaited = asyncio.run(ta.graph.ainvoke(asked))
    assert awaited["final_trade_decision"] == state["final_trade_decision"]


def test_the_graph_without_a_question_says_what_is_missing(ta: TradingAgentsGraph):
    with pytest.raises(UsageError, match="company_of_interest and trade_date"):
        ta.graph.invoke({})


# Agents outside the graph


def test_a_researcher_and_an_analyst_called_plainly(configured: None, ta: TradingAgentsGraph):
    from tradingagents.agents import FinancialSituationMemory, create_bull_researcher, create_market_analyst

    analyst = create_market_analyst(ta.quick_thinking_llm)
    asked = {"company_of_interest": TICKER, "trade_date": DAY, "messages": [("human", TICKER)]}
    report = analyst(asked)["market_report"]
    assert report == ta.curr_state["market_report"]
    assert analyst.invoke(asked)["market_report"] == report
    bull = create_bull_researcher(ta.quick_thinking_llm, FinancialSituationMemory("bull_memory"))
    debate = {"history": "", "bull_history": "", "bear_history": "", "current_response": "", "count": 0}
    said = bull({**asked, "market_report": report, "investment_debate_state": debate})["investment_debate_state"]
    assert said["count"] == 1
    assert said["current_response"] in said["bull_history"]


def test_factories_in_a_graph_of_ones_own_sync_and_async(configured: None, ta: TradingAgentsGraph):
    from tradingagents.agents import AgentState, create_bull_researcher, create_market_analyst, create_news_analyst
    from tradingagents.agents import create_research_manager as create_manager

    own = StateGraph(AgentState)
    own.add_node("Market", create_market_analyst(ta.quick_thinking_llm))
    own.add_node("News", create_news_analyst(ta.quick_thinking_llm))
    own.add_node("Bull", create_bull_researcher(ta.quick_thinking_llm, ta.bull_memory))
    own.add_node("Manager", create_manager(ta.deep_thinking_llm, ta.invest_judge_memory))
    for start, end in ((START, "Market"), ("Market", "News"), ("News", "Bull"), ("Bull", "Manager"), ("Manager", END)):
        own.add_edge(start, end)
    graph, asked = own.compile(), {"company_of_interest": TICKER, "trade_date": DAY}
    done = graph.invoke(asked)
    assert done["decisions"]["investment_plan"]["action"] in ACTIONS
    assert asyncio.run(graph.ainvoke(asked))["investment_plan"] == done["investment_plan"]


def test_graph_setup_and_conditional_logic(configured: None, ta: TradingAgentsGraph):
    from tradingagents.graph import ConditionalLogic, GraphSetup

    logic = ConditionalLogic(max_debate_rounds=1, max_risk_discuss_rounds=1)
    setup = GraphSetup(ta.quick_thinking_llm, ta.deep_thinking_llm, {}, *ta.memories.values(), logic)
    done = setup.setup_graph(["market"]).invoke({"company_of_interest": TICKER, "trade_date": DAY})
    assert done["decisions"]["final_trade_decision"]["action"] in ACTIONS
    assert logic.should_continue_debate(done) == "Research Manager"
    assert logic.should_continue_debate({}) == "Bull Researcher"
    assert logic.should_continue_risk_analysis(done) == "Risk Manager"
    assert logic.should_continue_risk_analysis({}) == "Aggressive Debator"


def test_the_reflector_draws_one_lesson(configured: None, ta: TradingAgentsGraph, state: Any):
    from tradingagents.graph import Propagator, Reflector, SignalProcessor

    assert Propagator(50).get_graph_args()["config"] == {"recursion_limit": 50}
    assert SignalProcessor(ta.quick_thinking_llm).process_signal("HOLD") == "HOLD"
    from tradingagents.agents.utils.memory import FinancialSituationMemory

    for name, method in (("bull_memory", "reflect_bull_researcher"), ("trader_memory", "reflect_trader")):
        memory = FinancialSituationMemory(name, {"llm_provider": "offline"})
        lesson = getattr(Reflector(ta.quick_thinking_llm), method)(state, 1000, memory)
        assert len(memory) == 1
        assert lesson


def test_reflect_and_remember(home: Path):
    ta = TradingAgentsGraph(["market"], config=offline(home))
    ta.propagate(TICKER, DAY)
    assert set(ta.reflect_and_remember(1000)) <= set(ta.memories)


# Data


def test_a_plain_route_to_vendor_answers_as_text(configured: None):
    from tradingagents.dataflows.interface import route_to_vendor

    text = route_to_vendor("get_stock_data", TICKER, "2025-01-02", DAY)
    assert TICKER in text
    assert DAY in text
    assert route_to_vendor("get_stock_data", symbol=TICKER, start_date="2025-01-02", end_date=DAY) == text
    with pytest.raises(UsageError, match="did you mean get_stock_data"):
        route_to_vendor("get_stock_dat", TICKER)
    with pytest.raises(UsageError, match="takes symbol, start_date, end_date"):
        route_to_vendor("get_stock_data", TICKER, "2025-01-02", DAY, "more")
    with pytest.raises(UsageError, match="start_date"):
        route_to_vendor("get_stock_data", TICKER, "yesterday", DAY)


def test_nothing_known_after_the_latest_date_of_the_question_is_in_the_answer(configured: None):
    from tradingagents.dataflows.interface import route_to_vendor

    early = route_to_vendor("get_news", TICKER, "2025-03-01", "2025-03-07")
    later = route_to_vendor("get_news", TICKER, "2025-03-01", "2025-03-14")
    assert "2025-03-1" not in early.replace("2025-03-01", "")
    assert early != later


def test_the_tables_of_the_router():
    from tradingagents.dataflows.interface import (
        FALLBACK_ALLOWED,
        TOOLS_CATEGORIES,
        VENDOR_LIST,
        VENDOR_METHODS,
        get_category_for_method,
    )

    assert get_category_for_method("get_news") == "news_data"
    assert "get_stock_data" in TOOLS_CATEGORIES["core_stock_apis"]["tools"]
    assert {"yfinance", "alpha_vantage"} <= set(VENDOR_METHODS["get_stock_data"])
    assert "fred" not in VENDOR_METHODS["get_stock_data"]
    assert set(FALLBACK_ALLOWED) <= set(VENDOR_METHODS)
    assert "simulated" in VENDOR_LIST
    with pytest.raises(UsageError, match="did you mean get_news"):
        get_category_for_method("get_newz")


def test_a_vendor_from_the_table_answers(configured: None):
    from tradingagents.dataflows.interface import VENDOR_METHODS

    prices = VENDOR_METHODS["get_stock_data"]["simulated"](TICKER, date(2025, 1, 2), date(2025, 3, 14))
    assert prices.symbol == TICKER


def test_get_config_and_set_config_hold_in_their_context_only(configured: None):
    assert get_config()["data_vendor"] == "simulated"
    seen = []

    async def elsewhere() -> None:
        set_config({"output_language": "German"})
        seen.append(get_config()["output_language"])

    asyncio.run(elsewhere())
    assert (seen, get_config()["output_language"]) == (["German"], "English")
    with pytest.raises(SettingsError, match="did you mean"):
        set_config({"llm_providr": "openai"})


def test_tools_by_both_paths_are_invoked(configured: None):
    from langgraph.prebuilt import ToolNode

    from tradingagents.agents.utils import agent_utils
    from tradingagents.capabilities.prices import get_stock_data

    asked = {"symbol": TICKER, "start_date": "2025-01-02", "end_date": DAY}
    text = get_stock_data.invoke(asked)
    assert agent_utils.get_stock_data.invoke(asked) == text
    assert asyncio.run(get_stock_data.ainvoke(asked)) == text
    assert ToolNode([agent_utils.get_stock_data]) is not None
    assert agent_utils.get_market_indices.invoke({})


def test_run_tool_loop(configured: None):
    from tradingagents.agents.utils.agent_utils import get_stock_data
    from tradingagents.agents.utils.tool_runner import run_tool_loop

    call = {"name": "get_stock_data", "args": {"symbol": TICKER, "start_date": "2025-03-03", "end_date": DAY}}
    asks = AIMessage("", tool_calls=[{**call, "id": "1", "type": "tool_call"}])
    wrong = AIMessage("", tool_calls=[{"name": "get_nothing", "args": {}, "id": "2", "type": "tool_call"}])
    model = ScriptedChatModel([asks, wrong, AIMessage("Done.")])
    answer = run_tool_loop(model, [HumanMessage("Go")], [get_stock_data])
    assert answer.content == "Done."
    results = [message for message in model.calls[-1].messages if isinstance(message, ToolMessage)]
    assert [message.status for message in results] == ["success", "error"]
    assert TICKER in str(results[0].content)
    with pytest.raises(ModelFailure, match="after 1 rounds"):
        run_tool_loop(ScriptedChatModel([asks, asks]), [HumanMessage("Go")], [get_stock_data], max_rounds=1)


def test_extract_json_and_top_sectors():
    from tradingagents.agents.scanners.industry_deep_dive import _extract_top_sectors
    from tradingagents.agents.utils.json_utils import extract_json

    assert extract_json('<think>{"a": 0}</think>\n```json\n{"a": 1}\n```') == {"a": 1}
    with pytest.raises(ValueError, match="no JSON object"):
        extract_json("nothing")
    table = "| Sector | 1-Month |\n|---|---|\n| Energy | +7.5% |\n| Utilities | -1.0% |\n| Financials | -9.0% |\n"
    assert _extract_top_sectors(table) == ["financials", "energy", "utilities"]


# Names and configuration


def test_names_are_where_scripts_import_them_from():
    import default_config
    import tradingagents.agents as agents
    import tradingagents.graph as graph
    from tradingagents.agents.utils.agent_states import AgentState, InvestDebateState, RiskDebateState
    from tradingagents.dataflows import config

    assert default_config.DEFAULT_CONFIG is DEFAULT_CONFIG is config.DEFAULT_CONFIG
    assert all(getattr(agents, name) is not None for name in agents.__all__)
    assert sum(name.startswith("create_") for name in agents.__all__) == 17
    assert all(getattr(graph, name) is not None for name in graph.__all__)
    assert agents.AgentState is AgentState
    assert {"history", "count"} <= set(InvestDebateState.__annotations__) & set(RiskDebateState.__annotations__)
    with pytest.raises(AttributeError, match="no attribute 'create_nothing'"):
        _ = agents.create_nothing


@pytest.mark.parametrize(
    ("key", "value", "instead"),
    [
        ("data_cache_dir", "./cache", "set `home`"),
        ("project_dir", "./", "set `home`"),
        ("online_tools", True, "data_vendor"),
    ],
)
def test_an_original_key_is_accepted_with_a_warning_that_names_ours(home: Path, key: str, value: Any, instead: str):
    with pytest.warns(LegacyConfigWarning, match=f"{key} has no effect.*{instead}"):
        assert TradingAgentsGraph(config=offline(home, **{key: value})).config["llm_provider"] == "offline"


def test_original_vendor_values_are_translated_with_a_warning(home: Path):
    old = {"core_stock_apis": "simulated", "news_data": "local", "fundamental_data": "openai"}
    with pytest.warns(LegacyConfigWarning) as caught:
        ta = TradingAgentsGraph(config={**offline(home), "data_vendors": old})
    vendors = ta.config["data_vendors"]
    assert (vendors["news_data"], vendors["fundamental_data"]) == ("snapshot", "yfinance")
    assert any("data_vendors['news_data']='local'" in str(one.message) for one in caught)


def test_original_keys_can_be_read_from_the_defaults():
    assert Path(DEFAULT_CONFIG["project_dir"]).name == "tradingagents"
    assert DEFAULT_CONFIG["data_cache_dir"]
    assert DEFAULT_CONFIG["results_dir"] is None
    assert DEFAULT_CONFIG["backend_url"] is None
    with pytest.raises(KeyError):
        _ = DEFAULT_CONFIG["no_such_key"]


def test_a_mistyped_key_is_still_refused(home: Path):
    with pytest.raises(SettingsError, match="did you mean max_debate_rounds"):
        TradingAgentsGraph(config={**offline(home), "max_debate_round": 1})


def test_the_results_folder_does_not_change_the_question():
    from tradingagents.runtime.fingerprint import NOT_ASKED

    assert "results_dir" in NOT_ASKED
    assert load_settings({"results_dir": "./results"}, environ={}).results_dir == Path("results").absolute()


def test_the_scanner_graph_too(home: Path):
    from tradingagents.graph.scanner_graph import ScannerGraph

    scanner = ScannerGraph(config=offline(home), debug=False)
    assert scanner.graph.invoke({"scan_date": DAY})["summary"]["stocks_to_investigate"]
