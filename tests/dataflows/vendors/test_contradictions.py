"""Answers that contradict themselves, or cannot be read whole: refused or told, by every reader."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.all import every_source
from tests.contracts.sources.source import SYMBOL, Source
from tests.dataflows.vendors.financial_datasets_payloads import serve_statements, statement
from tests.dataflows.vendors.finnhub_payloads import article
from tests.dataflows.vendors.sec_payloads import SUBMISSIONS
from tests.dataflows.vendors.social_payloads import message
from tests.dataflows.vendors.social_payloads import stream as stocktwits_page
from tests.support import yahoo_server as yahoo
from tests.support.vendor_server import Reply, Request, VendorServer, vendor_server
from tests.support.yahoo_server import LocalSession, YahooServer
from tradingagents.capabilities.registry import built_in
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.responses.lost_rows import (
    SCHEDULED,
    contradicted,
    lost,
    noting_lost_rows,
    sentence_of,
    unread,
)
from tradingagents.dataflows.vendors.fred.parse import is_as_published
from tradingagents.dataflows.vendors.sec_edgar.submissions import read_entries
from tradingagents.dataflows.vendors.yfinance.answers import OddAnswer, check_answer
from tradingagents.dataflows.vendors.yfinance.totals import contradicted_total
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.errors import VendorDown
from tradingagents.settings import load_settings

NOW = datetime(2025, 3, 14, 21, tzinfo=UTC)
CHART = "/v8/finance/chart/ZYX"
DAYS = ("2025-03-10", "2025-03-11", "2025-03-12", "2025-03-13", "2025-03-14")
PRICES = (100.0, 101.0, 102.0, 101.5, 103.0)


def chart(**meta: Any) -> dict[str, Any]:
    """A chart as Yahoo sends it after the close of the last day, with what its head says of it."""
    bars = {day: (close, close + 1, close - 1, close, close, 1e6) for day, close in zip(DAYS, PRICES, strict=True)}
    answer = yahoo.chart("ZYX", bars)
    stamps = answer["chart"]["result"][0]["timestamp"]
    opens = {"timezone": "EDT", "start": stamps[-1], "end": stamps[-1] + 23400, "gmtoffset": -14400}
    answer["chart"]["result"][0]["meta"] |= {
        "exchangeName": "NMS",
        "gmtoffset": -14400,
        "regularMarketPrice": PRICES[-1],
        "regularMarketTime": stamps[-1] + 23400,
        "fiftyTwoWeekLow": 90.0,
        "fiftyTwoWeekHigh": 120.0,
        "currentTradingPeriod": {"regular": opens},
        **meta,
    }
    return answer


def checked(answer: Any, path: str = CHART) -> str | None:
    return check_answer(path, json.dumps(answer).encode())


def test_a_sound_chart_passes():
    assert checked(chart()) is None
    assert checked(chart(regularMarketTime=None, fiftyTwoWeekLow=None, currentTradingPeriod=None)) is None
    month = chart()
    of_many_days(1.0)(month)
    assert checked(month) is None
    penny = chart(priceHint=4)
    of_many_days(0.001)(penny)
    assert checked(penny) is None


def result_of(answer: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = answer["chart"]["result"][0]
    return result


def quote_of(answer: dict[str, Any]) -> dict[str, Any]:
    quote: dict[str, Any] = result_of(answer)["indicators"]["quote"][0]
    return quote


def all_scaled(answer: dict[str, Any]) -> None:
    for name in ("open", "high", "low", "close"):
        quote_of(answer)[name] = [100 * value for value in quote_of(answer)[name]]


def of_many_days(factor: float) -> Callable[[dict[str, Any]], None]:
    """Turn a chart into one of a month whose prices, the head's too, are of another unit."""

    def change(answer: dict[str, Any]) -> None:
        result = result_of(answer)
        last = result["timestamp"][-1]
        closes = [round(factor * (10.37 + 0.13 * day), 6) for day in range(25)]
        winter = 3600  # the clocks went forward five days before the last one
        result["timestamp"] = [last - 86_400 * before + winter * (before > 4) for before in range(24, -1, -1)]
        result["indicators"]["adjclose"][0]["adjclose"] = closes
        quote_of(answer).update(dict.fromkeys(("open", "high", "low", "close"), closes), volume=[1e6] * 25)
        result["meta"] |= {
            "regularMarketPrice": closes[-1],
            "fiftyTwoWeekLow": min(closes),
            "fiftyTwoWeekHigh": max(closes),
        }

    return change


