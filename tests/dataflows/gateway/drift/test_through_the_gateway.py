"""New answers of a remote vendor against its last good one, through the path of a run and the cache on disk."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tradingagents.dataflows.gateway.cache import DiskCache
from tradingagents.dataflows.gateway.drift.earlier_answers import compare
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Frequency, Prices, Split, Statement, StatementKind
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import AllVendorsFailed
from tradingagents.settings import load_settings

NOW = datetime(2025, 6, 13, 21, tzinfo=UTC)
SPLIT = Split(date(2025, 5, 20), 10.0)


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


class Restating(Vendor):
    """A remote vendor that sends every statement it has, whatever the day, and changes the newest without a filing."""

    name = "drifting"
    local = False
    newest = 3_333_333_333.0

    def get_statements(self, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        return tuple(
            Statement(
                symbol=symbol,
                kind=kind,
                frequency=freq,
                fiscal_year=end.year,
                fiscal_period=f"Q{(end.month - 1) // 3 + 1}",
                period_end=end,
                known_at=datetime(end.year, end.month, end.day, tzinfo=UTC) + timedelta(days=45),
                currency="USD",
                source=self.name,
                items={"revenue": size, "cost_of_revenue": 6e8, "gross_profit": size - 6e8, "net_income": 1e8},
            )
            for end, size in ((date(2025, 3, 31), self.newest), (date(2024, 12, 31), 2e9), (date(2024, 9, 30), 1.9e9))
        )


def test_a_past_day_hears_nothing_of_what_differs_in_later_rows(tmp_path: Path):
    vendor = Restating()
    market(tmp_path, vendor, NOW).statements("ACMQ", "income")
    vendor.newest = 4_444_444_444.0
    settings = load_settings({"home": tmp_path, "data_vendor": vendor.name, "vendor_max_retries": 0}, environ={})
    made: dict[str, Any] = {vendor.name: vendor}
    later = NOW + timedelta(days=3)
    cache = DiskCache(tmp_path / "answers.sqlite")
    data = MarketData(
        settings, date(2025, 3, 14), vendors=Vendors(settings, made, environ={}), cache=cache, now=lambda: later
    )
    rows = data.statements("ACMQ", "income")
    assert [row.period_end for row in rows] == [date(2024, 12, 31), date(2024, 9, 30)]
    told = repr((rows, data.sheet.rows))
    assert "2025-03-31" not in told
    assert "3.3333" not in told
    assert "4.4444" not in told
    now = market(tmp_path / "live", vendor, NOW)
    assert now.statements("ACMQ", "income")[0].items["revenue"] == 4_444_444_444.0


def test_a_split_after_the_days_asked_for_is_not_missed():
    earlier = replace(Drifting().get_stock_data("ACMQ", date(2025, 1, 2), date(2025, 6, 13)), splits=(SPLIT,))
    answer = Drifting().get_stock_data("ACMQ", date(2025, 1, 2), date(2025, 3, 14))
    assert compare(answer, earlier, (date(2025, 1, 2), date(2025, 3, 14))).unusable == ""
