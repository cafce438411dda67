"""Small prompts in the layout that the agents write, about a fictional company."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from tradingagents.dataflows.reference.metrics import HEADER
from tradingagents.offline.tables import Row, row_text

VERDICT_TOOL = {"type": "function", "function": {"name": "Verdict", "parameters": {}}}
Tools = Mapping[str, Mapping[str, str]]

SYSTEM = """You are one of the agents of a desk.

# Instrument
Ticker: ZZZX
Name: Zzyzx Gadgets Inc.
Sector: {sector}
Currency: USD
Trade date: 2025-03-14
Last close: 100.00"""

BULLISH: Tools = {
    "get_stock_data": {
        "last_close": "100.00 USD",
        "change_1m": "6.00%",
        "change_3m": "20.00%",
        "high_52w": "101.00 USD",
        "volatility_20d": "24.00%",
        "max_drawdown_1y": "-12.00%",
    },
    "get_indicators": {
        "close_50_sma": "95.00 USD",
        "close_200_sma": "85.00 USD",
        "close_10_ema": "98.50 USD",
        "macdh": "0.40 USD",
        "rsi": "61.00",
        "boll_ub": "104.00 USD",
        "boll_lb": "90.00 USD",
        "atr": "2.00 USD",
        "close": "100.00 USD",
    },
    "get_macro_regime": {"regime_score": "4", "vix": "14.50", "signal_breadth": "1"},
    "get_ttm_analysis": {
        "ttm_revenue": "40.00B USD",
        "ttm_net_income": "8.00B USD",
        "ttm_operating_cash_flow": "10.00B USD",
        "ttm_free_cash_flow": "8.00B USD",
        "operating_margin": "27.00%",
        "net_margin": "20.00%",
        "roe": "30.00%",
        "revenue_qoq": "4.00%",
        "revenue_yoy": "21.00%",
        "debt_to_equity": "0.40x",
    },
    "get_fundamentals": {"pe_ttm": "18.00x", "ps_ttm": "3.50x", "ev_ebitda": "12.00x", "fcf_yield": "5.00%"},
    "get_peer_comparison": {
        "alpha_1m": "2.00%",
        "alpha_3m": "9.00%",
        "alpha_6m": "12.00%",
        "rank_3m": "2",
        "peers": "9",
    },
}
BEARISH: Tools = {
    "get_stock_data": {
        "last_close": "100.00 USD",
        "change_1m": "-8.00%",
        "change_3m": "-22.00%",
        "high_52w": "150.00 USD",
        "volatility_20d": "44.00%",
        "max_drawdown_1y": "-34.00%",
    },
    "get_indicators": {
        "close_50_sma": "106.00 USD",
        "close_200_sma": "120.00 USD",
        "close_10_ema": "102.00 USD",
        "macdh": "-0.50 USD",
        "rsi": "38.00",
        "boll_ub": "112.00 USD",
        "boll_lb": "97.00 USD",
        "atr": "4.00 USD",
        "close": "100.00 USD",
    },
    "get_macro_regime": {"regime_score": "-2", "vix": "24.00", "signal_breadth": "-1"},
    "get_ttm_analysis": {
        "ttm_revenue": "40.00B USD",
        "ttm_net_income": "1.00B USD",
        "ttm_operating_cash_flow": "0.30B USD",
        "ttm_free_cash_flow": "-0.60B USD",
        "operating_margin": "3.00%",
        "net_margin": "2.50%",
        "roe": "4.00%",
        "revenue_qoq": "-5.00%",
        "revenue_yoy": "-9.00%",
        "debt_to_equity": "2.10x",
    },
    "get_fundamentals": {"pe_ttm": "48.00x", "ps_ttm": "9.00x", "ev_ebitda": "30.00x", "fcf_yield": "-0.50%"},
    "get_peer_comparison": {
        "alpha_1m": "-5.00%",
        "alpha_3m": "-14.00%",
        "alpha_6m": "-18.00%",
        "rank_3m": "8",
        "peers": "9",
    },
}
GOOD_NEWS = """### Zzyzx Gadgets beats estimates and raises guidance (Example Wire, 2025-03-14 12:00 UTC)
Profit surged on strong orders.