def shifted(answer: dict[str, Any]) -> None:
    result_of(answer)["timestamp"] = [stamp + 5 * 3600 for stamp in result_of(answer)["timestamp"]]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda one: result_of(one)["meta"].update(currency="EUR"), "currency is EUR at a US exchange"),
        (lambda one: result_of(one)["meta"].update(exchangeTimezoneName="Asia/Tokyo"), "gmtoffset"),
        (lambda one: result_of(one)["meta"].update(exchangeTimezoneName="Nowhere"), "is no zone"),
        (shifted, "other hours"),
        (all_scaled, "regularMarketPrice"),
        (lambda one: quote_of(one).update(close=[90 * 5.0, *PRICES[1:4], 103.0]), "fiftyTwoWeekLow"),
        (of_many_days(0.001), "more decimals than priceHint"),
        (of_many_days(0.92), "more decimals than priceHint"),
        (of_many_days(149.6), "parts of a cent"),
        (of_many_days(100.0), "whole dollars"),
        (lambda one: quote_of(one).pop("volume"), "has no volume"),
        (lambda one: quote_of(one).update(close=["100.0"] * 5), "no number"),
        (lambda one: quote_of(one).update(high=[1.0]), "1 values for 5 times"),
        (lambda one: quote_of(one).update(volume=[None] * 5), "volume holds no value"),
        (lambda one: result_of(one).update(timestamp=[1000 * stamp for stamp in result_of(one)["timestamp"]]), "time"),
        (lambda one: one["chart"].update(result=None, error={"code": "Internal"}), "holds an error"),
        (lambda one: one.pop("chart"), "has no chart"),
    ],
)
def test_a_chart_that_contradicts_itself_is_not_used(change: Callable[[Any], Any], why: str, tmp_path: Path):
    answer = chart()
    change(answer)
    with pytest.raises(OddAnswer, match=why):
        checked(answer)
    with yahoo.yahoo_server() as server:
        server.answer("chart", yahoo.Reply(answer), "ZYX")
        vendor = YFinanceVendor(cache_dir=tmp_path, session=LocalSession(server.address), now=lambda: NOW)
        with pytest.raises(
            VendorDown, match=r"Yahoo's answer for prices of ZYX cannot be used: .*choose another vendor"
        ):
            vendor.get_stock_data("ZYX", date(2025, 3, 10), date(2025, 3, 14))


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/xhr/ncp", {"status": "error"}),
        ("/v1/finance/search", {"quotes": []}),
        ("/v10/finance/quoteSummary/ZYX", yahoo.quote_summary(insiderTransactions={"transactionsV2": []})),
        ("/v7/finance/quote", {"quoteResponse": {"result": None, "error": {"code": "Internal"}}}),
        ("/v10/finance/quoteSummary/ZYX", {"finance": {}}),
        ("/v1/finance/screener/predefined/saved", []),
        ("/ws/fundamentals-timeseries/v1/finance/timeseries/ZYX", {"timeseries": {"error": "x"}}),
    ],
)
def test_a_refusal_with_the_status_of_an_answer_is_no_answer(path: str, answer: Any):
    with pytest.raises(OddAnswer):
        checked(answer, path)
    with pytest.raises(OddAnswer, match="no JSON"):
        check_answer(path, b"<html></html>")
    assert check_answer("/v1/test/getcrumb", b"crumb") is None


