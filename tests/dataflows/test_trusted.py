"""The whole way to a vendor under load and in trouble: one call a question, its rate, stand-ins that are named."""

from __future__ import annotations

import threading
from bisect import bisect_left
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources import finnhub
from tests.dataflows.vendors import finnhub_payloads
from tests.support.fakes import RowsVendor, make_prices
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tests.support.warm import WarmProcess
from tradingagents.capabilities.scanner import get_industry_performance
from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache
from tradingagents.dataflows.interface import FALLBACK_ALLOWED, Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Mover, SectorMember
from tradingagents.errors import AllVendorsFailed, RateLimited, VendorDown, VendorNotConfigured
from tradingagents.settings import Settings, load_settings

ROOT = Path(__file__).resolve().parents[2]
FRIDAY = date(2025, 3, 14)
NOW = datetime(2025, 6, 30, 22, tzinfo=UTC)
START = date(2025, 3, 1)


def at(server: VendorServer, home: Path, **given: Any) -> Settings:
    urls = {"finnhub": server.url}
    return load_settings({"data_vendor": "finnhub", "vendor_urls": urls, "home": home, **given}, environ={})


TRADES = {"data": [finnhub_payloads.trade("Jane Quark", 1000, "2025-03-10", "2025-03-12")], "symbol": "ACMQ"}


@pytest.mark.parametrize("cached", [True, False])
def test_fifty_who_ask_the_same_at_the_same_time_make_one_call(tmp_path: Path, cached: bool):
    with vendor_server() as server:
        server.answer("/stock/insider-transactions", Reply(TRADES, delay=1.0))
        settings = at(server, tmp_path)
        vendors = Vendors(settings, environ=finnhub.SOURCE.environ)
        cache = DiskCache(tmp_path / CACHE_FILE) if cached else None

        def ask(together: threading.Barrier | None) -> Any:
            market = MarketData(settings, FRIDAY, vendors=vendors, cache=cache, now=lambda: NOW)
            if together:
                together.wait(30)
            return market.insider_transactions("ACMQ")

        with ThreadPoolExecutor(50) as pool:
            answers = list(pool.map(ask, [threading.Barrier(50)] * 50))
        assert server.count() == 1
        assert [trade.insider for trade in answers[0]] == ["Jane Quark"]
        assert all(answer == answers[0] for answer in answers)
        ask(None)
        assert server.count() == (1 if cached else 2), "the cache keeps it, a flight does not"


def test_a_vendor_that_is_down_is_asked_three_times_for_fifty_askers(tmp_path: Path):
    """And the message of each says what happened, the breaker's too."""
    with vendor_server() as server:
        server.answer("/stock/insider-transactions", Reply({}, status=503, delay=0.1))
        settings = at(server, tmp_path)
        vendors = Vendors(settings, environ=finnhub.SOURCE.environ)

        def ask(_: int) -> str:
            with pytest.raises(AllVendorsFailed) as caught:
                MarketData(settings, FRIDAY, vendors=vendors, now=lambda: NOW).insider_transactions("ACMQ")
            return str(caught.value)

        with ThreadPoolExecutor(50) as pool:
            told = list(pool.map(ask, range(50)))
        assert server.count() == 3
        assert all(text.startswith("get_insider_transactions failed at finnhub: ") for text in told)


ASKERS = """
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path
from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.settings import load_settings
url, home, first = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
settings = load_settings(
    {"data_vendor": "finnhub", "vendor_urls": {"finnhub": url}, "home": home, "vendor_rates": {"finnhub": "40/second"}},
    environ={},
)
vendors = Vendors(settings, environ={"FINNHUB_API_KEY": "SECRET-of-two-processes-1234"})
cache = DiskCache(home / CACHE_FILE)
def ask(number):
    symbol = f"{first}{chr(65 + number // 26)}{chr(65 + number % 26)}"
    market = MarketData(settings, date(2025, 3, 14), vendors=vendors, cache=cache,
                        now=lambda: datetime(2025, 6, 30, 22, tzinfo=UTC))
    assert len(market.insider_transactions(symbol)) == 1
with ThreadPoolExecutor(25) as pool:
    list(pool.map(ask, range(50)))
"""


