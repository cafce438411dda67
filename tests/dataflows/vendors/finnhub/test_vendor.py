"""The finnhub vendor: the real client against a local Finnhub. Every company and number here is made up."""

from __future__ import annotations

import gzip
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.finnhub import SOURCE
from tests.dataflows.vendors.finnhub_payloads import (
    KEY,
    METRIC,
    PROFILE,
    article,
    cut_at,
    fill,
    release,
    result,
    trade,
    within_days,
)
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.models import EarningsEvent, EconomicEvent, InsiderTransaction, NewsItem, Profile
from tradingagents.dataflows.responses.lost_rows import noting_lost_rows, sentence_of
from tradingagents.dataflows.vendors.finnhub.vendor import FinnhubVendor
from tradingagents.errors import (
    NoData,
    NotForPastDate,
    NotInPlan,
    RateLimited,
    VendorDown,
    VendorNotConfigured,
)
from tradingagents.settings import load_settings

NOW = datetime(2025, 3, 14, 22, tzinfo=UTC)
"""A Friday, two hours after New York closed (20:00 UTC)."""
CLOSE = datetime(2025, 3, 14, 20, tzinfo=UTC)
DAYS = (date(2025, 3, 1), date(2025, 3, 31))


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        fill(running)
        yield running


@pytest.fixture
def vendor(server: VendorServer, tmp_path: Path) -> FinnhubVendor:
    made = SOURCE.open(server, tmp_path, now=lambda: NOW)
    assert isinstance(made, FinnhubVendor)
    return made


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


def test_the_key_travels_in_a_header_and_nowhere_else(vendor: FinnhubVendor, server: VendorServer):
    vendor.get_profile("ACMQ")
    (asked,) = server.asked
    assert (asked.path, dict(asked.query)) == ("/stock/profile2", {"symbol": "ACMQ"})
    assert asked.headers["x-finnhub-token"] == KEY


def test_without_a_key_it_is_not_configured():
    with pytest.raises(VendorNotConfigured, match=r"finnhub needs FINNHUB_API_KEY"):
        FinnhubVendor(Access("finnhub", settings=load_settings(environ={}), environ={}))


def test_each_request_waits_for_its_turn(server: VendorServer, tmp_path: Path):
    class Turns(Access):
        taken = 0

        def wait_turn(self) -> None:
            self.taken += 1

    settings = load_settings({"vendor_urls": {"finnhub": server.url}, "home": tmp_path}, environ={})
    access = Turns("finnhub", settings=settings, environ={"FINNHUB_API_KEY": KEY})
    vendor = FinnhubVendor(access, now=lambda: NOW)
    vendor.get_profile("ACMQ")
    vendor.get_peers("ACMQ", "technology")
    assert access.taken == len(server.asked) == 2


def test_a_profile(vendor: FinnhubVendor):
    assert vendor.get_profile("ACMQ") == Profile(
        "ACMQ", "Acme Quark Devices Inc", "stock", "technology", "Semiconductors", "XNYS", "USD", "XNAS"
    )


def test_a_profile_of_an_unknown_industry_has_no_sector(vendor: FinnhubVendor, server: VendorServer):
    fill(server, stock_profile2={**PROFILE, "finnhubIndustry": "Quark Mining", "currency": None})
    found = vendor.get_profile("ACMQ")
    assert (found.sector, found.industry, found.currency) == (None, "Quark Mining", "USD")


def test_an_empty_profile_is_nobody(vendor: FinnhubVendor, server: VendorServer):
    fill(server, stock_profile2={})
    with pytest.raises(NoData, match="finnhub has no profile of NOPE"):
        vendor.get_profile("NOPE")


@pytest.mark.parametrize(("symbol", "theirs"), [("BRK-B", "BRK.B"), ("ACMQ", "ACMQ")])
def test_share_classes_are_spelt_with_a_point(vendor: FinnhubVendor, server: VendorServer, symbol: str, theirs: str):
    assert vendor.get_profile(symbol).symbol == symbol
    assert server.asked[-1].query["symbol"] == theirs


