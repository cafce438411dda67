"""Scales, units, dates and fiscal years as tables print them."""

from __future__ import annotations

from datetime import date

import pytest

from tradingagents.retrieval.reading.tables.grids import number
from tradingagents.retrieval.reading.tables.periods import fiscal_year_of, read_header
from tradingagents.retrieval.reading.tables.units import scales_of, unit_of


@pytest.mark.parametrize(
    ("text", "money", "shares"),
    [
        ("(In millions, except per share data)", 1e6, 1e6),
        ("(in thousands, except share and per share amounts)", 1e3, 1.0),
        ("(In millions, except number of shares, which are reflected in thousands, and per-share amounts)", 1e6, 1e3),
        ("(Dollars & Shares in Millions Except Per Share Amounts)", 1e6, 1e6),
        ("$ in billions", 1e9, 1e9),
        ("(Millions)", 1e6, 1e6),
        ("Year ended December 31", 1.0, 1.0),
    ],
)
def test_scales(text: str, money: float, shares: float) -> None:
    found = scales_of(text)
    assert (found.money, found.shares) == (money, shares)


@pytest.mark.parametrize(
    ("label", "headings", "unit"),
    [
        ("Basic", ("Earnings per share",), "share"),
        ("Basic", ("Earnings per share", "Weighted-average shares outstanding"), "shares"),
        ("Diluted Net Income Per Share1", (), "share"),
        ("Dividends declared per common share", (), "share"),
        ("Common stock, 100 shares authorized", ("Stockholders' equity",), ""),
        ("Class A common stock", ("Basic earnings per share",), "share"),
        ("Net income", (), ""),
    ],
)
def test_units_of_rows(label: str, headings: tuple[str, ...], unit: str) -> None:
    assert unit_of(label, headings) == unit


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$ 1,577", 1577.0), ("(1,577)", -1577.0), ("$ (0.15)", -0.15), ("—", 0.0), ("12.5%", 12.5), ("(3.2)%", -3.2),
        ("-4", -4.0), ("1,234 (1)", 1234.0), (".5", 0.5), ("Note 7", None), ("2024 plan", None), ("", None), ("1,2,3", None),
    ],
)  # fmt: skip
def test_figures(text: str, value: float | None) -> None:
    assert number(text) == value


@pytest.mark.parametrize(
    ("text", "start", "end", "year"),
    [
        ("Three Months Ended June 30, 2025", date(2025, 4, 1), date(2025, 6, 30), None),
        ("Year Ended December 31, 2024", date(2024, 1, 1), date(2024, 12, 31), None),
        ("Thirteen weeks ended June 28, 2025", date(2025, 3, 30), date(2025, 6, 28), None),
        ("Years ended September 28, 2024", None, date(2024, 9, 28), None),
        ("Nine Months Ended March 31 2025", date(2024, 7, 1), date(2025, 3, 31), None),
        ("Fiscal 2024", None, None, 2024),
        ("2024 vs 2023", None, None, None),
        ("% Change", None, None, None),
    ],
)
def test_headers(text: str, start: date | None, end: date | None, year: int | None) -> None:
    found = read_header(text)
    assert (found.start, found.end, found.year) == (start, end, year)


@pytest.mark.parametrize(
    ("day", "year"),
    [
        (date(2025, 6, 28), 2025),
        (date(2024, 9, 28), 2024),
        (date(2024, 12, 28), 2025),
        (date(2023, 9, 30), 2023),
        (date(2025, 9, 27), 2025),
        (date(2025, 12, 27), 2026),
    ],
)
def test_fiscal_years_of_a_company_whose_year_ends_late_in_september(day: date, year: int) -> None:
    assert fiscal_year_of(day, 2025, date(2025, 6, 28), (9, 27)) == year
