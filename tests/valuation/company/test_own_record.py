"""A company's own years: growth, margin and return on equity from statements, by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tradingagents.analytics.company.trailing import Period, Trailing
from tradingagents.dataflows.models import Statement, StatementKind
from tradingagents.valuation.company.history import OwnRecord, YearlyFigures, own_record

YEARS = tuple(date(year, 12, 31) for year in (2024, 2023, 2022))


def statement(kind: StatementKind, end: date, **items: float) -> Statement:
    return Statement(
        symbol="ABCD", kind=kind, frequency="annual", fiscal_year=end.year, fiscal_period="FY", period_end=end,
        known_at=datetime(end.year + 1, 3, 1, tzinfo=UTC), currency="USD", source="test", items=items,
    )  # fmt: skip


def books(*incomes: Statement) -> Trailing:
    periods = tuple(Period(one.period_end, one, {}) for one in incomes)
    return Trailing("annual", periods[:1], (), {}, (), periods, None, ())


def test_growth_margin_and_return_are_of_each_year() -> None:
    ends = list(zip(YEARS, (121.0, 110.0, 100.0), (12.1, 5.5, None), strict=True))
    incomes = [statement("income", end, net_income=one) for end, one in zip(YEARS, (9.0, 8.0, 7.0), strict=True)]
    sheets = [
        statement("balance", YEARS[0], equity=100.0, preferred_equity=10.0),
        statement("balance", YEARS[1], equity=80.0),
    ]
    found = own_record(books(*incomes), ends, sheets, after_preferred=True)
    assert found.growth.values == pytest.approx((0.1, 0.1))
    assert found.managed == pytest.approx(0.1)
    assert found.margin.values == pytest.approx((0.1, 0.05))
    assert found.return_on_equity.values == pytest.approx((9 / 90, 8 / 80))
    assert (found.growth.years, found.margin.years, found.return_on_equity.years) == (3, 2, 2)
    assert found.growth.last == YEARS[0]
    assert found.growth.quartiles is None and found.growth.median is None  # noqa: PT018 - one reason: too few years


def test_income_to_common_comes_before_net_income() -> None:
    incomes = statement("income", YEARS[0], net_income=10.0, net_income_to_common=8.0)
    found = own_record(
        books(incomes), [(YEARS[0], 100.0, 1.0)], [statement("balance", YEARS[0], equity=100.0)], after_preferred=True
    )
    assert found.return_on_equity.values == pytest.approx((0.08,))


def test_a_year_without_revenue_ends_the_growth() -> None:
    ends = [(YEARS[0], 110.0, 1.0), (YEARS[1], 100.0, 1.0), (YEARS[2], 0.0, 1.0)]
    found = own_record(books(), ends, (), after_preferred=True)
    assert found.growth.values == pytest.approx((0.1,))
    assert found.margin.years == 2


def test_nothing_known_is_nothing() -> None:
    assert own_record(books(), (), (), after_preferred=True) == OwnRecord()
    assert OwnRecord().managed is None
    assert YearlyFigures().quartiles is None
