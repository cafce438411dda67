"""Nothing known only after the cut-off passes the door."""

from __future__ import annotations

import threading
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.support.fakes import CLOCK, RowsVendor, article, clock, later, make_prices, statement
from tests.support.tiers import examples
from tradingagents.dataflows.cutoff import Moment, cutoff_for
from tradingagents.dataflows.gateway.cache import DiskCache
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import InsiderTransaction, Profile, Ratios, Split
from tradingagents.errors import BadDate, NoData, NotForPastDate
from tradingagents.settings import load_settings

FRIDAY = date(2025, 3, 14)
CLOSE = datetime(2025, 3, 14, 20, tzinfo=UTC)


def market(vendor: RowsVendor, as_of: date = FRIDAY, *, cache: DiskCache | None = None, now=clock) -> MarketData:
    settings = load_settings({"data_vendor": "rows"}, environ={})
    return MarketData(settings, as_of, vendors=Vendors(settings, {"rows": vendor}), cache=cache, now=now)


def test_the_cut_off_is_the_session_s_close():
    cutoff = cutoff_for(FRIDAY, exchange="XNYS", now=CLOCK)
    assert (cutoff.session, cutoff.instant, cutoff.live) == (FRIDAY, CLOSE, False)


def test_on_a_day_without_session_the_last_close_before_it_counts():
    assert cutoff_for(date(2025, 3, 16), exchange="XNYS", now=CLOCK).session == FRIDAY
    assert cutoff_for(date(2025, 3, 16), exchange="XNYS", now=CLOCK).instant == CLOSE


def test_during_a_session_now_is_the_cut_off_and_yesterday_the_last_bar():
    noon = datetime(2025, 3, 14, 16, tzinfo=UTC)
    cutoff = cutoff_for(FRIDAY, exchange="XNYS", now=noon)
    assert (cutoff.session, cutoff.instant, cutoff.live) == (date(2025, 3, 13), noon, True)


@pytest.mark.parametrize(
    ("opened", "now", "live"),
    [
        ("2025-03-14T16:00", "2025-03-14T16:04", True),  # in the session, the same moment
        ("2025-03-14T16:00", "2025-03-14T19:00", False),  # in the session, hours of trading later
        ("2025-03-14T21:00", "2025-03-15T12:00", True),  # after the close, on the free Saturday
        ("2025-03-14T21:00", "2025-03-17T13:00", True),  # before Monday's open
        ("2025-03-14T21:00", "2025-03-17T14:00", False),  # in Monday's session, though none has closed since
        ("2025-03-14T21:00", "2025-03-18T01:00", False),
    ],
)
def test_a_run_that_goes_on_asks_nobody_who_knows_of_trading_since(opened: str, now: str, live: bool):
    first, again = (datetime.fromisoformat(one).replace(tzinfo=UTC) for one in (opened, now))
    begun = cutoff_for(FRIDAY, exchange="XNYS", now=first, moment=Moment(first))
    cutoff = cutoff_for(FRIDAY, exchange="XNYS", now=again, moment=Moment(first))
    assert (cutoff.instant, cutoff.session, begun.live) == (begun.instant, begun.session, True)
    assert cutoff.live is live


@pytest.mark.parametrize("day", [date(2025, 9, 2), date(2999, 1, 1), date(1800, 1, 1)])
def test_the_future_and_the_far_past_are_refused(day):
    with pytest.raises(BadDate):
        cutoff_for(day, exchange="XNYS", now=CLOCK)


def test_bars_end_with_the_session():
    prices = market(RowsVendor(prices={"ACME": make_prices()})).prices("acme")
    assert prices.days[-1] == np.datetime64("2025-03-14")


