"""Since when a remote vendor's rows are known: by EDGAR's list, because they are served now, or assumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.contracts.sources.sec_edgar import SOURCE as EDGAR
from tests.dataflows.vendors.sec_payloads import CIK, SUBMISSIONS, entry, submissions, tickers
from tests.support.builders import statement
from tests.support.fakes import RowsVendor
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tradingagents.capabilities.filings import get_financials
from tradingagents.capabilities.news import get_insider_transactions
from tradingagents.dataflows.cutoff import USUAL_MOMENT, Moment
from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache
from tradingagents.dataflows.gateway.source import FILING_DATES
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import (
    EarningsEvent,
    InsiderTransaction,
    MacroObservation,
    MacroSeries,
    NewsItem,
    Statement,
    StatementKind,
)
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.fiscal_periods import assumed_known_at, assumed_reported_at
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import NoData
from tradingagents.settings import load_settings

JUNE, SEPTEMBER = date(2024, 6, 30), date(2024, 9, 30)
DEADLINE = assumed_known_at(SEPTEMBER, annual=False)
"""2024-11-15 14:30."""
RELEASE_EVENING = datetime(2024, 10, 30, 21, tzinfo=UTC)
"""A Wednesday, an hour after New York's close."""
ACCEPTED = datetime(2024, 10, 31, 20, 31, tzinfo=UTC)
LATER = datetime(2024, 11, 8, 15, tzinfo=UTC)
Ask = Callable[..., MarketData]


def undated(end: date, revenue: float, symbol: str = "ACMQ") -> Statement:
    row = statement(end, {"revenue": revenue}, known_by="assumed")
    return replace(row, symbol=symbol, known_at=assumed_known_at(end, annual=end.month == 12))


KINDS: tuple[StatementKind, ...] = ("income", "balance", "cashflow")
QUARTERS = tuple(
    replace(undated(end, revenue), kind=kind) for kind in KINDS for end, revenue in ((SEPTEMBER, 12.0), (JUNE, 11.0))
)
LISTED = (entry(2, "10-Q", "2024-10-31T20:31:00.000Z", reportDate="2024-09-30"),
          entry(1, "10-Q", "2024-08-01T20:31:00.000Z", reportDate="2024-06-30"))  # fmt: skip


class Local(RowsVendor):
    local = True


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        running.answer("/files/company_tickers.json", tickers(ACMQ=CIK, BETQ=CIK))
        running.answer(SUBMISSIONS, submissions(*LISTED))
        yield running


def market(
    vendor: Vendor,
    now: datetime,
    day: date | None = None,
    *,
    edgar: Vendor | None = None,
    moment: Moment = USUAL_MOMENT,
    cache: DiskCache | None = None,
) -> MarketData:
    """A market whose statements come from a vendor; EDGAR dates them where it is given."""
    settings = load_settings({"data_vendor": "rows", "vendor_max_retries": 0}, environ={})
    made = {"rows": vendor} | ({"sec_edgar": edgar} if edgar else {})
    vendors = Vendors(settings, made, environ={}, sleep=lambda _: None)
    return MarketData(settings, day or now.date(), vendors=vendors, now=lambda: now, moment=moment, cache=cache)


def income(data: MarketData, symbol: str = "ACMQ") -> list[tuple[date, datetime, str]]:
    return [(row.period_end, row.known_at, row.known_by) for row in data.statements(symbol, "income")]


def newest(data: MarketData) -> date:
    return income(data)[0][0]


# What is served now is known now


def test_a_quarter_that_is_served_on_the_evening_of_its_release_is_known():
    data = market(RowsVendor(statements=QUARTERS), RELEASE_EVENING)
    assert income(data)[0] == (SEPTEMBER, RELEASE_EVENING, "fetched")
    result = get_financials.ask(data, ticker="ACMQ", period="quarterly")
    assert "No filing date yet for 2024-09-30: known because the source serves it." in result.notes
    assert "Filing date assumed (period end + 45 days, + 90 for years) for 2024-06-30." in result.notes


def test_the_same_evening_asked_about_later_does_not_know_it():
    for later in (RELEASE_EVENING + timedelta(days=1), LATER):
        assert newest(market(RowsVendor(statements=QUARTERS), later, RELEASE_EVENING.date())) == JUNE


def test_nor_does_the_close_of_a_day_asked_about_on_the_weekend_after_it():
    friday, saturday = date(2024, 11, 1), datetime(2024, 11, 2, 15, tzinfo=UTC)
    data = market(RowsVendor(statements=QUARTERS), saturday, friday)
    assert (data.cutoff.live, data.cutoff.is_now) == (True, False)
    assert newest(data) == JUNE


def test_nothing_recorded_or_simulated_is_fetched():
    assert newest(market(Local(statements=QUARTERS), RELEASE_EVENING)) == JUNE


