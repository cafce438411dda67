"""With the default settings the five fungible methods fall back to Alpha Vantage, where its key is set (issue 10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.dataflows.vendors import alpha_vantage_payloads as av
from tests.support import yahoo_server as yahoo
from tests.support.vendor_server import Request, VendorServer, vendor_server
from tradingagents.capabilities.scanner import get_industry_performance, get_market_indices
from tradingagents.dataflows.interface import FALLBACK_ALLOWED, Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import SectorMember
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.errors import AllVendorsFailed, DataError
from tradingagents.settings import load_settings

FRIDAY = date(2025, 3, 14)
NOW = datetime(2025, 3, 14, 22, tzinfo=UTC)
"""Two hours after New York closed: what is asked is asked of today."""
SYMBOLS = ("ACMQ", "XLE", "SPY", "DIA", "ONEQ", "IWM")
ASK: dict[str, Callable[[MarketData], Any]] = {
    "get_stock_data": lambda data: data.prices("ACMQ").close[-1],
    "get_sector_performance": lambda data: data.prices("XLE", method="get_sector_performance").close[-1],
    "get_market_indices": lambda data: get_market_indices.ask(data).indices,
    "get_market_movers": lambda data: data.market_movers("day_gainers"),
    "get_industry_performance": lambda data: data.sector_members("energy"),
}


@pytest.fixture
def alpha_vantage() -> Iterator[VendorServer]:
    with vendor_server() as server:
        days = sessions().between(date(2022, 12, 1), FRIDAY)
        bars = {day.isoformat(): av.bar(10, 20, 9, 10 + number / 100, 1000) for number, day in enumerate(days)}
        known = {
            **av.USUAL,
            "TOP_GAINERS_LOSERS": {**av.USUAL["TOP_GAINERS_LOSERS"], "last_updated": "2025-03-14 16:15:59 US/Eastern"},
            "ETF_PROFILE": {
                "net_assets": "1000000",
                "holdings": [
                    {"symbol": "ACMQ", "description": "ACME QUARK DEVICES INC", "weight": "0.25"},
                    {"symbol": "BRK.B", "description": "n/a", "weight": "0.125"},
                    {"symbol": "n/a", "description": "US DOLLAR", "weight": "0.01"},
                ],
            },
        }

        def reply(request: Request) -> Any:
            if request.query["function"] == "TIME_SERIES_DAILY":
                return av.daily(bars) if request.query["symbol"] in SYMBOLS else av.BAD_SYMBOL
            return known.get(request.query["function"], av.BAD_SYMBOL)

        server.answer("/query", reply)
        yield server


@pytest.fixture
def market(alpha_vantage: VendorServer, tmp_path: Path) -> Iterator[Callable[..., MarketData]]:
    """Return what opens a market whose Yahoo answers every request with 503."""
    with yahoo.yahoo_server() as server:
        for kind in {*yahoo.PATHS.values(), "cookie"}:
            server.answer(kind, yahoo.failing(503))

        def opened(key: str = av.KEY, **given: Any) -> MarketData:
            settings = load_settings(
                {
                    "home": tmp_path,
                    "vendor_urls": {"alpha_vantage": alpha_vantage.url},
                    "vendor_rates": {"alpha_vantage": "1000/second"},
                    "vendor_max_retries": 0,
                    **given,
                },
                environ={},
            )
            made = YFinanceVendor(
                timeout=5.0,
                cache_dir=tmp_path / "yahoo",
                session=yahoo.LocalSession(server.address),
                now=lambda: NOW,
            )
            environ = {"ALPHA_VANTAGE_API_KEY": key} if key else {}
            vendors = Vendors(settings, {"yfinance": made}, environ=environ, sleep=lambda _: None)
            return MarketData(settings, FRIDAY, vendors=vendors, now=lambda: NOW)

        yield opened


@pytest.mark.parametrize("method", sorted(FALLBACK_ALLOWED))
def test_with_yahoo_down_alpha_vantage_answers_and_the_sheet_says_so(method: str, market):
    assert set(ASK) == FALLBACK_ALLOWED
    data = market()
    assert ASK[method](data)
    assert f"{method} was answered by alpha_vantage since yfinance was unavailable." in data.sheet.substitutions


@pytest.mark.parametrize("method", sorted(FALLBACK_ALLOWED))
def test_without_its_key_nothing_changes_and_nobody_is_told_to_set_one(method: str, market, alpha_vantage):
    data = market(key="")
    with pytest.raises(DataError) as caught:
        ASK[method](data)
    assert "alpha" not in str(caught.value).lower()
    assert alpha_vantage.asked == []


@pytest.mark.parametrize(
    "chosen",
    [
        {"data_vendor": "yfinance"},
        {"data_vendors": {"core_stock_apis": "yfinance"}},
        {"tool_vendors": {"get_stock_data": "yfinance"}},
    ],
    ids=lambda chosen: next(iter(chosen)),
)
def test_one_vendor_chosen_stays_one_vendor(chosen: dict[str, Any], market, alpha_vantage):
    with pytest.raises(AllVendorsFailed, match="get_stock_data failed at yfinance:"):
        ASK["get_stock_data"](market(**chosen))
    assert alpha_vantage.asked == []


def test_a_profile_or_a_topic_fails_fast_though_its_category_has_two_vendors(market, alpha_vantage):
    data = market()
    with pytest.raises(AllVendorsFailed, match="get_profile failed at yfinance:"):
        data.profile("ACMQ")
    with pytest.raises(AllVendorsFailed, match="get_topic_news failed at yfinance:"):
        data.topic_news("oil", date(2025, 3, 10), FRIDAY)
    assert alpha_vantage.asked == []


def test_the_companies_of_a_sector_are_those_its_fund_holds(market):
    assert market().sector_members("energy") == (
        SectorMember("ACMQ", "ACME QUARK DEVICES INC", weight=25.0),
        SectorMember("BRK-B", "BRK-B", weight=12.5),
    )
    assert "ACMQ" in get_industry_performance.ask(market(), sector_key="energy").to_markdown()


def test_where_a_source_has_no_index_funds_that_track_them_are_shown_as_such(market):
    result = get_market_indices.ask(market())
    assert [row.symbol for row in result.indices] == ["SPY", "DIA", "ONEQ", "IWM"]
    text = result.to_markdown()
    assert "SPY, a fund that tracks the S&P 500" in text
    assert "The source has no indices: funds that track them are shown, with prices in USD" in text