def series(code: str, stamp: int = 1735603200) -> dict[str, Any]:
    value = {"asOfDate": "2024-12-31", "currencyCode": code, "reportedValue": {"raw": 900.0}}
    entry = {"meta": {}, "timestamp": [stamp], "quarterlyTotalAssets": [value]}
    return {"timeseries": {"result": [entry], "error": None}}


def test_time_series_state_their_currency_and_stand_at_their_days():
    path = "/ws/fundamentals-timeseries/v1/finance/timeseries/ZYX"
    assert checked(series("JPY"), path) == "JPY"
    per_share = series("EUR")
    of_shares = series("USD")["timeseries"]["result"][0]
    of_shares["quarterlyDilutedEPS"] = of_shares.pop("quarterlyTotalAssets")
    per_share["timeseries"]["result"].append(of_shares)
    assert checked(per_share, path) == "EUR"  # of a company that is listed in dollars
    both = series("USD")
    both["timeseries"]["result"] += series("JPY")["timeseries"]["result"]
    with pytest.raises(OddAnswer, match="JPY and USD"):
        checked(both, path)
    with pytest.raises(OddAnswer, match="another day"):
        checked(series("USD", 1727740800), path)


def yahoo_vendor(server: YahooServer, tmp_path: Path) -> YFinanceVendor:
    return YFinanceVendor(cache_dir=tmp_path, session=LocalSession(server.address), now=lambda: NOW)


def test_a_trade_whose_value_is_not_shares_times_its_price_is_left_out(tmp_path: Path):
    sale = {"filerName": "A", "filerRelation": "Officer", "transactionText": "Sale at price 20.00 - 21.00 per share."}
    trades = [{**sale, "day": "2025-03-03", "shares": 100, "value": 2050}]
    trades.append({**sale, "day": "2025-03-04", "shares": 100, "value": 205_000})
    with yahoo.yahoo_server() as server:
        server.answer("quoteSummary", yahoo.insiders(*trades))
        with noting_lost_rows() as noted:
            (found,) = yahoo_vendor(server, tmp_path).get_insider_transactions("ZYX")
    assert found.value == 2050
    assert [row.what for row in noted] == ["insider trade whose value is not shares times the price of transactionText"]


def test_a_screen_tells_each_stock_once_and_none_whose_change_is_not_its_change(tmp_path: Path):
    at = datetime(2025, 3, 14, 20, tzinfo=UTC)
    good = yahoo.screened("AAA", 110.0, 10.0, at, regularMarketChange=10.0)
    odd = yahoo.screened("BBB", 110.0, 1000.0, at, regularMarketChange=10.0)
    unnamed = [{**good, "symbol": "CCC", "quoteType": None}, {**good, "symbol": None}]
    fund = {**good, "symbol": "DDD", "quoteType": "ETF"}
    with yahoo.yahoo_server() as server, noting_lost_rows() as noted:
        server.answer("screen", yahoo.screen(good, good, odd, fund, *unnamed))
        found = yahoo_vendor(server, tmp_path).get_market_movers("day_gainers", date(2025, 3, 14))
    assert [mover.symbol for mover in found] == ["AAA"]
    assert [row.what for row in noted] == [
        "quote whose regularMarketChangePercent is not regularMarketChange of the previous close",
        "quote without a readable quoteType",
        "quote without a readable symbol",
    ]


def test_what_is_lost_is_counted_by_what_and_field():
    with noting_lost_rows() as noted:
        for _ in range(2):
            lost("article", headline=None, datetime=1)
        unread("price", "12.3B")
        unread("price", None)
        contradicted("row", "whose sum is wrong")
    lost("article", headline=None)  # nobody listens
    assert sentence_of("finnhub", "get_news of ACMQ", noted) == (
        "finnhub's answer to get_news of ACMQ is not whole; left out: article without a readable headline (2 times); "
        "value of price that cannot be read; row whose sum is wrong."
    )
    assert sentence_of("finnhub", "x", noted.__class__()) == ""


