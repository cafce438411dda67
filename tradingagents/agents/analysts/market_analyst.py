"""Market analyst: reads the macro regime, prices and indicators; writes `market_report` and `macro_regime_report`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tradingagents.agents.spec import ReportAgent, ReportSection, ToolCalls
from tradingagents.capabilities.prices import get_indicators, get_macro_regime, get_stock_data
from tradingagents.offline.brief import ReportRule
from tradingagents.offline.reports import further_indicators, market

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import AgentGraph
    from tradingagents.context import TradingContext

TOOLS = (get_macro_regime, get_stock_data, get_indicators)
PROMPT = """
You study how the stock trades. The macro regime, the daily bars and four indicators have been fetched for you: the averages
of 50 and 200 days for the trend, RSI for momentum, ATR for the daily range. Choose up to four more, in one call of
get_indicators, where they settle a question that these leave open: the MACD histogram or a 10-day average for a turn, the
Bollinger bands for a range, VWMA, OBV or MFI for whether volume confirms the move. Complement, don't repeat; eight in all.

Write a report of 350 to 600 words:
1. The macro regime, and what it means for a stock like this one.
2. Trend: where the price stands against its averages, and which way those point.
3. Momentum: whether the move is gaining or tiring; name divergences.
4. Volatility and levels: how far the stock usually moves in a day, where support and resistance lie.
5. What would prove this reading wrong.

End with a Markdown table | Metric | Value | Reading | Source | of the key metrics: the value with its unit exactly as the
tool gave it, what it says in a few words, and the tool it came from.
"""
INDICATORS = "close_50_sma,close_200_sma,rsi,atr"
"""Medium and long trend, momentum and daily range: what every report needs. The analyst chooses the rest."""
WINDOW = timedelta(days=180)


def initial_calls(context: TradingContext, _state: Mapping[str, Any]) -> ToolCalls:
    """Return the prescribed calls: regime, half a year of bars, four indicators."""
    day, symbol = context.data.as_of, context.instrument.symbol
    return (
        (get_macro_regime, {"curr_date": day.isoformat()}),
        (
            get_stock_data,
            {"symbol": symbol, "start_date": (day - WINDOW).isoformat(), "end_date": day.isoformat()},
        ),
        (get_indicators, {"symbol": symbol, "indicator": INDICATORS, "curr_date": day.isoformat()}),
    )


SPEC = ReportAgent(
    name="Market Analyst",
    phase="analysts",
    tier="quick",
    choice="market",
    output_key="market_report",
    prompt=PROMPT,
    tools=TOOLS,
    initial_calls=initial_calls,
    copy_results={"macro_regime_report": get_macro_regime},
    sections=(
        ReportSection("market_report", "Market", "market report", "1_analysts/market.md"),
        ReportSection("macro_regime_report", "Macro regime", "macro regime report", "1_analysts/macro_regime.md"),
    ),
    offline=ReportRule(market, further_indicators),
)


def create_market_analyst(llm: BaseChatModel) -> AgentGraph:
    """Return the market analyst."""
    from tradingagents.agents.builders.report import report_agent

    return report_agent(SPEC, llm)
