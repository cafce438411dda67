"""Look-ahead by revision: none. What a source without vintages says today of an earlier month reaches no past day.

The other look-ahead tests change rows that became known later. Here the rows were all known: their values are what
changed since, as payrolls and growth do for years.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.test_look_ahead import AS_OF, NOW, QUESTIONS
from tests.support.snapshot_folder import MACRO, read_macro, write_macro, write_snapshot
from tradingagents.capabilities.news import get_macro_indicators
from tradingagents.capabilities.scanner import get_economic_calendar
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import EconomicEvent, MacroObservation, MacroSeries
from tradingagents.dataflows.reference.macro_series import FINAL, REVISED
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.dataflows.vendors.snapshot.macro import FIGURES
from tradingagents.dataflows.vendors.snapshot.macro_series import SERIES
from tradingagents.errors import NoData, TradingAgentsError
from tradingagents.settings import load_settings

NOT_REVISED = ("inflation_monetary.fed_funds_target", "rates.ust_10y")
WINDOW: dict[str, Any] = {"from_date": "2025-02-01", "to_date": "2025-03-31"}


def market(vendor: Vendor, as_of: date = AS_OF, now: datetime = NOW) -> MarketData:
    settings = load_settings({"data_vendor": vendor.name}, environ={})
    return MarketData(settings, as_of, vendors=Vendors(settings, {vendor.name: vendor}), now=lambda: now)


def revised(folder: Path) -> Path:
    """Revise every value that can be, also those long known."""
    write_macro(
        folder, [(name, day, value * (1.0 if name in NOT_REVISED else 1.37)) for name, day, value in read_macro(folder)]
    )
    return folder


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    before = write_snapshot(tmp_path_factory.mktemp("before") / "market")
    return before, revised(write_snapshot(tmp_path_factory.mktemp("after") / "market"))


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_revision_of_earlier_values_changes_no_answer_of_the_past(folders: tuple[Path, Path], name: str):
    capability, arguments = QUESTIONS[name]
    answers = []
    for folder in folders:
        data = market(SnapshotVendor(folder))
        try:
            answers.append(capability.ask(data, **arguments("ACMQ", AS_OF)).to_markdown())
        except TradingAgentsError as error:
            answers.append(str(error))
    assert answers[0] == answers[1]


def test_a_release_says_that_it_was_published_and_not_with_which_value(folders: tuple[Path, Path]):
    found = get_economic_calendar.ask(market(SnapshotVendor(folders[0])), **WINDOW)
    rows = {(row.name, row.period): row for row in found.events if row.status == "released"}
    payrolls = rows["Nonfarm payrolls", "2025-02"]
    assert (payrolls.value, payrolls.previous, payrolls.withheld) == (None, None, True)
    assert "| US | 2025-02 | not recorded | n/a | n/a | released |" in found.to_markdown()
    assert "the source holds a later revision of it alone, which nobody knew then" in found.to_markdown()
    assert "nonfarm_payrolls" not in {figure.name for figure in found.figures()}


def test_what_is_never_revised_is_shown(folders: tuple[Path, Path]):
    vendor = SnapshotVendor(folders[0])
    decided = [
        row for row in market(vendor).economic_calendar(date(2025, 1, 1), AS_OF) if row.name.startswith("Fed funds")
    ]
    assert decided
    assert all(row.value is not None and not row.withheld for row in decided)
    series = get_macro_indicators.ask(market(vendor), indicator="unemployment rate, 10y")
    assert [one.series for one in series.series] == ["DGS10"]
    assert "unemployment rate is not shown: snapshot has only a later revision of UNRATE" in series.to_markdown()


def test_a_recording_of_the_day_itself_shows_what_was_known_then(tmp_path: Path):
    folder = write_snapshot(tmp_path / "market")
    manifest = json.loads((folder / "snapshot.json").read_text())
    recorded = {"recorded_at": "2025-03-14T19:00:00Z"}
    (folder / "snapshot.json").write_text(json.dumps(manifest | recorded))
    shown = {
        as_of: [row.value for row in market(SnapshotVendor(folder), as_of).economic_calendar(as_of, as_of)]
        for as_of in (date(2025, 3, 13), AS_OF)
    }
    of_before = market(SnapshotVendor(folder), date(2025, 3, 13)).economic_calendar(date(2025, 2, 1), AS_OF)
    of_then = market(SnapshotVendor(folder)).economic_calendar(date(2025, 2, 1), AS_OF)
    assert shown.keys() == {date(2025, 3, 13), AS_OF}
    assert any(row.withheld for row in of_before)
    assert not any(row.withheld for row in of_then)


class TodaysCalendar(Vendor):
    """A remote source whose calendar and series are today's revision."""

    name = "todays"

    def __init__(self, read_at: datetime) -> None:
        self.read_at = read_at

    def get_economic_calendar(self, start: date, end: date) -> tuple[EconomicEvent, ...]:
        known = datetime(2025, 3, 7, 14, tzinfo=UTC)
        return (EconomicEvent("Payrolls", date(2025, 3, 7), known, "2025-02", 42.0, -48.0, read_at=self.read_at),)

    def get_macro_indicators(self, series: str, start: date, end: date) -> MacroSeries:
        known = datetime(2025, 3, 7, 14, tzinfo=UTC)
        rows = (MacroObservation(date(2025, 2, 1), 42.0, known),)
        return MacroSeries(series, series, rows, frequency="monthly", vintages=False, read_at=self.read_at)


@pytest.mark.parametrize("asked", [lambda data: data.economic_calendar(date(2025, 3, 1), AS_OF)[0].value])
def test_a_remote_calendar_tells_today_what_is_known_today_and_withholds_it_of_the_past(
    asked: Callable[[MarketData], float | None],
):
    opened = datetime(2025, 3, 14, 21, tzinfo=UTC)
    today = market(TodaysCalendar(opened), now=opened)
    past = market(TodaysCalendar(NOW), now=NOW)
    assert (asked(today), asked(past)) == (42.0, None)
    assert today.macro_series("PAYEMS", date(2024, 1, 1)).observations[0].value == 42.0
    with pytest.raises(NoData, match="only a later revision of PAYEMS"):
        past.macro_series("PAYEMS", date(2024, 1, 1))


def test_every_recorded_figure_and_series_is_in_one_of_the_two_tables():
    names = {*(figure.name for figure in FIGURES), *SERIES}
    assert names <= FINAL.keys() | REVISED.keys()
    assert not FINAL.keys() & REVISED.keys()
    assert MACRO.keys() >= set(NOT_REVISED)


@pytest.mark.real_data
def test_payrolls_of_february_2025_are_not_shown_as_revised(test_data: Path):
    found = get_economic_calendar.ask(market(SnapshotVendor(test_data / "snapshot")), **WINDOW)
    assert " 42" not in found.to_markdown()
    assert any(row.name == "Nonfarm payrolls" and row.withheld for row in found.events)