@hypothesis_settings(max_examples=examples(40), deadline=None)
@given(st.dates(date(2024, 6, 1), date(2025, 6, 30)))
def test_whatever_the_day_nothing_later_is_seen(day: date):
    news = tuple(article(f"n{number}", CLOSE + timedelta(hours=7 * number)) for number in range(-40, 40))
    filings = tuple(
        statement(date(2024, 3, 31) + timedelta(days=91 * n), CLOSE + timedelta(days=60 * (n - 3)), revenue=1.0 + n)
        for n in range(6)
    )
    data = market(RowsVendor(prices={"ACME": make_prices()}, articles=news, statements=filings), day)
    instant = data.cutoff.instant
    assert data.prices("ACME").days[-1].item() == data.cutoff.session
    assert all(
        item.known_at <= instant for item in data.news("ACME", day - timedelta(days=30), day + timedelta(days=9))
    )
    try:
        assert all(filed.known_at <= instant for filed in data.statements("ACME", "income"))
    except NoData:
        assert all(filed.known_at > instant for filed in filings)
    assert all(row.known_at is None or row.known_at <= instant for row in data.sheet.rows)


def test_a_statement_is_visible_from_its_filing():
    filed = statement(date(2024, 12, 31), CLOSE, revenue=5.0)
    assert market(RowsVendor(statements=[filed])).statements("ACME", "income")[0].items == {"revenue": 5.0}
    with pytest.raises(NoData, match="filed by 2025-03-13"):
        market(RowsVendor(statements=[filed]), date(2025, 3, 13)).statements("ACME", "income")


def test_of_a_restated_period_the_version_known_that_day_is_given():
    first = statement(date(2024, 12, 31), CLOSE - timedelta(days=30), revenue=5.0)
    restated = statement(date(2024, 12, 31), CLOSE + timedelta(days=30), revenue=4.0)
    vendor = RowsVendor(statements=[restated, first])
    assert market(vendor).statements("ACME", "income")[0].items["revenue"] == 5.0
    assert market(vendor, date(2025, 5, 1)).statements("ACME", "income")[0].items["revenue"] == 4.0


def test_news_counts_to_the_very_close():
    on_time = article("on time", CLOSE)
    vendor = RowsVendor(articles=[on_time, later(on_time, seconds=1)])
    assert [item.title for item in market(vendor).news("ACME", FRIDAY, FRIDAY)] == ["on time"]


def test_a_later_split_is_undone_so_that_prices_read_as_they_did():
    split = Split(date(2025, 5, 1), 10.0)
    vendor = RowsVendor(prices={"ACME": make_prices(splits=[split])})
    then = market(vendor).prices("ACME")
    after = market(vendor, date(2025, 6, 2)).prices("ACME")
    day = np.datetime64("2025-03-14")
    assert then.close[-1] == pytest.approx(10 * after.close[after.days == day][0])
    assert then.volume[-1] == 100_000
    assert then.splits == ()
    assert after.splits == (split,)


def test_stale_prices_are_no_prices():
    vendor = RowsVendor(prices={"ACME": make_prices(last=date(2025, 2, 27))})
    with pytest.raises(NoData, match="end on 2025-02-27, too old for 2025-03-14"):
        market(vendor).prices("ACME")
    long_weekend = RowsVendor(prices={"ACME": make_prices(last=date(2025, 3, 5))})
    assert len(market(long_weekend).prices("ACME"))


def test_insiders_count_when_reported_not_when_they_traded():
    trade = InsiderTransaction(
        "ACME", "A. Person", "CFO", "buy", 10, 100.0, date(2025, 3, 13), CLOSE + timedelta(days=2)
    )
    assert market(RowsVendor(insiders=[trade])).insider_transactions("ACME") == ()
    assert market(RowsVendor(insiders=[trade]), date(2025, 3, 18)).insider_transactions("ACME") == (trade,)


def test_today_s_ratios_are_refused_for_a_past_day():
    ratios = Ratios("ACME", {"forward_pe": 20.0}, "rows", CLOCK)
    vendor = RowsVendor(ratios={"ACME": ratios})
    with pytest.raises(NotForPastDate):
        market(vendor).ratios("ACME")
    assert market(vendor, CLOCK.date()).ratios("ACME") == ratios


def test_an_earlier_day_can_be_asked_for_but_never_a_later_one():
    data = market(RowsVendor(prices={"ACME": make_prices()}))
    assert data.as_of_date(date(2025, 3, 10)).prices("ACME").days[-1] == np.datetime64("2025-03-10")
    assert data.as_of_date(date(2025, 4, 10)) is data
    assert data.as_of_date(None) is data
    assert [row.end for row in data.sheet.rows] == [date(2025, 3, 10)]


