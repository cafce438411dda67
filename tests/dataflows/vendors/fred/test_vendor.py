"""FRED through a local server: what is asked, what vintages become, and what its refusals mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.fred import SOURCE
from tests.dataflows.vendors.fred_payloads import Series, SmallFred, facts, page, refused, row
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tradingagents.dataflows.models import MacroObservation, MacroSeries
from tradingagents.dataflows.vendors.fred.vendor import FredVendor
from tradingagents.errors import NoData, VendorDown, VendorNotConfigured

TODAY = date(2025, 6, 30)
NOW = datetime(2025, 6, 30, 22, tzinfo=UTC)
START, END = date(2024, 10, 1), date(2025, 3, 14)
JOBLESS = Series(
    [
        ("2024-10-01", "2024-11-01", 4.1),
        ("2024-11-01", "2024-12-06", 4.2),
        ("2024-12-01", "2025-01-10", 4.1),
        ("2024-12-01", "2025-02-07", 4.0),  # a revision
        ("2025-01-01", "2025-02-07", "."),
        ("2025-02-01", "2025-03-14", 4.4),  # the last day asked for
        ("2025-02-01", "2025-04-04", 4.5),  # published later
    ],
    title="Jobless in  Madeupland",
)
DAILY = Series(
    [("2025-03-12", "2025-03-13", 4.25), ("2025-03-13", "2025-03-14", 4.31)],
    title="Yield of Made-Up Notes",
    frequency="D",
    adjustment="Not Applicable",
)


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        yield running


@pytest.fixture
def vendor(server: VendorServer, tmp_path: Path) -> FredVendor:
    made = SOURCE.open(server, tmp_path, now=lambda: NOW)
    assert isinstance(made, FredVendor)
    return made


@pytest.fixture
def fred(server: VendorServer) -> SmallFred:
    small = SmallFred(TODAY, {"UNRATE": JOBLESS, "DGS10": DAILY})
    small.serve(server)
    return small


def open_of(month: int, day: int, year: int = 2025, hour: int = 14) -> datetime:
    """New York's 9:30; 14:30 UTC in winter."""
    return datetime(year, month, day, hour, 30, tzinfo=UTC)


def test_every_vintage_is_known_from_the_next_session_on(vendor: FredVendor, fred: SmallFred):
    assert vendor.get_macro_indicators("unemployment rate", START, END) == MacroSeries(
        series="UNRATE",
        name="Jobless in Madeupland, seasonally adjusted",
        observations=(
            MacroObservation(date(2024, 10, 1), 4.1, open_of(11, 4, 2024)),  # published on a Friday
            MacroObservation(date(2024, 11, 1), 4.2, open_of(12, 9, 2024)),
            MacroObservation(date(2024, 12, 1), 4.1, open_of(1, 13)),
            MacroObservation(date(2024, 12, 1), 4.0, open_of(2, 10)),
            MacroObservation(date(2025, 2, 1), 4.4, open_of(3, 17, hour=13)),
        ),
        unit="%",
        frequency="monthly",
        vintages=True,
    )


def test_the_request_itself_is_cut_at_the_last_day_and_carries_the_key(
    vendor: FredVendor, fred: SmallFred, server: VendorServer
):
    vendor.get_macro_indicators("UNRATE", START, END)
    about, asked = server.asked
    key = SOURCE.environ["FRED_API_KEY"]
    day = END.isoformat()
    assert about.path == "/fred/series"
    assert about.query == {
        "series_id": "UNRATE",
        "realtime_start": day,
        "realtime_end": day,
        "file_type": "json",
        "api_key": key,
    }
    assert asked.path == "/fred/series/observations"
    assert asked.query == {
        "series_id": "UNRATE",
        "realtime_start": "2024-10-01",
        "realtime_end": day,
        "observation_start": "2024-10-01",
        "observation_end": day,
        "limit": "100000",
        "offset": "0",
        "file_type": "json",
        "api_key": key,
    }


def test_what_was_known_before_the_real_time_period_counts_from_its_first_day(vendor: FredVendor, fred: SmallFred):
    """Two thousand days of vintages are asked for, FRED's most: 2019-09-23 is the first of them."""
    fred.series["OLD"] = Series([("2015-01-01", "2015-02-06", 5.7), ("2019-10-01", "2019-11-01", 3.6)])
    found = vendor.get_macro_indicators("OLD", date(2010, 1, 1), END)
    assert found.observations == (
        MacroObservation(date(2015, 1, 1), 5.7, open_of(9, 24, 2019, hour=13)),
        MacroObservation(date(2019, 10, 1), 3.6, open_of(11, 4, 2019)),
    )


