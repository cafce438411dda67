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
    from tradingagents.analytics.market.market_indices import MarketIndices
    from tradingagents.analytics.market.market_movers import MarketMovers
    from tradingagents.analytics.market.sector_performance import SectorPerformance, largest_moves
    from tradingagents.analytics.market.sector_relative import SectorRelative

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
        "MarketIndices": "market_indices",
        "MarketMovers": "market_movers",
        "SectorPerformance": "sector_performance",
        "SectorRelative": "sector_relative",
        "largest_moves": "sector_performance",
    },
)
