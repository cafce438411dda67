"""The alpha_vantage vendor on answers that Alpha Vantage gave: recorded payloads, the real library, a local server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.alpha_vantage import SOURCE
from tests.dataflows.vendors.alpha_vantage_payloads import events, fill, report, reports
from tests.support.vendor_server import VendorServer, vendor_server
from tradingagents.dataflows.vendor import Vendor

pytestmark = pytest.mark.real_data
Recorded = Callable[[str], Any]
NOW = datetime(2025, 10, 31, 12, tzinfo=UTC)


@pytest.fixture
def recorded(test_data: Path) -> Recorded:
    def load(name: str) -> Any:
        path = test_data / "market" / "vendor_payloads" / "alpha_vantage" / name
        if not path.is_file():
            pytest.skip(f"{name} is not among the recorded data")
        return json.loads(path.read_text(encoding="utf-8"))

    return load


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        yield running


@pytest.fixture
def vendor(server: VendorServer, tmp_path: Path) -> Vendor:
    return SOURCE.open(server, tmp_path, now=lambda: NOW)


@pytest.mark.parametrize("symbol", ["AAPL", "ABNB", "ADBE"])
def test_every_recorded_bar(vendor: Vendor, server: VendorServer, recorded: Recorded, symbol: str):
    answer = recorded(f"TIME_SERIES_DAILY/{symbol}.json")
    fill(server, TIME_SERIES_DAILY=answer, SPLITS=events(), DIVIDENDS=events())
    bars = answer["Time Series (Daily)"]
    prices = vendor.get_stock_data(symbol, date.fromisoformat(min(bars)), date.fromisoformat(max(bars)))
    assert [str(day) for day in prices.days] == sorted(bars)
    for at, day in enumerate(sorted(bars)):
        names = ("1. open", "2. high", "3. low", "4. close", "5. volume")
        columns = (prices.open, prices.high, prices.low, prices.close, prices.volume)
        assert [column[at] for column in columns] == [float(bars[day][name]) for name in names]
    assert prices.adj_close.tolist() == prices.close.tolist()


def test_recorded_statements(vendor: Vendor, server: VendorServer, recorded: Recorded):
    income = recorded("INCOME_STATEMENT/rt_mock_fundamental_data.json")
    balance = recorded("java_fundamentaldata/balancesheet.json")
    cash = recorded("java_fundamentaldata/cashflow.json")
    fill(server, INCOME_STATEMENT=income, BALANCE_SHEET=balance, CASH_FLOW=cash)
    years = vendor.get_statements("IBM", "income", "annual")
    assert len(years) == len(income["annualReports"])
    newest = years[0]
    assert (newest.period_end, newest.fiscal_year, newest.currency) == (date(2019, 12, 31), 2019, "USD")
    assert newest.items["revenue"] == 77_147_000_000.0
    assert newest.items["net_income"] == 9_431_000_000.0
    assert newest.items["income_tax"] == 731_000_000.0
    (sheet, *_) = vendor.get_statements("IBM", "balance", "annual")
    assert sheet.items["total_assets"] == 155_971_000_000.0
    assert sheet.items["cash"] == 13_212_000_000.0
    (flow, *_) = vendor.get_statements("IBM", "cashflow", "annual")
    assert flow.items["operating_cash_flow"] == 18_197_000_000.0
    assert flow.items["capital_expenditure"] == -2_618_000_000.0
    assert flow.items["free_cash_flow"] == 15_579_000_000.0
    assert flow.items["financing_cash_flow"] == -9_721_000_000.0
    quarters = vendor.get_statements("IBM", "income", "quarterly")
    assert {one.fiscal_period for one in quarters} == {"Q1", "Q2", "Q3", "Q4"}


def test_statements_are_known_after_the_recorded_day_of_results(
    vendor: Vendor, server: VendorServer, recorded: Recorded
):
    results = recorded("EARNINGS/AAPL_20240627.json")
    days = {row["fiscalDateEnding"]: row["reportedDate"] for row in results["quarterlyEarnings"]}
    books = reports(*(report(day, totalRevenue="1") for day in days), years=[report("2023-09-30", totalRevenue="4")])
    fill(server, INCOME_STATEMENT=books, EARNINGS=results)
    quarters = vendor.get_statements("AAPL", "income", "quarterly")
    assert len(quarters) == len(days) == 113
    # For one quarter Alpha Vantage has the period's last day as that of the results.
    assert [one.period_end for one in quarters if one.known_by == "assumed"] == [date(2000, 12, 31)]
    for one in (quarter for quarter in quarters if quarter.known_by == "accepted"):
        published = date.fromisoformat(days[one.period_end.isoformat()])
        assert timedelta(0) < one.known_at.date() - published <= timedelta(days=5)  # a weekend and a holiday
    newest = quarters[0]
    assert (newest.fiscal_year, newest.fiscal_period, newest.period_end) == (2024, "Q2", date(2024, 3, 31))
    assert newest.known_at == datetime(2024, 5, 3, 13, 30, tzinfo=UTC)  # after the close of May 2nd


def test_recorded_company(vendor: Vendor, server: VendorServer, recorded: Recorded):
    overview = recorded("OVERVIEW/rt_mock_company_overview.json")
    fill(server, OVERVIEW=overview)
    profile = vendor.get_profile("IBM")
    assert (profile.name, profile.sector) == ("International Business Machines Corporation", "technology")
    ratios = vendor.get_fundamentals("IBM")
    assert ratios.values["market_cap"] == float(overview["MarketCapitalization"])
    assert ratios.values["pe_ttm"] == float(overview["PERatio"])
    assert ratios.values["dividend_yield"] == pytest.approx(100 * float(overview["DividendYield"]))


def test_every_recorded_article(vendor: Vendor, server: VendorServer, recorded: Recorded):
    answer = recorded("NEWS_SENTIMENT/GLW_20240417.json")
    fill(server, NEWS_SENTIMENT=answer)
    found = vendor.get_news("GLW", datetime(2020, 1, 1, tzinfo=UTC), datetime(2024, 12, 31, tzinfo=UTC))
    assert len(answer["feed"]) == 50
    once = {(each["title"], each["time_published"]): each for each in reversed(answer["feed"])}
    assert len(found) == len(once) == 49  # one article came under two addresses
    by_url = {one.url: one for one in found}
    for article in once.values():
        one = by_url[article["url"]]
        assert one.title == " ".join(article["title"].split())
        assert f"{one.published_at:%Y%m%dT%H%M%S}" == article["time_published"]
        assert (one.source, one.summary) == (article["source"], article["summary"])