def test_a_hundred_different_questions_of_two_processes_keep_within_the_rate(tmp_path: Path):
    with vendor_server() as server:
        server.answer("/stock/insider-transactions", TRADES)
        command = ["-c", ASKERS, server.url, str(tmp_path)]
        askers = [WarmProcess([*command, first], cwd=ROOT) for first in "XY"]
        assert [asker.wait(timeout=90) for asker in askers] == [0, 0]
        arrived = sorted(request.at for request in server.asked)
        assert len({request.query["symbol"] for request in server.asked}) == len(arrived) == 100
    assert arrived[-1] - arrived[0] > 1.4, "100 at 40 a second take a second and a half at least"
    busiest = max(bisect_left(arrived, first + 1.0) - index for index, first in enumerate(arrived))
    assert busiest <= 60, "40, and some that a busy machine brought late"
    (held,) = DiskCache(tmp_path / CACHE_FILE).held()
    assert (held.vendor, held.method, held.entries, held.misses, held.hits) == (
        "finnhub",
        "get_insider_transactions",
        100,
        100,
        0,
    )


KNOWN = datetime(2025, 3, 14, 20, tzinfo=UTC)


def second() -> RowsVendor:
    return RowsVendor(
        prices={"ACME": make_prices("ACME")},
        movers=(Mover("ACME", "Acme", 10.0, 3.0, 1e6, KNOWN),),
        members={"energy": (SectorMember("ACME", "Acme Ltd", weight=9.0),)},
    )


def market(first: RowsVendor, other: RowsVendor) -> MarketData:
    settings = load_settings({"data_vendor": "first,second"}, environ={})
    vendors = Vendors(settings, {"first": first, "second": other}, environ={})
    return MarketData(settings, FRIDAY, vendors=vendors, now=lambda: NOW)


ASKED = {
    "get_stock_data": lambda data: data.prices("ACME"),
    "get_market_indices": lambda data: data.prices("ACME", method="get_market_indices"),
    "get_sector_performance": lambda data: data.prices("ACME", method="get_sector_performance"),
    "get_market_movers": lambda data: data.market_movers("day_gainers"),
    "get_industry_performance": lambda data: data.sector_members("energy"),
}


@pytest.mark.parametrize("error", [VendorDown("down."), RateLimited("slow."), VendorNotConfigured("key refused.")])
@pytest.mark.parametrize("method", sorted(FALLBACK_ALLOWED))
def test_with_the_first_down_a_fungible_question_is_answered_by_the_second_and_the_sheet_says_so(
    method: str, error: Exception
):
    assert set(ASKED) == FALLBACK_ALLOWED
    data = market(RowsVendor(error=error), second())
    assert ASKED[method](data)
    sentence = f"{method} was answered by second since first was unavailable."
    assert data.sheet.substitutions == (sentence,)
    (row,) = data.sheet.to_records()
    assert (row["vendor"], row["notes"]) == ("second", [sentence])


def test_with_the_first_up_nothing_is_said():
    data = market(second(), second())
    for ask in ASKED.values():
        assert ask(data)
    assert data.sheet.substitutions == ()


@pytest.mark.parametrize(
    "method",
    {
        "get_income_statement": lambda data: data.statements("ACME", "income"),
        "get_balance_sheet": lambda data: data.statements("ACME", "balance"),
        "get_cashflow": lambda data: data.statements("ACME", "cashflow"),
        "get_news": lambda data: data.news("ACME", START, FRIDAY),
        "get_indicators": lambda data: data.prices("ACME", method="get_indicators"),
        "get_profile": lambda data: data.profile("ACME"),
        "get_insider_transactions": lambda data: data.insider_transactions("ACME"),
    }.items(),
    ids=lambda one: one[0],
)
def test_with_the_first_down_any_other_question_fails_fast_naming_method_and_vendor(method: Any):
    """Through the market; `test_interface` has every method of the router."""
    name, ask = method
    other = second()
    with pytest.raises(AllVendorsFailed, match=f"{name} failed at first: down"):
        ask(market(RowsVendor(error=VendorDown("down.")), other))
    assert other.asked == []


def test_a_stand_in_is_named_where_a_view_of_its_own_was_asked():
    """The companies of an industry have no rows of their own, but for those of a stand-in."""
    prices = RowsVendor(error=VendorDown("down."))
    data = market(prices, second())
    get_industry_performance.ask(data, sector_key="energy")
    assert "get_stock_data was answered by second since first was unavailable." in data.sheet.substitutions
