"""The alpha_vantage vendor: the real library against a local Alpha Vantage. Every number here is made up."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.alpha_vantage import SOURCE
from tests.dataflows.vendors import alpha_vantage_payloads as av
from tests.dataflows.vendors.alpha_vantage_payloads import KEY, fill
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tradingagents.dataflows.gateway.share_basis import is_share_split
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.models import Dividend, EarningsEvent, InsiderTransaction, Mover, NewsItem, Profile, Split
from tradingagents.dataflows.vendors.alpha_vantage import AlphaVantageVendor
from tradingagents.dataflows.vendors.alpha_vantage import topics as av_topics
from tradingagents.errors import NoData, NotInPlan, RateLimited, VendorDown, VendorNotConfigured
from tradingagents.settings import load_settings

NOW = datetime(2025, 3, 14, 22, tzinfo=UTC)
"""A Friday, two hours after New York closed."""
WEEK = (date(2025, 3, 10), date(2025, 3, 14))
WINDOW = (datetime(2025, 3, 10, tzinfo=UTC), datetime(2025, 3, 14, 20, 0, 30, tzinfo=UTC))


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        fill(running)
        yield running


@pytest.fixture
def vendor(server: VendorServer, tmp_path: Path) -> AlphaVantageVendor:
    made = SOURCE.open(server, tmp_path, now=lambda: NOW)
    assert isinstance(made, AlphaVantageVendor)
    return made


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("factor", "ratio"), [("0.0667", 1 / 15), ("0.3333", 1 / 3), ("0.1250", 1 / 8), ("1.5000", 1.5), ("1.1280", 1.128)]
)
def test_a_reverse_split_is_not_taken_for_a_spin_off_by_its_rounding(
    vendor: AlphaVantageVendor, server: VendorServer, factor: str, ratio: float
):
    av.fill(server, SPLITS=av.events(av.split("2025-03-14", factor)))
    listed = vendor.get_stock_data("ACMQ", date(2025, 3, 13), date(2025, 3, 14)).splits
    assert listed == (Split(date(2025, 3, 14), ratio),)
    assert is_share_split(listed[0]) is (ratio != 1.128)


def test_bars_are_adjusted_for_splits_and_returns_for_dividends(vendor: AlphaVantageVendor, server: VendorServer):
    bars = {
        "2025-03-14": av.bar(21, 22, 20, 21, 4000),
        "2025-03-13": av.bar(20, 21, 19, 20, 4000),
        "2025-03-12": av.bar(40, 42, 38, 40, 2000),  # the session before two shares became of one
        "2025-03-11": av.bar(41, 43, 39, 42, 2000),
        "2025-03-07": av.bar(1, 1, 1, 1, 1),  # before the window
        "2025-03-10": {"1. open": "None"},
    }
    fill(
        server,
        TIME_SERIES_DAILY=av.daily(bars),
        SPLITS=av.events(av.split("2025-03-13", "2.0"), av.split("2025-04-01", "3.0")),
        DIVIDENDS=av.events(av.dividend("2025-03-12", "2.1"), av.dividend("2025-06-01", "9"), av.dividend("None", "1")),
    )
    prices = vendor.get_stock_data("ACMQ", *WEEK)
    assert [str(day) for day in prices.days] == ["2025-03-11", "2025-03-12", "2025-03-13", "2025-03-14"]
    assert prices.close.tolist() == [21.0, 20.0, 20.0, 21.0]
    assert prices.open.tolist() == [20.5, 20.0, 20.0, 21.0]
    assert (prices.high[0], prices.low[0]) == (21.5, 19.5)
    assert prices.volume.tolist() == [4000.0, 4000.0, 4000.0, 4000.0]
    # 2.10 a share then is 1.05 a share of today's size: 1 - 1.05 / 21 = 0.95 of what came before.
    assert prices.adj_close.tolist() == pytest.approx([19.95, 20.0, 20.0, 21.0])
    assert prices.splits == (Split(date(2025, 3, 13), 2.0),)
    assert prices.dividends == (Dividend(date(2025, 3, 12), 1.05),)
    assert (prices.symbol, prices.currency, prices.vendor, prices.fetched_at) == ("ACMQ", "USD", "alpha_vantage", NOW)
    then = prices.upto(date(2025, 3, 12)).as_traded(date(2025, 3, 12))
    assert then.close.tolist() == [42.0, 40.0]


def test_what_is_sent(vendor: AlphaVantageVendor, server: VendorServer):
    vendor.get_stock_data("BRK-B", *WEEK)
    assert [dict(one.query) for one in server.asked] == [
        {"function": "TIME_SERIES_DAILY", "symbol": "BRK-B", "outputsize": "compact", "apikey": KEY},
        {"function": "SPLITS", "symbol": "BRK-B", "apikey": KEY},
        {"function": "DIVIDENDS", "symbol": "BRK-B", "apikey": KEY},
    ]


def test_a_long_window_asks_for_the_long_series(vendor: AlphaVantageVendor, server: VendorServer):
    vendor.get_stock_data("ACMQ", date(2024, 10, 18), date(2025, 3, 14))  # 100 sessions
    assert server.asked[0].query["outputsize"] == "compact"
    vendor.get_stock_data("ACMQ", date(2024, 10, 17), date(2025, 3, 14))
    assert server.asked[3].query["outputsize"] == "full"
    fill(server, TIME_SERIES_DAILY=av.PREMIUM_FULL)
    with pytest.raises(NotInPlan, match="free plan has the last 100 sessions only, not prices of ACMQ from 2024-01-02"):
        vendor.get_stock_data("ACMQ", date(2024, 1, 2), date(2025, 3, 14))


def test_a_window_without_bars_is_no_data(vendor: AlphaVantageVendor):
    with pytest.raises(NoData, match="no prices of ACMQ from 2025-03-10 to 2025-03-12"):
        vendor.get_stock_data("ACMQ", date(2025, 3, 10), date(2025, 3, 12))


@pytest.mark.parametrize("symbol", ["^GSPC", "BTC-USD", "EURUSD=X", "7203.T", "GC=F"])
def test_other_symbols_cost_no_request(vendor: AlphaVantageVendor, server: VendorServer, symbol: str):
    with pytest.raises(NoData):
        vendor.get_stock_data(symbol, *WEEK)
    assert server.asked == []


def test_a_profile(vendor: AlphaVantageVendor):
    assert vendor.get_profile("ACMQ") == Profile(
        "ACMQ", "Acme Quark Devices Inc", "stock", "technology", "Quark Devices", "XNYS", "USD", "XNAS"
    )


@pytest.mark.parametrize(
    ("sector", "key"),
    [("LIFE SCIENCES", "healthcare"), ("FINANCE", "financials"), ("None", None), ("HEALTHCARE", "healthcare")],
)
def test_sectors_old_and_new(vendor: AlphaVantageVendor, server: VendorServer, sector: str, key: str | None):
    fill(server, OVERVIEW={**av.OVERVIEW, "Sector": sector})
    assert vendor.get_profile("ACMQ").sector == key


def test_nobody_has_no_profile_and_no_ratios(vendor: AlphaVantageVendor, server: VendorServer):
    fill(server, OVERVIEW={})
    for ask in (vendor.get_profile, vendor.get_fundamentals):
        with pytest.raises(NoData, match="NOPE"):
            ask("NOPE")


def test_ratios_in_our_units(vendor: AlphaVantageVendor):
    ratios = vendor.get_fundamentals("ACMQ")
    assert ratios.values == pytest.approx(
        {
            "market_cap": 5e9,
            "pe_ttm": 20.5,
            "forward_pe": 16.0,
            "dividend_yield": 1.25,
            "roa": 8.1,
            "high_52w": 120.5,
            "sma_50": 101.25,
        }
    )
    assert (ratios.vendor, ratios.currency, ratios.fetched_at) == ("alpha_vantage", "USD", NOW)
    assert ratios.business is None


def test_what_a_company_does_in_alpha_vantage_s_words(vendor: AlphaVantageVendor, server: VendorServer):
    fill(server, OVERVIEW={**av.OVERVIEW, "Description": "Acme makes widgets."})
    assert vendor.get_fundamentals("ACMQ").business == "Acme makes widgets."


def test_statements(vendor: AlphaVantageVendor, server: VendorServer):
    fill(
        server,
        CASH_FLOW=av.reports(
            av.report(
                "2024-12-31",
                operatingCashflow="200.5",
                capitalExpenditures="50",
                dividendPayout="10",
                paymentsForRepurchaseOfCommonStock="None",
                paymentsForRepurchaseOfEquity="-30",
                cashflowFromInvestment="nan",
                reportedCurrency="EUR",
            ),
            av.report("2024-09-30", operatingCashflow="None"),
            av.report("soon", operatingCashflow="1"),
            years=[av.report("2024-09-30", operatingCashflow="800"), av.report("2023-09-30", operatingCashflow="700")],
        ),
        EARNINGS=av.earnings(Q2024_12_31="2025-02-06", Q2024_09_30="2024-11-07"),
    )
    (quarter,) = vendor.get_statements("ACMQ", "cashflow", "quarterly")
    assert quarter.items == {
        "operating_cash_flow": 200.5,
        "capital_expenditure": -50.0,
        "dividends_paid": -10.0,
        "share_repurchases": -30.0,
        "free_cash_flow": 150.5,
    }
    assert (quarter.fiscal_year, quarter.fiscal_period, quarter.period_end) == (2025, "Q1", date(2024, 12, 31))
    assert (quarter.symbol, quarter.kind, quarter.frequency) == ("ACMQ", "cashflow", "quarterly")
    assert (quarter.currency, quarter.source) == ("EUR", "alpha_vantage")
    # Results came on 6 February; the cash flow may have waited for the filing, due in mid-February.
    assert (quarter.known_at, quarter.known_by) == (utc(2025, 2, 18, 14, 30), "assumed")
    years = vendor.get_statements("ACMQ", "cashflow", "annual")
    assert [(one.fiscal_year, one.fiscal_period, one.items["operating_cash_flow"]) for one in years] == [
        (2024, "FY", 800.0),
        (2023, "FY", 700.0),
    ]
    assert [(one.known_at, one.known_by) for one in years] == [
        (utc(2024, 12, 30, 14, 30), "assumed"),
        (utc(2024, 1, 2, 14, 30), "assumed"),  # 90 days after its end is the year's last Friday
    ]
    assert [one.query["function"] for one in server.asked] == ["CASH_FLOW", "EARNINGS"] * 2


@pytest.mark.parametrize(
    "results",
    [
        {},
        av.BAD_SYMBOL,
        av.earnings(),
        av.earnings(Q2024_12_31="None"),
        av.earnings(Q2024_12_31="2024-12-31"),  # no company has its results on the last day of the period
        av.earnings(Q2024_12_28="2025-02-06"),
    ],
)
def test_without_a_day_of_results_the_deadline_counts(vendor: AlphaVantageVendor, server: VendorServer, results: Any):
    books = av.reports(av.report("2024-12-31", totalAssets="7"), years=[av.report("2024-09-30", totalAssets="5")])
    fill(server, BALANCE_SHEET=books, EARNINGS=results)
    (quarter,) = vendor.get_statements("ACMQ", "balance", "quarterly")
    assert quarter.known_by == "assumed"
    assert quarter.known_at == utc(2025, 2, 18, 14, 30)  # 45 days later is a Friday; Monday is a holiday


def test_an_income_statement_is_known_from_the_session_after_its_results(
    vendor: AlphaVantageVendor, server: VendorServer
):
    fill(server, EARNINGS=av.earnings(Q2024_12_31="2025-02-06"))
    (quarter,) = vendor.get_statements("ACMQ", "income", "quarterly")
    assert (quarter.known_at, quarter.known_by) == (utc(2025, 2, 7, 14, 30), "accepted")


def test_results_published_after_the_deadline_are_not_known_at_it(vendor: AlphaVantageVendor, server: VendorServer):
    fill(server, EARNINGS=av.earnings(Q2024_12_31="2025-06-12"))
    (quarter,) = vendor.get_statements("ACMQ", "income", "quarterly")
    assert quarter.known_at == utc(2025, 6, 13, 13, 30)


def test_results_that_are_refused_are_not_assumed(vendor: AlphaVantageVendor, server: VendorServer):
    fill(server, EARNINGS=av.DAILY_LIMIT)
    with pytest.raises(RateLimited):
        vendor.get_statements("ACMQ", "income", "quarterly")


def test_a_fund_has_no_statements(vendor: AlphaVantageVendor, server: VendorServer):
    for answer in ({}, av.reports()):
        fill(server, INCOME_STATEMENT=answer)
        with pytest.raises(NoData):
            vendor.get_statements("SPYQ", "income", "annual")


def test_news_of_a_window_to_the_second(vendor: AlphaVantageVendor, server: VendorServer):
    fill(
        server,
        NEWS_SENTIMENT=av.feed(
            av.article("After", "20250314T200031"),
            av.article("Second", "20250314T200030", source="None", summary=""),
            av.article("First", "20250310T000000"),
            av.article("Before", "20250309T235959"),
            av.article(7, "20250311T000000"),
            av.article("No instant", "yesterday"),
            "no article",
        ),
    )
    found = vendor.get_news("ACMQ", *WINDOW)
    assert found == (
        NewsItem("Second", WINDOW[1], WINDOW[1], None, None, "https://news.example/20250314T200030", "ACMQ"),
        NewsItem(
            "First",
            WINDOW[0],
            WINDOW[0],
            "The Fictional Post",
            "First.",
            "https://news.example/20250310T000000",
            "ACMQ",
        ),
    )
    assert dict(server.asked[-1].query) == {
        "function": "NEWS_SENTIMENT",
        "tickers": "ACMQ",
        "time_from": "20250310T0000",
        "time_to": "20250314T2001",
        "sort": "LATEST",
        "limit": "1000",
        "apikey": KEY,
    }


def test_a_quiet_time_has_no_news(vendor: AlphaVantageVendor, server: VendorServer):
    for answer in (av.feed(), {"Information": "No articles found. Please adjust the time range or refer to the docs."}):
        fill(server, NEWS_SENTIMENT=answer)
        assert vendor.get_news("ACMQ", *WINDOW) == ()


def test_market_news_are_of_two_topics_each_article_once(vendor: AlphaVantageVendor, server: VendorServer):
    (found,) = vendor.get_global_news(*WINDOW)
    assert (found.title, found.symbol) == ("Quarks sell well", None)
    assert [one.query["topics"] for one in server.asked] == ["financial_markets", "economy_macro"]


@pytest.mark.parametrize(
    ("topic", "theirs"),
    [
        ("central bank monetary policy", "economy_monetary"),
        ("trade policy sanctions", "economy_fiscal"),
        ("energy oil commodities", "energy_transportation"),
        ("geopolitics", "economy_macro"),
        ("Health Care", "life_sciences"),
        ("Information Technology", "technology"),
        ("Consumer Staples", "retail_wholesale"),
        ("Materials", "manufacturing"),
        ("banking", "finance"),
        ("Bitcoin", "blockchain"),
        ("turmoil", None),  # has no oil in it
        ("taxi drivers", None),
        ("beekeeping", None),
    ],
)
def test_what_a_topic_is_filed_under(topic: str, theirs: str | None):
    assert av_topics.filed_under(topic) == theirs


def test_of_a_topic_s_articles_those_that_speak_of_it_are_given(vendor: AlphaVantageVendor, server: VendorServer):
    articles = [
        av.article("Airlines hire", "20250314T100000"),
        av.article("A quiet week", "20250313T100000", summary="Oil rests."),
        av.article("Oil rises", "20250312T100000"),
        av.article("Oil of old", "20250309T100000"),
    ]
    fill(server, NEWS_SENTIMENT=av.feed(*articles))
    assert [item.title for item in vendor.get_topic_news("oil", *WINDOW)] == ["A quiet week", "Oil rises"]
    assert server.asked[-1].query["topics"] == "energy_transportation"
    assert "tickers" not in server.asked[-1].query


def test_a_topic_that_it_lacks_names_those_it_has(vendor: AlphaVantageVendor, server: VendorServer):
    with pytest.raises(NoData, match=r"no news on 'beekeeping'; ask for one of economy monetary, "):
        vendor.get_topic_news("beekeeping", *WINDOW)
    assert server.asked == []


def test_insider_trades(vendor: AlphaVantageVendor, server: VendorServer):
    rows = [
        av.trade("2025-03-10", "A", "1000.0", "10.5"),
        av.trade("2025-03-11", "D", "500", "11.0"),
        av.trade("2025-03-05", "A", "300", "0.0"),
        av.trade("2025-03-04", "D", "200", ""),
        av.trade("2025-03-03", "A", "100", "5", security_type="Stock Option"),
        av.trade("", "A", "100", "5"),
        av.trade("2025-03-03", "A", "None", "5"),
    ]
    fill(server, INSIDER_TRANSACTIONS={"data": rows})
    found = vendor.get_insider_transactions("ACMQ")
    assert found[1] == InsiderTransaction(
        symbol="ACMQ",
        insider="QUARK, JANE",
        relation="CEO",
        kind="buy",
        shares=1000.0,
        value=10_500.0,
        transaction_date=date(2025, 3, 10),
        known_at=utc(2025, 3, 13, 13, 30),  # due on Wednesday
        known_by="assumed",
        text="Acquired Common Stock",
    )
    assert [(one.kind, one.value) for one in found] == [
        ("sell", 5500.0),
        ("buy", 10_500.0),
        ("grant", None),
        ("other", None),
        ("other", 500.0),
    ]


def test_insiders_who_traded_no_shares_are_no_failure(vendor: AlphaVantageVendor, server: VendorServer):
    fill(server, INSIDER_TRANSACTIONS={"data": [av.trade("2025-03-10", "A", "0.0", "")]})
    assert vendor.get_insider_transactions("ACMQ") == ()


def test_an_insider_s_trade_of_no_known_side_is_called_neither(vendor: AlphaVantageVendor, server: VendorServer):
    fill(server, INSIDER_TRANSACTIONS={"data": [av.trade("2025-03-10", "", "10", "1")]})
    (trade,) = vendor.get_insider_transactions("ACMQ")
    assert (trade.kind, trade.text) == ("other", "Common Stock")


def test_results_published_on_a_day_beyond_the_calendar_were_not(vendor: AlphaVantageVendor, server: VendorServer):
    fill(server, EARNINGS={"quarterlyEarnings": [{"fiscalDateEnding": "2024-12-31", "reportedDate": "9999-12-31"}]})
    (statement,) = vendor.get_statements("ACMQ", "income", "quarterly")
    assert statement.known_by == "assumed"


def test_movers_of_the_session(vendor: AlphaVantageVendor, server: VendorServer):
    lists = {
        "last_updated": "2025-03-14 16:15:59 US/Eastern",
        "top_gainers": [av.mover("ACMQ", "12.5", "9.5%", "1000000"), av.mover("ACMQ+", "0.1", "99%", "9")],
        "top_losers": [av.mover("ELMQ", "2.5", "-9.5%", "2000000"), av.mover("BADQ", "None", "-1%", "2")],
        "most_actively_traded": [],
    }
    fill(server, TOP_GAINERS_LOSERS=lists)
    session = date(2025, 3, 14)
    assert vendor.get_market_movers("day_gainers", session) == (
        Mover("ACMQ", "ACMQ", 12.5, 9.5, 1_000_000.0, utc(2025, 3, 14, 20)),
    )
    assert [one.change_pct for one in vendor.get_market_movers("day_losers", session)] == [-9.5]
    with pytest.raises(NoData, match="no most_actives of 2025-03-14 yet"):
        vendor.get_market_movers("most_actives", session)
    with pytest.raises(NoData, match="no day_gainers of 2025-03-17 yet"):
        vendor.get_market_movers("day_gainers", date(2025, 3, 17))
    lists["top_gainers"] = [{**av.mover("ACMQ", "12.5", "9.5%", "1000000"), "change_percentage": "0.095%"}]
    fill(server, TOP_GAINERS_LOSERS=lists)
    with pytest.raises(VendorDown, match="cannot be read"):
        vendor.get_market_movers("day_gainers", session)


def test_announced_results(vendor: AlphaVantageVendor, server: VendorServer):
    text = av.CALENDAR + (
        "ACMQ,Acme Quark Devices,2025-03-20,2025-01-31,1.25,USD,post-market\r\n"
        "BRK.B,,2025-03-18,2024-12-31,,EUR,\r\n"
        "FARQ,Far,2025-05-20,2025-01-31,1,USD,\r\n"
        ",Nobody,2025-03-20,2025-01-31,1,USD,\r\n"
    )
    fill(server, EARNINGS_CALENDAR=Reply(text, content_type="text/csv"))
    close, read = utc(2025, 3, 14, 20), utc(2025, 3, 14, 22)
    assert vendor.get_earnings_calendar(date(2025, 3, 14), date(2025, 3, 31)) == (
        EarningsEvent(
            "BRK-B", "BRK.B", date(2025, 3, 18), close, date(2024, 12, 31), currency="EUR", shares_as_of=read
        ),
        EarningsEvent(
            *("ACMQ", "Acme Quark Devices", date(2025, 3, 20), close, date(2025, 1, 31)),
            eps_estimate=1.25,
            shares_as_of=read,
        ),
    )
    fill(server, EARNINGS_CALENDAR=Reply(av.CALENDAR, content_type="text/csv"))
    assert vendor.get_earnings_calendar(date(2025, 3, 14), date(2025, 3, 31)) == ()


REFUSALS: dict[str, tuple[Any, type[Exception], float | None]] = {
    "a day's requests": (av.DAILY_LIMIT, RateLimited, None),
    "a second's": (av.SECOND_LIMIT, RateLimited, 2.0),
    "a minute's": (av.MINUTE_LIMIT, RateLimited, 60.0),
    "premium": (av.PREMIUM, NotInPlan, None),
    "a premium parameter": (av.PREMIUM_FULL, NotInPlan, None),
    "a bad key": (av.BAD_KEY, VendorNotConfigured, None),
    "the demo key": (av.DEMO_KEY, VendorNotConfigured, None),
    "a bad symbol": (av.BAD_SYMBOL, NoData, None),
    "bad inputs": ({"Information": "Invalid inputs. Please refer to the API documentation."}, NoData, None),
    "another sentence": ({"Information": "We are moving house."}, VendorDown, None),
}


@pytest.mark.parametrize("case", REFUSALS)
@pytest.mark.parametrize("method", SOURCE.asks)
def test_a_sentence_with_status_200_is_the_error_it_means_and_is_never_shown(
    vendor: AlphaVantageVendor, server: VendorServer, caplog: pytest.LogCaptureFixture, case: str, method: str
):
    sentence, expected, wait = REFUSALS[case]
    server.failing = Reply(sentence)
    with caplog.at_level(logging.DEBUG), pytest.raises(expected) as caught:
        getattr(vendor, method)(*SOURCE.asks[method])
    assert expected in (NoData, type(caught.value))
    if isinstance(caught.value, RateLimited):
        assert caught.value.retry_after == wait
    assert KEY not in "".join(traceback.format_exception(caught.value)) + caplog.text


@pytest.mark.parametrize(
    ("function", "answer", "method"),
    [
        (
            "TIME_SERIES_DAILY",
            {"Meta Data": {}, "Time Series (Daily)": {"2025-03-14": {"1. open": "x"}}},
            "get_stock_data",
        ),
        ("TIME_SERIES_DAILY", {"Meta Data": {}, "Bars": {}}, "get_stock_data"),
        (
            "TIME_SERIES_DAILY",
            av.daily({"2025-03-14": {**av.bar(1, 1, 1, 1, 1), "5. volume": 10**400}}),
            "get_stock_data",
        ),
        ("SPLITS", {"data": "none"}, "get_stock_data"),
        ("SPLITS", av.events(av.split("2025-03-13", "None")), "get_stock_data"),
        ("SPLITS", av.events({"day": "2025-03-13", "split_factor": "2"}), "get_stock_data"),
        ("DIVIDENDS", av.events({"ex_date": "2025-03-13", "amount": "2"}), "get_stock_data"),
        ("INCOME_STATEMENT", av.reports({"fiscalDateEnding": "9999-12-31", "totalRevenue": "1"}), "get_statements"),
        ("NEWS_SENTIMENT", {"Information": "Our limit is 25 requests per day.", "a": 1, "b": 2}, "get_news"),
        ("INSIDER_TRANSACTIONS", {"data": [av.trade("2029-01-01", "A", "1", "1")]}, "get_insider_transactions"),
        ("TOP_GAINERS_LOSERS", {"last_updated": "2025-99-14 16:00:00", "top_gainers": []}, "get_market_movers"),
        ("TOP_GAINERS_LOSERS", {"last_updated": "2025-03-14 99:00:00", "top_gainers": []}, "get_market_movers"),
        ("TOP_GAINERS_LOSERS", {"last_updated": "0001-01-01 16:00:00", "top_gainers": []}, "get_market_movers"),
        ("EARNINGS_CALENDAR", Reply("<html>" + "x" * 200_000, content_type="text/csv"), "get_earnings_calendar"),
        ("EARNINGS_CALENDAR", Reply(av.CALENDAR + "A\rB,\r\n", content_type="text/csv"), "get_earnings_calendar"),
        (
            "EARNINGS_CALENDAR",
            Reply(av.CALENDAR + "ACMQ,Acme,20/03/2025,,1,USD,\r\n", content_type="text/csv"),
            "get_earnings_calendar",
        ),
        ("OVERVIEW", {"Symbol": "ACMQ", "Title": "x"}, "get_profile"),
        ("INCOME_STATEMENT", av.reports({"when": "2024"}), "get_statements"),
        ("INCOME_STATEMENT", {"symbol": "ACMQ"}, "get_statements"),
        ("EARNINGS", {"symbol": "ACMQ"}, "get_statements"),
        ("NEWS_SENTIMENT", {"items": "1"}, "get_news"),
        ("NEWS_SENTIMENT", av.feed({"headline": "x"}), "get_news"),
        ("INSIDER_TRANSACTIONS", {"data": [{"who": "x"}]}, "get_insider_transactions"),
        ("TOP_GAINERS_LOSERS", {"top_gainers": []}, "get_market_movers"),
        ("EARNINGS_CALENDAR", Reply("a,b\r\n1,2\r\n", content_type="text/csv"), "get_earnings_calendar"),
    ],
)
def test_an_answer_in_another_shape_is_unreadable(
    vendor: AlphaVantageVendor, server: VendorServer, function: str, answer: Any, method: str
):
    fill(server, **{function: answer})
    with pytest.raises(VendorDown, match="cannot be read"):
        getattr(vendor, method)(*SOURCE.asks[method])


def test_each_request_waits_for_its_turn(server: VendorServer, tmp_path: Path):
    class Turns(Access):
        taken = 0

        def wait_turn(self) -> None:
            self.taken += 1

    settings = load_settings({"vendor_urls": {"alpha_vantage": server.url}, "home": tmp_path}, environ={})
    access = Turns("alpha_vantage", settings=settings, environ={"ALPHA_VANTAGE_API_KEY": KEY})
    AlphaVantageVendor(access, now=lambda: NOW).get_stock_data("ACMQ", *WEEK)
    assert access.taken == len(server.asked) == 3


def test_without_a_key_it_is_not_configured():
    with pytest.raises(VendorNotConfigured, match="alpha_vantage needs ALPHA_VANTAGE_API_KEY"):
        AlphaVantageVendor(Access("alpha_vantage", settings=load_settings(environ={}), environ={}))