### Zzyzx upgraded after robust growth (Example Wire, 2025-03-13 09:00 UTC)

### Chip makers gain (Example Wire, 2025-03-10)
Relevance 0.50 (named once the summary is under way)."""
BAD_NEWS = """### Zzyzx Gadgets misses estimates and cuts guidance (Example Wire, 2025-03-14 12:00 UTC)
Losses widen as orders slump.

### Zzyzx downgraded after weak growth (Example Wire, 2025-03-13 09:00 UTC)

### Chip makers fall (Example Wire, 2025-03-10)
Relevance 0.50 (named once the summary is under way)."""


def result(title: str, figures: Mapping[str, str], body: str = "") -> str:
    """Write a tool result as `Result.to_markdown` does."""
    rows = "\n".join(f"| {name} | {text} |" for name, text in figures.items())
    head = f"## {title}\n\n(source example, as of 2025-03-14, 5 rows)\n\n{HEADER}\n{rows}"
    return f"{head}\n\n{body}" if body else head


def system(sector: str = "Industrials") -> SystemMessage:
    return SystemMessage(SYSTEM.format(sector=sector))


def analyst(role: str, results: Mapping[str, str | Exception], *, sector: str = "Industrials") -> list[BaseMessage]:
    """Write an analyst's messages; an exception stands for a tool that failed."""
    calls = [{"name": name, "args": {}, "id": f"call_{name}", "type": "tool_call"} for name in results]
    answers = [
        ToolMessage(
            str(given),
            name=name,
            tool_call_id=f"call_{name}",
            status="error" if isinstance(given, Exception) else "success",
        )
        for name, given in results.items()
    ]
    return [system(sector), HumanMessage(f"# Your role: {role}\nWrite."), AIMessage("", tool_calls=calls), *answers]


def market(tools: Tools) -> list[BaseMessage]:
    names = ("get_macro_regime", "get_stock_data", "get_indicators")
    return analyst("Market Analyst", {name: result(name, tools[name]) for name in names})


def fundamentals(tools: Tools, trend: str = "expanding", *, sector: str = "Industrials") -> list[BaseMessage]:
    names = ("get_ttm_analysis", "get_fundamentals", "get_peer_comparison")
    body = f"Margin trend: operating {trend}, gross stable, net stable (last 3 quarters)"
    given: dict[str, str | Exception] = {
        name: result(name, tools[name], body if name == "get_ttm_analysis" else "") for name in names
    }
    return analyst("Fundamentals Analyst", given, sector=sector)


def news(body: str, *, role: str = "News Analyst", count: int = 3) -> list[BaseMessage]:
    return analyst(role, {"get_news": result("News: ZZZX", {"articles": f"{count} articles"}, body)})


def report(rows: Sequence[Row], words: str = "Words.") -> str:
    """Write a report with its closing table."""
    table = "| Metric | Value | Reading | Source |\n|---|---|---|---|"
    return "\n".join([words, "", table, *(row_text(row) for row in rows)])


def human(
    role: str, *, reports: Mapping[str, str], extra: Sequence[str] = (), sector: str = "Industrials"
) -> list[Any]:
    """Write the messages of an agent that reads reports."""
    told = "\n".join(f'<report name="{name}" by="Somebody">\n{text}\n</report>' for name, text in reports.items())
    parts = ["# Reports\n" + told, *extra, f"# Your role: {role}\nDo it."]
    return [system(sector), HumanMessage("\n\n".join(parts))]


def debate(turns: Sequence[tuple[str, str]]) -> str:
    told = "\n".join(
        f'<turn speaker="{speaker}" number="{number}">\n{text}\n</turn>'
        for number, (speaker, text) in enumerate(turns, start=1)
    )
    return f"# Debate so far\n{told}"


def plan(name: str, **fields: str) -> str:
    lines = "\n".join(f"**{key.replace('_', ' ')}:** {value}  " for key, value in fields.items())
    return f'<plan name="{name}" by="Somebody">\n{lines}\n\n**Rationale:** Reasons.\n</plan>'