def test_a_page_that_is_read_once_tells_every_question_what_it_lacks(tmp_path: Path):
    source: Source = next(one for one in every_source() if one.name == "sec_edgar")
    with vendor_server() as server:
        source.fill(server, None)
        page = json.loads(json.dumps(server.reply_to(index_of(server)).body))
        page["filings"]["recent"]["filingDate"][0] = None
        server.answer(SUBMISSIONS, page)
        vendor = source.open(server, tmp_path, now=lambda: NOW)
        for method in ("get_profile", "get_filings"):
            with noting_lost_rows() as noted:
                getattr(vendor, method)(*source.asks[method])
            assert [row.what for row in noted] == ["filing without a readable filingDate"], method


def index_of(_: VendorServer) -> Request:
    return Request("GET", SUBMISSIONS, {}, {}, b"", 0.0)


def test_an_agent_reads_which_rows_were_left_out(tmp_path: Path):
    source: Source = next(one for one in every_source() if one.name == "finnhub")
    with vendor_server() as server:
        source.fill(server, None)
        rows = [article("Quarks", "2025-03-13T14:00:00+00:00"), article(None, "2025-03-12T14:00:00+00:00")]
        server.answer("/company-news", rows)
        note = asked(source, server, tmp_path)
    assert (
        note
        == "Note: finnhub's answer to get_news of ACMQ is not whole; left out: article without a readable headline."
    )


def asked(source: Source, server: VendorServer, tmp_path: Path) -> str:
    (note,) = notes_of("get_news", source, vendors_of(source, server, tmp_path), NOW.date(), NOW)
    return note


def vendors_of(source: Source, server: VendorServer, tmp_path: Path, now: datetime = NOW) -> Vendors:
    settings = load_settings({"home": tmp_path, "data_vendor": source.name, "second_vendor": "off"}, environ={})
    return Vendors(settings, {source.name: source.open(server, tmp_path, now=lambda: now)}, environ={})


def notes_of(name: str, source: Source, vendors: Vendors, day: date, now: datetime) -> list[str]:
    """What an answer as of a day, asked for at a moment, says of rows that could not be read."""
    settings = load_settings({"data_vendor": source.name, "second_vendor": "off"}, environ={})
    data = MarketData(settings, day, vendors=vendors, now=lambda: now)
    of_news = {"start_date": day - timedelta(days=13), "end_date": day} if name == "get_news" else {}
    capability = built_in()[name]
    text = capability.reply(data, capability.checked({"ticker": SYMBOL, **of_news})).result.to_markdown()
    notes = [line for line in text.splitlines() if "is not whole" in line]
    assert bool(data.sheet.warnings) >= bool(notes)
    return notes


PAST, LATER = date(2025, 3, 14), datetime(2025, 6, 13, 21, tzinfo=UTC)


def test_a_past_day_hears_nothing_of_articles_that_cannot_be_read_and_came_later(tmp_path: Path):
    source: Source = next(one for one in every_source() if one.name == "finnhub")
    unreadable = [article(None, f"2025-03-{day}T14:00:00+00:00") for day in ("12", "14")]
    later = [article(None, f"{day}T{hour}:00:00+00:00") for day in ("2025-03-14", "2025-03-20") for hour in (21, 22)]
    with vendor_server() as server:
        source.fill(server, None)
        server.answer("/company-news", [article("Quarks", "2025-03-13T14:00:00+00:00"), *unreadable, *later])
        vendors = vendors_of(source, server, tmp_path, LATER)
        (past,) = notes_of("get_news", source, vendors, PAST, LATER)
    assert past.endswith("left out: article without a readable headline (2 times).")


