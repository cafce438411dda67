"""A question crosses few functions on its way to a vendor, so that a reader can follow it and a traceback shows it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import tradingagents
from tests.support.snapshot_folder import write_snapshot
from tradingagents.capabilities.prices import get_stock_data
from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.vendor import METHODS
from tradingagents.errors import NoData
from tradingagents.settings import load_settings

pytestmark = pytest.mark.own_market
LIBRARY = Path(tradingagents.__file__).parent
VENDORS = str(LIBRARY / "dataflows" / "vendor")  # vendor.py, which answers where a vendor does not, and vendors/
METHOD_NAMES = frozenset(method.vendor_name for method in METHODS.values())
DAY = date(2025, 3, 14)
SINCE = DAY - timedelta(days=20)
OF_A_TOOL = 12
"""Most functions of the library from a tool to the vendor's method, both counted."""
OF_THE_MARKET = 9
"""The same from a method of the market; a statement may be that of another class of shares, which takes three more."""
QUESTIONS: dict[str, Callable[[MarketData, str], Any]] = {
    "prices": lambda market, symbol: market.prices(symbol),
    "profile": lambda market, symbol: market.profile(symbol),
    "peers": lambda market, symbol: market.peers(symbol, "technology"),
    "statements": lambda market, symbol: market.statements(symbol, "income"),
    "statement versions": lambda market, symbol: market.statement_versions(symbol, "income"),
    "financials": lambda market, symbol: market.financials(symbol, ("income",), "quarterly"),
    "ratios": lambda market, symbol: market.ratios(symbol),
    "news": lambda market, symbol: market.news(symbol, SINCE, DAY),
    "global news": lambda market, _: market.global_news(SINCE, DAY),
    "topic news": lambda market, _: market.topic_news("energy", SINCE, DAY),
    "insiders": lambda market, symbol: market.insider_transactions(symbol),
    "movers": lambda market, _: market.market_movers("day_gainers"),
    "sector members": lambda market, _: market.sector_members("technology"),
    "earnings": lambda market, _: market.earnings_calendar(SINCE, DAY),
    "releases": lambda market, _: market.economic_calendar(SINCE, DAY),
    "posts": lambda market, symbol: market.social_posts(symbol, SINCE, DAY),
    "filings": lambda market, symbol: market.filings(symbol, SINCE, DAY),
    "economic series": lambda market, _: market.macro_series("CPIAUCSL", SINCE),
}


@pytest.fixture(params=["simulated", "snapshot"])
def market_of(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Callable[[], MarketData], str]:
    """What makes a market of simulated or recorded data, and a company of it."""
    simulated = request.param == "simulated"
    given = {} if simulated else {"data_dir": str(write_snapshot(tmp_path / "recorded"))}
    settings = load_settings({"data_vendor": request.param, "tool_vendors": {}, **given}, environ={})
    vendors = Vendors(settings)
    return lambda: MarketData(settings, DAY, vendors=vendors, memo=Memo(64)), "VELQ" if simulated else "ACMQ"


def path_to_vendor(ask: Callable[[MarketData], Any], market: MarketData) -> list[str]:
    """Return the functions of the library on the stack when the first method of a vendor begins, the vendor's first."""
    found: list[str] = []

    def notice(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if found or event != "call" or code.co_name not in METHOD_NAMES or not code.co_filename.startswith(VENDORS):
            return
        caller: FrameType | None = frame
        while caller is not None:
            if caller.f_code.co_filename.startswith(str(LIBRARY)):
                found.append(caller.f_code.co_qualname)
            caller = caller.f_back

    sys.setprofile(notice)
    try:
        with suppress(NoData):
            ask(market)
    finally:
        sys.setprofile(None)
    return found


def test_a_price_crosses_few_functions_from_the_tool_to_the_vendor(
    market_of: tuple[Callable[[], MarketData], str],
) -> None:
    make, symbol = market_of
    asked = get_stock_data.checked({"symbol": symbol, "start_date": SINCE, "end_date": DAY})
    crossed = path_to_vendor(lambda market: get_stock_data.reply(market, asked), make())
    assert crossed[0].endswith("Vendor.get_stock_data")
    assert crossed[-1] == "Capability.reply"
    assert len(crossed) <= OF_A_TOOL, crossed


def test_every_question_takes_the_same_short_way(market_of: tuple[Callable[[], MarketData], str]) -> None:
    make, symbol = market_of
    for name, ask in QUESTIONS.items():
        crossed = path_to_vendor(lambda market, ask=ask: ask(market, symbol), make())
        assert {"OncePerRun.answer", "Validation.answer", "VendorCall.answer"} <= set(crossed), (name, crossed)
        statements = name in ("statements", "statement versions", "financials")
        assert len(crossed) <= OF_THE_MARKET + 3 * statements, (name, crossed)