@pytest.mark.parametrize("symbol", ["^GSPC", "BTC-USD", "EURUSD=X", "7203.T", "GC=F"])
def test_what_the_free_plan_does_not_carry_is_not_asked_for(vendor: FinnhubVendor, server: VendorServer, symbol: str):
    with pytest.raises(NoData):
        vendor.get_insider_transactions(symbol)
    assert server.asked == []


def test_peers_are_others_each_once_in_our_spelling(vendor: FinnhubVendor, server: VendorServer):
    assert vendor.get_peers("ACMQ", "technology") == ("ELMQ", "BRK-B")
    fill(server, stock_peers=["ACMQ"])
    assert vendor.get_peers("ACMQ", "technology")[:2] == ("AAPL", "MSFT")


def test_ratios_in_our_units(vendor: FinnhubVendor):
    ratios = vendor.get_fundamentals("ACMQ")
    assert ratios.values == {
        "pe_ttm": 22.5,
        "pb": 3.5,
        "beta": 1.25,
        "current_ratio": 1.5,
        "dividend_yield": 0.75,
        "eps_ttm": 4.5,
        "high_52w": 120.5,
        "low_52w": 80.25,
        "market_cap": 1_234_500_000.0,
    }
    assert (ratios.vendor, ratios.fetched_at) == ("finnhub", NOW)


@pytest.mark.parametrize(
    ("metric", "error"), [({}, NoData), ({"peTTM": "22", "beta": None}, VendorDown), ("none", VendorDown)]
)
def test_ratios_that_are_none(vendor: FinnhubVendor, server: VendorServer, metric: Any, error: type[Exception]):
    fill(server, stock_metric={**METRIC, "metric": metric})
    with pytest.raises(error):
        vendor.get_fundamentals("ACMQ")


def test_company_news_of_a_window(vendor: FinnhubVendor, server: VendorServer):
    fill(
        server,
        company_news=[
            article("Before", "2025-03-09T23:59:59+00:00"),
            article("First", "2025-03-10T09:30:00+00:00", summary="", url=None, source=7),
            article("Second", "2025-03-12T10:00:00+00:00"),
            article("", "2025-03-12T11:00:00+00:00"),
            article("No instant", "2025-03-12T11:00:00+00:00", datetime=0),
            "not an article",
        ],
    )
    found = vendor.get_news("ACMQ", utc(2025, 3, 10), utc(2025, 3, 14, 20))
    second = utc(2025, 3, 12, 10)
    assert found == (
        NewsItem(
            "Second",
            second,
            second,
            "The Fictional Post",
            "Second.",
            f"https://news.example/{int(second.timestamp())}",
            "ACMQ",
        ),
        NewsItem("First", utc(2025, 3, 10, 9, 30), utc(2025, 3, 10, 9, 30), None, None, None, "ACMQ"),
    )
    assert server.asked[-1].query == {"symbol": "ACMQ", "from": "2025-03-10", "to": "2025-03-14"}


def test_a_quiet_company_has_no_news(vendor: FinnhubVendor, server: VendorServer):
    fill(server, company_news=[])
    with noting_lost_rows() as noted:
        assert vendor.get_news("ACMQ", utc(2025, 3, 10), NOW) == ()
    assert "every article, if there are any: the list is empty" in sentence_of("finnhub", "get_news of ACMQ", noted)


def test_company_news_beyond_what_one_answer_holds(vendor: FinnhubVendor, server: VendorServer):
    first = utc(2025, 3, 10)
    articles = [article(f"No. {n}", (first + timedelta(minutes=15 * n)).isoformat()) for n in range(380)]
    newest_first = articles[::-1]
    server.answer("/company-news", lambda request: within_days(newest_first, request)[:250])
    found = vendor.get_news("ACMQ", first, utc(2025, 3, 14, 20))
    assert [item.title for item in found] == [one["headline"] for one in newest_first]
    asked = [(request.query["from"][-2:], request.query["to"][-2:]) for request in server.asked]
    # 96 a day: 380 of five days are cut, 288 of three too.
    assert asked == [("10", "14"), ("10", "12"), ("10", "11"), ("12", "12"), ("13", "14")]


def test_company_news_reach_back_a_year(vendor: FinnhubVendor, server: VendorServer):
    with pytest.raises(NotForPastDate, match="reach back a year, not to 2024-03-01"):
        vendor.get_news("ACMQ", utc(2024, 2, 1), utc(2024, 3, 1))
    assert server.asked == []


