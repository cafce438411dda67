"""Offline scans stand on what was read: every figure of a pick in the data sheet, on any day of any market."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.figures import assert_summary_stands_on_what_was_read
from tests.support.tiers import sampled
from tradingagents.graph.scanner_graph import ScannerGraph
from tradingagents.schemas.cards import ScanRecord

SEEDS = (7, 8, 9, 10)
DAYS = ("2025-01-10", "2025-02-14", "2025-03-14", "2025-05-16", "2025-07-18")
FRIDAYS = tuple((date(2025, 1, 10) + timedelta(weeks=week)).isoformat() for week in range(28))
"""To 2025-07-18."""


def graph(home: Path, **config: Any) -> ScannerGraph:
    return ScannerGraph({"llm_provider": "offline", "data_vendor": "simulated", "home": str(home), **config})


@pytest.fixture(scope="module")
def simulated(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[tuple[int, str], ScanRecord]:
    """Scans of every seed; of every second one without `--all`."""
    home = tmp_path_factory.mktemp("home")
    seeds = SEEDS if request.config.getoption("--all") else SEEDS[::2]
    graphs = {seed: graph(home, simulated_seed=seed) for seed in seeds}
    return {(seed, day): graphs[seed].run(day).record for seed in seeds for day in DAYS}


@pytest.fixture(scope="module")
def real(
    request: pytest.FixtureRequest, test_data: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, ScanRecord]:
    """Scans of every Friday; of every fourth one without `--all`."""
    home, folder = tmp_path_factory.mktemp("home"), str(test_data / "snapshot")
    scanner = graph(home, data_vendor="snapshot", data_dir=folder)
    days = FRIDAYS if request.config.getoption("--all") else FRIDAYS[::4]
    return {day: scanner.run(day).record for day in days}


def picks_of(record: ScanRecord) -> tuple[str, ...]:
    assert record["summary"]
    return tuple(pick["ticker"] for pick in record["summary"]["stocks_to_investigate"])


def convictions(records: dict[Any, ScanRecord]) -> Counter[str]:
    return Counter(
        pick["conviction"]
        for one in records.values()
        if one["summary"]
        for pick in one["summary"]["stocks_to_investigate"]
    )


@pytest.mark.parametrize("day", DAYS)
@pytest.mark.parametrize("seed", sampled(SEEDS, every=2))
def test_every_figure_of_a_pick_stands_in_the_data_sheet(
    simulated: dict[tuple[int, str], ScanRecord], seed: int, day: str
):
    assert_summary_stands_on_what_was_read(simulated[seed, day])


def test_other_data_give_other_picks_and_the_same_data_the_same(
    simulated: dict[tuple[int, str], ScanRecord], tmp_path: Path
):
    assert len({picks_of(record) for record in simulated.values()}) == len(simulated)
    again = graph(tmp_path, simulated_seed=9).run("2025-05-16").record
    assert again["summary"] == simulated[9, "2025-05-16"]["summary"]


def test_convictions_tell_stocks_apart(simulated: dict[tuple[int, str], ScanRecord]):
    found = convictions(simulated)
    assert min(found["high"], found["medium"]) > sum(found.values()) / 5
    assert 0 < found["low"] < sum(found.values()) / 4


@pytest.mark.real_data
@pytest.mark.parametrize("day", sampled(FRIDAYS, every=4))
def test_so_it_does_on_the_recorded_market(real: dict[str, ScanRecord], day: str):
    record = real[day]
    assert_summary_stands_on_what_was_read(record)
    assert 8 <= len(picks_of(record)) <= 10
    assert not {"GOOG", "GOOGL"} <= set(picks_of(record))


@pytest.mark.real_data
def test_the_recorded_market_gives_other_picks_each_week(real: dict[str, ScanRecord]):
    assert len({picks_of(record) for record in real.values()}) == len(real)
    found = convictions(real)
    assert min(found["high"], found["medium"]) > sum(found.values()) / 5
    assert 0 < found["low"] < sum(found.values()) / 4