def test_a_past_day_hears_nothing_of_figures_that_cannot_be_read_and_were_filed_later(tmp_path: Path):
    source: Source = next(one for one in every_source() if one.name == "financial_datasets")
    known = statement("income", "2024-09-30", "2024-Q3", filing_date="2024-11-05")
    filed = statement("income", "2024-12-31", "2024-Q4", filing_date="2025-05-01", revenue="12.3B")
    form = statement("income", "2025-03-31", None, filing_date="2025-05-08")
    with vendor_server() as server:
        source.fill(server, None)
        serve_statements(server, [("income", row) for row in (known, filed, form)])
        vendors = vendors_of(source, server, tmp_path, LATER)
        assert notes_of("get_income_statement", source, vendors, PAST, LATER) == []
        (now,) = notes_of("get_income_statement", source, vendors, LATER.date(), LATER)
        assert "value of revenue that cannot be read; statement without a readable fiscal_period" in now
        assert notes_of("get_income_statement", source, vendors, PAST, LATER) == []


def test_rows_on_a_day_to_come_are_told_before_it():
    with noting_lost_rows() as noted:
        lost("release", since=SCHEDULED, event=None, time=LATER)
        lost("bar", day=PAST)
        unread("price", "12.3B", since=PAST)
    told = sentence_of("finnhub", "x", noted, datetime(2025, 3, 14, 20, tzinfo=UTC))
    assert told == "finnhub's answer to x is not whole; left out: release without a readable event."
    assert "value of price" in sentence_of("finnhub", "x", noted, datetime(2025, 3, 15, tzinfo=UTC))


def paid(answer: dict[str, Any], *, at: int, shift: int = 0) -> dict[str, Any]:
    """Add a dividend of one dollar at a bar, with adjusted closes that step there, or so many bars beside it."""
    stamps = result_of(answer)["timestamp"]
    result_of(answer)["events"] = {"dividends": {"1": {"amount": 1.0, "date": stamps[at]}}}
    kept = 1 - 1.0 / PRICES[at - 1]
    closes = quote_of(answer)["close"]
    adjusted = [close * (kept if number < at + shift else 1.0) for number, close in enumerate(closes)]
    result_of(answer)["indicators"]["adjclose"] = [{"adjclose": adjusted}]
    return answer


def test_adjusted_closes_step_on_the_day_of_the_dividend():
    assert checked(paid(chart(), at=3)) is None
    for shift in (1, -1):
        with pytest.raises(OddAnswer, match="another day than its dividend"):
            checked(paid(chart(), at=3, shift=shift))
    fallen = paid(chart(), at=3)
    column = result_of(fallen)["indicators"]["adjclose"][0]["adjclose"]
    column[0], column[1] = PRICES[0], PRICES[1] * (1 - 1.0 / PRICES[2])
    with pytest.raises(OddAnswer, match="falls against close"):
        checked(fallen)


def test_a_dividend_after_the_last_bar_shows_that_bars_are_missing():
    answer = paid(chart(), at=3)
    result_of(answer)["events"]["dividends"]["1"]["date"] += 7 * 86_400
    with pytest.raises(OddAnswer, match="after the last bar"):
        checked(answer)


def stream(hour: str, *, asked: int = 2, more: int = 0) -> dict[str, Any]:
    """Two articles whose addresses say 14:05:06, published at an hour."""
    link = {"url": "https://finance.yahoo.com/news/quarks-rise-140506123.html"}
    articles = [
        yahoo.article(f"Quark {number}", f"2025-03-1{number}T{hour}:05:06Z", canonicalUrl=link) for number in (1, 2)
    ]
    answer = yahoo.news_stream(*articles)
    answer["data"]["tickerStream"]["pagination"] = {"requestedCount": asked, "remainingCount": more}
    return answer


def test_articles_are_of_the_hour_in_their_address():
    assert checked(stream("14"), "/xhr/ncp") is None
    with pytest.raises(OddAnswer, match="other hours"):
        checked(stream("19"), "/xhr/ncp")
    flat = [{"link": "https://finance.yahoo.com/a-235900000.html", "providerPublishTime": 86_400 * 20_000 + 60}] * 2
    assert checked({"news": flat}, "/v1/finance/search") is None  # a minute past midnight is near a minute before it


