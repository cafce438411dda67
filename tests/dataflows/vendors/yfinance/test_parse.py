"""The conversions of the yfinance vendor that need no server."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.fiscal_periods import assumed_known_at, fiscal_quarter
from tradingagents.dataflows.reference.line_items import ITEMS, UNLISTED
from tradingagents.dataflows.vendors.yfinance.line_items import STATEMENT_ROWS, currency_unit
from tradingagents.dataflows.vendors.yfinance.parse import insider_kind, prices_of

DAYS = st.dates(date(2000, 1, 1), date(2024, 12, 31))


def test_every_item_has_its_rows_at_yahoo_and_none_is_ours_alone() -> None:
    # Yahoo's total debt and diluted shares hold them, and no row tells them apart.
    in_debt = {"finance_leases", "convertible_debt", "convertible_shares"}
    ours = {
        kind: tuple(one for one in (*items, *UNLISTED.get(kind, ())) if one not in in_debt)
        for kind, items in ITEMS.items()
    }
    assert {kind: tuple(names) for kind, names in STATEMENT_ROWS.items()} == ours


def test_yahoo_still_calls_its_rows_so() -> None:
    from yfinance.const import fundamentals_keys

    sections = {"income": "financials", "balance": "balance-sheet", "cashflow": "cash-flow"}
    for kind, names in STATEMENT_ROWS.items():
        wanted = {row for rows in names.values() for row in rows}
        assert wanted <= set(fundamentals_keys[sections[kind]])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Sale at price 1.00 - 2.00 per share.", "sell"),
        ("Purchase at price 1.00 per share.", "buy"),
        ("Bought at price 1.00 per share.", "buy"),
        ("Stock Award(Grant) at price 0.00 per share.", "grant"),
        ("Stock Gift at price 0.00 per share.", "gift"),
        ("Conversion of Exercise of derivative security at price 9.00 per share.", "exercise"),
        ("Exercise of options at price 9.00 per share.", "exercise"),
        ("", "other"),
    ],
)
def test_the_text_says_what_kind_of_trade_it_was(text: str, kind: str) -> None:
    assert insider_kind(text) == kind


@pytest.mark.parametrize(
    ("period_end", "year_end", "named"),
    [
        (date(2024, 12, 31), None, (2024, "Q4")),
        (date(2025, 3, 31), None, (2025, "Q1")),
        (date(2024, 12, 31), date(2024, 9, 28), (2025, "Q1")),
        (date(2024, 9, 30), date(2024, 9, 28), (2024, "Q4")),
        (date(2024, 6, 30), date(2024, 9, 28), (2024, "Q3")),
        (date(2023, 9, 30), date(2024, 9, 28), (2023, "Q4")),
        (date(2025, 4, 30), date(2025, 1, 26), (2026, "Q1")),
        (date(2026, 1, 2), date(2026, 1, 2), (2025, "Q4")),
    ],
)
def test_a_quarter_is_named_after_the_year_it_belongs_to(
    period_end: date, year_end: date | None, named: tuple[int, str]
) -> None:
    assert fiscal_quarter(period_end, year_end=year_end) == named


@given(year_end=DAYS, quarters=st.integers(-40, 40))
def test_four_quarters_later_is_the_same_quarter_of_the_next_year(year_end: date, quarters: int) -> None:
    first = year_end + timedelta(days=round(quarters * 365.25 / 4))
    later = year_end + timedelta(days=round((quarters + 4) * 365.25 / 4))
    year, quarter = fiscal_quarter(first, year_end=year_end)
    assert fiscal_quarter(later, year_end=year_end) == (year + 1, quarter)


@given(period_end=DAYS, annual=st.booleans())
def test_an_assumed_filing_is_known_at_the_first_open_after_its_lag(period_end: date, annual: bool) -> None:
    lag = timedelta(days=90 if annual else 45)
    known = assumed_known_at(period_end, annual=annual)
    assert known > datetime.combine(period_end + lag, datetime.min.time(), UTC)
    assert not sessions().between(period_end + lag + timedelta(days=1), known.date() - timedelta(days=1))


@pytest.mark.parametrize(
    ("code", "unit"),
    [
        ("USD", ("USD", 1.0)),
        ("GBp", ("GBP", 0.01)),
        ("ZAc", ("ZAR", 0.01)),
        ("ILA", ("ILS", 0.01)),
        (None, ("XXX", 1.0)),
    ],
)
def test_a_hundredth_counts_as_one(code: str | None, unit: tuple[str, float]) -> None:
    assert currency_unit(code) == unit


def test_a_funds_capital_gains_are_paid_like_dividends() -> None:
    days = pd.DatetimeIndex(["2025-03-12", "2025-03-13", "2025-03-14"], tz="America/New_York")
    columns = ("Open", "High", "Low", "Close", "Adj Close", "Volume", "Stock Splits")
    frame = pd.DataFrame({name: [0.0 if name == "Stock Splits" else 10.0] * 3 for name in columns}, index=days)
    paid = frame.assign(**{"Dividends": [0.0, 0.2, 0.0], "Capital Gains": [0.0, 0.5, 0.0]})
    now = datetime(2025, 3, 15, tzinfo=UTC)
    window = {"currency": "USD", "start": date(2025, 3, 1), "end": date(2025, 3, 14), "now": now}
    found = prices_of("FUND", paid, **window)
    assert found is not None
    assert [(one.day, one.amount) for one in found.dividends] == [(date(2025, 3, 13), 0.7)]
    without = prices_of("FUND", paid.drop(columns="Capital Gains"), **window)
    assert without is not None
    assert [one.amount for one in without.dividends] == [0.2]
