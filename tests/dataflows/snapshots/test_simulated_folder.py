"""A folder that `benchmarks.simulated_folder` makes answers runs on its days as the simulated vendor does."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from benchmarks.simulated_folder import make_folder
from tests.support.tiers import sampled
from tradingagents.dataflows.gateway import registry
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.snapshots.check import check_folder
from tradingagents.dataflows.vendors.simulated import COMPANIES
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.graph.scanner_graph import ScannerGraph
from tradingagents.graph.trading_graph import TradingAgentsGraph

FIRST, LAST = date(2025, 3, 12), date(2025, 3, 14)
DAYS = ("2025-03-12", "2025-03-13", "2025-03-14")
CONFIG: Mapping[str, Any] = {"llm_provider": "offline", "data_vendor": "simulated", "auto_settle": False}
OF_A_RUN = ("run_id", "timing", "usage")
"""What two runs on equal data differ in."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("simulated") / "market"
    make_folder(folder, FIRST, LAST)
    return folder


def record_of(symbol: str, day: str) -> dict[str, Any]:
    """Return what is recorded of a run, or of a scan: reports, debates, decision and the answers they rest on."""
    if symbol == "scan":
        with ScannerGraph(config=dict(CONFIG)) as scanner:
            record = scanner.run(day, persist="none").record.as_json()
    else:
        with TradingAgentsGraph(config=dict(CONFIG)) as graph:
            record = graph.run(symbol, day, persist="none").record.as_json()
    sheet = [{name: value for name, value in row.items() if name != "fetched_at"} for row in record["data_sheet"]]
    return {name: value for name, value in record.items() if name not in OF_A_RUN} | {"data_sheet": sheet}


@pytest.mark.parametrize(("symbol", "day"), sampled(product((*COMPANIES, "SPY", "^GSPC", "scan"), DAYS), every=62))
def test_runs_are_recorded_alike(folder: Path, symbol: str, day: str, monkeypatch: pytest.MonkeyPatch):
    class FromFolder(SnapshotVendor):
        name = "simulated"

        @classmethod
        def open(cls, access: Access) -> FromFolder:
            return cls(folder)

    on_vendor = record_of(symbol, day)
    monkeypatch.setitem(registry.registrations(), "simulated", registry.Registration(FromFolder.open))
    assert record_of(symbol, day) == on_vendor


@pytest.mark.nightly
def test_the_folder_is_the_same_each_time_it_is_made(folder: Path, tmp_path: Path):
    make_folder(tmp_path / "again", FIRST, LAST)
    assert {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()} == {
        path.name: path.read_bytes() for path in folder.iterdir()
    }


def test_the_folder_has_no_findings(folder: Path):
    assert check_folder(folder).findings == ()
