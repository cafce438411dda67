"""Results computed from prices: returns, risk, indicators, daily range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.analytics.price.indicators import INDICATORS, Indicator, Indicators, IndicatorSeries
    from tradingagents.analytics.price.returns import (
        annualised_volatility,
        beta,
        horizon_returns,
        max_drawdown,
        returns_alongside,
        scan_returns,
        simple_return,
        year_to_date,
    )
    from tradingagents.analytics.price.stock_data import StockData, entry_band, year_range

__all__ = [
    "INDICATORS",
    "Indicator",
    "IndicatorSeries",
    "Indicators",
    "StockData",
    "annualised_volatility",
    "beta",
    "entry_band",
    "horizon_returns",
    "max_drawdown",
    "returns_alongside",
    "scan_returns",
    "simple_return",
    "year_range",
    "year_to_date",
]

__getattr__ = lazy_names(
    __name__,
    {
        "INDICATORS": "indicators",
        "Indicator": "indicators",
        "IndicatorSeries": "indicators",
        "Indicators": "indicators",
        "StockData": "stock_data",
        "annualised_volatility": "returns",
        "beta": "returns",
        "entry_band": "stock_data",
        "horizon_returns": "returns",
        "max_drawdown": "returns",
        "returns_alongside": "returns",
        "scan_returns": "returns",
        "simple_return": "returns",
        "year_range": "stock_data",
        "year_to_date": "returns",
    },
)
