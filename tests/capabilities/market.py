"""The trading capabilities with a question each, and the small snapshot market they are asked on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from tests.support.snapshot_folder import write_snapshot
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.company import (
    get_balance_sheet,
    get_cashflow,
    get_fundamentals,
    get_income_statement,
    get_peer_multiples,
    get_ttm_analysis,
)
from tradingagents.capabilities.news import get_global_news, get_insider_transactions, get_macro_indicators, get_news
from tradingagents.capabilities.prices import (
    get_indicators,
    get_macro_regime,
    get_peer_comparison,
    get_sector_relative,
    get_stock_data,
)
from tradingagents.capabilities.social import get_social_sentiment
from tradingagents.dataflows.market_data import MarketData
from tradingagents.settings import load_settings

AS_OF = date(2025, 3, 14)
DAY, LATER = AS_OF.isoformat(), "2025-06-13"
QUESTIONS: Mapping[Capability, dict[str, Any]] = {
    get_stock_data: {"symbol": "ACMQ", "start_date": "2024-09-16", "end_date": DAY},
    get_indicators: {"symbol": "ACMQ", "indicator": "close_50_sma,rsi,macdh,atr", "curr_date": DAY},
    get_macro_regime: {"curr_date": DAY},
    get_fundamentals: {"ticker": "ACMQ", "curr_date": DAY},
    get_balance_sheet: {"ticker": "ACMQ", "curr_date": DAY},
    get_cashflow: {"ticker": "ACMQ", "curr_date": DAY},
    get_income_statement: {"ticker": "ACMQ", "curr_date": DAY},
    get_ttm_analysis: {"ticker": "ACMQ", "curr_date": DAY},
    get_peer_comparison: {"ticker": "ACMQ", "curr_date": DAY},
    get_sector_relative: {"ticker": "ACMQ", "curr_date": DAY},
    get_peer_multiples: {"ticker": "ACMQ", "curr_date": DAY},
    get_news: {"ticker": "ACMQ", "start_date": "2025-03-07", "end_date": DAY},
    get_global_news: {"curr_date": DAY, "look_back_days": 7, "limit": 5},
    get_insider_transactions: {"ticker": "ACMQ"},
    get_social_sentiment: {"ticker": "ACMQ", "curr_date": DAY},
    get_macro_indicators: {"indicator": "unemployment rate, 10y", "curr_date": DAY},
}
CAPABILITIES = tuple(QUESTIONS)


def snapshot_market(folder: Path, as_of: date = AS_OF) -> MarketData:
    """The small snapshot, as known on a day; the folder is written where it is missing."""
    if not (folder / "snapshot.json").is_file():
        write_snapshot(folder)
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(folder)}, environ={})
    return MarketData(settings, as_of)