def test_one_question_is_asked_once_however_many_ask():
    vendor = RowsVendor(prices={"ACME": make_prices()})
    data = market(vendor)
    threads = [threading.Thread(target=data.prices, args=("ACME",)) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(vendor.asked) == 1


def test_the_identity_is_resolved_with_benchmark_and_sector_fund():
    profile = Profile("ACME", "Acme Devices", "stock", "technology", "Gadgets", "XNYS")
    instrument = market(RowsVendor(profiles={"ACME": profile})).instrument("acme")
    assert (instrument.name, instrument.sector_etf, instrument.benchmark) == ("Acme Devices", "XLK", "SPY")
    unknown = market(RowsVendor()).instrument("ZZZZ")
    assert (unknown.name, unknown.sector, unknown.kind) == ("ZZZZ", None, "stock")


def test_the_disk_cache_answers_a_later_run_and_never_keeps_an_empty_answer(tmp_path: Path):
    vendor = RowsVendor(prices={"ACME": make_prices(splits=[Split(date(2025, 5, 1), 2.0)])})
    cache = DiskCache(tmp_path / "answers.sqlite")
    first = market(vendor, cache=cache).prices("ACME")
    second = market(vendor, cache=DiskCache(tmp_path / "answers.sqlite")).prices("ACME")
    assert [question[0] for question in vendor.asked] == ["get_stock_data"]
    assert np.array_equal(first.close, second.close)
    assert first.fetched_at == second.fetched_at
    for _ in range(2):
        assert market(vendor, cache=cache).news("ACME", FRIDAY, FRIDAY) == ()
    assert [question[0] for question in vendor.asked].count("get_news") == 2


def test_the_cache_keeps_every_kind_of_row_as_it_was(tmp_path: Path):
    vendor = RowsVendor(
        prices={"ACME": make_prices()},
        profiles={"ACME": Profile("ACME", "Acme", "stock", "technology")},
        statements=[statement(date(2024, 12, 31), CLOSE, revenue=5.0)],
        articles=[article("on time", CLOSE)],
        insiders=[InsiderTransaction("ACME", "A", "CFO", "buy", 1, None, date(2025, 3, 10), CLOSE)],
    )
    answers = []
    for _ in range(2):
        data = market(vendor, cache=DiskCache(tmp_path / "answers.sqlite"))
        answers.append(
            (
                data.profile("ACME"),
                data.statements("ACME", "income"),
                data.news("ACME", FRIDAY, FRIDAY),
                data.insider_transactions("ACME"),
            )
        )
    assert answers[0] == answers[1]
    assert len(vendor.asked) == 5  # prices too: they list the splits that insiders' shares are counted by


def test_an_answer_about_today_grows_old(tmp_path: Path):
    vendor = RowsVendor(prices={"ACME": make_prices(last=date(2025, 8, 29))})
    cache = DiskCache(tmp_path / "answers.sqlite")
    for minutes in (0, 10, 30):
        market(vendor, CLOCK.date(), cache=cache, now=lambda m=minutes: CLOCK + timedelta(minutes=m)).prices("ACME")
    assert len(vendor.asked) == 2


class TwoYears(RowsVendor):
    """Knows the trades of two years back from today."""

    insiders_reach = timedelta(days=730)


@pytest.mark.parametrize(("day", "told"), [(date(2024, 4, 1), True), (date(2024, 2, 1), False)])
def test_silence_of_a_vendor_that_does_not_reach_back_is_not_read_as_no_trades(day: date, told: bool):
    vendor = TwoYears()  # asked on 2025-09-01: back to 2023-09-02, half a year of which is wanted
    if told:
        assert market(vendor, day).insider_transactions("ACME") == ()
    else:
        with pytest.raises(NotForPastDate, match="go back 730 days from today, too little for 2024-02-01"):
            market(vendor, day).insider_transactions("ACME")
        assert vendor.asked == []