def test_market_news_as_far_as_the_feed_reaches(vendor: FinnhubVendor, server: VendorServer):
    (found,) = vendor.get_global_news(utc(2025, 3, 10), NOW)
    assert (found.title, found.symbol, found.published_at) == ("Markets are calm", None, utc(2025, 3, 13, 15))
    assert server.asked[-1].query == {"category": "general", "minId": "0"}
    with pytest.raises(NotForPastDate, match="reach back to 2025-03-13 only, not to 2025-03-12"):
        vendor.get_global_news(utc(2025, 3, 1), utc(2025, 3, 12))


def test_insider_trades(vendor: FinnhubVendor, server: VendorServer):
    rows = [
        trade("Jane Quark", 1000, "2025-03-10", "2025-03-12"),
        trade("Joe Lepton", -250, "2025-03-11", "2025-03-14", "S"),
        trade("Joe Lepton", 500, "2025-03-05", "2025-03-07", "M", transactionPrice=0, isDerivative=True),
        trade("Joe Lepton", -90, "2025-03-05", "2025-03-07", "F"),
        trade("No change", 0, "2025-03-05", "2025-03-07"),
        trade("No date", 10, "", "2025-03-07"),
        trade(None, 10, "2025-03-05", "2025-03-07"),
        trade("A text", "10", "2025-03-05", "2025-03-07"),
        trade("Endless", 10**400, "2025-03-05", "2025-03-07"),
        trade("Of another age", 10, "2025-03-05", "2999-01-01"),
    ]
    fill(server, stock_insider_transactions={"data": rows, "symbol": "ACMQ"})
    found = vendor.get_insider_transactions("ACMQ")
    assert found[1] == InsiderTransaction(
        symbol="ACMQ",
        insider="Jane Quark",
        relation="",
        kind="buy",
        shares=1000.0,
        value=10_500.0,
        transaction_date=date(2025, 3, 10),
        known_at=utc(2025, 3, 13, 13, 30),  # filed on Wednesday: known at Thursday's open
        text="P +1000",
    )
    assert [(one.kind, one.shares, one.value) for one in found] == [
        ("sell", 250.0, 2625.0),
        ("buy", 1000.0, 10_500.0),
        ("exercise", 500.0, None),
        ("other", 90.0, 945.0),
    ]
    assert found[0].known_at == utc(2025, 3, 17, 13, 30)  # filed on Friday
    assert server.asked[-1].query == {"symbol": "ACMQ", "from": "2023-03-15", "to": "2025-03-14"}


def test_insider_trades_beyond_the_hundred_of_one_answer(vendor: FinnhubVendor, server: VendorServer):
    filed = [(NOW.date() - timedelta(days=day)).isoformat() for day in range(0, 700, 2)]  # 350, the newest first
    rows = [trade("Jane Quark", 1000, day, day) for day in filed]
    within = cut_at(100, rows, by="filingDate")
    server.answer("/stock/insider-transactions", lambda request: {"data": within(request), "symbol": "ACMQ"})
    found = vendor.get_insider_transactions("ACMQ")
    assert [trade.transaction_date.isoformat() for trade in found] == filed
    asked = [(request.query["from"], request.query["to"]) for request in server.asked]
    # 350 of two years are cut, 167 and 183 of one year too; the four half years hold fewer than a hundred each.
    assert asked == [
        ("2023-03-15", "2025-03-14"),
        ("2023-03-15", "2024-03-14"),
        ("2023-03-15", "2023-09-13"),
        ("2023-09-14", "2024-03-14"),
        ("2024-03-15", "2025-03-14"),
        ("2024-03-15", "2024-09-13"),
        ("2024-09-14", "2025-03-14"),
    ]


def test_a_day_with_more_than_one_answer_holds_is_told_of(
    vendor: FinnhubVendor, server: VendorServer, caplog: pytest.LogCaptureFixture
):
    rows = [trade("Jane Quark", 1 + count, "2025-03-10", "2025-03-12") for count in range(150)]
    within = cut_at(100, rows, by="filingDate")
    server.answer("/stock/insider-transactions", lambda request: {"data": within(request), "symbol": "ACMQ"})
    with caplog.at_level(logging.WARNING):
        assert len(vendor.get_insider_transactions("ACMQ")) == 100
    assert "insider transactions of ACMQ may lack some of 2025-03-12: it answered 100" in caplog.text


