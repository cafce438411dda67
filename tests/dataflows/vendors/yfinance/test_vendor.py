"""The yfinance vendor: the real client against a local Yahoo. Every company and number here is made up."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, time
from pathlib import Path
from time import monotonic

import numpy as np
import peewee
import pytest

from tests.support import yahoo_server as yahoo
from tests.support.yahoo_server import LocalSession, Reply, YahooServer
from tradingagents.dataflows.models import Dividend, Split
from tradingagents.dataflows.vendors.yfinance.client import YahooClient
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.errors import NoData, NotForPastDate, RateLimited, VendorDown

NOW = datetime(2025, 3, 14, 22, 0, tzinfo=UTC)
"""A Friday, two hours after New York closed."""
WEEK = {
    "2025-03-10": (100.0, 104.0, 99.0, 102.0, 101.0, 1000),
    "2025-03-11": (102.0, 105.0, 101.0, 103.0, 102.0, 1100),
    "2025-03-12": (103.0, 106.0, 102.0, 104.0, 103.0, 1200),
    "2025-03-13": (104.0, 107.0, 103.0, 105.0, 104.0, 1300),
    "2025-03-14": (105.0, 108.0, 104.0, 106.0, 106.0, 1400),
}
PROFILE = {
    "quoteType": {"quoteType": "EQUITY", "longName": "Zyxolar Instruments, Inc.", "shortName": "Zyxolar"},
    "assetProfile": {
        "sector": "Financial Services",
        "industry": "Capital Markets",
        "longBusinessSummary": " Zyxolar makes instruments that measure widgets. ",
    },
    "summaryDetail": {
        "currency": "USD",
        "trailingPE": 20.0,
        "forwardPE": 16.0,
        "priceToSalesTrailing12Months": 4.0,
        "dividendYield": 0.0125,
        "trailingAnnualDividendYield": 0.012,
        "beta": 1.3,
        "marketCap": 5_000_000_000,
        "fiftyTwoWeekHigh": 120.0,
        "fiftyTwoWeekLow": 80.0,
        "fiftyDayAverage": 101.0,
        "twoHundredDayAverage": 99.0,
    },
    "defaultKeyStatistics": {
        "priceToBook": 3.0,
        "trailingEps": 5.3,
        "enterpriseToEbitda": "Infinity",
        "lastFiscalYearEnd": 1727568000,  # 2024-09-29
    },
    "financialData": {
        "financialCurrency": "USD",
        "returnOnAssets": 0.081,
        "currentRatio": 1.5,
        "freeCashflow": 250_000_000,
        "currentPrice": 106.0,
    },
}
EVERY_QUESTION = {
    "prices": lambda vendor, symbol: vendor.get_stock_data(symbol, date(2025, 3, 10), date(2025, 3, 14)),
    "profile": lambda vendor, symbol: vendor.get_profile(symbol),
    "ratios": lambda vendor, symbol: vendor.get_fundamentals(symbol),
    "statements": lambda vendor, symbol: vendor.get_statements(symbol, "income", "quarterly"),
    "insiders": lambda vendor, symbol: vendor.get_insider_transactions(symbol),
    "news": lambda vendor, symbol: vendor.get_news(symbol, utc(2025, 3, 1), NOW),
    "market news": lambda vendor, symbol: vendor.get_global_news(utc(2025, 3, 1), NOW),
}
UNAUTHORISED = Reply({"finance": {"result": None, "error": {"code": "Unauthorized"}}}, status=401)
DATA_KINDS = ("chart", "quoteSummary", "quote", "timeseries", "news", "search")


def at_once() -> None:
    """Wait for no turn."""


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


@pytest.fixture
def server() -> Iterator[YahooServer]:
    with yahoo.yahoo_server() as running:
        yield running


def vendor_of(server: YahooServer, tmp_path: Path, *, now: datetime = NOW, timeout: float = 5.0) -> YFinanceVendor:
    return YFinanceVendor(
        timeout=timeout,
        cache_dir=tmp_path / "cache",
        session=LocalSession(server.address),
        now=lambda: now,
    )


@pytest.fixture
def vendor(server: YahooServer, tmp_path: Path) -> YFinanceVendor:
    return vendor_of(server, tmp_path)


def fail_everywhere(server: YahooServer, reply: Reply) -> None:
    for kind in DATA_KINDS:
        server.answer(kind, reply)


# Prices


def test_both_ends_of_the_window_are_answered(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("chart", yahoo.chart("ZYX1", WEEK))
    bars = vendor.get_stock_data("ZYX1", date(2025, 3, 11), date(2025, 3, 13))
    assert [str(day) for day in bars.days] == ["2025-03-11", "2025-03-12", "2025-03-13"]
    assert bars.open.tolist() == [102.0, 103.0, 104.0]
    assert bars.high.tolist() == [105.0, 106.0, 107.0]
    assert bars.low.tolist() == [101.0, 102.0, 103.0]
    assert bars.close.tolist() == [103.0, 104.0, 105.0]
    assert bars.adj_close.tolist() == [102.0, 103.0, 104.0]
    assert bars.volume.tolist() == [1100.0, 1200.0, 1300.0]
    assert (bars.symbol, bars.currency, bars.vendor, bars.basis) == ("ZYX1", "USD", "yfinance", "split_adjusted")
    assert bars.fetched_at == NOW
    assert bars.days.dtype == np.dtype("datetime64[D]")


def test_a_split_after_the_window_is_listed_since_the_prices_are_adjusted_for_it(
    server: YahooServer, vendor: YFinanceVendor
) -> None:
    server.answer("chart", yahoo.chart("ZYX2", WEEK, splits={"2025-03-14": (4, 1)}))
    bars = vendor.get_stock_data("ZYX2", date(2025, 3, 10), date(2025, 3, 12))
    assert bars.splits == (Split(date(2025, 3, 14), 4.0),)
    assert bars.as_traded(date(2025, 3, 12)).close.tolist() == [408.0, 412.0, 416.0]


def test_a_dividend_stands_on_its_ex_date(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("chart", yahoo.chart("ZYX3", WEEK, dividends={"2025-03-12": 0.25}))
    bars = vendor.get_stock_data("ZYX3", date(2025, 3, 10), date(2025, 3, 14))
    assert bars.dividends == (Dividend(date(2025, 3, 12), 0.25),)


def test_a_bar_without_a_close_is_dropped(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("chart", yahoo.chart("ZYX4", WEEK | {"2025-03-12": (None, None, None, None, None, None)}))
    bars = vendor.get_stock_data("ZYX4", date(2025, 3, 11), date(2025, 3, 13))
    assert [str(day) for day in bars.days] == ["2025-03-11", "2025-03-13"]


@pytest.mark.parametrize(
    ("now", "last"),
    [(utc(2025, 3, 14, 19, 59), "2025-03-13"), (utc(2025, 3, 14, 20, 0), "2025-03-14")],
    ids=["before the close", "at the close"],
)
def test_the_bar_of_a_running_session_is_dropped(server: YahooServer, tmp_path: Path, now: datetime, last: str) -> None:
    server.answer("chart", yahoo.chart("ZYX5", WEEK))
    bars = vendor_of(server, tmp_path, now=now).get_stock_data("ZYX5", date(2025, 3, 10), date(2025, 3, 14))
    assert str(bars.days[-1]) == last


def test_a_day_is_the_day_at_the_exchange(server: YahooServer, vendor: YFinanceVendor) -> None:
    tokyo = {
        "2025-03-13": (500.0, 510.0, 490.0, 505.0, 505.0, 10),
        "2025-03-14": (505.0, 510.0, 490.0, 500.0, 500.0, 10),
    }
    chart = yahoo.chart("9999.T", tokyo, currency="JPY", zone="Asia/Tokyo", opens=time(9))
    server.answer("chart", chart)
    bars = vendor.get_stock_data("9999.T", date(2025, 3, 14), date(2025, 3, 14))
    assert [str(day) for day in bars.days] == ["2025-03-14"]
    assert bars.close.tolist() == [500.0]
    assert bars.currency == "JPY"


def test_pence_are_given_as_pounds(server: YahooServer, vendor: YFinanceVendor) -> None:
    pence = {"2025-03-13": (250.0, 260.0, 240.0, 255.0, 250.0, 10)}
    chart = yahoo.chart("ZYX.L", pence, currency="GBp", zone="Europe/London", dividends={"2025-03-13": 5.0})
    server.answer("chart", chart)
    bars = vendor.get_stock_data("ZYX.L", date(2025, 3, 13), date(2025, 3, 13))
    assert bars.currency == "GBP"
    assert bars.close.tolist() == pytest.approx([2.55])
    assert bars.adj_close.tolist() == pytest.approx([2.50])
    assert bars.dividends[0].amount == pytest.approx(0.05)


def test_the_levels_of_an_index_are_no_prices(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("chart", yahoo.chart("^ZYX", WEEK, kind="INDEX", currency=None))
    bars = vendor.get_stock_data("^ZYX", date(2025, 3, 10), date(2025, 3, 14))
    assert (bars.basis, bars.currency, len(bars)) == ("index", "XXX", 5)


def test_a_window_without_bars_is_no_data(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("chart", yahoo.chart("ZYX6", WEEK))
    with pytest.raises(NoData, match=r"ZYX6 from 2025-03-08 to 2025-03-09"):
        vendor.get_stock_data("ZYX6", date(2025, 3, 8), date(2025, 3, 9))


# Profile and ratios


def test_a_profile_speaks_our_words(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("quoteSummary", yahoo.quote_summary(**PROFILE))
    server.answer("quote", yahoo.quote(symbol="ZYX", quoteType="EQUITY", longName="Zyxolar Instruments, Inc."))
    profile = vendor.get_profile("ZYX")
    assert (profile.name, profile.kind, profile.sector) == ("Zyxolar Instruments, Inc.", "stock", "financials")
    assert (profile.industry, profile.exchange, profile.currency) == ("Capital Markets", "XNYS", "USD")


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ({"longName": "N/A", "shortName": "Zyxolar"}, "Zyxolar"),
        ({"longName": "ZYX,0P0000FAKE,12", "shortName": " "}, "ZYX"),
    ],
)
def test_a_placeholder_is_no_name(
    server: YahooServer, vendor: YFinanceVendor, names: dict[str, str], shown: str
) -> None:
    server.answer("quoteSummary", yahoo.quote_summary(summaryDetail={"currency": "USD"}))
    server.answer("quote", yahoo.quote(symbol="ZYX", quoteType="ETF", **names))
    profile = vendor.get_profile("ZYX")
    assert (profile.name, profile.kind, profile.sector) == (shown, "etf", None)


def test_an_instrument_of_an_unknown_type_is_no_data(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("quoteSummary", yahoo.quote_summary(quoteType={"quoteType": "NONE"}))
    server.answer("quote", yahoo.quote(symbol="ZYX"))
    with pytest.raises(NoData, match="ZYX"):
        vendor.get_profile("ZYX")


def test_ratios_carry_our_names_and_percent_are_percent(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("quoteSummary", yahoo.quote_summary(**PROFILE))
    server.answer("quote", yahoo.quote(symbol="ZYX", dividendYield=1.25, regularMarketPrice=106.5))
    server.answer("timeseries", {"trailingPegRatio": {"2025-03-13": 1.7}})
    ratios = vendor.get_fundamentals("ZYX")
    assert ratios.business == "Zyxolar makes instruments that measure widgets."
    assert ratios.values == pytest.approx(
        {
            "price": 106.5,
            "market_cap": 5_000_000_000,
            "pe_ttm": 20.0,
            "forward_pe": 16.0,
            "ps_ttm": 4.0,
            "pb": 3.0,
            "peg": 1.7,
            "eps_ttm": 5.3,
            "beta": 1.3,
            "dividend_yield": 1.2,
            "roa": 8.1,
            "current_ratio": 1.5,
            "fcf_yield": 5.0,
            "high_52w": 120.0,
            "low_52w": 80.0,
            "sma_50": 101.0,
            "sma_200": 99.0,
        }
    )
    assert (ratios.currency, ratios.vendor, ratios.fetched_at) == ("USD", "yfinance", NOW)


def test_free_cash_flow_in_another_currency_gives_no_yield(server: YahooServer, vendor: YFinanceVendor) -> None:
    abroad = PROFILE | {"financialData": PROFILE["financialData"] | {"financialCurrency": "TWD"}}
    server.answer("quoteSummary", yahoo.quote_summary(**abroad))
    server.answer("quote", yahoo.quote(symbol="ZYX"))
    values = vendor.get_fundamentals("ZYX").values
    assert "fcf_yield" not in values
    assert "eps_ttm" not in values
    assert values["pe_ttm"] == 20.0


# Statements

QUARTERS = {
    "quarterlyTotalRevenue": {"2024-06-30": 100.0, "2024-09-30": 110.0, "2024-12-31": 150.0},
    "quarterlyNetIncome": {"2024-06-30": 10.0, "2024-12-31": 25.0},
    "quarterlyDilutedEPS": {"2024-12-31": 1.25},
}


@pytest.fixture
def company(server: YahooServer) -> YahooServer:
    """A company whose fiscal years end in September."""
    server.answer("quoteSummary", yahoo.quote_summary(**PROFILE))
    server.answer("quote", yahoo.quote(symbol="ZYX"))
    server.answer("timeseries", QUARTERS)
    return server


def test_statements_come_newest_first_and_lack_what_yahoo_lacks(company: YahooServer, vendor: YFinanceVendor) -> None:
    newest, middle, oldest = vendor.get_statements("ZYX", "income", "quarterly")
    assert dict(newest.items) == {"revenue": 150.0, "net_income": 25.0, "eps_diluted": 1.25}
    assert dict(middle.items) == {"revenue": 110.0}
    assert dict(oldest.items) == {"revenue": 100.0, "net_income": 10.0}
    assert newest.currency == "USD"


def test_statements_say_that_they_are_restated_for_every_split_until_now(
    company: YahooServer, vendor: YFinanceVendor
) -> None:
    assert {row.shares_as_of for row in vendor.get_statements("ZYX", "income", "quarterly")} == {NOW}


def test_quarters_are_counted_from_the_fiscal_year_end(company: YahooServer, vendor: YFinanceVendor) -> None:
    found = vendor.get_statements("ZYX", "income", "quarterly")
    assert [(row.fiscal_year, row.fiscal_period) for row in found] == [(2025, "Q1"), (2024, "Q4"), (2024, "Q3")]


def test_a_quarter_is_assumed_known_after_45_days_and_the_fourth_after_90(
    company: YahooServer, vendor: YFinanceVendor
) -> None:
    newest, fourth, _ = vendor.get_statements("ZYX", "income", "quarterly")
    assert newest.known_by == "assumed"
    assert newest.known_at == utc(2025, 2, 18, 14, 30)  # 45 days end on Friday the 14th; Monday is Presidents' Day
    assert fourth.known_at == utc(2024, 12, 30, 14, 30)  # 90 days end on Sunday the 29th


def test_a_year_is_assumed_known_after_90_days(company: YahooServer, vendor: YFinanceVendor) -> None:
    company.answer(
        "timeseries", {"annualFreeCashFlow": {"2023-12-31": 7.0}, "annualCapitalExpenditure": {"2023-12-31": -2.0}}
    )
    (year,) = vendor.get_statements("ZYX", "cashflow", "annual")
    assert (year.fiscal_year, year.fiscal_period, year.period_end) == (2023, "FY", date(2023, 12, 31))
    assert year.known_at == utc(2024, 4, 1, 13, 30)  # 90 days end on Saturday, 30 March
    assert dict(year.items) == {"capital_expenditure": -2.0, "free_cash_flow": 7.0}


def test_statements_are_in_the_currency_of_the_books(company: YahooServer, vendor: YFinanceVendor) -> None:
    abroad = PROFILE | {"financialData": {"financialCurrency": "TWD"}}
    company.answer("quoteSummary", yahoo.quote_summary(**abroad))
    company.answer("timeseries", {"quarterlyTotalAssets": {"2024-12-31": 900.0}, "currencyCode": "TWD"})
    (sheet,) = vendor.get_statements("ZYX", "balance", "quarterly")
    assert (sheet.currency, dict(sheet.items)) == ("TWD", {"total_assets": 900.0})


def test_a_fund_without_statements_is_no_data(company: YahooServer, vendor: YFinanceVendor) -> None:
    company.answer("timeseries", {})
    with pytest.raises(NoData, match="quarterly income statements of ZYX"):
        vendor.get_statements("ZYX", "income", "quarterly")


def test_the_currency_of_the_books_is_asked_once(company: YahooServer, vendor: YFinanceVendor) -> None:
    vendor.get_statements("ZYX", "income", "quarterly")
    vendor.get_statements("ZYX", "income", "quarterly")
    assert company.count("quoteSummary") == 1


# News


def test_news_of_the_window_come_newest_first_in_utc(server: YahooServer, vendor: YFinanceVendor) -> None:
    link = {"url": "https://news.example/zyx"}
    server.answer(
        "news",
        yahoo.news_stream(
            yahoo.article("Before the window", "2025-03-01T12:00:00Z"),
            yahoo.article("Zyxolar opens a plant", "2025-03-12T09:00:00-04:00", summary="A plant.", canonicalUrl=link),
            yahoo.article("Zyxolar hires", "2025-03-13T10:00:00Z"),
            yahoo.article("After the window", "2025-03-14T21:00:00Z"),
        ),
    )
    newest, oldest = vendor.get_news("ZYX", utc(2025, 3, 7), utc(2025, 3, 14, 20))
    assert newest.title == "Zyxolar hires"
    assert oldest.published_at == oldest.known_at == utc(2025, 3, 12, 13)
    assert (oldest.source, oldest.summary, oldest.url) == ("The Fictional Post", "A plant.", "https://news.example/zyx")
    assert oldest.symbol == "ZYX"


def test_an_article_without_a_date_is_dropped(server: YahooServer, vendor: YFinanceVendor) -> None:
    dated = yahoo.article("Dated", "2025-03-13T10:00:00Z")
    server.answer("news", yahoo.news_stream(yahoo.article("Undated", None), dated))
    assert [item.title for item in vendor.get_news("ZYX", utc(2025, 3, 1), NOW)] == ["Dated"]


def test_flat_articles_are_read_too(server: YahooServer, vendor: YFinanceVendor) -> None:
    (flat,) = yahoo.search_news(("Zyxolar rises", "2025-03-13T10:00:00+00:00"))["news"]
    server.answer("news", yahoo.news_stream(flat))
    (item,) = vendor.get_news("ZYX", utc(2025, 3, 1), NOW)
    assert (item.published_at, item.source, item.url) == (
        utc(2025, 3, 13, 10),
        "The Fictional Post",
        "https://news.example/1",
    )


def test_a_window_before_the_feed_begins_is_refused(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("news", yahoo.news_stream(yahoo.article("Zyxolar hires", "2025-03-13T10:00:00Z")))
    with pytest.raises(NotForPastDate, match=r"reach back to 2025-03-13 only, not to 2024-06-10.*snapshot"):
        vendor.get_news("ZYX", utc(2024, 6, 3), utc(2024, 6, 10))


def test_an_empty_feed_means_nothing_happened_lately_and_says_nothing_of_the_past(vendor: YFinanceVendor) -> None:
    assert vendor.get_news("ZYX", utc(2025, 3, 7), NOW) == ()
    with pytest.raises(NotForPastDate):
        vendor.get_news("ZYX", utc(2024, 6, 3), utc(2024, 6, 10))


def test_market_news_are_gathered_from_several_queries_each_once(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer(
        "search",
        yahoo.search_news(("Rates stay", "2025-03-12T10:00:00+00:00"), ("Jobs grow", "2025-03-13T10:00:00+00:00")),
    )
    items = vendor.get_global_news(utc(2025, 3, 7), NOW)
    assert [(item.title, item.symbol) for item in items] == [("Jobs grow", None), ("Rates stay", None)]
    assert {asked.query["q"] for asked in server.asked if asked.kind == "search"} == {
        "stock market",
        "economy",
        "Federal Reserve",
        "inflation",
    }


def test_market_news_are_asked_anew_each_time(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("search", yahoo.search_news(("Rates stay", "2025-03-12T10:00:00+00:00")))
    vendor.get_global_news(utc(2025, 3, 7), NOW)
    server.answer("search", yahoo.search_news(("Rates fall", "2025-03-13T10:00:00+00:00")))
    assert [item.title for item in vendor.get_global_news(utc(2025, 3, 7), NOW)] == ["Rates fall"]


# Insiders


def trade(day: str, text: str, shares: int | None = 100, **fields: object) -> dict[str, object]:
    row = {"day": day, "transactionText": text, "filerName": "DOE JANE", "filerRelation": "Director", **fields}
    return row | ({"shares": shares} if shares is not None else {})


def test_insider_trades_come_newest_first(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer(
        "quoteSummary",
        yahoo.insiders(
            trade("2025-02-03", "", shares=7),
            trade("2025-03-05", "Sale at price 50.00 - 51.00 per share.", value=5050),
            trade("2025-03-06", "Purchase at price 50.00 per share.", shares=None),
        ),
    )
    newest, oldest = vendor.get_insider_transactions("ZYX")
    assert (newest.kind, newest.shares, newest.value) == ("sell", 100.0, 5050.0)
    assert (newest.insider, newest.relation, newest.transaction_date) == ("DOE JANE", "Director", date(2025, 3, 5))
    assert (oldest.kind, oldest.shares, oldest.value) == ("other", 7.0, None)


def test_a_trade_is_assumed_known_from_the_session_after_the_second_one(
    server: YahooServer, vendor: YFinanceVendor
) -> None:
    server.answer("quoteSummary", yahoo.insiders(trade("2025-03-06", "Purchase at price 50.00 per share.")))
    (bought,) = vendor.get_insider_transactions("ZYX")
    assert bought.known_by == "assumed"
    assert bought.known_at == utc(2025, 3, 11, 13, 30)  # Thursday's trade; reported by Monday's close


def test_a_company_without_insider_trades_has_none(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("quoteSummary", yahoo.insiders())
    assert vendor.get_insider_transactions("ZYX") == ()


# Failures


@pytest.mark.parametrize("question", EVERY_QUESTION)
def test_a_rate_limit_is_told_as_one(server: YahooServer, vendor: YFinanceVendor, question: str) -> None:
    fail_everywhere(server, yahoo.failing(429, Retry_After="17"))
    with pytest.raises(RateLimited) as caught:
        EVERY_QUESTION[question](vendor, "ZYXR")
    assert caught.value.retry_after == 17.0


@pytest.mark.parametrize("question", EVERY_QUESTION)
@pytest.mark.parametrize(
    "reply",
    [
        yahoo.failing(500),
        yahoo.failing(503),
        yahoo.failing(401),
        UNAUTHORISED,
        yahoo.HTML,
        Reply(""),
        Reply({"a": 1}, truncated=True),
    ],
    ids=["500", "503", "401", "401 in JSON", "a page", "empty", "breaks off"],
)
def test_an_answer_that_is_none_means_the_vendor_is_down(
    server: YahooServer, vendor: YFinanceVendor, question: str, reply: Reply
) -> None:
    fail_everywhere(server, reply)
    with pytest.raises(VendorDown) as caught:
        EVERY_QUESTION[question](vendor, "ZYXD")
    assert yahoo.CRUMB not in str(caught.value)
    assert "http" not in str(caught.value).replace("HTTP", "")


@pytest.mark.parametrize("question", EVERY_QUESTION)
def test_silence_ends_with_the_time_limit(server: YahooServer, tmp_path: Path, question: str) -> None:
    fail_everywhere(server, Reply(silent=True))
    started = monotonic()
    with pytest.raises(VendorDown, match=r"within 0\.3 s"):
        EVERY_QUESTION[question](vendor_of(server, tmp_path, timeout=0.3), "ZYXT")
    assert monotonic() - started < 2.0


def test_no_connection_means_the_vendor_is_down(tmp_path: Path) -> None:
    with yahoo.yahoo_server() as gone:
        vendor = vendor_of(gone, tmp_path)
    with pytest.raises(VendorDown, match="could not be reached"):
        vendor.get_stock_data("ZYXN", date(2025, 3, 10), date(2025, 3, 14))


@pytest.mark.parametrize("question", ["prices", "profile", "ratios", "insiders"])
def test_a_symbol_yahoo_does_not_know_is_no_data(vendor: YFinanceVendor, question: str) -> None:
    with pytest.raises(NoData, match=r"NOSUCH.*check"):
        EVERY_QUESTION[question](vendor, "NOSUCH")


def test_a_delisted_symbol_is_no_data(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("chart", yahoo.chart("ZYX7", WEEK))
    vendor.get_stock_data("ZYX7", date(2025, 3, 10), date(2025, 3, 14))
    gone = {"code": "Not Found", "description": "No data found, symbol may be delisted"}
    server.answer("chart", Reply({"chart": {"result": None, "error": gone}}, status=404))
    with pytest.raises(NoData, match="ZYX7"):
        vendor.get_stock_data("ZYX7", date(2025, 3, 10), date(2025, 3, 14))


def test_a_failure_is_forgotten_by_the_next_question(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("chart", yahoo.failing(500))
    with pytest.raises(VendorDown):
        vendor.get_stock_data("ZYX8", date(2025, 3, 10), date(2025, 3, 14))
    server.answer("chart", yahoo.chart("ZYX8", WEEK))
    assert len(vendor.get_stock_data("ZYX8", date(2025, 3, 10), date(2025, 3, 14))) == 5


# Manners


def test_questions_of_many_threads_get_their_own_answers(server: YahooServer, vendor: YFinanceVendor) -> None:
    symbols = [f"THR{letter}" for letter in "ABCDEFGH"]
    for index, symbol in enumerate(symbols):
        bars = {"2025-03-13": (10.0 + index,) * 5 + (100,)}
        server.answer("chart", yahoo.chart(symbol, bars), symbol)

    def close(symbol: str) -> float:
        return float(vendor.get_stock_data(symbol, date(2025, 3, 13), date(2025, 3, 13)).close[0])

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(close, symbols)) == [10.0 + index for index in range(8)]


def test_a_crumb_goes_with_the_request(company: YahooServer, vendor: YFinanceVendor) -> None:
    vendor.get_profile("ZYX")
    (asked,) = [asked for asked in company.asked if asked.kind == "quoteSummary"]
    assert asked.query["crumb"] == yahoo.CRUMB


def test_other_users_of_yfinance_find_its_settings_as_they_were(server: YahooServer, vendor: YFinanceVendor) -> None:
    import yfinance as yf

    server.answer("chart", yahoo.chart("ZYX9", WEEK))
    vendor.get_stock_data("ZYX9", date(2025, 3, 10), date(2025, 3, 14))
    assert yf.config.debug.hide_exceptions is True


def test_other_users_of_yfinance_meet_an_ordinary_session_between_calls(server: YahooServer, tmp_path: Path) -> None:
    session = LocalSession(server.address)
    server.answer("chart", yahoo.chart("ZYX9", WEEK))
    vendor = YFinanceVendor(timeout=0.5, cache_dir=tmp_path, session=session, now=lambda: NOW)
    vendor.get_stock_data("ZYX9", date(2025, 3, 10), date(2025, 3, 14))
    server.answer("crumb", yahoo.failing(500))
    assert session.get("https://query1.finance.yahoo.com/v1/test/getcrumb").status_code == 500


def test_a_call_that_waits_too_long_for_its_turn_finds_the_vendor_down(server: YahooServer) -> None:
    session = LocalSession(server.address)
    holder = YahooClient(timeout=5.0, cache_dir=None, session=session, wait_turn=at_once)
    waiting = YahooClient(timeout=0.01, cache_dir=None, session=session, wait_turn=at_once)
    with holder.asking("prices of AAA"), pytest.raises(VendorDown, match="too slow to be asked for prices of BBB"):
        waiting.asking("prices of BBB").__enter__()


def test_an_unusable_cache_is_named(server: YahooServer, tmp_path: Path) -> None:
    client = YahooClient(
        timeout=5.0, cache_dir=tmp_path / "full", session=LocalSession(server.address), wait_turn=at_once
    )
    with pytest.raises(VendorDown, match="full; free or empty"), client.asking("prices of AAA"):
        raise peewee.OperationalError("database or disk is full")


FRESH_PROCESS = """
import sys
from datetime import date, datetime, UTC
from pathlib import Path
import tradingagents.dataflows.vendors.yfinance.vendor as module
vendor = module.YFinanceVendor(cache_dir=Path("kept here"))
assert "yfinance" not in sys.modules, "yfinance was loaded by making the vendor"
assert "pandas" not in sys.modules, "pandas was loaded by making the vendor"
from tests.support import yahoo_server as yahoo
with yahoo.yahoo_server() as server:
    server.answer("chart", yahoo.chart("ZYX", {"2025-03-13": (1.0, 1.0, 1.0, 1.0, 1.0, 1)}))
    session = yahoo.LocalSession(server.address)
    vendor = module.YFinanceVendor(cache_dir=Path("kept here"), session=session)
    assert server.asked == [], "something was asked before there was a question"
    vendor.get_stock_data("ZYX", date(2025, 3, 13), date(2025, 3, 13))
    priced = server.asked[-1]
    assert (priced.kind, priced.cookie) == ("chart", "A3=d=fictional"), priced
    assert server.count("cookie") == 1, "the cookie was not kept"