def test_no_day_after_today_in_st_louis_is_asked_for(fred: SmallFred, server: VendorServer, tmp_path: Path):
    """It is half past eleven in the evening there, and July in New York."""
    vendor = SOURCE.open(server, tmp_path, now=lambda: datetime(2025, 7, 1, 4, 30, tzinfo=UTC))
    found = vendor.get_macro_indicators("UNRATE", START, date(2025, 7, 1))
    assert found.observations[-1].value == 4.5
    assert {request.query["realtime_end"] for request in server.asked} == {"2025-06-30"}


def test_pages_are_read_to_the_end(vendor: FredVendor, fred: SmallFred, server: VendorServer):
    fred.page = 2
    whole = vendor.get_macro_indicators("UNRATE", START, END)
    assert len(whole) == 5
    assert [request.query.get("offset") for request in server.asked[1:]] == ["0", "2", "4"]


def test_a_daily_series_that_is_not_adjusted(vendor: FredVendor, fred: SmallFred):
    found = vendor.get_macro_indicators("10Y", date(2025, 3, 1), END)
    assert (found.series, found.name, found.frequency) == ("DGS10", "Yield of Made-Up Notes", "daily")
    assert found.observations[0] == MacroObservation(date(2025, 3, 12), 4.25, open_of(3, 14, hour=13))


@pytest.mark.parametrize(
    ("letter", "frequency", "day", "known"),
    [
        ("D", "daily", "2025-03-12", open_of(3, 13, hour=13)),
        ("W", "weekly", "2025-02-28", open_of(3, 10, hour=13)),  # out by Friday the 7th
        ("M", "monthly", "2024-12-01", open_of(2, 18)),  # by Friday 2025-02-14; the Monday is a holiday
        ("Q", "quarterly", "2024-07-01", open_of(1, 28)),
        ("A", "annual", "2023-01-01", open_of(1, 2)),
        ("SA", "", "2024-01-01", open_of(1, 2)),
    ],
)
def test_a_series_without_vintages_comes_as_it_is_today_and_says_so(
    vendor: FredVendor, fred: SmallFred, letter: str, frequency: str, day: str, known: datetime
):
    """Each value from a day by which it was surely out; that of 2025-03-14 was not, at any of these rhythms."""
    rows = [(day, "2025-06-01", 3.1), ("2025-03-14", "2025-06-01", 3.2)]
    fred.series["SPREAD"] = Series(rows, "Spread", archived=False, frequency=letter, adjustment="")
    found = vendor.get_macro_indicators("SPREAD", date(2020, 1, 1), END)
    out, late = found.observations
    assert out == MacroObservation(date.fromisoformat(day), 3.1, known)
    assert late.known_at > datetime(2025, 3, 14, 20, tzinfo=UTC)
    assert found == MacroSeries("SPREAD", "Spread", (out, late), "%", frequency, vintages=False, read_at=NOW)


def test_a_day_before_the_archive_begins_is_answered_by_today_s_revision(vendor: FredVendor, fred: SmallFred):
    fred.series["LATECOMER"] = Series([("2012-01-01", "2014-05-05", 7.0)])
    found = vendor.get_macro_indicators("LATECOMER", date(2011, 1, 1), date(2013, 3, 14))
    assert (found.vintages, [seen.value for seen in found.observations]) == (False, [7.0])


@pytest.mark.parametrize(
    ("more", "unit"),
    [
        ({"units": "Percent", "units_short": "%"}, "%"),
        ({"units": "Billions of Dollars", "units_short": "Bil. of $"}, "Billions of Dollars"),
        ({"units": None, "units_short": None}, ""),
        ({"units": 7, "units_short": ["%"]}, ""),
    ],
)
def test_units_are_the_source_s(vendor: FredVendor, fred: SmallFred, server: VendorServer, more: Any, unit: str):
    server.answer("/fred/series", {"seriess": [{**facts(JOBLESS), **more}]})
    fred_rows(server, row("2025-01-01", "2025-02-07", "4.0"))
    assert vendor.get_macro_indicators("UNRATE", START, END).unit == unit


def test_facts_of_the_wrong_type_are_not_there(vendor: FredVendor, fred: SmallFred, server: VendorServer):
    server.answer("/fred/series", {"seriess": [{"title": "Only a Title", "frequency_short": 3}]})
    found = vendor.get_macro_indicators("UNRATE", START, END)
    assert (found.name, found.unit, found.frequency) == ("Only a Title", "", "")


GOOD = row("2025-01-01", "2025-02-07", "4.0")
UNUSABLE: list[Any] = [
    *({**GOOD, "value": value} for value in ("NaN", "inf", "None", "-", "", None, 4.0, True, ["4.0"])),
    *({**GOOD, name: value} for name in ("date", "realtime_start", "realtime_end") for value in (None, 20250101, "x")),
    {**GOOD, "realtime_start": "2025-03-01", "realtime_end": "2025-02-01"},
    {},
    None,
    "4.0",
]


