"""Small prompts of a scan in the layout that the scanner graph writes, about fictional companies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from tests.offline.prompts import result
from tradingagents.agents.scanners.candidates import HEADER as CANDIDATES_HEADER
from tradingagents.analytics.market.industry_performance import COMPANIES_HEADER, INDUSTRIES_HEADER
from tradingagents.analytics.market.market_indices import HEADER as INDICES_HEADER
from tradingagents.analytics.market.market_movers import HEADER as MOVERS_HEADER
from tradingagents.analytics.market.sector_performance import HEADER as SECTOR_HEADER

SYSTEM = "You scan.\n\n# Market\nScan date: 2025-03-14\nLast session: 2025-03-14\nExchange: XNYS"
SUMMARY_TOOL = {"type": "function", "function": {"name": "ScanSummary", "parameters": {}}}
Call = tuple[str, str, str | Exception]
"""Tool, the argument it was asked with, and what it gave; an exception stands for a call that failed."""


def scan_system() -> SystemMessage:
    return SystemMessage(SYSTEM)


def scanner(role: str, calls: Sequence[Call], *, reports: Mapping[str, str] | None = None) -> list[BaseMessage]:
    """Write a scanner's messages: its calls stand in one message, as primed calls do."""
    asked = [
        {"name": name, "args": {"asked": argument} if argument else {}, "id": f"call_{number}", "type": "tool_call"}
        for number, (name, argument, _) in enumerate(calls)
    ]
    given = [
        ToolMessage(
            str(text),
            name=name,
            tool_call_id=f"call_{number}",
            status="error" if isinstance(text, Exception) else "success",
        )
        for number, (name, _, text) in enumerate(calls)
    ]
    told = f"{fenced(reports)}\n\n" if reports else ""
    return [scan_system(), HumanMessage(f"{told}# Your role: {role}\nWrite."), AIMessage("", tool_calls=asked), *given]


def fenced(reports: Mapping[str, str]) -> str:
    return "# Reports\n" + "\n".join(
        f'<report name="{name}" by="Somebody">\n{text}\n</report>' for name, text in reports.items()
    )


def synthesis(reports: Mapping[str, str], rows: Sequence[str], asked: str = "8 to 10") -> list[BaseMessage]:
    """Write the messages of the macro synthesis."""
    told = fenced({**reports, "candidates": candidates_table(rows)})
    role = f"# Your role: Macro Synthesis\nWeigh.\n\nPicks asked: {asked}"
    return [scan_system(), HumanMessage(f"{told}\n\n{role}")]


def table(header: str, rows: Sequence[str]) -> str:
    return "\n".join([header, "|" + "---|" * (header.count("|") - 1), *rows])


def tabulated(title: str, header: str, rows: Sequence[str], note: str = "") -> str:
    """Write a result whose tables show every figure."""
    head = f"## {title}\n\n(source example, as of 2025-03-14, 5 rows)\n\n{table(header, rows)}"
    return f"{head}\n\nNote: {note}" if note else head


def movers(category: str, rows: Sequence[str]) -> Call:
    return "get_market_movers", category, tabulated(f"Market movers: {category}", MOVERS_HEADER, rows)


def indices(rows: Sequence[str]) -> Call:
    return "get_market_indices", "", tabulated("Market indices", INDICES_HEADER, rows)


def sector_table(rows: Sequence[str]) -> str:
    return tabulated("Sector performance", SECTOR_HEADER, rows)


def industries(sector: str, companies: Sequence[str], groups: Sequence[str]) -> Call:
    text = tabulated(f"Industry performance: {sector}", COMPANIES_HEADER, companies)
    below = table(INDUSTRIES_HEADER, groups)
    return "get_industry_performance", sector, f"{text}\n\n{below}"


def news_on(topic: str, body: str, count: int) -> Call:
    return "get_topic_news", topic, result(f"News on {topic}", {"articles": f"{count} articles"}, body)


def candidates_table(rows: Sequence[str]) -> str:
    return "\n".join([CANDIDATES_HEADER, *rows])


def candidate(
    ticker: str,
    day: str = "n/a",
    week: str = "n/a",
    month: str = "n/a",
    *,
    sector: str = "n/a",
    seen: str = "get_industry_performance:technology",
    name: str = "",
) -> str:
    return f"| {ticker} | {name or f'{ticker} Works'} | {sector} | {day} | {week} | {month} | {seen} |"