def test_articles_that_are_missing_of_those_asked_for_are_told():
    with noting_lost_rows() as noted:
        checked(stream("14", asked=5, more=0), "/xhr/ncp")
    assert not noted  # there are no more
    with noting_lost_rows() as noted:
        checked(stream("14", asked=5, more=7), "/xhr/ncp")
    assert "article that the answer counts and does not list (3 times)" in sentence_of("yfinance", "news", noted)
    for count, missing in ((3, 1), (2, 0), (None, 0)):
        found = {**yahoo.search_news(("Quarks rise", "2025-03-10T12:00:00+00:00")), "nav": [{}], "count": count}
        with noting_lost_rows() as noted:
            checked(found, "/v1/finance/search")
        assert sum(noted.values()) == missing


def test_versions_that_are_missing_of_those_counted_are_not_taken_for_the_last_ones(tmp_path: Path):
    source: Source = next(one for one in every_source() if one.name == "fred")
    with vendor_server() as server:
        source.fill(server, None)
        small = server.reply_to

        def shortened(request: Request) -> Any:
            page = json.loads(json.dumps(small(request).body))
            del page.get("observations", [])[1:3]
            return page

        server.reply_to = lambda asked: Reply(shortened(asked)) if "observations" in asked.path else small(asked)  # type: ignore[method-assign]
        vendor = source.open(server, tmp_path, now=lambda: NOW)
        for method in ("get_macro_indicators", "get_economic_calendar"):
            with pytest.raises(VendorDown, match="cannot be read"):
                getattr(vendor, method)(*source.asks[method])


@pytest.mark.parametrize(
    ("vendor", "path", "rows", "field"),
    [
        ("financial_datasets", "/insider-trades", "insider_trades", "title"),
        ("alpha_vantage", "/query", "data", "executive_title"),
    ],
)
def test_trades_without_a_field_for_the_office_say_so(vendor: str, path: str, rows: str, field: str, tmp_path: Path):
    def change(server: VendorServer) -> None:
        small = server.reply_to

        def renamed(request: Request) -> Reply:
            reply = small(request)
            if request.path == path and isinstance(reply.body, dict) and rows in reply.body:
                body = {
                    rows: [
                        {f"{key}_" if key == field else key: cell for key, cell in row.items()}
                        for row in reply.body[rows]
                    ]
                }
                return Reply(body)
            return reply

        server.reply_to = renamed  # type: ignore[method-assign]

    found = lost_of(vendor, "get_insider_transactions", change, tmp_path)
    assert set(found) == {f"office of an insider without a readable {field}"}


def test_the_newest_sales_of_insiders_are_those_that_are_summed_up():
    trades = [
        {"day": "2025-03-10", "transactionText": "Sale at price 10.00 per share.", "shares": 500, "value": 5000},
        {"day": "2025-03-03", "transactionText": "Sale at price 10.00 per share.", "shares": 100, "value": 1000},
    ]
    answer = yahoo.insiders(*trades)
    modules = answer["quoteSummary"]["result"][0]
    path = "/v10/finance/quoteSummary/ZYX"
    for count, shares in ((1, 500), (2, 600), (0, None)):
        modules["netSharePurchaseActivity"] = {"sellInfoCount": {"raw": count}, "sellInfoShares": {"raw": shares}}
        assert checked(answer, path) is None
    for count, shares, why in ((3, 700, "lists 2 sales"), (2, 6000, "sums 6000")):
        modules["netSharePurchaseActivity"] = {"sellInfoCount": count, "sellInfoShares": shares}
        with pytest.raises(OddAnswer, match=why):
            checked(answer, path)