"""


FAILING_PROCESS = """
from datetime import date
from pathlib import Path
from tests.support import yahoo_server as yahoo
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.errors import NoData
with yahoo.yahoo_server() as server:
    server.answer("crumb", yahoo.failing(429))
    server.answer("chart", yahoo.chart("ZYX", {"2025-03-13": (1.0, 1.0, 1.0, 1.0, 1.0, 1)}))
    vendor = YFinanceVendor(cache_dir=Path("cache"), session=yahoo.LocalSession(server.address))
    vendor.get_stock_data("ZYX", date(2025, 3, 13), date(2025, 3, 13))
    try:
        vendor.get_stock_data("ZYX", date(2025, 3, 8), date(2025, 3, 9))
    except NoData:
        pass
"""


def fresh_process(script: str, folder: Path) -> str:
    """Run a script in a folder of its own; return what it wrote to the terminal."""
    root = str(Path(__file__).resolve().parents[4])
    environment = {"PYTHONPATH": os.pathsep.join([root, *sys.path]), "HOME": str(folder / "home"), "PATH": ""}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_nothing_is_printed_when_yahoo_fails(tmp_path: Path) -> None:
    assert fresh_process(FAILING_PROCESS, tmp_path) == ""


def test_in_a_fresh_process_yfinance_is_loaded_by_the_first_question_and_keeps_its_caches_where_it_is_told(
    tmp_path: Path,
) -> None:
    fresh_process(FRESH_PROCESS, tmp_path)
    assert (tmp_path / "kept here" / "tkr-tz.db").is_file()
    own = {"tradingagents"}  # the exchange calendar
    assert {folder.name for folder in (tmp_path / "home" / ".cache").glob("*")} <= own
