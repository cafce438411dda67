"""The tools a report role asks for when its prompt holds no result yet: the prescribed ones, with plain arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from langchain_core.messages import ToolCall

from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.offline.reading import Prompt
from tradingagents.offline.scan.sectors import SECTOR_REPORT, largest, sector_moves

Wish = tuple[str, Mapping[str, str]]
"""A tool, and the arguments that the role sets itself."""

INDICATORS = "close_50_sma,close_200_sma,close_10_ema,macdh,rsi,boll_ub,boll_lb,atr"
CHOSEN = ("close_10_ema", "macdh", "boll_ub", "boll_lb")
"""Indicators that the market analyst's rules read beside the four that are fetched for it."""
CALL_AGAIN = "call it again"
"""Stands in the answer to a call whose arguments were not readable, see `agents.builders.report`."""
ATTEMPTS = 3
"""Calls of one tool after which a role does without the rest."""
TOPICS = ("geopolitics", "trade policy sanctions", "central bank monetary policy", "energy oil commodities")
CATEGORIES = ("day_gainers", "day_losers", "most_actives")
DEEP = 3
"""Sectors that the industry deep dive looks into."""
_DAYS_BACK = {"get_stock_data": 365, "get_news": 7}


def _plain(*tools: str) -> tuple[Wish, ...]:
    return tuple((tool, {}) for tool in tools)


PRESCRIBED: Mapping[str, tuple[Wish, ...]] = {
    "Market Analyst": _plain("get_stock_data", "get_indicators", "get_macro_regime"),
    "Social Media Analyst": _plain("get_news", "get_social_sentiment"),
    "News Analyst": _plain("get_news", "get_global_news", "get_insider_transactions"),
    "Fundamentals Analyst": _plain(
        "get_ttm_analysis", "get_fundamentals", "get_peer_comparison", "get_sector_relative"
    ),
    "Geopolitical Scanner": tuple(("get_topic_news", {"topic": topic}) for topic in TOPICS),
    "Market Movers Scanner": (
        *(("get_market_movers", {"category": category}) for category in CATEGORIES),
        *_plain("get_market_indices", "get_macro_regime"),
    ),
    "Sector Scanner": _plain("get_sector_performance"),
}


def wanted_calls(prompt: Prompt, tools: Sequence[Mapping[str, Any]]) -> list[ToolCall]:
    """Return calls of the prescribed tools that are bound, or of those a role chooses after their results.

    None without a date, and none where a role has the results it needs.

    Args:
        prompt: What the role was given.
        tools: Bound tools in the OpenAI format.
    """
    day = prompt.instrument.trade_date
    if day is None:
        return []
    schemas = {tool["function"]["name"]: tool["function"].get("parameters", {}) for tool in tools}
    return [
        ToolCall(
            name=name,
            args=_arguments(name, schemas[name], prompt.instrument.ticker, day, own),
            id=f"offline_{number}_{name}",
            type="tool_call",
        )
        for number, (name, own) in enumerate(_wishes(prompt), start=1)
        if name in schemas
    ]


def _wishes(prompt: Prompt) -> tuple[Wish, ...]:
    if prompt.tools:
        return _chosen(prompt)
    if prompt.role != "Industry Deep Dive":
        return PRESCRIBED.get(prompt.role, ())
    sectors = [move.key for move in largest(sector_moves(prompt.reports.get(SECTOR_REPORT, "")), DEEP)]
    return (
        *(("get_industry_performance", {"sector_key": sector}) for sector in sectors),
        *(("get_topic_news", {"topic": DISPLAY[sector]}) for sector in sectors),
    )


def _chosen(prompt: Prompt) -> tuple[Wish, ...]:
    """Return the further indicators of the market analyst, after those that were fetched for it.

    Asked for once; again, a few times, where the answer says that the call arrived broken.
    """
    answers = [result for result in prompt.tools if result.tool == "get_indicators"]
    asked = [result for result in answers if not (result.failed and CALL_AGAIN in result.body)]
    if prompt.role != "Market Analyst" or len(asked) != 1 or asked[0].failed or len(answers) > ATTEMPTS:
        return ()
    missing = [name for name in CHOSEN if name not in asked[0].figures]
    return (("get_indicators", {"indicator": ",".join(missing)}),) if missing else ()


def _arguments(name: str, schema: Mapping[str, Any], ticker: str, day: date, own: Mapping[str, str]) -> dict[str, Any]:
    """Fill the parameters we know; the others keep their defaults."""
    known = {
        "symbol": ticker,
        "ticker": ticker,
        "start_date": (day - timedelta(days=_DAYS_BACK.get(name, 30))).isoformat(),
        "end_date": day.isoformat(),
        "curr_date": day.isoformat(),
        "indicator": INDICATORS,
        **own,
    }
    return {parameter: known[parameter] for parameter in schema.get("properties", {}) if parameter in known}