def test_quarters_are_of_the_size_of_the_totals():
    ends = (date(2024, 3, 31), date(2024, 6, 30), date(2024, 9, 30), date(2024, 12, 28))
    rows = {"TotalRevenue": dict(zip(ends, (90.0, 100.0, 110.0, 120.0), strict=True))}
    totals = {"TotalRevenue": 420.0}
    assert not contradicted_total(rows, totals, date(2024, 12, 28))
    assert not contradicted_total(rows, {"TotalRevenue": 500.0}, date(2025, 3, 31))  # of later quarters, as large
    assert not contradicted_total(rows, {"TotalRevenue": 500.0}, None)
    assert contradicted_total(rows, {"TotalRevenue": 387.0}, date(2024, 12, 31))
    assert contradicted_total(rows, {"TotalRevenue": 42_000.0}, date(2025, 3, 31))
    cash = {"CashCashEquivalentsAndShortTermInvestments": {ends[-1]: 50.0}}
    assert not contradicted_total(cash, {"CashCashEquivalentsAndShortTermInvestments": 90.0}, ends[-1])  # a bank's
    assert contradicted_total(cash, {"CashCashEquivalentsAndShortTermInvestments": 50e3}, ends[-1])


@pytest.mark.parametrize("rate", [0.92, 0.79, 149.6, 1e-3])
def test_two_rows_by_one_factor_off_their_totals_are_in_another_currency_or_unit(rate: float):
    end, totals = date(2024, 12, 28), {"CashCashEquivalentsAndShortTermInvestments": 53.8e9, "TotalDebt": 96.8e9}
    sheet = {name: {end: total} for name, total in totals.items()}
    assert not contradicted_total(sheet, totals, date(2024, 12, 31))
    other = {name: {end: rate * total} for name, total in totals.items()}
    assert contradicted_total(other, totals, date(2024, 12, 31))
    if 0.1 < rate < 1:
        assert not contradicted_total(other, totals, date(2025, 3, 31))  # totals of a later quarter
        one = other | {"TotalDebt": {end: 0.8e9}}  # with leases in the total only
        assert not contradicted_total(one, totals, date(2024, 12, 31))


def test_cash_flows_in_another_currency_than_their_totals_are_not_used():
    ends = (date(2024, 3, 31), date(2024, 6, 30), date(2024, 9, 30), date(2024, 12, 28))
    flows = {
        "OperatingCashFlow": (22.7, 28.9, 26.8, 29.9),
        "NetIncomeFromContinuingOperations": (23.6, 21.4, 14.7, 36.3),
    }
    rows = {name: dict(zip(ends, values, strict=True)) for name, values in flows.items()}
    totals = {name: sum(values) for name, values in flows.items()}
    assert not contradicted_total(rows, totals, ends[-1])
    assert not contradicted_total(rows, totals | {"NetIncomeFromContinuingOperations": 110.0}, ends[-1])  # minorities
    euros = {name: {end: 0.92 * value for end, value in row.items()} for name, row in rows.items()}
    assert contradicted_total(euros, totals, ends[-1]) == (
        "amounts are 0.92 times the totals that Yahoo gives of the same company"
    )
    assert not contradicted_total({name: dict(list(row.items())[1:]) for name, row in euros.items()}, totals, ends[-1])


def test_trades_are_of_the_day_that_they_write(tmp_path: Path):
    sale = {"filerName": "A", "filerRelation": "Officer", "transactionText": "Sale at price 20.00 per share."}
    for hours, written in ((0, "2025-03-03"), (-5, "2025-03-03"), (9, "2025-03-03"), (0, "2025-03-04"), (-8, None)):
        answer = yahoo.insiders({**sale, "day": "2025-03-03", "shares": 100, "value": 2000})
        (trade,) = answer["quoteSummary"]["result"][0]["insiderTransactions"]["transactions"]
        stamp = int(datetime(2025, 3, 3, tzinfo=UTC).timestamp()) + 3600 * hours
        trade["startDate"] = stamp if written is None else {"raw": stamp, "fmt": written}
        with yahoo.yahoo_server() as server:
            server.answer("quoteSummary", answer)
            vendor = yahoo_vendor(server, tmp_path)
            if (hours, written) == (0, "2025-03-03"):
                assert vendor.get_insider_transactions("ZYX")[0].transaction_date == date(2025, 3, 3)
            else:
                with pytest.raises(VendorDown, match="startDate is of another day"):
                    vendor.get_insider_transactions("ZYX")


