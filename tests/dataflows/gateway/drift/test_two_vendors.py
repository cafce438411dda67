"""A vendor's prices and statements against a second vendor's: what both must agree on is withheld, both are named."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from tests.support.builders import statement
from tradingagents.dataflows.gateway.cache import DiskCache
from tradingagents.dataflows.gateway.drift.two_vendors import compare_statements
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Frequency, Prices, Split, Statement, StatementKind
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import AllVendorsFailed
from tradingagents.settings import load_settings

NOW = datetime(2025, 6, 13, 21, tzinfo=UTC)
PAST, CHANGED = date(2025, 6, 6), date(2025, 6, 9)
ENDS = tuple(date(2024, 3 * quarter, 30 if quarter in (2, 3) else 31) for quarter in (1, 2, 3, 4))
ITEMS = {"revenue": 900.0, "cost_of_revenue": 500.0, "operating_income": 200.0, "net_income": 150.0}


class Source(Vendor):
    """A remote vendor whose figures can be changed from a day on."""

    local = False

    def __init__(self, name: str) -> None:
        self.name = name  # type: ignore[misc]
        self.unit, self.since, self.until = 1.0, date.min, date.max
        self.splits: tuple[Split, ...] = ()
        self.rows: tuple[Statement, ...] = ()
        self.asked = 0

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        self.asked += 1
        days = [day for day in sessions("XNYS").days if start <= day <= min(end, self.until)]
        close = np.array([(50 + day.toordinal() % 7 / 10) * (self.unit if day >= self.since else 1) for day in days])
        for split in self.splits:
            close /= [split.ratio if day < split.day else 1 for day in days]
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
            splits=self.splits,
        )

    def get_statements(self, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        self.asked += 1
        return tuple(row for row in self.rows if (row.kind, row.frequency) == (kind, freq))


class Pair:
    """Alpha Vantage, which is asked, and Yahoo beside it, in one home."""

    def __init__(self, home: Path, choice: Literal["free", "all", "off"] = "free") -> None:
        self.first, self.second = Source("alpha_vantage"), Source("yfinance")
        self._settings = load_settings(
            {"home": home, "data_vendor": "alpha_vantage", "vendor_max_retries": 0, "second_vendor": choice}, environ={}
        )
        made: dict[str, Any] = {source.name: source for source in (self.first, self.second)}
        self._vendors = Vendors(self._settings, made, environ={})
        self._cache = DiskCache(home / "answers.sqlite")

    def on(self, day: date) -> MarketData:
        return MarketData(self._settings, day, vendors=self._vendors, cache=self._cache, now=lambda: NOW)


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path)


def told(run: MarketData) -> str:
    return " ".join(sentence for row in run.sheet.rows for sentence in row.lost)


def test_prices_in_another_unit_are_not_used_and_both_vendors_are_named(pair: Pair):
    pair.first.unit = 0.79
    with pytest.raises(AllVendorsFailed, match=r"alpha_vantage's answer .* yfinance's: closes of .*0\.79 times"):
        pair.on(NOW.date()).prices("ACMQ")


def test_equal_prices_pass_and_the_second_vendor_is_asked_once_a_day(pair: Pair):
    for _ in range(2):
        assert pair.on(NOW.date()).prices("ACMQ").close[-1] > 50
    assert pair.second.asked == 1


def test_turned_off_no_second_vendor_is_asked(tmp_path: Path):
    pair = Pair(tmp_path, "off")
    pair.first.unit = 0.79
    assert pair.on(NOW.date()).prices("ACMQ").close[-1] < 41
    assert pair.second.asked == 0


def test_a_second_vendor_that_cannot_answer_is_no_fault(pair: Pair):
    pair.second.get_stock_data = lambda *_: (_ for _ in ()).throw(AllVendorsFailed("down"))  # type: ignore[method-assign]
    assert pair.on(NOW.date()).prices("ACMQ").close[-1] > 50


def test_prices_are_compared_as_traded(pair: Pair):
    """One vendor has applied a split of today already: its closes before are half the other's."""
    pair.second.splits = (Split(date(2025, 5, 20), 2.0),)
    pair.first.splits = (Split(date(2025, 5, 20), 2.0),)
    assert pair.on(NOW.date()).prices("ACMQ").close[-1] > 50


def test_prices_that_end_early_are_not_used(pair: Pair):
    pair.first.until = date(2025, 6, 10)
    with pytest.raises(AllVendorsFailed, match="bars end on 2025-06-10 and not on 2025-06-13"):
        pair.on(NOW.date()).prices("ACMQ")


def test_a_live_answer_may_lack_the_close_of_the_day(pair: Pair):
    pair.first.until = date(2025, 6, 12)  # some vendors have it on the next morning
    assert pair.on(NOW.date()).prices("ACMQ").days[-1].item() == date(2025, 6, 12)


