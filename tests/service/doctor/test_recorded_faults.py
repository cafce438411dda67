"""The doctor names what runs withhold of a recorded folder, without a run."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

from tests.support.snapshot_folder import write_snapshot
from tests.test_broken_prices import spoiled
from tradingagents.service.doctor import examine
from tradingagents.settings import load_settings

NOW = datetime(2026, 11, 2, 12, tzinfo=UTC)


def trouble(folder: Path, home: Path) -> str:
    settings = load_settings({"home": home, "data_vendor": "snapshot", "data_dir": folder}, environ={})
    found = examine(settings, {}, network=False, now=lambda: NOW)
    return next(vendor.trouble for vendor in found.vendors if vendor.name == "snapshot")


def test_a_sound_folder_has_no_trouble(tmp_path: Path):
    assert trouble(write_snapshot(tmp_path / "f"), tmp_path / "home") == ""


def test_prices_that_cannot_be_true_are_named_with_their_number(tmp_path: Path):
    folder = spoiled(tmp_path / "f", date(2025, 3, 5), date(2025, 3, 7), 100.0)
    assert trouble(folder, tmp_path / "home").startswith(f"Runs withhold data of {folder}: prices.parquet: unit change")