def test_a_quarter_before_its_end_is_no_quarter():
    data = market(RowsVendor(statements=[undated(date(2024, 12, 31), 99.0), *QUARTERS]), RELEASE_EVENING)
    assert newest(data) == SEPTEMBER
    assert "before its period ended" in data.sheet.warnings[0]


def test_what_a_run_that_goes_on_finds_dated_since_it_was_asked_for_is_not_known(server: VendorServer, tmp_path: Path):
    asked, now = datetime(2024, 10, 31, 20, 15, tzinfo=UTC), datetime(2024, 10, 31, 21, tzinfo=UTC)
    edgar = EDGAR.open(server, tmp_path, now=lambda: now)
    data = market(RowsVendor(statements=QUARTERS), now, edgar=edgar, moment=Moment(opened=asked))
    assert data.serves_now
    assert newest(data) == JUNE  # accepted at 20:31


def trade(day: date) -> InsiderTransaction:
    reported = assumed_reported_at(day)
    return InsiderTransaction("ACMQ", "A. Person", "CEO", "sell", 10.0, 1e3, day, reported, "assumed")


def test_a_trade_an_event_and_a_value_that_are_served_are_known_too():
    traded, day = date(2024, 10, 29), RELEASE_EVENING.date()
    next_open = sessions().next_open(day)
    values = MacroSeries("DGS10", "Yield", (MacroObservation(day, 4.2, next_open),), "%", "daily")
    vendor = RowsVendor(
        insiders=[trade(traded)],
        results=[EarningsEvent("ACMQ", "Acme", day, next_open, eps=1.5)],
        series={"DGS10": values},
        articles=[NewsItem("Acme grows", datetime(2024, 10, 30, tzinfo=UTC), next_open, symbol="ACMQ", day_only=True)],
    )
    live = market(vendor, RELEASE_EVENING)
    (known,) = live.insider_transactions("ACMQ")
    assert (known.known_at, known.known_by) == (RELEASE_EVENING, "fetched")
    assert any("no filing date yet" in note for note in get_insider_transactions.ask(live, ticker="ACMQ").notes)
    assert [event.eps for event in live.earnings_calendar(day, day)] == [1.5]
    assert [seen.value for seen in live.macro_series("DGS10", day).observations] == [4.2]
    assert [item.title for item in live.news("ACMQ", day, day)] == ["Acme grows"]
    past = market(vendor, LATER, day)
    assert past.insider_transactions("ACMQ") == past.earnings_calendar(day, day) == past.news("ACMQ", day, day) == ()
    with pytest.raises(NoData):
        past.macro_series("DGS10", day)


# EDGAR dates what the vendor does not


def dated(server: VendorServer, tmp_path: Path, now: datetime, day: date | None = None, *rows: Statement) -> MarketData:
    edgar = EDGAR.open(server, tmp_path, now=lambda: now)
    return market(RowsVendor(statements=rows or QUARTERS, insiders=[trade(date(2024, 10, 1))]), now, day, edgar=edgar)


def test_a_past_day_knows_a_quarter_from_its_acceptance_on(server: VendorServer, tmp_path: Path):
    before, after = (dated(server, tmp_path, LATER, day) for day in (date(2024, 10, 31), date(2024, 11, 1)))
    assert newest(before) == JUNE  # accepted after the close
    assert income(after) == [
        (SEPTEMBER, ACCEPTED, "accepted"),
        (JUNE, datetime(2024, 8, 1, 20, 31, tzinfo=UTC), "accepted"),
    ]
    assert not any("assumed" in note for note in get_financials.ask(after, ticker="ACMQ", period="quarterly").notes)
    (row,) = (row for row in after.sheet.rows if row.method == FILING_DATES)
    assert (row.symbol, row.vendor, row.rows, row.known_at) == ("ACMQ", "sec_edgar", 2, ACCEPTED)


def test_a_late_filer_is_no_look_ahead(server: VendorServer, tmp_path: Path):
    late = entry(2, "10-Q", "2025-01-20T22:01:00.000Z", reportDate="2024-09-30")
    for filings in ((late, LISTED[1]), LISTED[1:]):  # filed late; not filed to this day
        server.answer(SUBMISSIONS, submissions(*filings))
        now = datetime(2025, 3, 3, 15, tzinfo=UTC)
        assert newest(dated(server, tmp_path, now, date(2024, 12, 2))) == JUNE
    server.answer(SUBMISSIONS, submissions(late, LISTED[1]))
    assert newest(dated(server, tmp_path, now, date(2025, 1, 21))) == SEPTEMBER


