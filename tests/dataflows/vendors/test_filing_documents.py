"""Main documents of filings: EDGAR's by accession number, simulated ones with the figures of the statements."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.contracts.sources.sec_edgar import SOURCE
from tests.dataflows.vendors.sec_payloads import (
    CIK,
    SUBMISSIONS,
    accession,
    columns,
    entry,
    folder,
    submissions,
    tickers,
)
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tradingagents.dataflows.gateway.codec import decode, encode
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.sec_edgar import SecEdgarVendor
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.errors import NoData
from tradingagents.retrieval.reading import read_document


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        running.answer("/files/company_tickers.json", tickers(ACMQ=CIK))
        yield running


@pytest.fixture
def vendor(server: VendorServer, tmp_path: Path) -> SecEdgarVendor:
    made = SOURCE.open(server, tmp_path)
    assert isinstance(made, SecEdgarVendor)
    return made


def test_a_filing_is_fetched_from_its_folder_of_the_archive(server: VendorServer, vendor: SecEdgarVendor) -> None:
    line = entry(3, "10-K", "2025-02-10T21:05:00.000Z", reportDate="2024-12-31")
    server.answer(SUBMISSIONS, submissions(line))
    server.answer(f"{folder(3)}main.htm", Reply(b"<p>Report</p>", content_type="text/html"))
    (found,) = vendor.get_filing_document("ACMQ", accession(3))
    assert (found.content, found.content_type, found.form) == (b"<p>Report</p>", "text/html", "10-K")
    assert found.known_at == datetime(2025, 2, 10, 21, 5, tzinfo=UTC)
    assert found.period_end == date(2024, 12, 31)
    assert found.url.startswith("https://www.sec.gov/Archives/edgar/data/")


def test_a_filing_of_an_older_page_is_found(server: VendorServer, vendor: SecEdgarVendor) -> None:
    name = f"CIK{CIK:010d}-submissions-001.json"
    pages = [{"name": name, "filingFrom": "2000-01-01", "filingTo": "2030-01-01"}]
    server.answer(SUBMISSIONS, submissions(entry(9, "4", "2025-02-10T21:05:00.000Z"), older=pages))
    server.answer(f"/submissions/{name}", columns([entry(3, "10-K", "2020-02-10T21:05:00.000Z")]))
    server.answer(f"{folder(3)}main.htm", Reply(b"<p>Old</p>", content_type="text/html"))
    (found,) = vendor.get_filing_document("ACMQ", accession(3))
    assert found.content == b"<p>Old</p>"


def test_a_number_that_the_company_did_not_file_is_nothing(server: VendorServer, vendor: SecEdgarVendor) -> None:
    server.answer(SUBMISSIONS, submissions(entry(3, "10-K", "2025-02-10T21:05:00.000Z")))
    assert vendor.get_filing_document("ACMQ", accession(4)) == ()


@pytest.mark.parametrize(
    "number", ["", "../../x", "https://evil.invalid/a", "0000320193-24-00012/", "\u0660" * 10 + "-24-000123"]
)
def test_what_is_no_accession_number_sends_nothing(number: str, server: VendorServer, vendor: SecEdgarVendor) -> None:
    with pytest.raises(NoData, match="accession number"):
        vendor.get_filing_document("ACMQ", number)
    assert not server.asked


def test_bytes_of_a_document_survive_the_cache(server: VendorServer, vendor: SecEdgarVendor) -> None:
    server.answer(SUBMISSIONS, submissions(entry(3, "10-K", "2025-02-10T21:05:00.000Z")))
    server.answer(f"{folder(3)}main.htm", Reply(bytes(range(256)), content_type="text/html"))
    answer = vendor.get_filing_document("ACMQ", accession(3))
    assert decode(Vendor.get_filing_document, encode(Vendor.get_filing_document, answer)) == answer


@pytest.mark.parametrize("form", ["10-K", "10-Q", "8-K"])
def test_a_simulated_report_is_read_with_sure_items_and_the_figures_of_the_statements(form: str) -> None:
    market = SimulatedVendor()
    filing = next(one for one in market.get_filings("KLNQ", date(2024, 1, 1), date(2025, 3, 14)) if one.form == form)
    (report,) = market.get_filing_document("KLNQ", filing.accession)
    assert (report.known_at, report.accession) == (filing.known_at, filing.accession)
    assert market.get_filing_document("KLNQ", filing.accession) == (report,)
    document = read_document(report.content, known_at=report.known_at)
    assert document.warnings == ()
    assert all(section.sure for section in document.sections)
    assert (document.info.company, document.info.symbol, document.info.form) == (
        "Kilnbrook Plumbing Supply",
        "KLNQ",
        form,
    )
    if form == "8-K":
        return
    (statement, *_) = (
        one
        for one in market.get_statements("KLNQ", "income", "annual" if form == "10-K" else "quarterly")
        if one.period_end == filing.period_end
    )
    assert (document.info.fiscal_year, document.info.period_end) == (statement.fiscal_year, statement.period_end)
    table = next(table for table in document.tables if table.statement == "income")
    assert [table.statement for table in document.tables] == ["income", "balance", "cashflow"]
    printed = {row.label: row.cells[0] for row in table.rows}
    for label, item in (
        ("Total revenues", "revenue"),
        ("Net income", "net_income"),
        ("Diluted earnings per share", "eps_diluted"),
    ):
        cell = printed[label]
        assert cell is not None
        assert cell.value == pytest.approx(statement.items[item])
    assert table.columns[0].period_end == statement.period_end


def test_a_simulated_number_that_does_not_exist_is_nothing() -> None:
    assert SimulatedVendor().get_filing_document("KLNQ", "KLNQ-25-999999") == ()
