"""A recorded folder and a simulated market are held once in a process, however many graphs ask for them."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

from tests.support.snapshot_folder import news_row, read_lines, write_lines, write_snapshot
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import VendorNotConfigured
from tradingagents.settings import load_settings


def snapshot(folder: Path) -> Vendor:
    """The vendor as one more graph makes it."""
    return Vendors(load_settings({"data_vendor": "snapshot", "data_dir": folder}, environ={})).get("snapshot")


def simulated(seed: int) -> Vendor:
    return Vendors(load_settings({"data_vendor": "simulated", "simulated_seed": seed}, environ={})).get("simulated")


def test_two_graphs_read_a_folder_once(tmp_path: Path):
    folder = write_snapshot(tmp_path / "market")
    first, second = snapshot(folder), snapshot(folder)
    assert second is first
    assert snapshot(write_snapshot(tmp_path / "other")) is not first


def test_a_folder_that_was_changed_is_read_anew(tmp_path: Path):
    folder = write_snapshot(tmp_path / "market")
    first = snapshot(folder)
    assert first.get_insider_transactions("ACMQ")
    path = folder / "news.jsonl.gz"
    write_lines(path, [*read_lines(path), news_row("ACMQ", "2025-03-13", "One more")])
    assert snapshot(folder) is not first


def test_it_is_freed_with_the_last_graph(tmp_path: Path):
    held = weakref.ref(snapshot(write_snapshot(tmp_path / "market")))
    gc.collect()
    assert held() is None


def test_a_folder_that_is_none_is_refused_each_time(tmp_path: Path):
    for _ in range(2):
        with pytest.raises(VendorNotConfigured):
            snapshot(tmp_path / "none")


@pytest.mark.own_market
def test_two_graphs_share_the_market_of_a_seed():
    first = simulated(7)
    assert simulated(7) is first
    assert simulated(8) is not first
