from __future__ import annotations

from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage

from tests.offline.scan.prompts import fenced, scan_system, scanner, sector_table
from tradingagents.offline.answer import answer

SECTORS = [
    "| Energy | 0.50% | 2.00% | 3.00% | 4.00% |",
    "| Utilities | 0.10% | 1.00% | -9.00% | 5.00% |",
    "| Materials | 0.20% | 0.10% | 5.00% | 1.00% |",
    "| Financials | 0.20% | 0.10% | 1.00% | 1.00% |",
]


def tool(name: str, *parameters: str) -> dict[str, Any]:
    return {"function": {"name": name, "parameters": {"properties": {parameter: {} for parameter in parameters}}}}


TOOLS = [
    tool("get_topic_news", "topic", "limit"),
    tool("get_market_movers", "category"),
    tool("get_market_indices"),
    tool("get_sector_performance"),
    tool("get_industry_performance", "sector_key"),
]


def asked(messages: list[BaseMessage]) -> list[tuple[str, dict[str, Any]]]:
    calls = answer(messages, TOOLS).tool_calls
    assert len({call["id"] for call in calls}) == len(calls)
    return [(call["name"], call["args"]) for call in calls]


def opening(role: str, reports: dict[str, str] | None = None) -> list[BaseMessage]:
    told = f"{fenced(reports)}\n\n" if reports else ""
    return [scan_system(), HumanMessage(f"{told}# Your role: {role}\nWrite.")]


def test_the_geopolitical_scanner_asks_about_four_topics() -> None:
    topics = ("geopolitics", "trade policy sanctions", "central bank monetary policy", "energy oil commodities")
    assert asked(opening("Geopolitical Scanner")) == [("get_topic_news", {"topic": topic}) for topic in topics]


def test_the_movers_scanner_asks_for_three_screens_and_the_indices() -> None:
    assert asked(opening("Market Movers Scanner")) == [
        ("get_market_movers", {"category": "day_gainers"}),
        ("get_market_movers", {"category": "day_losers"}),
        ("get_market_movers", {"category": "most_actives"}),
        ("get_market_indices", {}),
    ]


def test_the_sector_scanner_asks_for_the_sectors() -> None:
    assert asked(opening("Sector Scanner")) == [("get_sector_performance", {})]


def test_the_deep_dive_asks_about_the_three_largest_moves() -> None:
    report = sector_table(SECTORS)
    assert asked(opening("Industry Deep Dive", {"sector_performance_report": report})) == [
        ("get_industry_performance", {"sector_key": "utilities"}),
        ("get_industry_performance", {"sector_key": "materials"}),
        ("get_industry_performance", {"sector_key": "energy"}),
        ("get_topic_news", {"topic": "Utilities"}),
        ("get_topic_news", {"topic": "Materials"}),
        ("get_topic_news", {"topic": "Energy"}),
    ]
    assert asked(opening("Industry Deep Dive")) == []


def test_beside_results_nothing_is_asked() -> None:
    assert asked(scanner("Sector Scanner", [("get_sector_performance", "", sector_table(SECTORS))])) == []
