"""What the yfinance vendor tells the scanner: the real client against a local Yahoo. Every company is made up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import yahoo_server as yahoo
from tests.support.yahoo_server import LocalSession, Reply, YahooServer
from tradingagents.capabilities.scanner import get_earnings_calendar, get_economic_calendar, get_market_movers
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import EarningsEvent, EconomicEvent, Mover, SectorMember
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.sectors import SECTORS
from tradingagents.dataflows.vendors.yfinance.line_items import SECTOR_PAGES
from tradingagents.dataflows.vendors.yfinance.scan import movers_of
from tradingagents.dataflows.vendors.yfinance.vendor import EARNINGS_PAGES, ECONOMIC_PAGES, YFinanceVendor
from tradingagents.errors import NoData, NotForPastDate, RateLimited, VendorDown
from tradingagents.settings import load_settings

CLOSE = datetime(2025, 3, 14, 20, tzinfo=UTC)
"""New York's close of a Friday."""
NOW = CLOSE + timedelta(hours=2)
FRIDAY = date(2025, 3, 14)
WEEK = (date(2025, 3, 10), date(2025, 3, 21))
QUESTIONS = {
    "movers": lambda vendor: vendor.get_market_movers("day_gainers", FRIDAY),
    "sector": lambda vendor: vendor.get_industry_performance("financials"),
    "topic": lambda vendor: vendor.get_topic_news("tariffs", datetime(2025, 3, 10, tzinfo=UTC), NOW),
    "earnings": lambda vendor: vendor.get_earnings_calendar(*WEEK),
    "economy": lambda vendor: vendor.get_economic_calendar(*WEEK),
}
KINDS = ("screen", "sector", "search", "calendar")


@pytest.fixture
def server() -> Iterator[YahooServer]:
    with yahoo.yahoo_server() as running:
        yield running


def vendor_of(server: YahooServer, folder: Path, *, now: datetime = NOW, timeout: float = 5.0) -> YFinanceVendor:
    return YFinanceVendor(
        timeout=timeout, cache_dir=folder / "cache", session=LocalSession(server.address), now=lambda: now
    )


@pytest.fixture
def vendor(server: YahooServer, tmp_path: Path) -> YFinanceVendor:
    return vendor_of(server, tmp_path)


def market(vendor: YFinanceVendor, day: date, *, now: datetime = NOW) -> MarketData:
    settings = load_settings({"data_vendor": "yfinance"}, environ={})
    return MarketData(settings, day, vendors=Vendors(settings, {"yfinance": vendor}), now=lambda: now)


# Movers


def test_a_screen_is_read_value_by_value(server: YahooServer, vendor: YFinanceVendor) -> None:
    stamp = CLOSE - timedelta(minutes=5)
    server.answer(
        "screen",
        yahoo.screen(yahoo.screened("ZYX", 28.0, 30.4145, stamp, longName="Zyxolar\n Inc.", marketCap=11_279_519_744)),
        "day_gainers",
    )
    assert vendor.get_market_movers("day_gainers", FRIDAY) == (
        Mover(
            symbol="ZYX",
            name="Zyxolar Inc.",
            price=28.0,
            change_pct=30.4145,
            volume=5_000_000.0,
            known_at=stamp,
            market_cap=11_279_519_744.0,
            sector=None,
            currency="USD",
        ),
    )
    (asked,) = [asked for asked in server.asked if asked.kind == "screen"]
    assert (asked.query["scrIds"], asked.query["count"]) == ("day_gainers", "25")


