"""Economic series of a snapshot: which recorded series answers which id, and from when."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.support import snapshot_folder as made
from tradingagents.dataflows.models import MacroObservation, MacroSeries
from tradingagents.dataflows.reference.calendar import NEVER
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.dataflows.vendors.snapshot.macro import FIGURES
from tradingagents.dataflows.vendors.snapshot.macro_series import SERIES
from tradingagents.errors import NoData, VendorDown

EVER = (date(2000, 1, 1), date(2030, 1, 1))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made.write_manifest(tmp_path, made.FIRST, made.LAST)
    return tmp_path


def close_of(month: int, day: int, hour: int = 21) -> datetime:
    return datetime(2025, month, day, hour, tzinfo=UTC)


def test_a_month_is_known_from_its_latest_usual_day_on_and_the_older_recording_counts(folder: Path):
    """Jobs are out by the 10th: of January on Monday 2025-02-10, of February on 2025-03-10, in summer time."""
    first, second = SERIES["UNRATE"].names
    rows = [
        (first, date(2025, 1, 1), 4.0),
        (second, date(2025, 1, 1), 9.9),
        (second, date(2025, 2, 1), 4.1),
    ]
    made.write_macro(folder, rows)
    assert SnapshotVendor(folder).get_macro_indicators("unemployment rate", *EVER) == MacroSeries(
        series="UNRATE",
        name="Unemployment rate",
        observations=(
            MacroObservation(date(2025, 1, 1), 4.0, close_of(2, 10)),
            MacroObservation(date(2025, 2, 1), 4.1, close_of(3, 10, 20)),
        ),
        unit="%",
        frequency="monthly",
        vintages=False,
        read_at=NEVER,
    )


def test_a_daily_yield_is_known_from_the_next_session_s_close(folder: Path):
    """Friday's on Monday; that of the day before a holiday when New York trades again."""
    made.write_macro(folder, [("rates.ust_10y", date(2025, 2, 13), 4.5), ("rates.ust_10y", date(2025, 2, 14), 4.4)])
    found = SnapshotVendor(folder).get_macro_indicators("10y", *EVER)
    assert found.frequency == "daily"
    assert found.observations == (
        MacroObservation(date(2025, 2, 13), 4.5, close_of(2, 14)),
        MacroObservation(date(2025, 2, 14), 4.4, close_of(2, 18)),  # the 17th is a holiday
    )


def test_what_a_closed_government_publishes_waits_and_keeps_its_order(folder: Path):
    rows = [("jobs_monthly.nonfarm_payrolls_k", date(2025, month, 1), 1.0 * month) for month in (8, 9)]
    made.write_macro(folder, rows)
    known = [row.known_at.date() for row in SnapshotVendor(folder).get_macro_indicators("PAYEMS", *EVER).observations]
    assert known == [date(2025, 9, 10), date(2025, 12, 9)]


def test_the_window_is_of_the_days_that_values_are_about(folder: Path):
    made.write_macro(folder, [("M2SL", date(2025, month, 1), 100.0 * month) for month in range(1, 6)])
    vendor = SnapshotVendor(folder)
    found = vendor.get_macro_indicators("M2", date(2025, 2, 1), date(2025, 3, 31))
    assert [row.value for row in found.observations] == [200.0, 300.0]
    with pytest.raises(NoData, match="no M2SL from 2024-01-01 to 2024-12-31"):
        vendor.get_macro_indicators("M2", date(2024, 1, 1), date(2024, 12, 31))


def test_a_series_that_is_not_recorded_is_refused_with_those_that_are(folder: Path):
    made.write_macro(folder, [("M2SL", date(2025, 1, 1), 1.0)])
    with pytest.raises(NoData, match="no economic series GDP; it has M2SL"):
        SnapshotVendor(folder).get_macro_indicators("gdp", *EVER)


def test_a_folder_without_series_says_that_it_cannot_answer(folder: Path):
    vendor = SnapshotVendor(folder)
    assert not vendor.supports(Vendor.get_macro_indicators)
    with pytest.raises(NoData, match=r"it lacks macro\.parquet"):
        vendor.get_macro_indicators("UNRATE", *EVER)
    made.write_macro(folder, [("M2SL", date(2025, 1, 1), 1.0)])
    assert vendor.supports(Vendor.get_macro_indicators)


def test_a_corrupt_file_is_named(folder: Path):
    (folder / "macro.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(VendorDown, match=r"macro\.parquet"):
        SnapshotVendor(folder).get_macro_indicators("UNRATE", *EVER)


def test_lags_are_those_of_the_economic_calendar():
    lags = {name: (figure.lag, figure.period) for figure in FIGURES for name in figure.series}
    shared = [one for one in SERIES.values() if one.names[0] in lags]
    assert len(shared) == 6
    for one in shared:
        assert (one.lag, one.period) == lags[one.names[0]], one.title


def test_the_page_of_the_format_lists_every_series():
    page = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "snapshot-format.md").read_text("utf-8")
    for series, one in SERIES.items():
        names = ", else ".join(f"`{name}`" for name in one.names)
        assert f"| `{series}` | {names} | {one.unit} | {one.frequency} | {one.lag} |" in page


@pytest.mark.real_data
def test_the_recorded_series_are_all_there(test_data: Path):
    vendor = SnapshotVendor(test_data / "snapshot")
    found = {name: vendor.get_macro_indicators(name, *EVER) for name in SERIES}
    for name, one in found.items():
        about = [row.day for row in one.observations]
        assert about == sorted(set(about)), name
        known = [row.known_at for row in one.observations]
        assert known == sorted(known), name
        assert all(seen.date() >= day for seen, day in zip(known, about, strict=True)), name
    assert found["DGS10"].observations[-1].value == pytest.approx(4.44)
    assert found["UNRATE"].observations[-1].day == date(2026, 5, 1)
