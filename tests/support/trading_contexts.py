"""The context of a trading run, for tests of what reads nothing but its settings and prices."""

from __future__ import annotations

from datetime import date
from typing import Any

from tests.support.graph_factory import COMPANY, DAY
from tradingagents.context import TradingContext
from tradingagents.dataflows.market_data import MarketData
from tradingagents.events import EventStream
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.settings import load_settings


def trading_context(last_close: float, daily_range: float | None, **settings: Any) -> TradingContext:
    """Return the context of a run on the simulated market in which a stock closed at a price."""
    told = load_settings({"data_vendor": "simulated", **settings}, environ={})
    data = MarketData(told, date.fromisoformat(DAY))
    return TradingContext(
        run_id="test",
        settings=told,
        data=data,
        preamble="",
        events=EventStream("test"),
        meter=UsageMeter(told),
        instrument=data.instrument(COMPANY),
        last_close=last_close,
        daily_range=daily_range,
    )