def test_a_quote_stamped_after_the_close_belongs_to_it(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("screen", yahoo.screen(yahoo.screened("ZYX", 28.0, 3.5, CLOSE + timedelta(seconds=2))))
    (mover,) = vendor.get_market_movers("most_actives", FRIDAY)
    assert mover.known_at == CLOSE


@given(st.integers(0, 2 * 366 * 86400))
def test_no_quote_is_known_after_the_close_of_its_session(seconds: int) -> None:
    stamp = datetime(2023, 6, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    (mover,) = movers_of([yahoo.screened("ZYX", 28.0, 3.5, stamp)], session=date(2023, 1, 1))
    last_close = sessions().close_of(sessions().on_or_before(stamp.date()))
    assert mover.known_at == (stamp if stamp <= last_close else last_close)


@pytest.mark.real_data
def test_a_recorded_screen(server: YahooServer, vendor: YFinanceVendor, test_data: Path) -> None:
    recorded = test_data / "market" / "vendor_payloads" / "yahoo" / "screener" / "dailyGainers.json"
    if not recorded.is_file():
        pytest.skip("no screen is among the recorded data")
    server.answer("screen", json.loads(recorded.read_text()))
    movers = vendor.get_market_movers("day_gainers", date(2025, 2, 20))
    assert len(movers) == 5
    assert movers[0] == Mover(
        symbol="U",
        name="Unity Software Inc.",
        price=28.0,
        change_pct=30.4145,
        volume=61_661_819.0,
        known_at=datetime(2025, 2, 20, 21, tzinfo=UTC),  # stamped two seconds later
        market_cap=11_279_519_744.0,
    )


def test_a_half_day_closes_early(server: YahooServer, tmp_path: Path) -> None:
    half_day, close = date(2024, 11, 29), datetime(2024, 11, 29, 18, tzinfo=UTC)
    server.answer("screen", yahoo.screen(yahoo.screened("ZYX", 28.0, 3.5, close + timedelta(minutes=3))))
    (mover,) = vendor_of(server, tmp_path).get_market_movers("day_gainers", half_day)
    assert mover.known_at == close


def test_movers_keep_the_order_of_the_screen_and_are_25_at_most(server: YahooServer, vendor: YFinanceVendor) -> None:
    quotes = [yahoo.screened(f"ZY{chr(65 + n)}", 10.0, -30.0 + n, CLOSE) for n in range(26)]
    server.answer("screen", yahoo.screen(*quotes))
    found = vendor.get_market_movers("day_losers", FRIDAY)
    assert [mover.symbol for mover in found] == [f"ZY{chr(65 + n)}" for n in range(25)]
    assert (found[0].change_pct, found[-1].change_pct) == (-30.0, -6.0)


def test_a_price_in_pence_is_told_in_pounds(server: YahooServer, vendor: YFinanceVendor) -> None:
    stamp = datetime(2025, 3, 14, 16, 35, 10, tzinfo=UTC)  # London closes at 16:30
    server.answer("screen", yahoo.screen(yahoo.screened("ZYX.L", 250.0, 3.0, stamp, currency="GBp", marketCap=9e9)))
    (mover,) = vendor.get_market_movers("day_gainers", FRIDAY)
    assert (mover.price, mover.currency, mover.market_cap) == (2.5, "GBP", 9e9)
    assert mover.known_at == datetime(2025, 3, 14, 16, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "flaw",
    [
        {"regularMarketPrice": None},
        {"regularMarketPrice": "NaN"},
        {"regularMarketChangePercent": "Infinity"},
        {"regularMarketVolume": None},
        {"regularMarketTime": None},
        {"symbol": "../etc"},
        {"symbol": None},
        {"quoteType": "ETF"},
        {"regularMarketTime": int((CLOSE - timedelta(days=1)).timestamp())},
    ],
    ids=["no price", "NaN", "text", "no volume", "no time", "path", "no symbol", "a fund", "halted since yesterday"],
)
def test_a_quote_that_is_no_mover_of_the_session_is_left_out(
    server: YahooServer, vendor: YFinanceVendor, flaw: dict[str, object]
) -> None:
    flawed = yahoo.screened("BAD", 1.0, 1.0, CLOSE) | flaw
    server.answer("screen", yahoo.screen(flawed, yahoo.screened("ZYX", 28.0, 3.5, CLOSE)))
    assert [mover.symbol for mover in vendor.get_market_movers("day_gainers", FRIDAY)] == ["ZYX"]


def test_yahoos_symbols_are_not_read_as_a_person_would(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("screen", yahoo.screen(yahoo.screened("WTI", 2.0, 3.5, CLOSE)))
    assert vendor.get_market_movers("day_gainers", FRIDAY)[0].symbol == "WTI"  # the company, not the oil


@pytest.mark.parametrize(
    "quote",
    [{"ticker": "ZYX", "last": 28.0}, yahoo.screened("ZYX", float("nan"), 3.5, CLOSE), "ZYX"],
    ids=["other names", "NaN, which is no JSON", "text"],
)
def test_quotes_in_another_shape_mean_the_vendor_is_down(
    server: YahooServer, vendor: YFinanceVendor, quote: Any
) -> None:
    server.answer("screen", yahoo.screen(quote))
    with pytest.raises(VendorDown, match="day_gainers cannot be read"):
        vendor.get_market_movers("day_gainers", FRIDAY)


def test_an_empty_screen_is_no_data(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("screen", yahoo.screen())
    with pytest.raises(NoData, match="no day_losers of 2025-03-14; ask for"):
        vendor.get_market_movers("day_losers", FRIDAY)


def test_movers_of_a_session_that_trades_now_are_none_of_the_last_one(server: YahooServer, tmp_path: Path) -> None:
    monday = datetime(2025, 3, 17, 15, tzinfo=UTC)
    server.answer("screen", yahoo.screen(yahoo.screened("ZYX", 28.0, 3.5, monday)))
    vendor = vendor_of(server, tmp_path, now=monday)
    with pytest.raises(NotForPastDate, match="for today only, not for 2025-03-14"):
        market(vendor, FRIDAY, now=monday).market_movers("day_gainers")
    today = market(vendor, monday.date(), now=monday).market_movers("day_gainers")
    assert [(mover.symbol, mover.known_at) for mover in today] == [("ZYX", monday)]


def test_a_session_under_way_is_told_as_the_one_that_trades_and_not_as_the_last_one(
    server: YahooServer, tmp_path: Path
) -> None:
    monday = datetime(2025, 3, 17, 15, tzinfo=UTC)
    server.answer("screen", yahoo.screen(yahoo.screened("ZYX", 28.0, 3.5, monday - timedelta(minutes=1))))
    data = market(vendor_of(server, tmp_path, now=monday), monday.date(), now=monday)
    result = get_market_movers.ask(data, category="day_gainers")
    assert (result.session, result.start, data.cutoff.session) == (monday.date(), monday.date(), FRIDAY)
    assert result.notes == (
        "The session of 2025-03-17 is under way: prices, changes and volumes are those of the moment.",
    )
    assert [(row.start, row.end) for row in data.sheet.rows if row.method == "get_market_movers"] == [
        (monday.date(), monday.date())
    ]


def test_quotes_of_the_minutes_after_a_run_began_are_its_present(server: YahooServer, tmp_path: Path) -> None:
    began = datetime(2025, 3, 17, 15, tzinfo=UTC)
    quotes = [yahoo.screened(f"ZY{n}", 28.0, 3.5 - n, began + timedelta(minutes=n)) for n in (0, 2)]
    server.answer("screen", yahoo.screen(*quotes))
    data = market(vendor_of(server, tmp_path, now=began + timedelta(minutes=3)), began.date(), now=began)
    found = data.market_movers("day_gainers")
    assert [(mover.symbol, mover.known_at) for mover in found] == [("ZY0", began), ("ZY2", began)]


def test_quotes_of_the_day_after_are_not(server: YahooServer, tmp_path: Path) -> None:
    began, tuesday = datetime(2025, 3, 17, 15, tzinfo=UTC), datetime(2025, 3, 18, 15, tzinfo=UTC)
    server.answer("screen", yahoo.screen(yahoo.screened("ZYX", 28.0, 3.5, tuesday)))
    with pytest.raises(NotForPastDate, match="later session"):
        market(vendor_of(server, tmp_path, now=tuesday), began.date(), now=began).market_movers("day_gainers")


def test_a_screen_is_of_one_session(server: YahooServer, tmp_path: Path) -> None:
    opened = datetime(2025, 3, 17, 13, 31, tzinfo=UTC)
    stale, fresh = yahoo.screened("OLD", 9.0, 9.0, CLOSE), yahoo.screened("ZYX", 28.0, 3.5, opened)
    server.answer("screen", yahoo.screen(stale, fresh))
    vendor = vendor_of(server, tmp_path, now=opened)
    assert [mover.symbol for mover in market(vendor, opened.date(), now=opened).market_movers("day_gainers")] == ["ZYX"]
    with pytest.raises(NotForPastDate, match="for today only, not for 2025-03-14"):  # not Friday's, of one stock
        market(vendor, FRIDAY, now=opened).market_movers("day_gainers")


def test_movers_of_the_last_session_are_known_at_the_weekend(server: YahooServer, tmp_path: Path) -> None:
    sunday = datetime(2025, 3, 16, 12, tzinfo=UTC)
    server.answer("screen", yahoo.screen(yahoo.screened("ZYX", 28.0, 3.5, CLOSE + timedelta(seconds=1))))
    found = market(vendor_of(server, tmp_path, now=sunday), sunday.date(), now=sunday).market_movers("day_gainers")
    assert [mover.symbol for mover in found] == ["ZYX"]


# Companies of a sector


def test_a_sector_page_is_read_value_by_value(server: YahooServer, vendor: YFinanceVendor) -> None:
    page = yahoo.sector(
        "Financial Services",
        ("ZYB", "Zyx Bank\tCorp.", "Buy", 0.1234),
        ("ZYI", "Zyx Insurance", None, None),
        ("no symbol", "Nobody", "Hold", 0.1),
    )
    server.answer("sector", page, "financial-services")
    bank, insurance = vendor.get_industry_performance("financials")
    assert bank == SectorMember("ZYB", "Zyx Bank Corp.", rating="Buy", weight=pytest.approx(12.34))
    assert insurance == SectorMember("ZYI", "Zyx Insurance", industry=None, rating=None, weight=None)


def test_a_company_of_a_sector_page_is_told_once(server: YahooServer, vendor: YFinanceVendor) -> None:
    rows = [(symbol, "", None, 0.01) for symbol in ("ZYA", "ZYB", "ZYA")]
    server.answer("sector", yahoo.sector("Energy", *rows))
    assert [member.symbol for member in vendor.get_industry_performance("energy")] == ["ZYA", "ZYB"]


def test_a_sector_has_25_companies_at_most(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("sector", yahoo.sector("Energy", *[(f"ZY{chr(65 + n)}", "", None, 0.01) for n in range(26)]))
    found = vendor.get_industry_performance("energy")
    assert (len(found), found[0].name, found[-1].symbol) == (25, "ZYA", "ZYY")


def test_every_sector_has_a_page_that_yfinance_knows() -> None:
    from yfinance.const import SECTOR_INDUSTY_MAPPING_LC

    assert tuple(SECTOR_PAGES) == SECTORS
    assert set(SECTOR_PAGES.values()) == set(SECTOR_INDUSTY_MAPPING_LC)


def test_a_sector_without_companies_or_of_another_name_is_no_data(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("sector", yahoo.sector("Energy"))
    with pytest.raises(NoData, match="no companies of the sector energy; choose"):
        vendor.get_industry_performance("energy")
    asked = len(server.asked)
    with pytest.raises(NoData, match="no sector 'crypto'; choose one of technology"):
        vendor.get_industry_performance("crypto")
    assert len(server.asked) == asked


def test_companies_in_another_shape_mean_the_vendor_is_down(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("sector", {"data": {"name": "Energy", "topCompanies": [{"ticker": "ZYX"}]}})
    with pytest.raises(VendorDown, match="sector energy cannot be read"):
        vendor.get_industry_performance("energy")


# News on a topic


def test_topic_news_keep_the_order_of_the_search(server: YahooServer, vendor: YFinanceVendor) -> None:
    found = yahoo.search_news(
        ("Tariffs rise", "2025-03-12T10:00:00+00:00"),
        ("Ports wait", "2025-03-14T10:00:00+00:00"),
        ("tariffs RISE", "2025-03-13T10:00:00+00:00"),
        ("Old tariffs", "2025-03-03T10:00:00+00:00"),
    )
    server.answer("search", found, "trade policy sanctions")
    items = vendor.get_topic_news("trade policy sanctions", datetime(2025, 3, 10, tzinfo=UTC), NOW)
    assert [(item.title, item.published_at.day, item.symbol) for item in items] == [
        ("Tariffs rise", 12, None),
        ("Ports wait", 14, None),
    ]


def test_topic_news_that_do_not_reach_back_are_refused(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer(
        "search",
        yahoo.search_news(("Oldest", "2025-03-12T10:00:00+00:00"), ("Newest", "2025-03-14T10:00:00+00:00")),
    )
    with pytest.raises(NotForPastDate, match=r"news on oil reach back to 2025-03-12 only, not to 2024-06-10.*snapshot"):
        vendor.get_topic_news("oil", datetime(2024, 6, 3, tzinfo=UTC), datetime(2024, 6, 10, tzinfo=UTC))


def test_a_topic_nobody_writes_about_has_no_news(vendor: YFinanceVendor) -> None:
    assert vendor.get_topic_news("oil", datetime(2025, 3, 10, tzinfo=UTC), NOW) == ()


# Earnings calendar


def test_published_and_announced_results_are_told_apart(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer(
        "calendar",
        yahoo.earnings_calendar(
            {
                "symbol": "ZYX",
                "company": "Zyxolar  Inc.",
                "event": "Q4 2024 Earnings Announcement",
                "at": "2025-03-12T20:30:00.000Z",
                "timing": "AMC",
                "estimate": 1.25,
                "eps": 1.31,
            },
            {"symbol": "ZYA", "event": "Annual meeting", "at": "2025-03-20T12:00:00.000Z", "estimate": "NaN"},
        ),
        "sp_earnings",
    )
    announced, published = vendor.get_earnings_calendar(*WEEK)
    assert published == EarningsEvent(
        symbol="ZYX",
        name="Zyxolar Inc.",
        day=date(2025, 3, 12),
        known_at=datetime(2025, 3, 12, 20, 30, tzinfo=UTC),
        fiscal_period="Q4",
        eps=1.31,
        eps_estimate=1.25,
        currency="USD",
        shares_as_of=NOW,
    )
    assert announced == EarningsEvent(symbol="ZYA", name="ZYA", day=date(2025, 3, 20), known_at=CLOSE, shares_as_of=NOW)


def test_days_are_new_yorks_and_both_ends_are_answered(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer(
        "calendar",
        yahoo.earnings_calendar(
            {"symbol": "BEFORE", "at": "2025-03-10T01:00:00.000Z"},
            {"symbol": "FIRST", "at": "2025-03-10T11:00:00.000Z"},
            {"symbol": "EVENING", "at": "2025-03-12T01:30:00.000Z"},
            {"symbol": "LAST", "at": "2025-03-21T21:00:00.000Z"},
            {"symbol": "AFTER", "at": "2025-03-22T00:00:00.000Z"},
            {"symbol": "UNDATED", "at": None},
        ),
    )
    found = {event.symbol: event.day.day for event in vendor.get_earnings_calendar(*WEEK)}
    assert found == {"FIRST": 10, "EVENING": 11, "LAST": 21}


@pytest.mark.parametrize("midnight", ["2025-03-13T00:00:00.000Z", "2025-03-13T04:00:00.000Z"])
def test_a_result_with_a_day_only_is_known_at_the_next_open(
    server: YahooServer, vendor: YFinanceVendor, midnight: str
) -> None:
    server.answer("calendar", yahoo.earnings_calendar({"symbol": "ZYX", "at": midnight, "eps": 1.0}))
    (event,) = vendor.get_earnings_calendar(*WEEK)
    assert (event.day, event.known_at) == (date(2025, 3, 13), datetime(2025, 3, 14, 13, 30, tzinfo=UTC))


@pytest.mark.parametrize(("factor", "given"), [(1.0, (1.55, 1.5)), (0.01, (None, None)), (150.0, (None, None))])
def test_results_in_another_unit_than_their_surprise_are_withheld(
    server: YahooServer, vendor: YFinanceVendor, factor: float, given: tuple[float | None, float | None]
) -> None:
    event = {"symbol": "ZYX", "at": "2025-03-13T12:00:00Z", "eps": 1.55 * factor, "estimate": 1.5 * factor}
    server.answer("calendar", yahoo.earnings_calendar({**event, "surprise": 3.33 * factor}))
    (found,) = vendor.get_earnings_calendar(*WEEK)
    assert (found.eps, found.eps_estimate) == given


def test_what_is_read_now_is_known_now(server: YahooServer, tmp_path: Path) -> None:
    vendor = vendor_of(server, tmp_path, now=NOW)
    server.answer("calendar", yahoo.earnings_calendar({"symbol": "ZYX", "at": "2025-03-14T00:00:00Z", "eps": 1.0}))
    announced, published = vendor.get_earnings_calendar(*WEEK)
    monday_open = datetime(2025, 3, 17, 13, 30, tzinfo=UTC)
    assert (published.day, published.eps, published.known_at) == (FRIDAY, 1.0, monday_open)
    data = market(vendor, FRIDAY, now=NOW)
    known = [(event.eps, event.known_at) for event in data.earnings_calendar(FRIDAY, FRIDAY)]
    assert known == [(None, CLOSE), (1.0, data.cutoff.instant)]  # not Monday's open
    assert (announced.day, announced.eps, announced.known_at) == (FRIDAY, None, CLOSE)


def test_results_published_since_the_close_are_known_to_a_run_of_the_evening_and_to_none_of_the_close(
    server: YahooServer, tmp_path: Path
) -> None:
    evening = CLOSE + timedelta(minutes=5)
    server.answer(
        "calendar", yahoo.earnings_calendar({"symbol": "ZYX", "at": evening.isoformat(), "estimate": 1.0, "eps": 1.1})
    )
    data = market(vendor_of(server, tmp_path, now=evening), FRIDAY, now=evening)
    (row,) = get_earnings_calendar.ask(data, from_date=WEEK[0], to_date=WEEK[1]).events
    assert (row.symbol, row.day, row.status, row.eps) == ("ZYX", FRIDAY, "reported", 1.1)
    saturday = evening + timedelta(hours=18)
    data = market(vendor_of(server, tmp_path, now=saturday), FRIDAY, now=saturday)
    (row,) = get_earnings_calendar.ask(data, from_date=WEEK[0], to_date=WEEK[1]).events
    assert (row.symbol, row.day, row.status, row.eps, row.eps_estimate) == ("ZYX", FRIDAY, "announced", None, 1.0)
    monday = evening + timedelta(days=2, hours=20)
    data = market(vendor_of(server, tmp_path, now=monday), monday.date(), now=monday)
    (row,) = get_earnings_calendar.ask(data, from_date=WEEK[0], to_date=WEEK[1]).events
    assert (row.status, row.eps) == ("reported", 1.1)


def test_an_announcement_and_its_results_are_one_event(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer(
        "calendar",
        yahoo.earnings_calendar(
            {"symbol": "ZYX", "at": "2025-03-12T21:00:00.000Z", "estimate": 1.0},
            {"symbol": "ZYX", "at": "2025-03-12T20:00:00.000Z", "estimate": 1.0, "eps": 1.1},
            {"symbol": "ZYX", "at": "2025-03-12T19:00:00.000Z", "estimate": 1.0},
        ),
    )
    (event,) = vendor.get_earnings_calendar(*WEEK)
    assert (event.eps, event.known_at) == (1.1, datetime(2025, 3, 12, 20, tzinfo=UTC))


def test_the_200_largest_companies_are_asked_for(server: YahooServer, vendor: YFinanceVendor) -> None:
    events = [{"symbol": f"ZY{n}", "at": "2025-03-12T20:00:00.000Z"} for n in range(250)]
    server.answer("calendar", yahoo.earnings_calendar(*events))
    assert {event.symbol for event in vendor.get_earnings_calendar(*WEEK)} == {f"ZY{n}" for n in range(200)}
    bodies = [asked.body for asked in server.asked if asked.kind == "calendar"]
    assert len(bodies) == EARNINGS_PAGES
    assert [(body["offset"], body["size"], body["sortField"]) for body in bodies] == [
        (0, 100, "intradaymarketcap"),
        (100, 100, "intradaymarketcap"),
    ]
    assert server.count("screen") == 0  # yfinance would ask for the most active stocks first


# Economic calendar


def test_releases_and_schedules_are_told_apart(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer(
        "calendar",
        yahoo.economic_calendar(
            {
                "name": "CPI YY, NSA *",
                "at": "2025-03-12T12:30:00.000Z",
                "period": "Feb",
                "actual": 2.8,
                "expected": 2.9,
                "last": 3.0,
            },
            {"name": "Fed Funds Tgt Rate", "at": "2025-03-19T18:00:00.000Z", "last": 4.5},
            {"name": "GDP QQ", "at": "2025-03-12T07:00:00.000Z", "country": "GB", "actual": 0.1},
            {"name": " ", "at": "2025-03-12T07:00:00.000Z"},
        ),
        "economic_event",
    )
    assert vendor.get_economic_calendar(*WEEK) == (
        EconomicEvent(
            name="CPI YY, NSA",
            day=date(2025, 3, 12),
            known_at=datetime(2025, 3, 12, 12, 30, tzinfo=UTC),
            period="Feb",
            value=2.8,
            previous=3.0,
            estimate=2.9,
            unit="",
            region="US",
            read_at=NOW,
        ),
        EconomicEvent(name="Fed Funds Tgt Rate", day=date(2025, 3, 19), known_at=CLOSE, previous=4.5, read_at=NOW),
    )


def test_a_figure_released_since_the_close_is_known_to_a_run_of_the_evening_and_to_none_of_the_close(
    server: YahooServer, tmp_path: Path
) -> None:
    evening = CLOSE + timedelta(minutes=5)
    server.answer(
        "calendar",
        yahoo.economic_calendar({"name": "Budget", "at": evening.isoformat(), "actual": 2.0, "expected": 3.0}),
    )
    data = market(vendor_of(server, tmp_path, now=evening), FRIDAY, now=evening)
    (row,) = get_economic_calendar.ask(data, from_date=WEEK[0], to_date=WEEK[1]).events
    assert (row.name, row.status, row.value) == ("Budget", "released", 2.0)
    saturday = evening + timedelta(hours=18)
    data = market(vendor_of(server, tmp_path, now=saturday), FRIDAY, now=saturday)
    (row,) = get_economic_calendar.ask(data, from_date=WEEK[0], to_date=WEEK[1]).events
    assert (row.name, row.status, row.value, row.estimate) == ("Budget", "scheduled", None, 3.0)


def test_the_calendar_is_read_to_its_end(server: YahooServer, vendor: YFinanceVendor) -> None:
    events = [{"name": f"Release {n}", "at": "2025-03-12T12:30:00.000Z"} for n in range(230)]
    server.answer("calendar", yahoo.economic_calendar(*events))
    assert len(vendor.get_economic_calendar(*WEEK)) == 230
    assert server.count("calendar") == 3


def test_a_last_page_that_is_full_is_followed_by_an_empty_one(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer(
        "calendar", yahoo.economic_calendar(*[{"name": str(n), "at": "2025-03-12T12:30:00Z"} for n in range(100)])
    )
    assert len(vendor.get_economic_calendar(*WEEK)) == 100
    assert server.count("calendar") == 2


def test_a_window_too_long_to_be_read_is_refused(server: YahooServer, vendor: YFinanceVendor) -> None:
    events = [{"name": str(n), "at": "2025-03-12T12:30:00Z"} for n in range(100 * ECONOMIC_PAGES + 1)]
    server.answer("calendar", yahoo.economic_calendar(*events))
    with pytest.raises(NoData, match="too long to be read; ask for fewer days"):
        vendor.get_economic_calendar(*WEEK)


def test_an_empty_calendar_has_no_events(server: YahooServer, vendor: YFinanceVendor) -> None:
    assert vendor.get_earnings_calendar(*WEEK) == ()  # rows and columns are empty
    assert vendor.get_economic_calendar(*WEEK) == ()
    server.answer("calendar", yahoo.earnings_calendar())
    assert vendor.get_earnings_calendar(*WEEK) == ()


def test_a_calendar_in_another_shape_means_the_vendor_is_down(server: YahooServer, vendor: YFinanceVendor) -> None:
    server.answer("calendar", yahoo.economic_calendar({"name": "CPI", "at": "2025-03-12T12:30:00Z"}))
    with pytest.raises(VendorDown, match="earnings calendar cannot be read"):
        vendor.get_earnings_calendar(*WEEK)


def test_todays_calendar_stands_after_the_close_and_at_the_weekend(server: YahooServer, tmp_path: Path) -> None:
    sunday = datetime(2025, 3, 16, 12, tzinfo=UTC)
    server.answer("calendar", yahoo.earnings_calendar({"symbol": "ZYX", "at": "2025-03-20T12:00:00Z"}))
    for now in (NOW, sunday):
        data = market(vendor_of(server, tmp_path, now=now), now.date(), now=now)
        assert [event.symbol for event in data.earnings_calendar(*WEEK)] == ["ZYX"]


# Past days


@pytest.mark.parametrize(
    "ask",
    [
        lambda data: data.market_movers("day_gainers"),
        lambda data: data.sector_members("energy"),
        lambda data: data.earnings_calendar(*WEEK),
        lambda data: data.economic_calendar(*WEEK),
    ],
    ids=["movers", "sector", "earnings", "economy"],
)
def test_a_past_day_is_refused_without_a_request(server: YahooServer, vendor: YFinanceVendor, ask) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(NotForPastDate, match=r"for today only, not for 2025-03-13.*snapshot"):
        ask(market(vendor, date(2025, 3, 13)))
    assert server.asked == []


# Failures


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_rate_limit_is_told_as_one(server: YahooServer, vendor: YFinanceVendor, question: str) -> None:
    for kind in KINDS:
        server.answer(kind, yahoo.failing(429, Retry_After="17"))
    with pytest.raises(RateLimited) as caught:
        QUESTIONS[question](vendor)
    assert caught.value.retry_after == 17.0


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    "reply",
    [
        yahoo.failing(500),
        yahoo.failing(503),
        yahoo.failing(401),
        yahoo.HTML,
        Reply(""),
        Reply("[]"),
        Reply({"a": 1}, truncated=True),
    ],
    ids=["500", "503", "401", "a page", "empty", "a list", "breaks off"],
)
def test_an_answer_that_is_none_means_the_vendor_is_down(
    server: YahooServer, vendor: YFinanceVendor, question: str, reply: Reply
) -> None:
    for kind in KINDS:
        server.answer(kind, reply)
    with pytest.raises(VendorDown) as caught:
        QUESTIONS[question](vendor)
    assert "http" not in str(caught.value).replace("HTTP", "")


@pytest.mark.parametrize("question", QUESTIONS)
def test_silence_ends_with_the_time_limit(server: YahooServer, tmp_path: Path, question: str) -> None:
    for kind in KINDS:
        server.answer(kind, Reply(silent=True))
    with pytest.raises(VendorDown, match=r"within 0\.3 s"):
        QUESTIONS[question](vendor_of(server, tmp_path, timeout=0.3))


@pytest.mark.parametrize("question", ["movers", "sector"])
def test_what_yahoo_does_not_have_is_no_data(vendor: YFinanceVendor, question: str) -> None:
    with pytest.raises(NoData, match="choose another vendor"):
        QUESTIONS[question](vendor)
