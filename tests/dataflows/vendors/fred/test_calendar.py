"""The economic calendar read from FRED's vintages: values as first published, days to come from the schedule."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.contracts.sources.fred import SOURCE
from tests.dataflows.vendors.fred_payloads import Published, Series, SmallFred
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tradingagents.dataflows.models import EconomicEvent
from tradingagents.dataflows.vendors.fred import calendar as fred_calendar
from tradingagents.dataflows.vendors.fred.vendor import FredVendor
from tradingagents.dataflows.vendors.snapshot import macro as snapshot
from tradingagents.errors import NoData, VendorDown

START, END = date(2025, 2, 1), date(2025, 3, 14)
NOW = datetime(2025, 3, 14, 22, tzinfo=UTC)
CLOSE = datetime(2025, 3, 14, 20, tzinfo=UTC)


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        yield running


@pytest.fixture
def fred(server: VendorServer) -> SmallFred:
    small = SmallFred(NOW.date())
    small.serve(server)
    return small


@pytest.fixture
def vendor(server: VendorServer, tmp_path: Path) -> FredVendor:
    made = SOURCE.open(server, tmp_path, now=lambda: NOW)
    assert isinstance(made, FredVendor)
    return made


def monthly(values: dict[str, float], *more: Published) -> Series:
    """Months, each published on the 7th of the next, so that a whole year was known before the window."""
    return Series([*((f"{month}-01", after(month), value) for month, value in values.items()), *more])


def after(month: str) -> str:
    year, number = map(int, month.split("-"))
    return f"{year + number // 12}-{number % 12 + 1:02}-07"


def released(vendor: FredVendor, name: str, start: date = START, end: date = END) -> list[EconomicEvent]:
    return [event for event in vendor.get_economic_calendar(start, end) if event.name == name and event.day >= start]


def test_a_change_over_the_month_is_that_of_the_release_and_so_is_the_one_before(vendor: FredVendor, fred: SmallFred):
    """February's release has 159,500 after 159,350, and January's revised from 159,400: 150, after 110 and not 160."""
    fred.series["PAYEMS"] = monthly(
        {"2024-11": 159_000.0, "2024-12": 159_240.0, "2025-01": 159_400.0, "2025-02": 159_500.0},
        ("2025-01-01", "2025-03-07", 159_350.0),
        ("2025-02-01", "2025-04-04", 0.0),
    )
    january, february = released(vendor, "Nonfarm payrolls")
    assert january == EconomicEvent(
        name="Nonfarm payrolls",
        day=date(2025, 2, 7),
        known_at=datetime(2025, 2, 10, 14, 30, tzinfo=UTC),
        period="2025-01",
        value=160.0,
        previous=240.0,
        unit="thousand",
    )
    assert (february.day, february.period, february.value, february.previous) == (
        date(2025, 3, 7),
        "2025-02",
        150.0,
        110.0,
    )


def test_a_change_over_the_year(vendor: FredVendor, fred: SmallFred):
    """309.0 over 300.0 is 3 %, 311.1 over 305.0 is 2 %."""
    fred.series["CPIAUCNS"] = monthly({"2024-01": 300.0, "2024-02": 305.0, "2025-01": 309.0, "2025-02": 311.1})
    assert [(event.period, event.value, event.previous, event.unit) for event in released(vendor, "CPI inflation")] == [
        ("2025-01", 3.0, None, "% y/y"),  # December 2023 is not known
        ("2025-02", 2.0, 3.0, "% y/y"),
    ]


def test_a_change_over_the_month_in_percent(vendor: FredVendor, fred: SmallFred):
    """Down from 700 to 693 is -1 %, and up to 706.86 is +2 %."""
    fred.series["RSAFS"] = monthly({"2024-12": 700.0, "2025-01": 693.0, "2025-02": 706.86})
    assert [event.value for event in released(vendor, "Retail sales")] == [-1.0, 2.0]


def test_growth_counts_once_a_quarter_as_first_estimated(vendor: FredVendor, fred: SmallFred):
    fred.series["A191RL1Q225SBEA"] = Series(
        [
            ("2024-07-01", "2024-10-30", 3.1),
            ("2024-10-01", "2025-02-05", 2.3),
            ("2024-10-01", "2025-02-27", 2.4),  # the second estimate
        ]
    )
    (event,) = released(vendor, "Real GDP growth")
    assert (event.day, event.period, event.value, event.previous) == (date(2025, 2, 5), "2024-Q4", 2.3, 3.1)


def test_claims_of_a_week_in_thousands(vendor: FredVendor, fred: SmallFred):
    fred.series["ICSA"] = Series([("2025-02-22", "2025-02-27", 241_600.0), ("2025-03-01", "2025-03-06", 221_400.0)])
    (event,) = released(vendor, "Initial jobless claims")
    assert (event.period, event.value, event.previous) == ("week to 2025-03-01", 221.0, 242.0)


def test_what_was_known_on_the_first_day_asked_for_is_no_release(vendor: FredVendor, fred: SmallFred):
    """The window reaches 400 days back; a year of months on one day is an archive that begins, not twelve releases."""
    fred.series["UNRATE"] = Series(
        [(f"2024-{month:02}-01", "2024-12-30", 4.0) for month in range(1, 12)]
        + [("2024-12-01", "2025-01-10", 4.1), ("2024-12-01", "2025-02-07", 4.2)]
    )
    found = [event for event in vendor.get_economic_calendar(START, END) if event.value is not None]
    assert [(event.day, event.period, event.value) for event in found] == [(date(2025, 1, 10), "2024-12", 4.1)]


def test_of_months_that_come_at_once_the_newest_is_the_release(vendor: FredVendor, fred: SmallFred):
    """A closure of the government: two months in one release."""
    fred.series["UNRATE"] = Series(
        [("2024-10-01", "2024-11-01", 4.0), ("2024-11-01", "2025-02-07", 4.1), ("2024-12-01", "2025-02-07", 4.3)]
    )
    (event,) = released(vendor, "Unemployment rate")
    assert (event.period, event.value, event.previous) == ("2024-12", 4.3, 4.1)


def test_a_new_target_counts_from_the_session_it_holds_on(vendor: FredVendor, fred: SmallFred, server: VendorServer):
    """Never revised, so no vintages are asked for: 2025-02-08 is a Saturday."""
    rows = [(f"2025-02-{day:02}", f"2025-02-{day:02}", 4.5 if day < 8 else 4.25) for day in range(1, 15)]
    fred.series["DFEDTARU"] = Series(rows, archived=False)
    assert released(vendor, "Fed funds target, upper bound") == [
        EconomicEvent(
            name="Fed funds target, upper bound",
            day=date(2025, 2, 10),
            known_at=datetime(2025, 2, 10, 21, tzinfo=UTC),
            value=4.25,
            previous=4.5,
            unit="%",
            day_assumed=True,
        )
    ]
    (asked,) = [request.query for request in server.asked if request.query.get("series_id") == "DFEDTARU"]
    assert "realtime_start" not in asked
    assert asked["observation_end"] == "2025-03-14"


def test_days_to_come_are_those_of_the_schedule_known_since_the_last_close(
    vendor: FredVendor, fred: SmallFred, server: VendorServer
):
    fred.series["UNRATE"] = monthly({"2024-12": 4.1, "2025-01": 4.0, "2025-02": 4.2})
    fred.days[50] = ["2025-05-02", "2025-03-07", "2025-04-04", "2025-04-04"]
    found = released(vendor, "Unemployment rate", end=date(2025, 5, 1))
    assert [(event.day, event.value) for event in found] == [
        (date(2025, 2, 7), 4.0),
        (date(2025, 3, 7), 4.2),
        (date(2025, 4, 4), None),
    ]
    assert found[-1] == EconomicEvent(
        name="Unemployment rate", day=date(2025, 4, 4), known_at=CLOSE, period=None, unit="%"
    )
    (asked,) = [request for request in server.asked if request.path == "/fred/release/dates"]
    assert asked.query == {
        "release_id": "50",
        "realtime_start": "2025-03-14",
        "realtime_end": "9999-12-31",
        "include_release_dates_with_no_data": "true",
        "sort_order": "asc",
        "file_type": "json",
        "api_key": SOURCE.environ["FRED_API_KEY"],
    }
    vendor.get_economic_calendar(START, date(2025, 5, 1))
    assert server.count("/fred/series/release") == 1 + 2 * 8, "found once, the eight other figures each time in vain"


def test_a_release_of_today_is_due_until_the_next_open_and_then_published(vendor: FredVendor, fred: SmallFred):
    fred.series["UNRATE"] = Series([("2025-01-01", "2025-02-07", 4.0), ("2025-02-01", "2025-03-14", 4.2)])
    fred.days[50] = ["2025-03-14"]
    due, published = released(vendor, "Unemployment rate")
    assert (due.day, due.period, due.value, due.previous, due.known_at) == (
        date(2025, 3, 14),
        "2025-02",
        None,
        None,
        CLOSE,
    )
    assert (published.value, published.known_at) == (4.2, datetime(2025, 3, 17, 13, 30, tzinfo=UTC))


def test_of_a_past_window_no_schedule_is_asked_for(vendor: FredVendor, fred: SmallFred, server: VendorServer):
    fred.series["UNRATE"] = monthly({"2024-11": 4.2, "2024-12": 4.1})
    assert len(released(vendor, "Unemployment rate", date(2025, 1, 1), date(2025, 2, 1))) == 1
    assert server.count("/fred/release/dates") == server.count("/fred/series/release") == 0
    ends = {request.query["realtime_end"] for request in server.asked if "realtime_end" in request.query}
    assert ends == {"2025-02-01"}


def test_without_any_figure_there_is_no_data(vendor: FredVendor, fred: SmallFred):
    with pytest.raises(NoData, match="fred has no economic releases from 2025-02-01 to 2025-03-14"):
        vendor.get_economic_calendar(START, END)


@pytest.mark.parametrize("path", ["/fred/series/release", "/fred/release/dates"])
@pytest.mark.parametrize(
    "answer", [{}, [], {"releases": [{}], "release_dates": [{}]}, {"releases": [{"id": "50"}], "release_dates": {}}]
)
def test_a_schedule_in_another_shape_is_no_answer(
    vendor: FredVendor, fred: SmallFred, server: VendorServer, path: str, answer: object
):
    fred.series["UNRATE"] = monthly({"2024-12": 4.1, "2025-01": 4.0})
    server.answer(path, Reply(answer))
    with pytest.raises(VendorDown, match="cannot be read"):
        vendor.get_economic_calendar(START, END)


def test_a_release_without_a_schedule_still_has_its_past(vendor: FredVendor, fred: SmallFred, server: VendorServer):
    fred.series["UNRATE"] = monthly({"2024-12": 4.1, "2025-01": 4.0})
    server.answer("/fred/release/dates", Reply({"error_message": "Not found"}, status=404))
    assert [event.value for event in released(vendor, "Unemployment rate")] == [4.0]


def test_figures_mean_what_they_mean_in_a_snapshot():
    recorded = {figure.name: figure for figure in snapshot.FIGURES}
    for figure in fred_calendar.FIGURES:
        same = recorded[figure.name]
        assert (figure.unit, figure.digits, figure.period) == (same.unit, same.digits, same.period)
    assert recorded[fred_calendar.TARGET_NAME].period == "decision"
    missing = set(recorded) - {figure.name for figure in fred_calendar.FIGURES} - {fred_calendar.TARGET_NAME}
    assert missing == {"ISM manufacturing PMI"}
