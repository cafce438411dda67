"""The yfinance vendor on answers that Yahoo gave: recorded payloads, the real client, the local server."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.support import yahoo_server as yahoo
from tests.support.yahoo_server import LocalSession, YahooServer
from tradingagents.dataflows.models import Dividend, Split
from tradingagents.dataflows.vendors.yfinance.answers import check_answer
from tradingagents.dataflows.vendors.yfinance.totals import contradicted_total, totals_of
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.errors import NoData

pytestmark = pytest.mark.real_data
Recorded = Callable[[str], Any]


@pytest.fixture
def recorded(test_data: Path) -> Recorded:
    def load(name: str) -> Any:
        path = test_data / "market" / "vendor_payloads" / "yahoo" / name
        if not path.is_file():
            pytest.skip(f"{name} is not among the recorded data")
        raw = path.read_bytes()
        return json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)

    return load


@pytest.fixture
def server() -> Iterator[YahooServer]:
    with yahoo.yahoo_server() as running:
        yield running


def vendor_at(server: YahooServer, tmp_path: Path, now: datetime) -> YFinanceVendor:
    return YFinanceVendor(cache_dir=tmp_path, session=LocalSession(server.address), now=lambda: now)


def test_apple_in_autumn_2020(server: YahooServer, recorded: Recorded, tmp_path: Path) -> None:
    server.answer("chart", recorded("chart/chart-AAPL-2020-08-31-to-2020-11-07.json"))
    vendor = vendor_at(server, tmp_path, datetime(2020, 11, 8, tzinfo=UTC))
    bars = vendor.get_stock_data("AAPL", date(2020, 8, 31), date(2020, 11, 6))
    assert len(bars) == 49
    assert bars.close[0] == pytest.approx(129.04, abs=0.005)
    assert bars.close[-1] == pytest.approx(118.69, abs=0.005)
    assert bars.adj_close[0] == pytest.approx(125.827, abs=0.001)
    assert bars.volume[0] == 225702700
    assert bars.splits == (Split(date(2020, 8, 31), 4.0),)
    assert bars.dividends == (Dividend(date(2020, 11, 6), 0.205),)


def test_the_live_bar_of_a_closed_session_is_kept(server: YahooServer, recorded: Recorded, tmp_path: Path) -> None:
    server.answer("chart", recorded("chart/rs_history_chart_AAPL.json"))
    vendor = vendor_at(server, tmp_path, datetime(2025, 10, 29, 21, tzinfo=UTC))
    bars = vendor.get_stock_data("AAPL", date(2025, 4, 30), date(2025, 10, 29))
    assert len(bars) == 127
    assert str(bars.days[-1]) == "2025-10-29"
    assert bars.close[-1] == pytest.approx(269.70, abs=0.005)
    assert [paid.day for paid in bars.dividends] == [date(2025, 5, 12), date(2025, 8, 11)]


def test_a_london_share_in_pounds(server: YahooServer, recorded: Recorded, tmp_path: Path) -> None:
    server.answer("chart", recorded("chart/chart-OCDO.L-2020-01-01-to-2020-01-03.json"))
    vendor = vendor_at(server, tmp_path, datetime(2020, 1, 4, tzinfo=UTC))
    bars = vendor.get_stock_data("OCDO.L", date(2020, 1, 2), date(2020, 1, 3))
    assert (bars.currency, bars.close.tolist()) == ("GBP", pytest.approx([12.595]))


def test_who_apple_is_and_its_ratios(server: YahooServer, recorded: Recorded, tmp_path: Path) -> None:
    server.answer("quoteSummary", recorded("quoteSummary/quoteSummary-all-AAPL.json.gz"))
    server.answer("quote", recorded("quote/quote-AAPL.json"))
    vendor = vendor_at(server, tmp_path, datetime(2025, 2, 19, tzinfo=UTC))
    profile = vendor.get_profile("AAPL")
    assert (profile.name, profile.kind, profile.sector) == ("Apple Inc.", "stock", "technology")
    values = vendor.get_fundamentals("AAPL").values
    assert values["price"] == 244.6
    assert values["market_cap"] == 3674405863424
    assert values["pe_ttm"] == pytest.approx(38.763866)
    assert values["eps_ttm"] == 6.31
    assert values["beta"] == 1.2
    assert values["dividend_yield"] == pytest.approx(0.409887)
    assert values["roa"] == pytest.approx(22.518998)
    assert values["fcf_yield"] == pytest.approx(100 * 93833871360 / 3674405863424)


def test_apples_quarters(server: YahooServer, recorded: Recorded, tmp_path: Path) -> None:
    server.answer("quoteSummary", recorded("quoteSummary/quoteSummary-all-AAPL.json.gz"))
    server.answer("quote", recorded("quote/quote-AAPL.json"))
    server.answer("timeseries", recorded("fundamentals-timeseries/fundamentalsTimeSeries-AAPL-all-quarterly.json"))
    vendor = vendor_at(server, tmp_path, datetime(2025, 2, 19, tzinfo=UTC))
    income = vendor.get_statements("AAPL", "income", "quarterly")
    assert [(row.fiscal_year, row.fiscal_period, str(row.period_end)) for row in income] == [
        (2025, "Q1", "2024-12-31"),
        (2024, "Q4", "2024-09-30"),
        (2024, "Q3", "2024-06-30"),
        (2024, "Q2", "2024-03-31"),
    ]
    assert [row.items["revenue"] for row in income] == [124.3e9, 94.93e9, 85.777e9, 90.753e9]
    assert income[0].items["net_income"] == 36.33e9
    assert income[1].known_at.date() == date(2024, 12, 30)
    (sheet, *_) = vendor.get_statements("AAPL", "balance", "quarterly")
    assert sheet.items["total_assets"] == 344.085e9
    (flows, *_) = vendor.get_statements("AAPL", "cashflow", "quarterly")
    assert flows.items["capital_expenditure"] == -2.94e9
    assert flows.items["free_cash_flow"] == flows.items["operating_cash_flow"] + flows.items["capital_expenditure"]


@pytest.mark.parametrize(
    ("symbol", "currency", "profit", "per_share"), [("BABA", "CNY", 14.555e9, 5.76), ("SPOT", "EUR", -70e6, -0.36)]
)
def test_statements_in_another_currency_than_the_listing(
    server: YahooServer, recorded: Recorded, tmp_path: Path, symbol: str, currency: str, profit: float, per_share: float
) -> None:
    """Yahoo gives their figures per share the code of the listing, USD."""
    server.answer("quoteSummary", yahoo.quote_summary(quoteType={"quoteType": "EQUITY"}), symbol)
    server.answer("quote", yahoo.quote(symbol=symbol), symbol)
    series = recorded(f"fundamentals-timeseries/fundamentalsTimeSeries-{symbol}-financials-quarterly.json")
    server.answer("timeseries", series, symbol)
    newest = vendor_at(server, tmp_path, datetime(2025, 2, 19, tzinfo=UTC)).get_statements(
        symbol, "income", "quarterly"
    )[0]
    assert (newest.currency, newest.items["net_income"], newest.items["eps_basic"]) == (currency, profit, per_share)
    assert newest.items["eps_basic"] * newest.items["shares_basic"] == pytest.approx(profit, rel=0.02)


def test_apples_insiders(server: YahooServer, recorded: Recorded, tmp_path: Path) -> None:
    server.answer("quoteSummary", recorded("quoteSummary/quoteSummary-insiderTransactions-AAPL.json"))
    vendor = vendor_at(server, tmp_path, datetime(2025, 2, 19, tzinfo=UTC))
    trades = vendor.get_insider_transactions("AAPL")
    assert Counter(row.kind for row in trades) == {"other": 40, "sell": 37, "gift": 8}
    assert (trades[0].insider, trades[0].shares, trades[0].value) == ("LEVINSON ARTHUR D", 1516.0, 343147.0)
    assert (trades[0].transaction_date, trades[0].known_at.date()) == (date(2025, 2, 3), date(2025, 2, 6))


def test_an_index_has_no_insiders(server: YahooServer, recorded: Recorded, tmp_path: Path) -> None:
    payload = recorded("quoteSummary/quoteSummary-insiderTransactions-^VXAPL.json")
    server.answer("quoteSummary", yahoo.Reply(payload, status=404))
    with pytest.raises(NoData):
        vendor_at(server, tmp_path, datetime(2025, 2, 19, tzinfo=UTC)).get_insider_transactions("^VXAPL")


def test_apples_news_and_the_markets(server: YahooServer, recorded: Recorded, tmp_path: Path) -> None:
    server.answer("news", recorded("news/rs_news_latestNews_AAPL.json"))
    server.answer("search", recorded("search/search-AAPL.json"))
    now = datetime(2025, 10, 29, 23, tzinfo=UTC)
    vendor = vendor_at(server, tmp_path, now)
    items = vendor.get_news("AAPL", datetime(2025, 10, 29, tzinfo=UTC), now)
    assert len(items) == 9
    assert items[0].published_at == datetime(2025, 10, 29, 22, 22, 33, tzinfo=UTC)
    assert all(item.source and item.url for item in items)
    market = vendor.get_global_news(datetime(2025, 2, 24, tzinfo=UTC), datetime(2025, 2, 26, tzinfo=UTC))
    assert [int(item.published_at.timestamp()) for item in market] == [1740477120, 1740463258, 1740462887, 1740442800]


def test_no_recorded_chart_contradicts_itself(test_data: Path) -> None:
    files = sorted((test_data / "market" / "vendor_payloads" / "yahoo" / "chart").iterdir())
    bodies = [gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes() for file in files]
    charts = [body for body in bodies if (json.loads(body).get("chart") or {}).get("result")]
    assert len(charts) > 30
    assert [check_answer("/v8/finance/chart/X", body) for body in charts] == [None] * len(charts)


def test_quarters_agree_with_the_totals_of_the_same_day_and_not_in_another_currency(recorded: Recorded) -> None:
    for symbol in ("AAPL", "ABBV", "AMZN", "BABA", "CRM", "GOOG"):
        modules = recorded(f"quoteSummary/quoteSummary-all-{symbol}.json.gz")["quoteSummary"]["result"][0]
        listed = modules["incomeStatementHistoryQuarterly"]["incomeStatementHistory"]
        ends = [datetime.fromtimestamp(row["endDate"]["raw"], UTC).date() for row in listed]
        rows = {
            name: {end: float(row[theirs]["raw"]) for end, row in zip(ends, listed, strict=True)}
            for name, theirs in (("TotalRevenue", "totalRevenue"), ("NetIncomeFromContinuingOperations", "netIncome"))
        }
        totals = totals_of(modules["financialData"] | modules["defaultKeyStatistics"])
        newest = datetime.fromtimestamp(modules["defaultKeyStatistics"]["mostRecentQuarter"], UTC).date()
        assert not contradicted_total(rows, totals, newest), symbol
        for factor in (0.79, 0.92, 149.6):
            other = {name: {day: factor * value for day, value in row.items()} for name, row in rows.items()}
            assert contradicted_total(other, totals, newest), (symbol, factor)
