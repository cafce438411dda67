"""The computed valuation in a trading run: offered to the fundamentals analyst, or fetched for all agents."""

from __future__ import annotations

from pathlib import Path

from langchain_core.messages import AIMessage

from tests.support.filings import filing
from tests.support.graph_factory import COMPANY, DAY, calls_tool, role_of, scripted, trading_graph
from tests.support.prompt_reader import prescribed_in
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.offline import scores
from tradingagents.retrieval.store import open_store
from tradingagents.settings import load_settings

REPORT = '<report name="valuation_report" by="Fundamentals Analyst">'


async def test_no_valuation_is_computed_unless_it_is_asked_for() -> None:
    model = scripted()
    run = await trading_graph(model).arun(COMPANY, DAY)
    assert "valuation_report" not in run.state
    offered = next(call.tools for call in model.calls if role_of(call.messages) == "Fundamentals Analyst")
    assert {"valuation", "fundamental_screen"} <= set(offered)
    assert not any(REPORT in message.text for call in model.calls for message in call.messages)


async def test_a_valuation_that_the_analyst_asks_for_reaches_every_later_agent() -> None:
    asked = calls_tool("valuation", ticker=COMPANY)
    model = scripted({"Fundamentals Analyst": [asked, AIMessage("The close of 96.58 stands far from it.")]})
    run = await trading_graph(model).arun(COMPANY, DAY)
    assert "| value_per_share |" in run.state["valuation_report"]
    readers = {role_of(call.messages) for call in model.calls if REPORT in call.messages[-1].text}
    assert {"Bull Researcher", "Research Manager", "Trader", "Neutral Debator", "Risk Manager"} <= readers


async def test_fetched_in_every_run_where_the_setting_says_so() -> None:
    model = scripted()
    run = await trading_graph(model, fetch_valuation=True).arun(COMPANY, DAY)
    assert run.state["valuation_report"].startswith("## Valuation: ")
    read = next(call for call in model.calls if role_of(call.messages) == "Fundamentals Analyst")
    results = [message.name for message in prescribed_in(read.messages) if message.type == "tool"]
    assert results[-2:] == ["valuation", "fundamental_screen"]


def test_the_offline_analyst_scores_what_was_fetched() -> None:
    config = {"data_vendor": "simulated", "llm_provider": "offline"}
    reports = {}
    for fetch in (False, True):
        with TradingAgentsGraph(config={**config, "fetch_valuation": fetch}) as graph:
            reports[fetch] = graph.propagate(COMPANY, DAY)[0]["fundamentals_report"]
    assert "| valuation |" not in reports[False]
    assert "| valuation |" in reports[True]


def test_figures_that_give_no_value_score_nothing_and_say_why() -> None:
    """CURZ has lost money every year: no usual margin, so no value and no value over price."""
    config = {"data_vendor": "simulated", "llm_provider": "offline", "fetch_valuation": True}
    with TradingAgentsGraph(config=config) as graph:
        state, _ = graph.propagate("CURZ", DAY)
    assert "| valuation |" not in state["fundamentals_report"]
    assert "No value from these figures" in str(state)
    assert "| value_per_share |" not in str(state)
    assert "| upside |" not in str(state)


def test_scores_of_value_and_piotroski() -> None:
    assert [scores.upside(percent).value for percent in (-110, -50, -20, 10, 200)] == [-1, 0, 0.5, 1, 1]
    assert [scores.piotroski(points).value for points in (1, 5, 7, 9)] == [-1, 0, 0.5, 1]


async def test_filings_of_the_company_in_the_store_can_be_searched(tmp_path: Path) -> None:
    with open_store(load_settings({"home": str(tmp_path)}, environ={})) as store:
        store.add(filing(COMPANY, "Veltrane Systems", 2023))
    model = scripted()
    await trading_graph(model, home=str(tmp_path)).arun(COMPANY, DAY)
    other = scripted()
    await trading_graph(other, home=str(tmp_path)).arun("OMBZ", DAY)
    offered = [
        "search_filings" in call.tools
        for asked in (model, other)
        for call in asked.calls
        if role_of(call.messages) == "Fundamentals Analyst"
    ]
    assert offered == [True, False]
