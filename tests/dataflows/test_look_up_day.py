"""The day of a question that names none: today, or the last recorded session; the same for all who ask."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.support.snapshot_folder import FIRST, LAST, write_manifest, write_snapshot
from tradingagents.capabilities.standalone import open_market
from tradingagents.dataflows.cutoff import latest_day, utc_now
from tradingagents.dataflows.look_up import default_day, recorded_until
from tradingagents.service.workspace.choices import choices_of
from tradingagents.settings import Settings


def test_recorded_data_end_with_their_last_session_for_everybody(tmp_path: Path) -> None:
    folder = write_snapshot(tmp_path / "data")
    settings = Settings(home=tmp_path / "home", data_vendor="snapshot", data_dir=folder)
    assert default_day(settings) == default_day(settings, "ACMQ") == LAST
    assert open_market({"ticker": "ACMQ"}, settings=settings).as_of == LAST
    assert open_market({"ticker": "ACMQ", "end_date": date(2025, 3, 14)}, settings=settings).as_of == date(2025, 3, 14)
    offered = choices_of(settings, {})
    assert (offered.last_session, offered.recorded_until) == (LAST, LAST)


def test_a_folder_that_ends_on_a_sunday_ends_with_the_session_before(tmp_path: Path) -> None:
    folder = write_snapshot(tmp_path / "data")
    write_manifest(folder, FIRST, date(2025, 6, 29))
    settings = Settings(data_vendor="snapshot", data_dir=folder)
    assert recorded_until(settings) == date(2025, 6, 29)
    assert default_day(settings) == date(2025, 6, 27)


@pytest.mark.parametrize(
    "settings",
    [
        Settings(data_vendor="simulated"),
        Settings(data_vendor="snapshot", data_dir=Path("no such folder")),
        Settings(data_vendor="yfinance,snapshot", data_dir=Path("no such folder")),
    ],
)
def test_other_data_end_today(settings: Settings) -> None:
    assert recorded_until(settings) is None
    assert default_day(settings) == latest_day("XNYS", utc_now())