def test_a_past_day_hears_nothing_of_bars_known_later(pair: Pair, tmp_path: Path):
    alone = Pair(tmp_path / "alone", "off").on(PAST).prices("ACMQ")
    pair.second.unit, pair.second.since = 1.02, CHANGED
    later = pair.on(NOW.date())
    later.prices("ACMQ")
    assert "bars of 2025-06-09" in told(later)
    run = pair.on(PAST)
    prices = run.prices("ACMQ")
    assert not told(run)
    assert (prices.days == alone.days).all()
    assert (prices.close == alone.close).all()


def quarter(end: date, by: float = 1.0, **more: float) -> Statement:
    known = datetime(end.year, end.month, 28, 21, tzinfo=UTC) + timedelta(days=45)
    items = {name: value * by * (1 + end.month / 100) for name, value in ITEMS.items()} | more
    return replace(statement(end, items), symbol="ACMQ", known_at=known)


def test_a_past_day_hears_nothing_of_statements_known_later(pair: Pair):
    pair.first.rows = tuple(quarter(end) for end in ENDS[::-1])
    pair.second.rows = (
        quarter(ENDS[3], 1.7),
        quarter(date(2025, 3, 31), 7.0),
        *(quarter(end) for end in ENDS[2::-1]),
    )
    later = pair.on(NOW.date())
    later.statements("ACMQ", "income")
    assert "all amounts of 1 periods are 0.5882 times those" in told(later)
    run = pair.on(date(2024, 12, 20))
    rows = run.statements("ACMQ", "income")
    assert not told(run)
    assert [row.period_end for row in rows] == [ENDS[2], ENDS[1], ENDS[0]]
    assert not any(row.withheld or row.gate_notes for row in rows)


ROWS = tuple(quarter(end) for end in ENDS[::-1])


def test_equal_statements_stay_as_they_are():
    assert compare_statements(ROWS, ROWS, "other", NOW) == (ROWS, ())


def test_restated_and_differently_drawn_items_are_no_fault():
    others = tuple(
        replace(row, items={**row.items, "revenue": row.items["revenue"] * 0.97, "operating_income": 130.0})
        for row in ROWS
    )
    assert compare_statements(ROWS, others, "other", NOW) == (ROWS, ())
    leased = tuple(replace(row, items={**row.items, "total_debt": 27.1}) for row in ROWS)  # Alphabet's of 2023
    unleased = tuple(replace(row, items={**row.items, "total_debt": 12.9}) for row in ROWS)
    assert compare_statements(leased, unleased, "other", NOW) == (leased, ())
    (told,) = {line.split(" of ")[0] for line in compare_statements(leased, in_thousands(leased), "other", NOW)[1]}
    assert told == "total_debt"


def in_thousands(rows: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The same with the debt alone in thousands."""
    return tuple(replace(row, items={**row.items, "total_debt": row.items["total_debt"] / 1000}) for row in rows)


@pytest.mark.parametrize("factor", [0.79, 0.92, 149.6, 100.0, 1e-3])
def test_all_amounts_by_one_factor_are_withheld_also_of_periods_that_the_other_lacks(factor: float):
    scaled = tuple(quarter(end, factor) for end in ENDS[::-1])
    rows, (sentence,) = compare_statements(scaled, ROWS[:3], "other", NOW)
    assert all(not row.items and "times those of other" in row.withheld["revenue"] for row in rows)
    assert f"{factor:.4g} times" in sentence


def test_items_at_another_period_are_withheld():
    moved = tuple(replace(row, items=ROWS[(number + 1) % 4].items) for number, row in enumerate(ROWS))
    rows, (sentence,) = compare_statements(moved, ROWS, "other", NOW)
    assert not any(row.items for row in rows)
    assert "stand at other periods" in sentence


def test_one_item_of_another_size_is_withheld_with_what_is_worked_out_from_it():
    odd = replace(ROWS[1], items={**ROWS[1].items, "revenue": 4 * ROWS[1].items["revenue"]})
    rows, told_of = compare_statements((ROWS[0], odd, *ROWS[2:]), ROWS, "other", NOW)
    assert set(rows[1].withheld) == {"revenue"}
    assert len(told_of) == 1


def test_a_period_that_only_the_other_has_is_withheld_not_passed_over():
    rows, (sentence,) = compare_statements(ROWS[1:], ROWS, "other", NOW)
    assert [row.period_end for row in rows] == list(ENDS[::-1])
    assert not rows[0].items
    assert "2024-12-31 are missing" in sentence


def test_a_period_that_the_other_has_since_yesterday_is_not_missed_yet():
    since = replace(ROWS[0], known_at=NOW - timedelta(days=1))
    assert compare_statements(ROWS[1:], (since, *ROWS[1:]), "other", NOW) == (ROWS[1:], ())


def test_the_same_number_in_two_currencies_is_withheld():
    """Amounts were converted and per-share figures were not."""
    others = tuple(replace(row, items={**row.items, "eps_diluted": 1.4}) for row in ROWS)
    rows = tuple(replace(quarter(end, 149.6, eps_diluted=1.4), currency="JPY") for end in ENDS[::-1])
    found, (sentence,) = compare_statements(rows, others, "other", NOW)
    assert all(set(row.withheld) == {"eps_diluted"} for row in found)
    assert "JPY" in sentence