@pytest.mark.parametrize("unusable", UNUSABLE, ids=repr)
def test_an_unusable_value_is_left_out_and_nothing_but_such_is_no_answer(
    vendor: FredVendor, fred: SmallFred, server: VendorServer, unusable: Any
):
    fred_rows(server, GOOD, unusable)
    assert [seen.value for seen in vendor.get_macro_indicators("UNRATE", START, END).observations] == [4.0]
    fred_rows(server, unusable)
    with pytest.raises(VendorDown, match="cannot be read"):
        vendor.get_macro_indicators("UNRATE", START, END)


def test_values_outside_of_what_was_asked_are_left_out(vendor: FredVendor, fred: SmallFred, server: VendorServer):
    fred_rows(server, GOOD, row("2024-09-01", "2025-02-07", "9.9"), row("2025-02-01", "2025-03-15", "9.9"))
    assert [seen.value for seen in vendor.get_macro_indicators("UNRATE", START, END).observations] == [4.0]


@pytest.mark.parametrize("rows", [[], [row("2025-01-01", "2025-02-07", ".")]], ids=["none", "blank"])
def test_a_window_without_values_has_no_data(
    vendor: FredVendor, fred: SmallFred, server: VendorServer, rows: list[Any]
):
    fred_rows(server, *rows)
    with pytest.raises(NoData, match="fred has no UNRATE from 2024-10-01 to 2025-03-14"):
        vendor.get_macro_indicators("UNRATE", START, END)


@pytest.mark.parametrize(
    "answer",
    [
        {"count": 1},
        {"observations": [GOOD]},
        page([], 3),
        page([GOOD], -1),
        page([GOOD], 10**12),
        {**page([GOOD]), "count": "1"},
        {**page([GOOD]), "observations": {"0": GOOD}},
        [GOOD],
    ],
)
def test_values_in_another_shape_are_no_answer(vendor: FredVendor, fred: SmallFred, server: VendorServer, answer: Any):
    server.answer("/fred/series/observations", Reply(answer))
    with pytest.raises(VendorDown, match="cannot be read"):
        vendor.get_macro_indicators("UNRATE", START, END)


@pytest.mark.parametrize("answer", [{}, {"seriess": []}, {"seriess": [None]}, {"seriess": [{"title": 1}]}])
def test_facts_in_another_shape_are_no_answer(vendor: FredVendor, fred: SmallFred, server: VendorServer, answer: Any):
    server.answer("/fred/series", Reply(answer))
    server.answer("/fred/series/observations", page([GOOD]))
    with pytest.raises(VendorDown, match="cannot be read"):
        vendor.get_macro_indicators("UNRATE", START, END)


def test_a_series_that_there_is_not(vendor: FredVendor, fred: SmallFred):
    with pytest.raises(NoData, match="fred has no NOSUCH"):
        vendor.get_macro_indicators("NOSUCH", START, END)


def test_a_question_in_prose_is_refused_before_any_request(vendor: FredVendor, server: VendorServer):
    with pytest.raises(NoData, match="close to it are UNRATE"):
        vendor.get_macro_indicators("the unemployment rates", START, END)
    assert server.asked == []


@pytest.mark.parametrize(
    "said",
    [
        "Bad Request.  The value for variable api_key is not registered.",
        "Bad Request.  The value for variable api_key is not a 32 character alpha-numeric lower-case string.",
        "Bad Request.  Variable api_key is not set.",
    ],
)
@pytest.mark.parametrize("method", SOURCE.asks)
def test_a_bad_key_is_a_400_and_not_a_series_that_there_is_not(
    vendor: FredVendor, server: VendorServer, said: str, method: str
):
    server.failing = refused(said)
    with pytest.raises(VendorNotConfigured, match="check the value of FRED_API_KEY"):
        getattr(vendor, method)(*SOURCE.asks[method])


@pytest.mark.parametrize("body", ["no JSON", {"error_code": 400}, ["api_key"], {"error_message": None}])
def test_a_400_that_says_nothing_means_that_there_is_nothing(vendor: FredVendor, server: VendorServer, body: Any):
    server.failing = Reply(body, status=400)
    with pytest.raises(NoData):
        vendor.get_macro_indicators("UNRATE", START, END)


def test_without_a_key_it_is_not_made(server: VendorServer, tmp_path: Path):
    with pytest.raises(VendorNotConfigured, match="fred needs FRED_API_KEY"):
        replace(SOURCE, environ={}).open(server, tmp_path)


def fred_rows(server: VendorServer, *rows: Any) -> None:
    server.answer("/fred/series/observations", page(rows))