def test_a_company_without_insider_trades_is_an_answer(vendor: FinnhubVendor, server: VendorServer):
    fill(server, stock_insider_transactions={"data": [], "symbol": "ACMQ"})
    assert vendor.get_insider_transactions("ACMQ") == ()


def test_insiders_who_traded_no_shares_are_no_failure(vendor: FinnhubVendor, server: VendorServer):
    fill(server, stock_insider_transactions={"data": [trade("Jane Quark", 0, "2025-03-10", "2025-03-12")]})
    assert vendor.get_insider_transactions("ACMQ") == ()


def test_a_us_listing_is_quoted_in_dollars_whatever_it_files_in(vendor: FinnhubVendor, server: VendorServer):
    fill(server, stock_profile2={**PROFILE, "currency": "TWD"})
    assert vendor.get_profile("ACMQ").currency == "USD"


def test_results_are_known_when_they_were_out(vendor: FinnhubVendor, server: VendorServer):
    rows = [
        result("ACMQ", "2025-03-13", 1.25, "amc"),
        result("BRK.B", "2025-03-13", 2.5, "bmo"),
        result("DMHQ", "2025-03-13", 3.5, "dmh"),
        result("SUNQ", "2025-03-15", 4.5, "amc"),  # a Saturday
        result("NEXT", "2025-03-20", None, "amc"),
        result("TODQ", "2025-03-14", 5.5, "amc"),
        result("FARQ", "2025-05-01", None),
        result(None, "2025-03-13", 1.0),
        result("OLDQ", "1970-01-01", 1.0, "amc"),
    ]
    fill(server, calendar_earnings={"earningsCalendar": rows})
    found = vendor.get_earnings_calendar(*DAYS)
    known = {(row.symbol, row.eps): row.known_at for row in found}
    assert known == {
        ("ACMQ", 1.25): utc(2025, 3, 13, 20, 30),
        ("BRK-B", 2.5): utc(2025, 3, 13, 13, 30),
        ("DMHQ", 3.5): utc(2025, 3, 14, 13, 30),
        ("SUNQ", None): CLOSE,
        ("SUNQ", 4.5): utc(2025, 3, 17, 13, 30),
        ("NEXT", None): CLOSE,
        ("TODQ", None): CLOSE,  # as it was announced at the close, then as it came
        ("TODQ", 5.5): utc(2025, 3, 14, 20, 30),
    }
    assert found[0] == EarningsEvent(
        "ACMQ",
        "ACMQ",
        date(2025, 3, 13),
        utc(2025, 3, 13, 20, 30),
        fiscal_period="2024-Q4",
        eps=1.25,
        eps_estimate=1.1,
        revenue=2.5e9,
    )
    asked = server.asked[-1].query
    assert (asked["from"], asked["to"]) == ("2025-03-01", "2025-03-31")


def test_results_beyond_the_1500_of_one_answer(vendor: FinnhubVendor, server: VendorServer):
    rows = [result(f"Q{day}X{count}", f"2025-03-{day:02}", 1.0) for day in (3, 4, 5, 6) for count in range(500)]
    within = cut_at(1500, rows, by="date", keep_last=True)
    server.answer("/calendar/earnings", lambda request: {"earningsCalendar": within(request)})
    found = vendor.get_earnings_calendar(date(2025, 3, 3), date(2025, 3, 6))
    assert {row.symbol for row in found} == {row["symbol"] for row in rows}
    assert [(request.query["from"], request.query["to"]) for request in server.asked] == [
        ("2025-03-03", "2025-03-06"),
        ("2025-03-03", "2025-03-04"),
        ("2025-03-05", "2025-03-06"),
    ]


@pytest.mark.parametrize("rows", [[], [result("ACMQ", "2025-02-14", 1.25)]], ids=["none", "of the last month"])
def test_results_before_the_plans_month_are_refused_not_none(vendor: FinnhubVendor, server: VendorServer, rows: Any):
    fill(server, calendar_earnings={"earningsCalendar": rows})
    with pytest.raises(NotForPastDate, match="reaches back to 2025-02-12 on this key's plan, not to 2025-02-03"):
        vendor.get_earnings_calendar(date(2025, 2, 3), date(2025, 2, 14))


