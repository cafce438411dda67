"""EDGAR's Form 13F: each report through the real client, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.contracts.sources.sec_edgar import SOURCE
from tests.dataflows.vendors.sec_payloads import (
    INVESTOR,
    INVESTOR_SUBMISSIONS,
    accession,
    complete_text,
    entry,
    form13f,
    holding,
    submissions,
)
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tradingagents.dataflows.models import Holding
from tradingagents.dataflows.reference.investors import known_investors
from tradingagents.dataflows.responses.lost_rows import noting_lost_rows
from tradingagents.dataflows.vendors.sec_edgar import SecEdgarVendor
from tradingagents.errors import NoData, VendorDown

NAME = "LARKSPUR HILL CAPITAL LP"
WINDOW = (date(2022, 1, 1), date(2025, 6, 30))
ASKED = str(INVESTOR)


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        yield running


@pytest.fixture
def vendor(server: VendorServer, tmp_path: Path) -> SecEdgarVendor:
    made = SOURCE.open(server, tmp_path)
    assert isinstance(made, SecEdgarVendor)
    return made


def filed(server: VendorServer, *reports: tuple[int, str, str, bytes], name: str = NAME) -> None:
    server.answer(INVESTOR_SUBMISSIONS, submissions(*(entry(one, form, at) for one, form, at, _ in reports), name=name))
    for number, _, _, body in reports:
        server.answer(complete_text(number), Reply(body, content_type="text/plain"))


def the_report(server: VendorServer, vendor: SecEdgarVendor, body: bytes, accepted: str = "2025-02-14T21:05:11.000Z"):
    filed(server, (1, "13F-HR", accepted, body))
    (report,) = vendor.get_holdings(ASKED, *WINDOW)
    return report


def test_a_report_is_read_from_the_complete_filing(server: VendorServer, vendor: SecEdgarVendor):
    body = form13f(
        holding("APPLE  INC", 75126000000, 300000000), holding("CHEVRON CORP", 17e9, 118e6, cusip="166764100")
    )
    report = the_report(server, vendor, body)
    assert [request.path for request in server.asked] == [INVESTOR_SUBMISSIONS, complete_text(1)]
    assert (report.investor, report.cik, report.form, report.amendment) == (NAME, INVESTOR, "13F-HR", None)
    assert (report.period_end, report.filed_on, report.accession) == (
        date(2024, 12, 31),
        date(2025, 2, 14),
        accession(1),
    )
    assert report.known_at == datetime(2025, 2, 14, 21, 5, 11, tzinfo=UTC)
    assert report.url == f"https://www.sec.gov{complete_text(1)}"
    assert report.holdings == (
        Holding("APPLE INC", "COM", "037833100", "shares", 75126000000.0, 300000000.0),
        Holding("CHEVRON CORP", "COM", "166764100", "shares", 17e9, 118e6),
    )


@pytest.mark.parametrize(("filed_at", "value"), [("2022-11-14", 75e9), ("2022-12-30", 75e9), ("2023-01-03", 75e6)])
def test_values_are_thousands_until_2023_and_dollars_since(
    server: VendorServer, vendor: SecEdgarVendor, filed_at: str, value: float
):
    report = the_report(server, vendor, form13f(holding("APPLE INC", 75e6, 3e8)), f"{filed_at}T21:05:00.000Z")
    assert report.holdings[0].value == value


def test_any_prefix_of_the_namespace_is_read(server: VendorServer, vendor: SecEdgarVendor):
    rows = (holding("APPLE INC", 5, 4, prefix="ns1:"), holding("TESLA", 3, 2, put_call="Put", prefix="ns1:"))
    report = the_report(server, vendor, form13f(*rows, prefix="ns1:"))
    assert [(row.issuer, row.kind, row.value) for row in report.holdings] == [
        ("APPLE INC", "shares", 5.0),
        ("TESLA", "put", 3.0),
    ]


def test_options_bonds_and_share_classes_are_told_apart(server: VendorServer, vendor: SecEdgarVendor):
    rows = (
        holding("ALPHABET INC", 9, 1, title="CAP STK CL A", cusip="02079k305"),
        holding("ALPHABET INC", 8, 1, title="CAP STK CL C", cusip="02079K107"),
        holding("SOME BOND", 7, 1, title="NOTE 1.250% 5/1", cusip="26210CAC8", kind="PRN"),
        holding("SPDR S&amp;P 500", 6, 1, cusip="78462F103", put_call="PUT"),
        holding("SPDR S&amp;P 500", 5, 1, cusip="78462F103", put_call="Call"),
        holding("SHORT CUSIP", 4, 1, cusip="37833100"),
    )
    report = the_report(server, vendor, form13f(*rows))
    assert [(row.cusip, row.kind) for row in report.holdings] == [
        ("02079K305", "shares"),
        ("02079K107", "shares"),
        ("26210CAC8", "principal"),
        ("78462F103", "put"),
        ("78462F103", "call"),
        ("037833100", "shares"),
    ]
    assert report.holdings[3].issuer == "SPDR S&P 500"


def test_amendments_say_what_they_do_and_come_with_their_own_acceptance(server: VendorServer, vendor: SecEdgarVendor):
    row = holding("APPLE INC", 5, 4)
    filed(
        server,
        (4, "13F-HR/A", "2025-04-02T14:00:00.000Z", form13f(row, amendment="UNHEARD OF")),
        (3, "13F-HR/A", "2025-04-01T14:00:00.000Z", form13f(row, amendment="NEW HOLDINGS")),
        (2, "13F-HR/A", "2025-03-01T14:00:00.000Z", form13f(row, amendment="RESTATEMENT")),
        (1, "13F-HR", "2025-02-14T14:00:00.000Z", form13f(row)),
        (5, "13F-NT", "2025-02-13T14:00:00.000Z", b"not read"),
    )
    found = vendor.get_holdings(ASKED, *WINDOW)
    assert [(report.known_at.date().isoformat(), report.amendment) for report in found] == [
        ("2025-04-02", "restatement"),
        ("2025-04-01", "new_holdings"),
        ("2025-03-01", "restatement"),
        ("2025-02-14", None),
    ]


def test_only_reports_of_the_window_are_requested(server: VendorServer, vendor: SecEdgarVendor):
    filed(
        server,
        (2, "13F-HR", "2025-02-14T14:00:00.000Z", form13f(holding("APPLE INC", 5, 4))),
        (1, "13F-HR", "2024-11-14T14:00:00.000Z", form13f(holding("APPLE INC", 5, 4), period="09-30-2024")),
    )
    assert len(vendor.get_holdings(ASKED, date(2025, 1, 1), date(2025, 6, 30))) == 1
    assert [request.path for request in server.asked] == [INVESTOR_SUBMISSIONS, complete_text(2)]


def test_an_investor_without_holdings_reports_none(server: VendorServer, vendor: SecEdgarVendor):
    assert the_report(server, vendor, form13f(total=0)).holdings == ()


def test_rows_without_a_security_or_a_value_are_left_out(server: VendorServer, vendor: SecEdgarVendor):
    rows = (holding("", 5, 4, cusip=""), holding("X", "n/a", 4), holding("Y", 5, ""), holding("APPLE", 5, 4))
    with noting_lost_rows() as noted:
        assert [row.issuer for row in the_report(server, vendor, form13f(*rows, total=6)).holdings] == ["APPLE"]
    assert {row.what: count for row, count in noted.items()} == {
        "holding that the answer counts and does not list": 2,
        "holding without a readable nameOfIssuer": 1,
        "holding without a readable value": 1,
        "holding without a readable sshPrnamt": 1,
    }


@pytest.mark.parametrize(
    "body",
    [
        form13f(total=3),
        form13f(holding("X", "n/a", 4)),
        form13f(holding("X", 5, 4), name=""),
        form13f(holding("X", 5, 4)).replace(b"<?xml", b"<!DOCTYPE x [<!ENTITY e 'e'>]><?xml"),
        form13f(holding("X", 5, 4)).replace(b"</infoTable>", b""),
        b"<html><body>Please come back later</body></html>",
        form13f(holding("X", 5, 4))[:158],
    ],
    ids=["no table", "no value", "no name", "doctype", "broken", "page", "cut"],
)
def test_a_report_that_cannot_be_read_is_an_error_not_an_empty_portfolio(
    server: VendorServer, vendor: SecEdgarVendor, body: bytes
):
    older = (2, "13F-HR", "2025-01-14T14:00:00.000Z", form13f(holding("X", 5, 4), period="09-30-2024"))
    filed(server, (1, "13F-HR", "2025-02-14T14:00:00.000Z", body), older)
    with pytest.raises(VendorDown, match="holdings of CIK 9900000001"):  # nor is the quarter before the newest one
        vendor.get_holdings(ASKED, *WINDOW)


def test_reports_in_plain_text_are_refused_in_words(server: VendorServer, vendor: SecEdgarVendor):
    filed(
        server,
        (1, "13F-HR", "2012-02-14T14:00:00.000Z", b"<DOCUMENT>\n<TYPE>13F-HR\n<TEXT>APPLE 5 4</TEXT></DOCUMENT>"),
    )
    with pytest.raises(NoData, match="plain text"):
        vendor.get_holdings(ASKED, date(2012, 1, 1), date(2012, 12, 31))


def test_a_name_is_looked_up_and_checked_against_edgars(server: VendorServer, vendor: SecEdgarVendor):
    page = "/submissions/CIK0001067983.json"
    server.answer(page, submissions(name="BERKSHIRE HATHAWAY INC"))
    assert vendor.get_holdings("warren buffett", *WINDOW) == ()
    server.answer("/submissions/CIK0001649339.json", submissions(name="SOMEBODY ELSE LLC"))
    with pytest.raises(NoData, match="CIK 1649339 is SOMEBODY ELSE LLC, not Scion"):
        vendor.get_holdings("Scion Asset Management", *WINDOW)
    with pytest.raises(NoData, match="did you mean Berkshire Hathaway"):
        vendor.get_holdings("Berkshir Hathawy", *WINDOW)


def test_the_table_of_investors_is_sound():
    known = known_investors()
    assert len({one.cik for one in known}) == len(known) >= 30
    names = [name.lower() for one in known for name in one.names]
    assert len(set(names)) == len(names)
