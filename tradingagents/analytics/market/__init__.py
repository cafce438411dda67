"""Results about the whole market: indices, sectors, industries, macro data, calendars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.analytics.market.earnings_calendar import EarningsCalendar
    from tradingagents.analytics.market.economic_calendar import EconomicCalendar
    from tradingagents.analytics.market.industry_performance import IndustryPerformance
    from tradingagents.analytics.market.macro_indicators import MacroIndicator, MacroIndicators
    from tradingagents.analytics.market.macro_regime import MacroRegime
    from tradingagents.analytics.market.market_movers import MarketIndices, MarketMovers
    from tradingagents.analytics.market.sectors import SectorPerformance, SectorRelative, largest_moves

__all__ = [
    "EarningsCalendar",
    "EconomicCalendar",
    "IndustryPerformance",
    "MacroIndicator",
    "MacroIndicators",
    "MacroRegime",
    "MarketIndices",
    "MarketMovers",
    "SectorPerformance",
    "SectorRelative",
    "largest_moves",
]

__getattr__ = lazy_names(
    __name__,
    {
        "EarningsCalendar": "earnings_calendar",
        "EconomicCalendar": "economic_calendar",
        "IndustryPerformance": "industry_performance",
        "MacroIndicator": "macro_indicators",
        "MacroIndicators": "macro_indicators",
        "MacroRegime": "macro_regime",
        "MarketIndices": "market_movers",
        "MarketMovers": "market_movers",
        "SectorPerformance": "sectors",
        "SectorRelative": "sectors",
        "largest_moves": "sectors",
    },
)
