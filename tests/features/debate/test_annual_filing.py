"""Four quarters in a row are enough for a debate; else the refusal says what is known, and nothing untrue."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.support.builders import statement
from tests.support.fakes import RowsVendor, clock
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Statement
from tradingagents.features.debate.graph.annual_filing import NoAnnualFiling, annual_filing
from tradingagents.settings import load_settings

DAY = date(2024, 6, 28)
ENDS = (date(2024, 3, 31), date(2023, 12, 31), date(2023, 9, 30), date(2023, 6, 30), date(2023, 3, 31))
ITEMS = {"revenue": 100.0, "net_income": 10.0}


def known(statements: list[Statement], tmp_path: Path) -> str:
    rows = RowsVendor(statements=[replace(one, symbol="MADE") for one in statements])
    settings = load_settings({"home": tmp_path, "data_vendor": "rows"}, environ={})
    market = MarketData(settings, DAY, vendors=Vendors(settings, {"rows": rows}), now=clock)
    return annual_filing(market, "MADE")


def quarters(*ends: date) -> list[Statement]:
    return [statement(end, ITEMS) for end in ends]


def test_four_quarters_in_a_row_do(tmp_path: Path):
    assert known(quarters(*ENDS[:4]), tmp_path) == "statements of the four quarters to 2024-03-31"


def test_a_year_does(tmp_path: Path):
    year = statement(ENDS[1], ITEMS, frequency="annual")
    assert known([year], tmp_path) == "annual statements of the fiscal year to 2023-12-31"


def test_two_half_years_do(tmp_path: Path):
    assert known(quarters(ENDS[1], ENDS[3]), tmp_path) == "statements of the two half-years to 2023-12-31"


@pytest.mark.parametrize(
    ("statements", "why"),
    [
        (quarters(*ENDS[:3]), r"Only 3 of four quarters are known, and no recent fiscal year"),
        (quarters(ENDS[0], *ENDS[2:]), r"A quarter is missing before 2024-03-31"),
        (
            quarters(*(end - timedelta(days=365) for end in ENDS)),
            r"The newest quarter known is of 2023-04-01, 454 days",
        ),
        ([], r"has no statements and no list of annual filings"),
    ],
)
def test_the_refusal_gives_the_true_reason(statements: list[Statement], why: str, tmp_path: Path):
    with pytest.raises(NoAnnualFiling, match=why) as refused:
        known(statements, tmp_path)
    assert "Take another company, another day or another source of data" in str(refused.value)


@pytest.mark.real_data
@pytest.mark.parametrize("symbol", ["AAPL", "MSFT", "JPM"])
def test_recorded_quarters_do(symbol: str, test_data: Path):
    """They were refused: "No annual filing … was known", though the folder has eight quarters of each."""
    given = {"data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}
    data = MarketData(load_settings(given, environ={}), date(2025, 3, 14))
    assert annual_filing(data, symbol).startswith("statements of the four quarters to 2024-")