def test_results_before_that_month_on_a_plan_that_has_them(vendor: FinnhubVendor, server: VendorServer):
    fill(server, calendar_earnings={"earningsCalendar": [result("ACMQ", "2024-11-05", 1.25)]})
    (found,) = vendor.get_earnings_calendar(date(2024, 11, 4), date(2024, 11, 8))
    assert (found.symbol, found.known_at) == ("ACMQ", utc(2024, 11, 5, 21, 30))


def test_days_without_a_session_before_that_month_are_not_missed(vendor: FinnhubVendor, server: VendorServer):
    vendor._now = lambda: utc(2025, 3, 18, 22)  # the month begins on Sunday, 16 February; the 17th was a holiday
    fill(server, calendar_earnings={"earningsCalendar": []})
    assert vendor.get_earnings_calendar(date(2025, 2, 15), date(2025, 2, 18)) == ()


def test_releases_of_the_united_states(vendor: FinnhubVendor, server: VendorServer):
    rows = [
        release("CPI YoY", "2025-03-12 12:30:00", 2.8),
        release("CPI YoY", "2025-03-12 12:30:00", 2.5, country="DE"),
        release("Fed Interest Rate Decision", "2025-03-19 18:00:00", None, unit="", estimate=None),
        release("Late", "2025-03-01 02:00:00", 1.0),  # still February in New York
        release("No instant", "soon", 1.0),
        release("Of another age", "0001-01-01 00:00:00", 1.0),
    ]
    fill(server, calendar_economic={"economicCalendar": rows})
    found = vendor.get_economic_calendar(*DAYS)
    assert found == (
        EconomicEvent(
            "CPI YoY",
            date(2025, 3, 12),
            utc(2025, 3, 12, 12, 30),
            value=2.8,
            previous=3.0,
            estimate=2.9,
            unit="%",
            read_at=NOW,
        ),
        EconomicEvent("Fed Interest Rate Decision", date(2025, 3, 19), CLOSE, previous=3.0, read_at=NOW),
    )


def test_a_release_with_a_day_alone_is_known_from_the_next_open(vendor: FinnhubVendor, server: VendorServer):
    fill(server, calendar_economic={"economicCalendar": [release("CPI YoY", "2025-03-12", 2.8)]})
    (found,) = vendor.get_economic_calendar(*DAYS)
    assert (found.day, found.known_at) == (date(2025, 3, 12), utc(2025, 3, 13, 13, 30))


@pytest.mark.parametrize("empty", ["calendar_earnings", "calendar_economic"])
def test_an_empty_calendar_is_no_error(vendor: FinnhubVendor, server: VendorServer, empty: str):
    fill(server, calendar_earnings={"earningsCalendar": []}, calendar_economic={"economicCalendar": []})
    ask = vendor.get_earnings_calendar if empty == "calendar_earnings" else vendor.get_economic_calendar
    assert ask(*DAYS) == ()


ODD: dict[str, tuple[str, Callable[[FinnhubVendor], object], Any]] = {
    "profile": ("stock_profile2", lambda vendor: vendor.get_profile("ACMQ"), {"ticker": "ACMQ", "name": 7}),
    "peers": ("stock_peers", lambda vendor: vendor.get_peers("ACMQ", "technology"), {"error": "?"}),
    "news": ("company_news", lambda vendor: vendor.get_news("ACMQ", utc(2025, 3, 1), NOW), [{"headline": 1}]),
    "insiders": (
        "stock_insider_transactions",
        lambda vendor: vendor.get_insider_transactions("ACMQ"),
        {"data": [{"name": "x"}]},
    ),
    "insiders' list": ("stock_insider_transactions", lambda vendor: vendor.get_insider_transactions("ACMQ"), {}),
    "earnings": (
        "calendar_earnings",
        lambda vendor: vendor.get_earnings_calendar(*DAYS),
        {"earningsCalendar": [{"symbol": "X"}]},
    ),
    "economy": (
        "calendar_economic",
        lambda vendor: vendor.get_economic_calendar(*DAYS),
        {"economicCalendar": [{"event": "X"}]},
    ),
}


