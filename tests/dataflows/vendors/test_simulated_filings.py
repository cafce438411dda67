"""Made-up filings: one report and one 8-K for every set of statements, accepted with them."""

from __future__ import annotations

from datetime import date

import pytest

from tradingagents.dataflows.vendors.simulated import COMPANIES, NO_STATEMENTS, SimulatedVendor
from tradingagents.errors import NoData

pytestmark = pytest.mark.own_market

FIRST, LAST = date(2018, 1, 2), date(2025, 6, 30)
SYMBOL = next(symbol for symbol in COMPANIES if symbol not in NO_STATEMENTS)


@pytest.fixture(scope="module")
def vendor() -> SimulatedVendor:
    return SimulatedVendor()


@pytest.mark.parametrize("symbol", [symbol for symbol in COMPANIES if symbol not in NO_STATEMENTS][::17])
def test_statements_and_filings_are_accepted_together(vendor: SimulatedVendor, symbol: str):
    every = vendor.get_filings(symbol, date.min, date.max)
    reports = [filing for filing in every if filing.form != "8-K"]
    quarters = vendor.get_statements(symbol, "income", "quarterly")
    assert [(filing.period_end, filing.known_at) for filing in reports] == [
        (row.period_end, row.known_at) for row in quarters
    ]
    assert [filing.form for filing in reports] == ["10-K" if row.fiscal_period == "Q4" else "10-Q" for row in quarters]
    news = [filing for filing in every if filing.form == "8-K"]
    assert [filing.known_at for filing in news] == [filing.known_at for filing in reports]
    assert {filing.items for filing in news} == {("2.02", "9.01")}
    assert len({filing.accession for filing in every}) == len(every)


def test_a_report_says_what_it_is(vendor: SimulatedVendor):
    (row,) = [one for one in vendor.get_statements(SYMBOL, "income", "annual") if one.fiscal_year == 2024]
    (report,) = [one for one in vendor.get_filings(SYMBOL, FIRST, LAST) if one.period_end == row.period_end]
    assert (report.form, report.title, report.filed_on) == ("10-K", "Annual report for Q4 2024", row.known_at.date())


def test_filings_are_those_of_the_window_newest_first(vendor: SimulatedVendor):
    every = vendor.get_filings(SYMBOL, date.min, date.max)
    start, end = every[9].filed_on, every[2].filed_on
    found = vendor.get_filings(SYMBOL, start, end)
    assert found == tuple(filing for filing in every if start <= filing.filed_on <= end)
    assert [filing.known_at for filing in found] == sorted((filing.known_at for filing in found), reverse=True)
    assert len(found) >= 6


def test_who_files_nothing_has_no_filings(vendor: SimulatedVendor):
    for symbol in (*NO_STATEMENTS, "SPY"):
        assert vendor.get_filings(symbol, FIRST, LAST) == ()
    with pytest.raises(NoData):
        vendor.get_filings("AAPL", FIRST, LAST)
