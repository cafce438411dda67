"""Settled answers are shared between runs; the data sheet of each run still tells of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import numpy as np
import pytest

from tests.support.fakes import CLOCK, RecordedRows, RowsVendor, clock, make_prices
from tradingagents.capabilities.prices import get_stock_data
from tradingagents.dataflows.gateway import wrappers
from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.gateway.checks.validation import Validated, newest_known, validate
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Statement
from tradingagents.settings import load_settings

FRIDAY = date(2025, 3, 14)
QUESTION = {"symbol": "ACME", "start_date": "2025-01-02", "end_date": "2025-03-14"}


def market(vendor: RowsVendor, memo: Memo, as_of: date = FRIDAY) -> MarketData:
    settings = load_settings({"data_vendor": "rows"}, environ={})
    return MarketData(settings, as_of, vendors=Vendors(settings, {"rows": vendor}), memo=memo, now=clock)


def test_the_least_recently_used_answer_goes_first():
    memo = Memo(2)
    memo.put("a", 1)
    memo.put("b", 2)
    assert memo.get("a") == 1
    memo.put("c", 3)
    assert [memo.get(key) for key in "abc"] == [1, None, 3]


def test_a_question_about_a_past_day_is_worked_out_once_for_all_runs():
    vendor, memo = RowsVendor(prices={"ACME": make_prices()}), Memo(8)
    first, second = market(vendor, memo), market(vendor, memo)
    assert get_stock_data.ask(first, **QUESTION) is get_stock_data.ask(second, **QUESTION)
    assert len(vendor.asked) == 1
    assert [row.to_record() for row in second.sheet.rows] == [row.to_record() for row in first.sheet.rows]
    assert any("last_close" in row.figures for row in second.sheet.rows)


def test_another_cut_off_is_another_question():
    vendor, memo = RowsVendor(prices={"ACME": make_prices()}), Memo(8)
    friday = get_stock_data.ask(market(vendor, memo), **QUESTION)
    thursday = get_stock_data.ask(market(vendor, memo, date(2025, 3, 13)), **QUESTION)
    assert (friday.end, thursday.end) == (FRIDAY, date(2025, 3, 13))


def test_today_s_answers_of_a_remote_vendor_are_not_kept():
    vendor, memo = RowsVendor(prices={"ACME": make_prices(last=date(2025, 8, 29))}), Memo(8)
    for _ in range(2):
        get_stock_data.ask(market(vendor, memo, CLOCK.date()), **QUESTION)
    assert len(vendor.asked) == 2


def test_a_failure_is_not_kept():
    vendor, memo = RowsVendor(), Memo(8)
    for _ in range(2):
        with pytest.raises(Exception, match="rows has no prices"):
            get_stock_data.ask(market(vendor, memo), **QUESTION)
    assert len(vendor.asked) == 2


def test_prices_of_a_local_vendor_are_cut_once_for_all_runs_of_a_day():
    vendor, memo = RecordedRows(prices={"ACME": make_prices()}), Memo(16)
    first, second = market(vendor, memo), market(vendor, memo)
    assert first.prices("ACME") is second.prices("ACME")
    assert [row.to_record() for row in second.sheet.rows] == [row.to_record() for row in first.sheet.rows]
    assert market(vendor, memo, date(2025, 3, 13)).prices("ACME").days[-1].item() == date(2025, 3, 13)


def test_prices_with_gaps_are_worked_out_by_each_run_so_that_each_sheet_names_them():
    faulty = make_prices()
    faulty = replace(faulty, close=np.where(np.arange(len(faulty)) == 5, -1.0, faulty.close))
    vendor, memo = RecordedRows(prices={"ACME": faulty}), Memo(16)
    sheets = []
    for _ in range(2):
        one = market(vendor, memo)
        one.prices("ACME")
        sheets.append([row.to_record() for row in one.sheet.rows])
    assert sheets[0] == sheets[1]
    assert "close is -1" in str(sheets[1])


def judged_days(vendor: RowsVendor, memo: Memo, monkeypatch: pytest.MonkeyPatch, *days: date) -> list[date]:
    """Ask for income statements and prices on each day; return the days on which statements were judged."""
    judged: list[date] = []

    def noted(answer: object, *, instant: datetime, last: date) -> Validated:
        if isinstance(answer, tuple) and answer:  # that there are no balance sheets is no judgement
            judged.append(instant.date())
        return validate(answer, instant=instant, last=last)

    monkeypatch.setattr(wrappers, "validate", noted)
    for day in days:
        market(vendor, memo, day).statements("ACME", "income")
    return judged


def filed(end: date, known: datetime, revenue: float) -> Statement:
    return Statement("ACME", "income", "quarterly", 2024, "Q1", end, known, "USD", "rows", {"revenue": revenue})


def test_statements_are_judged_again_only_where_a_cut_off_knows_another_row(monkeypatch: pytest.MonkeyPatch):
    january, march = (datetime(2025, month, 10, 12, tzinfo=UTC) for month in (1, 3))
    rows = (filed(date(2024, 9, 30), january, 100.0), filed(date(2024, 12, 31), march, 1e30))
    vendor, memo = RecordedRows(prices={"ACME": make_prices()}, statements=rows), Memo(64)
    days = (date(2025, 3, 6), date(2025, 3, 7), date(2025, 3, 12), FRIDAY)
    assert judged_days(vendor, memo, monkeypatch, *days) == [days[0], days[2]]
    before, after = (market(vendor, memo, day) for day in days[1:3])
    assert [row.items for row in before.statements("ACME", "income")] == [{"revenue": 100.0}]
    assert before.sheet.faults == []
    assert "revenue" in after.statements("ACME", "income")[1].items  # of September; that of December cannot be
    assert "revenue is 1e+30" in str(after.sheet.faults)


def test_what_a_judgement_rests_on_is_the_newest_row_known():
    noon = [datetime(2025, month, 10, 12, tzinfo=UTC) for month in (1, 2, 3)]
    rows = tuple(filed(date(2024, 9, 30), at, 100.0) for at in noon)
    at = {day: newest_known(rows, instant=datetime(2025, *day, tzinfo=UTC), last=FRIDAY) for day in ((1, 9), (2, 28))}
    assert at == {(1, 9): None, (2, 28): noon[1]}
    assert newest_known(make_prices(), instant=noon[0], last=FRIDAY) == FRIDAY
    untold = (replace(rows[0], known_at=None), rows[1])  # type: ignore[arg-type]
    assert newest_known(untold, instant=noon[2], last=FRIDAY) == noon[1]