@pytest.mark.parametrize("case", ODD)
def test_an_answer_in_another_shape_is_unreadable_not_empty(vendor: FinnhubVendor, server: VendorServer, case: str):
    path, ask, answer = ODD[case]
    fill(server, **{path: answer})
    with pytest.raises(VendorDown, match="cannot be read"):
        ask(vendor)


def test_a_question_outside_the_plan_lets_the_next_vendor_answer(vendor: FinnhubVendor, server: VendorServer):
    fill(server, calendar_economic=Reply({"error": "You don't have access to this resource."}, status=403))
    with pytest.raises(NotInPlan, match="plan of this key has no economic calendar"):
        vendor.get_economic_calendar(*DAYS)


@pytest.mark.parametrize(("status", "error"), [(401, VendorNotConfigured), (429, RateLimited), (502, VendorDown)])
def test_refusals(vendor: FinnhubVendor, server: VendorServer, status: int, error: type[Exception]):
    server.failing = Reply({"error": "Invalid API key"}, status=status)
    with pytest.raises(error):
        vendor.get_profile("ACMQ")


@pytest.mark.parametrize("body", ["null", "5", '["error"]', "[" * 100_000])
@pytest.mark.parametrize(("status", "error"), [(401, VendorNotConfigured), (429, RateLimited), (502, VendorDown)])
def test_a_refusal_that_is_no_object(
    vendor: FinnhubVendor, server: VendorServer, status: int, error: type[Exception], body: str
):
    server.failing = Reply(body, status=status)
    with pytest.raises(error):
        vendor.get_profile("ACMQ")


def test_a_redirect_is_not_followed_with_the_key(vendor: FinnhubVendor, server: VendorServer):
    server.failing = Reply({}, status=302, headers={"Location": f"{server.url}/elsewhere"})
    with pytest.raises(VendorDown):
        vendor.get_profile("ACMQ")
    assert len(server.asked) == 1


def test_a_compressed_answer(vendor: FinnhubVendor, server: VendorServer):
    packed = gzip.compress(json.dumps(PROFILE).encode())
    headers = {"Content-Encoding": "gzip"}
    fill(server, stock_profile2=Reply(packed, headers=headers, content_type="application/json"))
    assert vendor.get_profile("ACMQ").name == "Acme Quark Devices Inc"


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"


def test_an_answer_in_chunks(tmp_path: Path):
    body = json.dumps(PROFILE).encode()
    chunks = [b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:50], body[50:])]
    with line_open([HEAD, *chunks, b"0\r\n\r\n"]) as url:
        assert at(url, tmp_path).get_profile("ACMQ").name == "Acme Quark Devices Inc"


def test_chunks_that_break_off_are_no_answer(tmp_path: Path):
    with line_open([HEAD, b"32\r\n{"]) as url, pytest.raises(VendorDown, match="could not be reached"):
        at(url, tmp_path).get_profile("ACMQ")


def test_an_answer_that_drips_is_given_up_at_the_time_limit(tmp_path: Path):
    with line_open([HEAD, *[b"1\r\n \r\n"] * 100], pause=0.1) as url:
        began = time.monotonic()
        with pytest.raises(VendorDown, match=r"within 0\.6 s for profile of ACMQ"):
            at(url, tmp_path, timeout=0.6).get_profile("ACMQ")
        assert time.monotonic() - began < 3


def at(url: str, tmp_path: Path, *, timeout: float = 5.0) -> FinnhubVendor:
    settings = load_settings({"vendor_urls": {"finnhub": url}, "vendor_timeout": timeout, "home": tmp_path}, environ={})
    return FinnhubVendor(Access("finnhub", settings=settings, environ={"FINNHUB_API_KEY": KEY}), now=lambda: NOW)


@contextmanager
def line_open(parts: list[bytes], *, pause: float = 0.0) -> Iterator[str]:
    """Answer one request with these bytes, one after the other, and hang up."""

    def answer() -> None:
        line, _ = listening.accept()
        with line:
            line.recv(65536)
            for part in parts:
                time.sleep(pause)
                try:
                    line.sendall(part)
                except OSError:
                    return

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=answer, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
