"""No false alarm on recorded data: what a vendor gave on one day, held against what it gives on a later one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest

from tradingagents.dataflows.gateway.drift.earlier_answers import compare
from tradingagents.dataflows.gateway.financial_sources import last_filed
from tradingagents.dataflows.models import Frequency, StatementKind
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.errors import DataError

pytestmark = pytest.mark.real_data
SYMBOLS = ("AAPL", "ABBV", "AMZN", "CRM", "GOOG", "NVDA", "WMT", "MSFT")
"""NVDA and WMT split in these years."""
YEARS = timedelta(days=500)
MONTHS = timedelta(days=180)


@pytest.fixture(scope="module")
def vendor(test_data: Path) -> SnapshotVendor:
    return SnapshotVendor(test_data / "snapshot")


def pairs(symbol: str) -> Iterator[tuple[date, date]]:
    """Yield a day and a later one, from the next to three months on."""
    rng = Random(symbol)  # noqa: S311
    for _ in range(12):
        day = date(2023, 6, 1) + timedelta(days=rng.randrange(780))
        yield day, day + timedelta(days=rng.choice((1, 1, 3, 7, 30, 90)))


def alarm(now: Any, before: Any, window: tuple[date, ...], elapsed: timedelta) -> tuple[str, ...]:
    found = compare(now, before, window, elapsed=elapsed)
    return (*found.told, *((found.unusable,) if found.unusable else ()))


def midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_prices_of_a_rolling_window_across_splits(vendor: SnapshotVendor, symbol: str):
    whole = vendor.get_stock_data(symbol, date(2022, 1, 1), date(2026, 1, 1))
    for day, later in pairs(symbol):
        before, now = (whole.upto(end).since(end - YEARS).as_traded(end) for end in (day, later))
        assert not alarm(now, before, (later - YEARS, later), later - day)


@pytest.mark.parametrize("symbol", SYMBOLS)
@pytest.mark.parametrize("kind", get_args(StatementKind))
@pytest.mark.parametrize("frequency", get_args(Frequency))
def test_statements_as_they_are_filed(vendor: SnapshotVendor, symbol: str, kind: StatementKind, frequency: Frequency):
    try:
        rows = vendor.get_statements(symbol, kind, frequency)
    except DataError:
        pytest.skip("none recorded")
    for day, later in pairs(symbol):
        before, now = (tuple(row for row in rows if row.known_at <= midnight(end)) for end in (day, later))
        assert not alarm(now, before, (), later - day)
        newest = [
            tuple(replace(row, known_by="assumed") for row in last_filed(version)[:5]) for version in (now, before)
        ]
        assert not alarm(newest[0], newest[1], (), later - day)  # as sources do that give the newest five only


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_insider_trades_of_the_last_months(vendor: SnapshotVendor, symbol: str):
    try:
        rows = vendor.get_insider_transactions(symbol)
    except DataError:
        pytest.skip("none recorded")
    for day, later in pairs(symbol):
        before, now = (
            tuple(row for row in rows if row.known_at <= midnight(end) and row.transaction_date >= end - MONTHS)
            for end in (day, later)
        )
        assert not alarm(now, before, (), later - day)
