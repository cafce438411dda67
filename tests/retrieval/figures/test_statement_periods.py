"""Figures of statements rest on periods of the length they name."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from tests.support.builders import statement
from tradingagents.dataflows.models import Statement, StatementKind
from tradingagents.errors import NoData
from tradingagents.retrieval.figures.statement_figures import FigureRequest, StatementFigure, statement_figure

AS_OF = date(2025, 8, 20)
ENDS = (date(2025, 6, 30), date(2025, 3, 31), date(2024, 12, 31), date(2024, 9, 30))
STARTS = (date(2025, 4, 1), date(2025, 1, 1), date(2024, 10, 1), date(2024, 7, 1))


def lasting(start: date, end: date, items: dict[str, float], kind: StatementKind = "income") -> Statement:
    return replace(statement(end, items, kind), period_start=start)


def asked(rows: list[Statement], figure: str, period: str = "twelve_months") -> StatementFigure:
    at = datetime(2025, 8, 20, tzinfo=UTC)
    return statement_figure(rows, FigureRequest(figure, period), as_of=AS_OF, fetched_at=at, profile=None)


def test_two_half_years_are_twelve_months():
    rows = [
        lasting(STARTS[1], ENDS[0], {"revenue": 60.0}),
        lasting(STARTS[3], ENDS[2], {"revenue": 55.0}),
        lasting(date(2024, 1, 1), date(2024, 6, 30), {"revenue": 50.0}),
    ]
    found = asked(rows, "revenue")
    assert found.value == 115
    assert found.period == "the two half-years to 2025-06-30"


def test_nine_months_are_no_latest_quarter():
    rows = [
        lasting(date(2024, 10, 1), ENDS[0], {"revenue": 90.0}),
        lasting(STARTS[3], ENDS[3], {"revenue": 27.0}),
    ]
    assert asked(rows, "revenue", "latest_quarter").value == 27
    with pytest.raises(NoData):
        asked(rows, "revenue")


def test_the_cash_flow_of_one_quarter_is_none_of_twelve_months():
    """Of four quarters of income only one has a cash flow."""
    rows = [lasting(start, end, {"revenue": 10.0}) for start, end in zip(STARTS, ENDS, strict=True)]
    cash = lasting(STARTS[0], ENDS[0], {"operating_cash_flow": 4.0}, "cashflow")
    with pytest.raises(NoData, match="operating cash flow"):
        asked([*rows, cash], "operating cash flow")


def test_a_withheld_item_says_why():
    rows = [
        replace(lasting(start, end, {"revenue": 10.0}), withheld={"net_income": "The row is year to date."})
        for start, end in zip(STARTS, ENDS, strict=True)
    ]
    with pytest.raises(NoData, match="year to date"):
        asked(rows, "net income")
