"""Answers that contradict themselves, or cannot be read whole: refused or told, by every reader."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.all import every_source
from tests.contracts.sources.source import SYMBOL, Source
from tests.dataflows.vendors.finnhub_payloads import article
from tests.dataflows.vendors.sec_payloads import SUBMISSIONS
from tests.support import yahoo_server as yahoo
from tests.support.vendor_server import Request, VendorServer, vendor_server
from tests.support.yahoo_server import LocalSession, YahooServer
from tradingagents.capabilities.registry import built_in
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.responses.lost_rows import contradicted, lost, noting_lost_rows, sentence_of, unread
from tradingagents.dataflows.vendors.yfinance.answers import OddAnswer, check_answer
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


def result_of(answer: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = answer["chart"]["result"][0]
    return result


def quote_of(answer: dict[str, Any]) -> dict[str, Any]:
    quote: dict[str, Any] = result_of(answer)["indicators"]["quote"][0]
    return quote


def all_scaled(answer: dict[str, Any]) -> None:
    for name in ("open", "high", "low", "close"):
        quote_of(answer)[name] = [100 * value for value in quote_of(answer)[name]]


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
        (lambda one: quote_of(one).pop("volume"), "has no volume"),
        (lambda one: quote_of(one).update(close=["100.0"] * 5), "no number"),
        (lambda one: quote_of(one).update(high=[1.0]), "1 values for 5 times"),
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
    assert list(noted) == ["insider trade whose value is not shares times the price of transactionText"]


def test_a_screen_tells_each_stock_once_and_none_whose_change_is_not_its_change(tmp_path: Path):
    at = datetime(2025, 3, 14, 20, tzinfo=UTC)
    good = yahoo.screened("AAA", 110.0, 10.0, at, regularMarketChange=10.0)
    odd = yahoo.screened("BBB", 110.0, 1000.0, at, regularMarketChange=10.0)
    with yahoo.yahoo_server() as server:
        server.answer("screen", yahoo.screen(good, good, odd))
        found = yahoo_vendor(server, tmp_path).get_market_movers("day_gainers", date(2025, 3, 14))
    assert [mover.symbol for mover in found] == ["AAA"]


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
            assert list(noted) == ["filing without a readable filingDate"], method


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
    settings = load_settings({"home": tmp_path, "data_vendor": "finnhub"}, environ={})
    vendor = source.open(server, tmp_path, now=lambda: NOW)
    data = MarketData(
        settings, date(2025, 3, 14), vendors=Vendors(settings, {"finnhub": vendor}, environ={}), now=lambda: NOW
    )
    news = built_in()["get_news"]
    arguments = {"ticker": SYMBOL, "start_date": "2025-03-01", "end_date": "2025-03-14"}
    text = news.reply(data, news.checked(arguments)).result.to_markdown()
    assert data.sheet.warnings
    (note,) = [line for line in text.splitlines() if "is not whole" in line]
    return note