def test_what_is_overdue_but_served_is_known_to_a_live_run(server: VendorServer, tmp_path: Path):
    server.answer(SUBMISSIONS, submissions(*LISTED[1:]))
    now = datetime(2024, 12, 2, 15, tzinfo=UTC)
    assert income(dated(server, tmp_path, now))[0] == (SEPTEMBER, now, "fetched")


def test_an_evening_s_filing_which_edgar_dates_by_the_next_day_is_known(server: VendorServer, tmp_path: Path):
    friday = datetime(2024, 11, 1, 23, tzinfo=UTC)
    evening = entry(2, "10-Q", "2024-11-01T22:45:00.000Z", filed="2024-11-04", reportDate="2024-09-30")
    server.answer(SUBMISSIONS, submissions(evening, LISTED[1]))
    assert income(dated(server, tmp_path, friday))[0][1:] == (friday.replace(hour=22, minute=45), "accepted")


def test_trades_are_dated_by_their_forms(server: VendorServer, tmp_path: Path):
    traded = date(2024, 10, 29)
    form = entry(3, "4", "2024-10-30T22:15:00.000Z", reportDate="2024-10-29")
    server.answer(SUBMISSIONS, submissions(form, LISTED[1]))
    edgar = EDGAR.open(server, tmp_path, now=lambda: LATER)
    (known,) = market(RowsVendor(insiders=[trade(traded)]), LATER, edgar=edgar).insider_transactions("ACMQ")
    assert (known.known_at, known.known_by) == (datetime(2024, 10, 30, 22, 15, tzinfo=UTC), "accepted")


def test_a_company_costs_one_request_a_run(server: VendorServer, tmp_path: Path):
    data = dated(server, tmp_path, LATER, None, *QUARTERS)
    for kind in KINDS:
        data.statements("ACMQ", kind)
    data.insider_transactions("ACMQ")
    get_financials.ask(data, ticker="ACMQ", period="quarterly")
    assert server.count("/submissions") == 1


def test_a_company_that_edgar_does_not_know_keeps_the_assumption(server: VendorServer, tmp_path: Path):
    rows = [replace(row, symbol=symbol) for row in QUARTERS for symbol in ("VODQ.L", "NOTQ")]
    data = dated(server, tmp_path, LATER, None, *rows)
    for symbol in ("VODQ.L", "NOTQ"):
        assert income(data, symbol)[1:] == [(JUNE, undated(JUNE, 11.0).known_at, "assumed")]
    assert data.sheet.warnings == ()


def test_without_edgar_s_identity_the_assumption_stays_and_the_data_sheet_says_how_to_do_better():
    data = market(RowsVendor(statements=QUARTERS), LATER, LATER.date() - timedelta(days=1))
    assert newest(data) == JUNE
    data.statements("ACMQ", "balance")
    assert data.sheet.warnings == ()
    told = [note for row in data.sheet.rows if row.method == FILING_DATES for note in row.notes]
    assert told == ["Filing dates that a source does not give are assumed; set EDGAR_IDENTITY to take EDGAR's."]


@pytest.mark.parametrize("reply", [Reply(status=503), Reply("<html>", status=403), Reply(b"{", truncated=True)])
def test_where_edgar_does_not_answer_it_is_asked_once_a_run_and_the_run_says_so(
    server: VendorServer, tmp_path: Path, reply: Reply
):
    server.failing = reply
    rows = [replace(row, symbol=symbol) for row in QUARTERS for symbol in ("ACMQ", "BETQ")]
    data = dated(server, tmp_path, LATER, date(2024, 11, 7), *rows)
    assert newest(data) == JUNE
    for kind in KINDS:
        data.statements("BETQ", kind)
    assert len(server.asked) == 1
    (told,) = data.sheet.warnings
    assert told.startswith("Filing dates that a source does not give are assumed: ")


# The disk cache keeps what the vendor said


def test_the_cache_carries_no_date_from_one_run_to_another(tmp_path: Path, server: VendorServer):
    cache, vendor = DiskCache(tmp_path / CACHE_FILE), RowsVendor(statements=QUARTERS)
    day = RELEASE_EVENING.date()
    assert newest(market(vendor, RELEASE_EVENING, cache=cache)) == SEPTEMBER
    minutes = RELEASE_EVENING + timedelta(minutes=4)
    assert income(market(vendor, minutes, cache=cache))[0] == (SEPTEMBER, minutes, "fetched")
    assert len(vendor.asked) == 1  # the second run read the first one's answer
    assert newest(market(vendor, LATER, day, cache=cache)) == JUNE
    assert newest(market(vendor, LATER, day, cache=cache)) == JUNE
    assert len(vendor.asked) == 2
    edgar = EDGAR.open(server, tmp_path, now=lambda: LATER)
    filed = market(vendor, LATER, date(2024, 11, 1), cache=cache, edgar=edgar)
    assert income(filed)[0] == (SEPTEMBER, ACCEPTED, "accepted")
