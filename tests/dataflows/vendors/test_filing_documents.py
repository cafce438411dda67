"""Main documents of filings: EDGAR's by accession number, simulated ones with the figures of the statements."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
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
from tradingagents.dataflows.gateway.cache import decode, encode
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.responses.lost_rows import noting_lost_rows
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.sec_edgar import SecEdgarVendor
from tradingagents.dataflows.vendors.sec_edgar.documents import why_not_of_filing
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.errors import DataError, NoData
from tradingagents.retrieval.ingest import Added, add_filings
from tradingagents.retrieval.reading import read_document
from tradingagents.retrieval.store import DocumentStore
from tradingagents.settings import load_settings


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
    server.answer(f"{folder(3)}main.htm", Reply(b"<p>Acme's report</p>", content_type="text/html"))
    (found,) = vendor.get_filing_document("ACMQ", accession(3))
    assert (found.content, found.content_type, found.form) == (b"<p>Acme's report</p>", "text/html", "10-K")
    assert found.known_at == datetime(2025, 2, 10, 21, 5, tzinfo=UTC)
    assert found.period_end == date(2024, 12, 31)
    assert found.url.startswith("https://www.sec.gov/Archives/edgar/data/")


def test_a_filing_of_an_older_page_is_found(server: VendorServer, vendor: SecEdgarVendor) -> None:
    name = f"CIK{CIK:010d}-submissions-001.json"
    pages = [{"name": name, "filingFrom": "2000-01-01", "filingTo": "2030-01-01"}]
    server.answer(SUBMISSIONS, submissions(entry(9, "4", "2025-02-10T21:05:00.000Z"), older=pages))
    server.answer(f"/submissions/{name}", columns([entry(3, "10-K", "2020-02-10T21:05:00.000Z")]))
    server.answer(f"{folder(3)}main.htm", Reply(b"<p>Form 10-K</p>", content_type="text/html"))
    (found,) = vendor.get_filing_document("ACMQ", accession(3))
    assert found.content == b"<p>Form 10-K</p>"


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
    server.answer(f"{folder(3)}main.htm", Reply(b"<p>Form 10-K" + bytes(range(256)), content_type="text/html"))
    answer = vendor.get_filing_document("ACMQ", accession(3))
    assert decode(Vendor.get_filing_document, encode(Vendor.get_filing_document, answer)) == answer


@pytest.mark.parametrize(
    ("form", "body", "why"),
    [
        (
            "10-Q",
            b"<!DOCTYPE html><html><body>Are you a robot?</body></html>",
            "names neither its company nor the form",
        ),
        ("4", b"<html><body>Error 4: log in</body></html>", "names neither"),
        ("10-K", b"{}", "does not begin as a page"),
        ("10-K", b"", "is empty"),
        ("10-K", b"<html><body>FORM 10-K of Acme Quark", "ends before its end"),
        ("8-K", b"<DOCUMENT><TYPE>8-K<TEXT><html>Acme</html>", "ends before its end"),
    ],
)
def test_a_body_that_is_not_the_filing_whole_is_not_read_as_it(
    form: str, body: bytes, why: str, server: VendorServer, vendor: SecEdgarVendor
) -> None:
    server.answer(SUBMISSIONS, submissions(entry(3, form, "2025-02-10T21:05:00.000Z")))
    server.answer(f"{folder(3)}main.htm", Reply(body, content_type="text/html"))
    with pytest.raises(DataError, match=f"sec_edgar's answer for document .*main.htm, which {why}"):
        vendor.get_filing_document("ACMQ", accession(3))


@pytest.mark.parametrize(
    ("name", "text", "is_whole"),
    [
        ("McDONALDS CORP", "Schedule 14A of McDonald&#8217;s Corporation", True),
        ("AT&T INC.", "Proxy statement of AT&amp;T", True),
        ("AT&T INC.", "Come back at noon", False),
        ("3M CO", "Proxy statement of 3M Company", True),
        ("DRILLWORKS INC", "Definitive form DEF 14A", True),
        ("DRILLWORKS INC", "Undeclared automated tool", False),
    ],
)
def test_a_document_names_its_company_or_its_form(name: str, text: str, is_whole: bool) -> None:
    body = f"<html>{text}</html>".encode()
    assert (why_not_of_filing(body, "a/b.htm", form="DEF 14A", names=(name,)) == "") is is_whole


def test_a_document_has_the_size_that_the_list_gives_it(server: VendorServer, vendor: SecEdgarVendor) -> None:
    server.answer(SUBMISSIONS, submissions(entry(3, "8-K", "2025-02-10T21:05:00.000Z")))
    page = INDEX.format(folder=folder(3).removeprefix("/Archives/"), form="8-K", exhibit="EX-99.1")
    release, sized = b"<p>Release of the quarter</p>", "<td>EX-99.1</td><td>{}</td>"
    server.answer(f"{folder(3)}main.htm", Reply(b"<p>Form 8-K</p>", content_type="text/html"))
    server.answer(f"{folder(3)}release.htm", Reply(release, content_type="text/html"))
    listed = page.replace("<td>EX-99.1</td>", sized.format(len(release))).encode()
    server.answer(f"{folder(3)}{accession(3)}-index.htm", Reply(listed, content_type="text/html"))
    assert len(vendor.get_filing_document("ACMQ", accession(3))) == 2
    listed = page.replace("<td>EX-99.1</td>", sized.format(274829)).encode()
    server.answer(f"{folder(3)}{accession(3)}-index.htm", Reply(listed, content_type="text/html"))
    with pytest.raises(DataError, match=r"release.htm, which has 29 bytes where EDGAR lists 274829"):
        vendor.get_filing_document("ACMQ", accession(3))


def test_a_list_of_exhibits_that_is_another_page_is_missing(server: VendorServer, vendor: SecEdgarVendor) -> None:
    server.answer(SUBMISSIONS, submissions(entry(3, "8-K", "2025-02-10T21:05:00.000Z")))
    server.answer(f"{folder(3)}main.htm", Reply(b"<p>Form 8-K</p>", content_type="text/html"))
    server.answer(f"{folder(3)}{accession(3)}-index.htm", Reply(b"<html>Later</html>", content_type="text/html"))
    with noting_lost_rows() as lost:
        assert len(vendor.get_filing_document("ACMQ", accession(3))) == 1
    assert [one.what for one in lost] == ["list of exhibits whose page names no document"]


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


INDEX = """<table class="tableFile"><tr><th>Seq</th><th>Description</th><th>Document</th><th>Type</th></tr>
<tr><td>1</td><td>8-K</td><td><a href="/ix?doc=/Archives/{folder}main.htm">main.htm</a></td><td>{form}</td></tr>
<tr><td>2</td><td>RELEASE</td><td><a href="/Archives/{folder}release.htm">release.htm</a></td><td>{exhibit}</td></tr>
<tr><td>3</td><td>LOGO</td><td><a href="/Archives/{folder}logo.jpg">logo.jpg</a></td><td>EX-99.2</td></tr>
<tr><td>4</td><td>FAR</td><td><a href="/Archives/edgar/data/1/2/else.htm">else.htm</a></td><td>{exhibit}</td></tr>
<tr><td>5</td><td>PLAN</td><td><a href="/Archives/{folder}plan.htm">plan.htm</a></td><td>EX-10.1</td></tr></table>"""


@pytest.mark.parametrize(("form", "exhibit"), [("8-K", "EX-99.1"), ("8-K/A", "EX-99"), ("10-K", "EX-13")])
def test_exhibits_that_are_reports_follow_the_filing(
    form: str, exhibit: str, server: VendorServer, vendor: SecEdgarVendor
) -> None:
    server.answer(SUBMISSIONS, submissions(entry(3, form, "2025-02-10T21:05:00.000Z")))
    at = folder(3).removeprefix("/Archives/")
    page = INDEX.format(folder=at, form=form, exhibit=exhibit).encode()
    server.answer(f"{folder(3)}{accession(3)}-index.htm", Reply(page, content_type="text/html"))
    server.answer(f"{folder(3)}main.htm", Reply(b"<p>Acme's report</p>", content_type="text/html"))
    server.answer(f"{folder(3)}release.htm", Reply(b"<p>Release</p>", content_type="text/html"))
    main, release = vendor.get_filing_document("ACMQ", accession(3))
    assert (main.form, release.form, release.content) == (form, exhibit, b"<p>Release</p>")
    assert (release.known_at, release.accession) == (main.known_at, main.accession)
    assert release.url == f"https://www.sec.gov{folder(3)}release.htm"


def test_exhibits_that_cannot_be_fetched_are_no_missing_exhibits(server: VendorServer, vendor: SecEdgarVendor) -> None:
    server.answer(SUBMISSIONS, submissions(entry(3, "8-K", "2025-02-10T21:05:00.000Z")))
    page = INDEX.format(folder=folder(3).removeprefix("/Archives/"), form="8-K", exhibit="EX-99.1").encode()
    server.answer(f"{folder(3)}{accession(3)}-index.htm", Reply(page, content_type="text/html"))
    server.answer(f"{folder(3)}main.htm", Reply(b"<p>Acme's report</p>", content_type="text/html"))
    with pytest.raises(DataError):
        vendor.get_filing_document("ACMQ", accession(3))


def test_a_filing_and_its_exhibits_are_added_together_and_once(server: VendorServer, tmp_path: Path) -> None:
    server.answer(SUBMISSIONS, submissions(entry(3, "8-K", "2025-02-10T21:05:00.000Z", items="2.02,9.01")))
    page = INDEX.format(folder=folder(3).removeprefix("/Archives/"), form="8-K", exhibit="EX-99.1").encode()
    server.answer(f"{folder(3)}{accession(3)}-index.htm", Reply(page, content_type="text/html"))
    main = b"<p>Form 8-K</p><p>Results are in the release.</p>"
    server.answer(f"{folder(3)}main.htm", Reply(main, content_type="text/html"))
    release = b"<p>First Quarter Fiscal 2025 Results</p><p>TOWN -- Acme Corp (NASDAQ: ACMQ) sold more pumps.</p>"
    server.answer(f"{folder(3)}release.htm", Reply(release, content_type="text/html"))
    settings = load_settings({"data_vendor": "sec_edgar"}, environ={})
    now = datetime(2025, 3, 1, tzinfo=UTC)
    edgar = SOURCE.open(server, tmp_path, now=lambda: now)
    data = MarketData(settings, now.date(), vendors=Vendors(settings, {"sec_edgar": edgar}), now=lambda: now)
    with closing(DocumentStore(tmp_path / "store")) as store:
        first = list(add_filings(store, data, ["ACMQ"], forms=["8-K"], years=3))
        assert sorted(one.info.form for one in first if isinstance(one, Added)) == ["8-K", "EX-99.1"]
        again = list(add_filings(store, data, ["ACMQ"], forms=["8-K"], years=3))
        assert [one.new for one in again if isinstance(one, Added)] == [False]
        (info,) = (one for one in store.documents() if one.form == "EX-99.1")
    assert (info.company, info.fiscal_year, info.fiscal_quarter) == ("Acme Corp", 2025, 1)
    assert info.known_at == datetime(2025, 2, 10, 21, 5, tzinfo=UTC)
