"""New answers of a remote vendor against its last good one, through the path of a run and the cache on disk."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tradingagents.dataflows.gateway.cache import DiskCache
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import AllVendorsFailed
from tradingagents.settings import load_settings

NOW = datetime(2025, 6, 13, 21, tzinfo=UTC)


class Drifting(Vendor):
    """A remote vendor whose prices can be sent in another unit."""

    name = "drifting"
    local = False

    def __init__(self) -> None:
        self.unit = 1.0
        self.asked = 0
        self.gone: tuple[date, ...] = ()

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        self.asked += 1
        calendar = sessions("XNYS")
        days = [day for day in calendar.days if start <= day <= end and day not in self.gone]
        close = np.array([50 + day.toordinal() % 7 / 10 for day in days]) * self.unit
        return Prices(
            symbol=symbol,
            days=np.array(days, dtype="datetime64[D]"),
            open=close,
            high=close * 1.01,
            low=close * 0.99,
            close=close,
            adj_close=close,
            volume=np.full(len(days), 2e6),
            currency="USD",
            vendor=self.name,
            fetched_at=NOW,
        )


def market(home: Path, vendor: Vendor, now: datetime) -> MarketData:
    settings = load_settings({"home": home, "data_vendor": vendor.name, "vendor_max_retries": 0}, environ={})
    made: dict[str, Any] = {vendor.name: vendor}
    cache = DiskCache(home / "answers.sqlite")
    return MarketData(settings, now.date(), vendors=Vendors(settings, made, environ={}), cache=cache, now=lambda: now)


@pytest.fixture
def vendor() -> Drifting:
    return Drifting()


def test_another_unit_than_yesterday_is_not_used_and_names_vendor_and_field(tmp_path: Path, vendor: Drifting):
    assert market(tmp_path, vendor, NOW).prices("ACMQ").close[-1] < 51
    vendor.unit = 100.0
    with pytest.raises(AllVendorsFailed, match=r"drifting's answer to get_stock_data of ACMQ.*close is 100 times that"):
        market(tmp_path, vendor, NOW + timedelta(days=3)).prices("ACMQ")


def test_a_first_answer_has_nothing_to_be_held_against(tmp_path: Path, vendor: Drifting):
    vendor.unit = 100.0
    assert market(tmp_path, vendor, NOW).prices("ACMQ").close[-1] >= 5000


def test_a_vendor_that_keeps_to_its_new_answer_is_believed_after_three_days(tmp_path: Path, vendor: Drifting):
    market(tmp_path, vendor, NOW).prices("ACMQ")
    vendor.unit = 1.2
    for days in (3, 4, 5):
        with pytest.raises(AllVendorsFailed):
            market(tmp_path, vendor, NOW + timedelta(days=days)).prices("ACMQ")
    assert market(tmp_path, vendor, NOW + timedelta(days=6)).prices("ACMQ").close[-1] > 59
    asked = vendor.asked
    market(tmp_path, vendor, NOW + timedelta(days=6)).prices("ACMQ")
    assert vendor.asked == asked  # stored, as every good answer


def test_a_vendor_that_corrects_itself_is_used_at_once(tmp_path: Path, vendor: Drifting):
    market(tmp_path, vendor, NOW).prices("ACMQ")
    vendor.unit = 100.0
    with pytest.raises(AllVendorsFailed):
        market(tmp_path, vendor, NOW + timedelta(days=3)).prices("ACMQ")
    vendor.unit = 1.0
    assert market(tmp_path, vendor, NOW + timedelta(days=4)).prices("ACMQ").close[-1] < 51


def test_clearing_the_cache_forgets_earlier_answers(tmp_path: Path, vendor: Drifting):
    market(tmp_path, vendor, NOW).prices("ACMQ")
    DiskCache(tmp_path / "answers.sqlite").clear("drifting")
    vendor.unit = 100.0
    assert market(tmp_path, vendor, NOW + timedelta(days=3)).prices("ACMQ").close[-1] >= 5000


def test_what_is_missing_is_stated_by_each_answer_of_a_run(tmp_path: Path, vendor: Drifting):
    market(tmp_path, vendor, NOW).prices("ACMQ")
    vendor.gone = (date(2025, 5, 20),)
    run = market(tmp_path, vendor, NOW + timedelta(days=3))
    for _ in range(2):
        view = run.with_new_sheet()
        view.prices("ACMQ")
        (lost,) = {sentence for row in view.sheet.rows for sentence in row.lost}
        assert lost.startswith("drifting's answer to get_stock_data of ACMQ is not whole")
        assert "bars of 1 sessions are missing" in lost
