"""The series capability answers from stored filings where the vendors have nothing, and says where each cell stands."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from tests.capabilities.market import AS_OF
from tests.retrieval.series.stored import days, filing
from tests.support.snapshot_folder import write_snapshot
from tradingagents.capabilities.series import series
from tradingagents.dataflows.market_data import MarketData
from tradingagents.retrieval.address import store_address
from tradingagents.retrieval.store import DocumentStore
from tradingagents.settings import load_settings

UNKNOWN = "ZQTV"
"""A company of which the market has nothing."""


def market(folder: Path) -> MarketData:
    """Return the small snapshot's market with a home of its own."""
    write_snapshot(folder / "market")
    given = {"data_vendor": "snapshot", "data_dir": str(folder / "market"), "home": str(folder / "home")}
    return MarketData(load_settings(given, environ={}), AS_OF)


def test_stored_filings_answer_where_the_vendors_have_nothing(tmp_path: Path):
    data = market(tmp_path)
    store = DocumentStore(store_address(data.settings))
    for number, value in ((2023, 900.0), (2024, 1000.0)):
        shown = {days(number, 1, 4): value, days(number - 1, 1, 4): value - 100}
        store.add(filing("10-K", date(number, 11, 9), shown, company=UNKNOWN, tagged=number == 2024))
    store.add(filing("10-K/A", date(2025, 4, 1), {days(2024, 1, 4): 990.0}, company=UNKNOWN))
    found = series.ask(data, ticker=UNKNOWN, item="revenue", span="2021..2024", function="growth")
    assert [(cell.period, cell.value / 1e6, cell.filing) for cell in found.cells] == [
        ("FY2022", 800.0, f"{UNKNOWN} 10-K 2023, page 1"),
        ("FY2023", 900.0, f"{UNKNOWN} 10-K 2024, page 1"),
        ("FY2024", 1000.0, f"{UNKNOWN} 10-K 2024, page 1"),
    ]
    assert [(row.period, row.reason) for row in found.missing] == [
        ("FY2021", "the figures that are known begin with FY2022")
    ]
    keys = {info.name: info.key for info in store.documents()}
    assert {cell.key for cell in found.cells} == {keys[f"{UNKNOWN} 10-K 2023"], keys[f"{UNKNOWN} 10-K 2024"]}
    assert found.source == "filings"
    store.close()


def test_a_vendor_that_has_the_company_answers_as_before(tmp_path: Path):
    data = market(tmp_path)
    before = series.ask(data, ticker="ACMQ", item="revenue", span="last 2 quarters")
    store = DocumentStore(store_address(data.settings))
    store.add(filing("10-K", date(2024, 11, 9), {days(2024, 1, 4): 1000.0}, company=UNKNOWN))
    store.close()
    assert series.ask(data, ticker="ACMQ", item="revenue", span="last 2 quarters").cells == before.cells != ()


def test_a_span_of_which_no_period_is_known_says_so(tmp_path: Path):
    years = series.ask(market(tmp_path), ticker="ACMQ", item="revenue", span="last 2 years")
    assert (years.cells, years.missing) == ((), ())
    assert years.notes == ("No fiscal year of ACMQ was known by 2025-03-14, so that the last 2 years cannot be told.",)
    nothing = series.ask(market(tmp_path), ticker=UNKNOWN, item="revenue", span="last 2 quarters")
    assert f"No fiscal quarter of {UNKNOWN} was known by 2025-03-14" in nothing.notes[0]
