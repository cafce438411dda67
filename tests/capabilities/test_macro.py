"""The question of how the economy stands: what FRED and a snapshot answer as of a day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from pydantic import ValidationError

from tests.capabilities.market import snapshot_market
from tests.contracts.sources.fred import SOURCE
from tests.dataflows.vendors.fred_payloads import Series, SmallFred, refused
from tests.support.vendor_server import VendorServer, vendor_server
from tradingagents.analytics.market.macro_indicators import MacroIndicators
from tradingagents.capabilities.news import get_macro_indicators
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import AllVendorsFailed, NoData, UsageError, VendorNotConfigured
from tradingagents.settings import load_settings

AS_OF = date(2025, 3, 14)
NOW = datetime(2025, 6, 30, 22, tzinfo=UTC)
RATES = Series(
    [
        ("2024-01-01", "2024-02-02", 3.7),
        ("2024-12-01", "2025-01-10", 4.1),
        ("2025-01-01", "2025-02-07", 4.0),
        ("2024-12-01", "2025-03-07", 4.2),  # revised with February's release
        ("2025-01-01", "2025-03-07", 4.3),
        ("2025-02-01", "2025-04-04", 9.9),
    ],
    title="Jobless",
)


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        SmallFred(NOW.date(), {"UNRATE": RATES, "OLD": Series([("2020-01-01", "2020-02-07", 1.0)])}).serve(running)
        yield running


def market(server: VendorServer, tmp_path: Path, as_of: date = AS_OF) -> MarketData:
    settings = load_settings({"home": tmp_path, "vendor_max_retries": 0}, environ={})
    vendors = Vendors(settings, {"fred": SOURCE.open(server, tmp_path, now=lambda: NOW)}, environ={})
    return MarketData(settings, as_of, vendors=vendors, now=lambda: NOW)


@pytest.mark.parametrize(
    ("day", "latest", "change", "year"),
    [(date(2025, 2, 28), 4.0, -0.1, 0.3), (AS_OF, 4.3, 0.1, 0.6), (date(2025, 3, 7), 4.0, -0.1, 0.3)],
    ids=["before the revision", "after it", "on its day, of which FRED tells no hour"],
)
def test_fred_answers_with_what_had_been_published(
    server: VendorServer, tmp_path: Path, day: date, latest: float, change: float, year: float
):
    data = market(server, tmp_path)
    result = get_macro_indicators.ask(data, indicator="unemployment rate", curr_date=day)
    assert isinstance(result, MacroIndicators)
    (one,) = result.series
    assert (one.latest.day, one.latest.value) == (date(2025, 1, 1), latest)
    assert one.change == pytest.approx(change)
    assert one.year_change == pytest.approx(year)
    assert (result.source, result.as_of) == ("fred", day)
    assert result.notes == (f"UNRATE: as published by {day}; since revised figures are not shown.",)
    (sheet,) = [row for row in data.sheet.rows if row.vendor == "fred" and not row.figures]
    assert (sheet.method, sheet.symbol, sheet.rows) == ("get_macro_indicators", "unemployment rate", 3)


def test_two_years_are_shown_unless_told_and_at_least_1500_days_are_read(server: VendorServer, tmp_path: Path):
    data = market(server, tmp_path)
    (one,) = get_macro_indicators.ask(data, indicator="UNRATE", look_back_days=60).series
    assert (one.count, one.year_change) == (1, pytest.approx(0.6))
    (one,) = get_macro_indicators.ask(data, indicator="UNRATE").series
    assert one.count == 3
    assert {request.query["observation_start"] for request in server.asked if "limit" in request.query} == {
        "2021-02-03"
    }
    get_macro_indicators.ask(data, indicator="UNRATE", look_back_days=3000)
    assert server.asked[-1].query["observation_start"] == "2016-12-26"


def test_several_at_once_and_what_is_missing_is_said(server: VendorServer, tmp_path: Path):
    result = get_macro_indicators.ask(market(server, tmp_path), indicator="UNRATE, NOSUCH,, unemployment rate ,")
    assert [one.series for one in result.series] == ["UNRATE"]
    (missing, _) = result.notes
    assert missing.startswith("NOSUCH is not shown: fred has no NOSUCH")


def test_a_series_that_is_refused_does_not_refuse_the_others(server: VendorServer, tmp_path: Path):
    """The vendor fails at one series: the others are answered, and the note has its reason."""
    fred = SmallFred(NOW.date(), {"UNRATE": RATES})
    fails = refused("Internal Server Error", 500)
    server.answer("/fred/series", lambda asked: fails if asked.query["series_id"] == "DGS10" else fred._facts(asked))
    result = get_macro_indicators.ask(market(server, tmp_path), indicator="10y, UNRATE")
    assert [one.series for one in result.series] == ["UNRATE"]
    assert result.notes[0].startswith("10y is not shown: get_macro_indicators failed at fred")


def test_where_several_are_missing_each_has_its_reason(server: VendorServer, tmp_path: Path):
    with pytest.raises(NoData, match=r"NOSUCH: fred has no NOSUCH.* how it goes: 'how it goes' names no"):
        get_macro_indicators.ask(market(server, tmp_path), indicator="NOSUCH, how it goes")


@pytest.mark.parametrize("indicator", ["NOSUCH", "NOSUCH, how the economy does"])
def test_where_all_are_missing_there_is_no_data(server: VendorServer, tmp_path: Path, indicator: str):
    with pytest.raises(NoData, match="fred has no NOSUCH"):
        get_macro_indicators.ask(market(server, tmp_path), indicator=indicator)


@pytest.mark.parametrize("indicator", ["", " , ", "1,2,3,4,5,6,7"])
def test_one_to_six_series_may_be_asked_for(server: VendorServer, tmp_path: Path, indicator: str):
    with pytest.raises(UsageError, match="one to 6 series"):
        get_macro_indicators.ask(market(server, tmp_path), indicator=indicator)
    assert server.asked == []


@pytest.mark.parametrize("days", [0, -1, 20001, "many"])
def test_the_days_looked_back_are_bounded(server: VendorServer, tmp_path: Path, days: object):
    with pytest.raises(ValidationError):
        get_macro_indicators.ask(market(server, tmp_path), indicator="UNRATE", look_back_days=days)


def test_a_vendor_that_is_down_is_not_a_missing_series(server: VendorServer, tmp_path: Path):
    data = market(server, tmp_path)
    server.stop()
    with pytest.raises(AllVendorsFailed, match="get_macro_indicators failed at fred"):
        get_macro_indicators.ask(data, indicator="UNRATE, 10y")


def test_without_a_key_the_way_out_is_named_and_the_question_is_known_to_be_vain(tmp_path: Path):
    settings = load_settings({"home": tmp_path}, environ={})
    data = MarketData(settings, AS_OF, vendors=Vendors(settings, environ={}), now=lambda: NOW)
    assert not data.supports("get_macro_indicators")
    with pytest.raises(VendorNotConfigured, match="fred needs FRED_API_KEY"):
        get_macro_indicators.ask(data, indicator="UNRATE")


def test_a_snapshot_answers_with_what_is_not_revised_and_says_so(tmp_path: Path):
    """Yields stay as published; the unemployment rate is revised, so that nothing tells what was known then."""
    market = snapshot_market(tmp_path / "market")
    result = get_macro_indicators.ask(market, indicator="10y, UNRATE", look_back_days=100)
    (one,) = result.series
    assert (one.series, one.latest.day, result.source) == ("DGS10", date(2025, 3, 13), "snapshot")
    assert "UNRATE is not shown: snapshot has only a later revision of UNRATE" in result.notes[0]
    assert "DGS10: snapshot keeps no vintages; its values are not revised" in result.notes[1]
    with pytest.raises(NoData, match="only a later revision of UNRATE"):
        get_macro_indicators.ask(market, indicator="UNRATE")