def test_a_price_is_in_the_range_that_its_quote_states(tmp_path: Path):
    at = datetime(2025, 3, 14, 20, tzinfo=UTC)
    ends = {"regularMarketDayRange": "108.0 - 111.0", "regularMarketDayLow": 108.0, "regularMarketDayHigh": 111.0}
    good = yahoo.screened("AAA", 110.0, 10.0, at, **ends)
    dear, scaled = (
        yahoo.screened("BBB", 120.0, 10.0, at, **ends),
        {**good, "symbol": "CCC", "regularMarketDayHigh": 102.0},
    )
    with yahoo.yahoo_server() as server:
        server.answer("screen", yahoo.screen(good, dear, scaled))
        with noting_lost_rows() as noted:
            found = yahoo_vendor(server, tmp_path).get_market_movers("day_gainers", date(2025, 3, 14))
    assert [mover.symbol for mover in found] == ["AAA"]
    assert sum(noted.values()) == 2


def lost_of(name: str, method: str, change: Callable[[VendorServer], None], tmp_path: Path) -> list[str]:
    """What a source's reader leaves out when its server is changed."""
    source: Source = next(one for one in every_source() if one.name == name)
    with vendor_server() as server:
        source.fill(server, None)
        change(server)
        vendor = source.open(server, tmp_path, now=lambda: NOW)
        with noting_lost_rows() as noted:
            getattr(vendor, method)(*source.asks[method])
    return [row.what for row in noted]


def test_a_page_of_posts_tells_what_its_cursor_names_and_it_lacks(tmp_path: Path):
    page = stocktwits_page([message(9, "2025-03-13T15:00:00Z"), message(8, "2025-03-12T15:00:00Z")], oldest=8)
    page["cursor"]["since"] = 11

    def change(server: VendorServer) -> None:
        server.answer(f"/streams/symbol/{SYMBOL}.json", page)

    found = lost_of("stocktwits", "get_social_posts", change, tmp_path)
    assert found == ["newest post that the answer counts and does not list"]


def test_filings_at_the_days_of_others_are_not_read():
    columns = {
        "accessionNumber": [f"0000000099-25-00000{number}" for number in range(4)],
        "form": ["10-Q", "8-K", "4", "EFFECT"],
        "filingDate": ["2025-03-14", "2025-02-14", "2025-01-14", "2024-12-13"],
        "acceptanceDateTime": [f"2025-0{month}-14T15:00:00.000Z" for month in (3, 2, 1)] + ["2024-12-14T05:15:00.000Z"],
    }
    assert len(read_entries(columns) or ()) == 4  # the commission dates its notices itself
    moved = columns["acceptanceDateTime"]
    assert read_entries({**columns, "acceptanceDateTime": [moved[1], moved[2], moved[0], moved[3]]}) is None
    closed = ["2025-03-14T02:30:00.000Z", *moved[1:]]  # 22:30 in New York, where EDGAR closes at 22:00
    assert read_entries({**columns, "acceptanceDateTime": closed}) is None
    assert len(read_entries({**columns, "acceptanceDateTime": ["2025-03-14T01:30:00.000Z", *moved[1:]]}) or ()) == 4


def test_a_series_has_the_decimals_it_is_published_with():
    rows = [{"value": text} for text in ("4.1", "4.0", ".", "4.2")]
    assert is_as_published("UNRATE", rows)
    assert is_as_published("ANOTHER", [{"value": "0.0041"}])
    assert not is_as_published("UNRATE", [{"value": "3.239"}, {"value": "3.16"}])
    assert not is_as_published("UNRATE", [{"value": "410.0"}, {"value": "400.0"}])
