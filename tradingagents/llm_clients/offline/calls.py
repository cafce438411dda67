"""The tools a report role asks for when its prompt holds no result yet: the prescribed ones, with plain arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from langchain_core.messages import ToolCall

from tradingagents.llm_clients.offline.reading import Prompt

INDICATORS = "close_50_sma,close_200_sma,close_10_ema,macdh,rsi,boll_ub,boll_lb,atr"
PRESCRIBED: Mapping[str, tuple[str, ...]] = {
    "Market Analyst": ("get_stock_data", "get_indicators", "get_macro_regime"),
    "Social Media Analyst": ("get_news",),
    "News Analyst": ("get_news", "get_global_news", "get_insider_transactions"),
    "Fundamentals Analyst": ("get_ttm_analysis", "get_fundamentals", "get_peer_comparison", "get_sector_relative"),
}
_DAYS_BACK = {"get_stock_data": 365, "get_news": 7}


def wanted_calls(prompt: Prompt, tools: Sequence[Mapping[str, Any]]) -> list[ToolCall]:
    """Return calls of the prescribed tools that are bound; none without a trade date or beside a result.

    Args:
        prompt: What the role was given.
        tools: Bound tools in the OpenAI format.
    """
    day = prompt.instrument.trade_date
    if prompt.tools or day is None:
        return []
    schemas = {tool["function"]["name"]: tool["function"].get("parameters", {}) for tool in tools}
    return [
        ToolCall(
            name=name,
            args=_arguments(name, schemas[name], prompt.instrument.ticker, day),
            id=f"offline_{name}",
            type="tool_call",
        )
        for name in PRESCRIBED.get(prompt.role, ())
        if name in schemas
    ]


def _arguments(name: str, schema: Mapping[str, Any], ticker: str, day: date) -> dict[str, Any]:
    """Fill the parameters we know; the others keep their defaults."""
    known = {
        "symbol": ticker,
        "ticker": ticker,
        "start_date": (day - timedelta(days=_DAYS_BACK.get(name, 30))).isoformat(),
        "end_date": day.isoformat(),
        "curr_date": day.isoformat(),
        "indicator": INDICATORS,
    }
    return {parameter: known[parameter] for parameter in schema.get("properties", {}) if parameter in known}
