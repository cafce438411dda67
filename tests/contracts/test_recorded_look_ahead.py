"""Look-ahead on the recorded market: a scan as of a day reads the same where nothing later was ever recorded.

For each day the whole recording is cut at the day's close and every question of a scan is asked of both. Answers, their
figures and the data sheet must be the same to the letter, `fetched_at` too: it is the manifest's and the clock's.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support.snapshot import recorded_until
from tests.support.tiers import sampled
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.news import get_macro_indicators
from tradingagents.capabilities.scanner import (
    get_earnings_calendar,
    get_economic_calendar,
    get_industry_performance,
    get_market_indices,
    get_market_movers,
    get_sector_performance,
    get_topic_news,
)
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import MoverCategory
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTORS
from tradingagents.errors import NoData
from tradingagents.settings import load_settings

pytestmark = pytest.mark.real_data

NOW = datetime(2025, 10, 1, 12, tzinfo=UTC)
TOPICS = ("geopolitics", "trade policy sanctions", "central bank monetary policy", "oil", "AI", *DISPLAY.values())
DAYS = (
    date(2023, 6, 5),  # companies listed since are recorded too
    date(2023, 11, 24),  # a half-day
    date(2024, 1, 2),
    date(2024, 6, 7),  # before splits, recorded and not
    date(2025, 3, 14),
    date(2025, 5, 10),  # a Saturday; two indices ended eleven days before
    date(2025, 7, 25),  # most companies ended the day before
)

MACRO = ("CPI", "unemployment rate", "payrolls", "GDP growth", "10y", "HY spread", "VIX", "M2", "fed balance sheet")


ROW = re.compile(r"prices\.parquet row (\d+)")
"""Where a faulty bar stands in its file: in one that ends earlier the same bar is another row."""


def questions(day: date) -> list[tuple[Capability, dict[str, Any]]]:
    """Every question a scan may ask, with every category, sector and some topics."""
    window = {"from_date": day - timedelta(days=30), "to_date": day + timedelta(days=60)}
    return [
        *((get_market_movers, {"category": category}) for category in get_args(MoverCategory)),
        (get_market_indices, {}),
        (get_sector_performance, {}),
        *((get_industry_performance, {"sector_key": sector}) for sector in SECTORS),
        *((get_topic_news, {"topic": topic}) for topic in TOPICS),
        (get_earnings_calendar, window),
        (get_economic_calendar, window),
        *((get_macro_indicators, {"indicator": name}) for name in MACRO),
    ]


def with_bars(text: str, bars: pa.Table) -> str:
    """Return a text in which each row of the prices is the bar that stands there, not its number."""
    return ROW.sub(lambda row: f"prices.parquet: {bars.slice(int(row[1]) - 1, 1).to_pylist()}", text)


def answers(vendors: Vendors, folder: Path, day: date) -> dict[str, str]:
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(folder)}, environ={})
    bars = pq.ParquetFile(folder / "prices.parquet").read()
    found: dict[str, str] = {}
    for capability, arguments in questions(day):
        data = MarketData(settings, day, vendors=vendors, now=lambda: NOW)
        try:
            result = capability.ask(data, **arguments)
        except NoData as error:
            found[f"{capability.name} {arguments}"] = with_bars(str(error), bars)
            continue
        assert result.known_at is None or result.known_at <= data.cutoff.instant
        told = f"{result.to_markdown()}\n{result!r}\n{data.sheet.rows}"
        found[f"{capability.name} {arguments}"] = with_bars(told, bars)
    return found


def vendors_on(folder: Path) -> Vendors:
    return Vendors(load_settings({"data_vendor": "snapshot", "data_dir": str(folder)}, environ={}))


@pytest.fixture(scope="module")
def whole(test_data: Path) -> Vendors:
    return vendors_on(test_data / "snapshot")


@pytest.mark.parametrize("day", sampled(DAYS, every=7, name=date.isoformat))
def test_a_scan_reads_the_same_where_nothing_later_was_recorded(
    whole: Vendors, test_data: Path, tmp_path: Path, day: date
):
    folder = test_data / "snapshot"
    here = recorded_until(folder, tmp_path / "cut", day)
    there = answers(whole, folder, day)
    assert answers(vendors_on(here), here, day) == there
    assert sum(answer.startswith("## ") for answer in there.values()) > len(there) - len(TOPICS)
