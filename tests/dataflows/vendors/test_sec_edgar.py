"""EDGAR's index of filings, profile and Forms 4: each page through the real client, value by value."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.sec_edgar import SOURCE
from tests.dataflows.vendors.sec_payloads import (
    CIK,
    IDENTITY,
    OFFICER,
    SUBMISSIONS,
    accession,
    columns,
    entry,
    folder,
    form4,
    submissions,
    tickers,
    transaction,
)
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tradingagents.dataflows.gateway.checks.trade_checks import distinct_trades
from tradingagents.dataflows.gateway.registry import registration_of
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.models import Filing, InsiderTransaction, Profile
from tradingagents.dataflows.vendors.sec_edgar import SecEdgarVendor
from tradingagents.dataflows.vendors.sec_edgar.client import DATA_HOST
from tradingagents.dataflows.vendors.sec_edgar.industries import sector_of
from tradingagents.dataflows.vendors.sec_edgar.submissions import accepted_at
from tradingagents.dataflows.vendors.snapshot.insiders import trade_kind
from tradingagents.errors import NoData, VendorDown, VendorNotConfigured
from tradingagents.settings import load_settings

WINDOW = (date(2025, 1, 1), date(2025, 3, 31))
TICKERS = tickers(ACMQ=CIK, BRK_B=100)


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        running.answer("/files/company_tickers.json", TICKERS)
        yield running


@pytest.fixture
def vendor(server: VendorServer, tmp_path: Path) -> SecEdgarVendor:
    made = SOURCE.open(server, tmp_path)
    assert isinstance(made, SecEdgarVendor)
    return made


def filed(server: VendorServer, *lines: dict[str, str], **more: Any) -> None:
    server.answer(SUBMISSIONS, submissions(*lines, **more))


def reported(server: VendorServer, number: int, body: bytes) -> None:
    server.answer(f"{folder(number)}form4.xml", Reply(body, content_type="text/xml"))


def line4(number: int, accepted: str, form: str = "4", document: str = "xslF345X05/form4.xml") -> dict[str, str]:
    return entry(number, form, accepted, document=document)


# Who is asked, and as whom


def test_every_request_names_who_asks_and_the_pages_are_those_documented(server: VendorServer, vendor: SecEdgarVendor):
    filed(server, line4(1, "2025-03-11T22:00:00.000Z"))
    reported(server, 1, form4(transaction("S", "2025-03-10", 1000, 50)))
    vendor.get_insider_transactions("ACMQ")
    assert [request.path for request in server.asked] == [
        "/files/company_tickers.json",
        "/submissions/CIK0000000099.json",
        "/Archives/edgar/data/99/000000009925000001/form4.xml",
    ]
    assert {request.headers["user-agent"] for request in server.asked} == {IDENTITY}


@pytest.mark.parametrize("identity", ["Quinn Quiller", "quinn@", "quinn@desk"])
def test_an_identity_without_an_address_is_refused_and_not_shown(identity: str):
    access = Access("sec_edgar", settings=load_settings({}, environ={}), environ={"EDGAR_IDENTITY": identity})
    with pytest.raises(VendorNotConfigured, match="EDGAR_IDENTITY must hold a name and an e-mail address") as caught:
        SecEdgarVendor(access)
    assert identity not in str(caught.value)


def test_without_an_identity_it_says_which_variable_to_set():
    access = Access("sec_edgar", settings=load_settings({}, environ={}), environ={})
    with pytest.raises(VendorNotConfigured, match="needs EDGAR_IDENTITY"):
        SecEdgarVendor(access)


def test_the_registered_address_is_the_one_whose_documents_lie_on_the_other_host():
    assert registration_of("sec_edgar").url == DATA_HOST


@pytest.mark.parametrize("symbol", ["^GSPC", "BTC-USD", "EURUSD=X", "7203.T", "GC=F"])
def test_what_no_us_company_can_be_called_is_not_asked_for(server: VendorServer, vendor: SecEdgarVendor, symbol: str):
    with pytest.raises(NoData, match="sec_edgar has no filings of"):
        vendor.get_filings(symbol, *WINDOW)
    assert server.asked == []


def test_a_ticker_that_nobody_files_under_is_no_data(vendor: SecEdgarVendor):
    with pytest.raises(NoData, match="no filings of NONE"):
        vendor.get_profile("NONE")


def test_share_classes_are_spelled_as_here(server: VendorServer, vendor: SecEdgarVendor):
    server.answer("/submissions/CIK0000000100.json", submissions(name="BERK INC"))
    assert vendor.get_profile("BRK-B").name == "BERK INC"


@pytest.mark.parametrize("page", [[], {}, {"0": {"cik_str": "99", "ticker": "ACMQ"}}, {"0": None}])
def test_a_list_of_tickers_without_one_is_unreadable(server: VendorServer, vendor: SecEdgarVendor, page: Any):
    server.answer("/files/company_tickers.json", page)
    with pytest.raises(VendorDown, match="cannot be read"):
        vendor.get_profile("ACMQ")


def test_a_page_is_asked_for_once_in_ten_minutes(server: VendorServer, tmp_path: Path):
    clock = [datetime(2025, 6, 30, 22, tzinfo=UTC)]
    vendor = SOURCE.open(server, tmp_path, now=lambda: clock[0])
    filed(server)
    for minute in (0, 9, 10):
        clock[0] = datetime(2025, 6, 30, 22, minute, tzinfo=UTC)
        vendor.get_profile("ACMQ")
    assert server.count(SUBMISSIONS) == 2


# Profile


def test_every_field_of_a_profile(server: VendorServer, vendor: SecEdgarVendor):
    filed(server)
    assert vendor.get_profile("ACMQ") == Profile(
        symbol="ACMQ",
        name="ACME QUARK INC",
        kind="stock",
        sector="technology",
        industry="Semiconductors & Related Devices",
        exchange="XNYS",
        currency="USD",
    )


def test_a_fund_has_no_sector(server: VendorServer, vendor: SecEdgarVendor):
    filed(server, sic="6221", sicDescription="")
    profile = vendor.get_profile("ACMQ")
    assert (profile.kind, profile.sector, profile.industry) == ("etf", None, None)


@pytest.mark.parametrize(
    ("sic", "sector"),
    [
        (2834, "healthcare"),  # Pfizer
        (2080, "consumer-staples"),  # Coca-Cola
        (2911, "energy"),  # Exxon
        (3571, "technology"),  # Apple
        (3711, "consumer-discretionary"),  # Tesla
        (3721, "industrials"),  # Boeing
        (4911, "utilities"),  # Southern
        (4813, "communication-services"),  # Verizon
        (5331, "consumer-staples"),  # Walmart
        (6021, "financials"),  # JPMorgan
        (6324, "healthcare"),  # UnitedHealth
        (6798, "real-estate"),  # Prologis
        (7372, "technology"),  # Microsoft
        (1000, "materials"),  # Freeport
        (8888, None),
        (99, None),
        (None, None),
    ],
)
def test_industries_fall_into_sectors(sic: int | None, sector: str | None):
    assert sector_of(sic) == sector


@pytest.mark.parametrize("page", [{"name": "X"}, {"name": None, "filings": {"recent": columns([])}}, {"filings": []}])
def test_an_index_of_another_shape_is_unreadable(server: VendorServer, vendor: SecEdgarVendor, page: Any):
    server.answer(SUBMISSIONS, page)
    with pytest.raises(VendorDown, match="answer for filings of ACMQ cannot be read"):
        vendor.get_profile("ACMQ")


# Filings


def test_every_field_of_a_filing(server: VendorServer, vendor: SecEdgarVendor):
    filed(
        server,
        entry(
            7,
            "8-K",
            "2025-01-30T21:04:38.000Z",
            document="acmq-20250130.htm",
            reportDate="2025-01-29",
            items="2.02,9.01",
            primaryDocDescription="CURRENT  REPORT",
        ),
    )
    assert vendor.get_filings("ACMQ", *WINDOW) == (
        Filing(
            symbol="ACMQ",
            form="8-K",
            known_at=datetime(2025, 1, 30, 21, 4, 38, tzinfo=UTC),
            filed_on=date(2025, 1, 30),
            accession="0000000099-25-000007",
            url="https://www.sec.gov/Archives/edgar/data/99/000000009925000007/acmq-20250130.htm",
            title="CURRENT REPORT",
            period_end=date(2025, 1, 29),
            items=("2.02", "9.01"),
        ),
    )


def test_a_filing_without_title_document_or_period(server: VendorServer, vendor: SecEdgarVendor):
    filed(server, entry(7, "10-K", "2025-01-30T21:04:38.000Z", document="", items="S-4,,2024-05-06 16:00:00"))
    (filing,) = vendor.get_filings("ACMQ", *WINDOW)
    assert (filing.title, filing.period_end, filing.items) == ("10-K", None, ())
    assert filing.url == "https://www.sec.gov/Archives/edgar/data/99/000000009925000007/0000000099-25-000007-index.htm"


@pytest.mark.parametrize("accepted", ["", "soon", "2025-01-30T05:00:00.000Z", "2025-01-30T16:04:38"])
def test_a_filing_of_which_only_the_day_is_known_counts_from_the_next_open(
    server: VendorServer, vendor: SecEdgarVendor, accepted: str
):
    filed(server, entry(7, "8-K", accepted, filed="2025-01-31"))  # a Friday
    (filing,) = vendor.get_filings("ACMQ", *WINDOW)
    assert filing.known_at == datetime(2025, 2, 3, 14, 30, tzinfo=UTC)


def test_filings_are_those_of_the_window_newest_first(server: VendorServer, vendor: SecEdgarVendor):
    days = ("2024-12-31", "2025-01-01", "2025-03-31", "2025-04-01")
    filed(server, *(entry(number, "8-K", f"{day}T15:00:00.000Z") for number, day in enumerate(days)))
    assert [filing.filed_on.isoformat() for filing in vendor.get_filings("ACMQ", *WINDOW)] == [
        "2025-03-31",
        "2025-01-01",
    ]
    assert vendor.get_filings("ACMQ", date(2030, 1, 1), date(2030, 2, 1)) == ()


def test_older_pages_are_read_where_they_reach_into_the_window(server: VendorServer, vendor: SecEdgarVendor):
    names = [f"CIK0000000099-submissions-00{number}.json" for number in (1, 2)]
    spans = (("2024-06-01", "2025-01-15"), ("2020-01-01", "2024-05-31"))
    older = [
        {"name": name, "filingFrom": first, "filingTo": last} for name, (first, last) in zip(names, spans, strict=True)
    ]
    filed(server, entry(9, "8-K", "2025-02-01T15:00:00.000Z"), older=[*older, {"name": "../../x.json"}])
    server.answer(f"/submissions/{names[0]}", columns([entry(8, "4", "2025-01-10T15:00:00.000Z")]))
    assert [filing.accession for filing in vendor.get_filings("ACMQ", *WINDOW)] == [accession(9), accession(8)]
    assert server.count(f"/submissions/{names[0]}") == 1
    assert server.count(f"/submissions/{names[1]}") == 0
    server.answer(f"/submissions/{names[0]}", {"form": []})
    with pytest.raises(VendorDown, match="cannot be read"):
        vendor.get_filings("ACMQ", *WINDOW)


@pytest.mark.parametrize(
    "wrong",
    [
        {"accessionNumber": "1-2"},
        {"accessionNumber": 7},
        {"form": ""},
        {"form": None},
        {"form": "0.0040"},
        {"filingDate": "31/01/2025"},
        {"filingDate": "2999-01-01", "acceptanceDateTime": ""},
    ],
)
def test_an_unusable_line_is_left_out_and_none_but_such_is_unreadable(
    server: VendorServer, vendor: SecEdgarVendor, tmp_path: Path, wrong: dict[str, Any]
):
    good = entry(7, "8-K", "2025-01-30T21:04:38.000Z")
    filed(server, good, {**entry(8, "8-K", "2025-01-30T21:04:38.000Z"), **wrong})
    assert [filing.accession for filing in vendor.get_filings("ACMQ", *WINDOW)] == [accession(7)]
    filed(server, {**good, **wrong})
    with pytest.raises(VendorDown, match="cannot be read"):
        SOURCE.open(server, tmp_path).get_filings("ACMQ", *WINDOW)  # type: ignore[attr-defined]


def test_columns_of_unlike_length_are_unreadable(server: VendorServer, vendor: SecEdgarVendor):
    recent = columns([entry(7, "8-K", "2025-01-30T21:04:38.000Z")]) | {"form": []}
    server.answer(SUBMISSIONS, submissions() | {"filings": {"recent": recent, "files": []}})
    with pytest.raises(VendorDown, match="cannot be read"):
        vendor.get_filings("ACMQ", *WINDOW)


def test_a_document_is_no_way_out_of_the_folder(server: VendorServer, vendor: SecEdgarVendor):
    filed(server, entry(7, "8-K", "2025-01-30T21:04:38.000Z", document="../../evil.htm"))
    (filing,) = vendor.get_filings("ACMQ", *WINDOW)
    assert filing.url.endswith("/0000000099-25-000007-index.htm")


# Insiders


def test_every_field_of_a_trade(server: VendorServer, vendor: SecEdgarVendor):
    filed(server, line4(1, "2025-03-11T22:00:00.000Z"))
    reported(server, 1, form4(transaction("S", "2025-03-10-05:00", 1000, "50.5", side="D")))
    assert vendor.get_insider_transactions("ACMQ") == (
        InsiderTransaction(
            symbol="ACMQ",
            insider="QUILLER QUINN",
            relation="Chief Quark Officer",
            kind="sell",
            shares=1000.0,
            value=50500.0,
            transaction_date=date(2025, 3, 10),
            known_at=datetime(2025, 3, 11, 22, tzinfo=UTC),
            text="Sale at price 50.50 per share.",
        ),
    )


@pytest.mark.parametrize(
    ("code", "kind", "text"),
    [
        ("P", "buy", "Purchase at price 2.00 per share."),
        ("A", "grant", "Stock Award at price 2.00 per share."),
        ("G", "gift", "Stock Gift at price 2.00 per share."),
        ("M", "exercise", "Exercise of derivative at price 2.00 per share."),
        ("C", "exercise", "Exercise by conversion at price 2.00 per share."),
        ("F", "other", "Shares withheld for price or tax at price 2.00 per share."),
        ("?", "other", "Transaction at price 2.00 per share."),
    ],
)
def test_what_the_codes_mean(server: VendorServer, vendor: SecEdgarVendor, code: str, kind: str, text: str):
    filed(server, line4(1, "2025-03-11T22:00:00.000Z"))
    reported(server, 1, form4(transaction(code, "2025-03-10", 10, 2)))
    (trade,) = vendor.get_insider_transactions("ACMQ")
    assert (trade.kind, trade.text) == (kind, text)
    assert trade_kind(text) == kind, "a snapshot recorded from it reads the text"


def test_an_exercise_is_counted_once_and_options_granted_are_no_shares(server: VendorServer, vendor: SecEdgarVendor):
    filed(server, line4(1, "2025-03-11T22:00:00.000Z"))
    derivatives = [
        transaction("M", "2025-03-10", 300, 0, kind="derivative", side="D"),
        transaction("X", "2025-03-07", 200, 1.5, kind="derivative", side="D"),
        transaction("A", "2025-03-07", 900, 0, kind="derivative"),
    ]
    reported(server, 1, form4(transaction("M", "2025-03-10", 300, 8), derivatives=derivatives))
    found = vendor.get_insider_transactions("ACMQ")
    assert [(trade.kind, trade.shares, trade.value) for trade in found] == [
        ("exercise", 300.0, 2400.0),
        ("exercise", 200.0, 300.0),
    ]


def test_a_price_in_a_footnote_is_no_value_and_a_gift_is_worth_what_was_paid(
    server: VendorServer, vendor: SecEdgarVendor
):
    filed(server, line4(1, "2025-03-11T22:00:00.000Z"))
    reported(server, 1, form4(transaction("S", "2025-03-10", 10), transaction("G", "2025-03-09", 10, 0)))
    sale, gift = vendor.get_insider_transactions("ACMQ")
    assert (sale.value, sale.text) == (None, "Sale.")
    assert gift.value == 0.0


@pytest.mark.parametrize("shares", ["", "0", "NaN", "inf", "many", "-5"])
def test_a_trade_without_shares_or_day_is_left_out(server: VendorServer, vendor: SecEdgarVendor, shares: str):
    filed(server, line4(1, "2025-03-11T22:00:00.000Z"))
    trades = (
        transaction("S", "2025-03-10", shares, 50),
        transaction("S", "", 5, 50),
        transaction("P", "2025-03-10", 5),
    )
    reported(server, 1, form4(*trades))
    assert [trade.kind for trade in vendor.get_insider_transactions("ACMQ")] == ["buy"]


@pytest.mark.parametrize(
    ("relationship", "relation"),
    [
        (OFFICER.replace("Director>0", "Director>true"), "Chief Quark Officer, Director"),
        ("<isTenPercentOwner>1</isTenPercentOwner>", "10% Owner"),
        ("<isOfficer>1</isOfficer>", "Officer"),
        ("<isOther>1</isOther><otherText>Founder's trust</otherText>", "Founder's trust"),
        ("", ""),
    ],
)
def test_who_an_insider_is(server: VendorServer, vendor: SecEdgarVendor, relationship: str, relation: str):
    filed(server, line4(1, "2025-03-11T22:00:00.000Z"))
    reported(server, 1, form4(transaction("P", "2025-03-10", 5, 1), relationship=relationship))
    (trade,) = vendor.get_insider_transactions("ACMQ")
    assert trade.relation == relation


def test_an_amendment_adds_what_it_changes_and_a_form_s_own_twins_are_two(server: VendorServer, vendor: SecEdgarVendor):
    filed(server, line4(2, "2025-03-13T22:00:00.000Z", "4/A"), line4(1, "2025-03-11T22:00:00.000Z"))
    first = (transaction("S", "2025-03-10", 5, 1), transaction("S", "2025-03-10", 5, 1))
    reported(server, 1, form4(*first))
    reported(server, 2, form4(*first, transaction("S", "2025-03-11", 7, 1)))
    given = tuple(vendor.get_insider_transactions("ACMQ"))
    found, _ = distinct_trades(given, datetime(2025, 3, 14, tzinfo=UTC))
    assert sorted((trade.shares, trade.known_at.day) for trade in found) == [(5.0, 11), (5.0, 11), (7.0, 13)]


def test_the_newest_forms_of_two_years_are_read(
    server: VendorServer, vendor: SecEdgarVendor, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tradingagents.dataflows.vendors.sec_edgar.vendor.MAX_FORMS", 40)
    lines = [line4(number, f"2025-03-11T22:00:{number:02d}.000Z") for number in range(1, 42)]
    old = line4(50, "2023-06-30T21:00:00.000Z")  # the clock stands at 2025-06-30 22:00
    filed(server, old, *lines, entry(60, "3", "2025-03-11T22:00:00.000Z"))
    server.answer("/Archives/", Reply(form4(transaction("P", "2025-03-10", 5, 1)), content_type="text/xml"))
    vendor.get_insider_transactions("ACMQ")
    asked = [request.path for request in server.asked if request.path.startswith("/Archives/")]
    assert asked == [f"{folder(number)}form4.xml" for number in range(41, 1, -1)]


def test_no_forms_are_no_trades(server: VendorServer, vendor: SecEdgarVendor):
    filed(server, entry(60, "10-K", "2025-03-11T22:00:00.000Z"))
    assert vendor.get_insider_transactions("ACMQ") == ()


def test_a_form_about_another_company_s_shares_has_no_trades_here(server: VendorServer, vendor: SecEdgarVendor):
    filed(server, line4(1, "2025-03-11T22:00:00.000Z"))
    reported(server, 1, form4(transaction("P", "2025-03-10", 5, 1), issuer="0000000012"))
    assert vendor.get_insider_transactions("ACMQ") == ()


GOOD = form4(transaction("P", "2025-03-10", 5, 1))


@pytest.mark.parametrize(
    "body",
    [
        b"<html></html>",
        GOOD[:-40],
        GOOD.replace(b"<ownershipDocument>", b'<!DOCTYPE x [<!ENTITY a "aaaa">]><ownershipDocument>'),
        GOOD.decode().encode("utf-16"),
        GOOD.replace(b"0000000099", b"none"),
        GOOD.replace(b"</ownershipDocument>", b" " * 4_000_000 + b"</ownershipDocument>"),
    ],
    ids=["html", "truncated", "doctype", "utf-16", "no issuer", "too long"],
)
def test_a_document_that_is_no_form_is_passed_over_and_none_but_such_is_unreadable(
    server: VendorServer, vendor: SecEdgarVendor, body: bytes
):
    filed(server, line4(1, "2025-03-11T22:00:00.000Z"))
    reported(server, 1, body)
    with pytest.raises(VendorDown, match="insider trades of ACMQ cannot be read"):
        vendor.get_insider_transactions("ACMQ")
    reported(server, 1, GOOD)
    assert len(vendor.get_insider_transactions("ACMQ")) == 1


def test_a_missing_document_and_one_on_paper_are_passed_over(server: VendorServer, vendor: SecEdgarVendor):
    filed(
        server,
        line4(3, "2025-03-13T22:00:00.000Z"),
        line4(2, "2025-03-12T22:00:00.000Z", document="scan.pdf"),
        line4(1, "2025-03-11T22:00:00.000Z"),
    )
    reported(server, 1, GOOD)
    assert len(vendor.get_insider_transactions("ACMQ")) == 1


@pytest.mark.parametrize(
    ("text", "filed_on", "form", "accepted"),
    [
        ("2025-02-26T21:42:19.000Z", "2025-02-26", "10-K", "2025-02-26T21:42:19Z"),  # 16:42 in New York
        ("2025-02-26T16:42:19.000Z", "2025-02-26", "10-K", "2025-02-26T21:42:19Z"),  # its clock, or 11:42 there
        ("2025-04-30T07:30:32.000Z", "2025-04-30", "8-K", "2025-04-30T11:30:32Z"),  # EDGAR is closed at 3:30
        ("2025-01-30T01:55:03.000Z", "2025-01-30", "10-K", "2025-01-30T01:55:03Z"),  # and its clock at 1:55
        ("2025-05-01T22:05:00.000Z", "2025-05-02", "8-K", "2025-05-01T22:05:00Z"),  # and at 22:05
        ("2025-05-01T18:05:00.000Z", "2025-05-02", "8-K", "2025-05-01T22:05:00Z"),  # in the evening, so of the next day
        ("2025-03-11T20:10:00.000Z", "2025-03-11", "4", "2025-03-12T00:10:00Z"),  # of the day until 22:00
        ("2025-03-11T20:10:00.000Z", "2025-03-11", "8-K", "2025-03-11T20:10:00Z"),
        ("2025-03-11T16:10:00-04:00", "2025-03-11", "8-K", "2025-03-11T20:10:00Z"),
    ],
)
def test_an_instant_that_edgar_may_have_written_by_new_york_s_clock_is_read_as_the_later(
    text: str, filed_on: str, form: str, accepted: str
):
    instant, later = datetime.fromisoformat(accepted), datetime(2025, 6, 30, tzinfo=UTC)
    assert accepted_at(text, date.fromisoformat(filed_on), form) == instant
    assert accepted_at(text, date.fromisoformat(filed_on), form, now=later) == instant


def test_what_edgar_lists_was_not_accepted_in_the_future():
    text, read = "2025-03-11T15:10:00.000Z", datetime(2025, 3, 11, 15, 20, tzinfo=UTC)
    assert accepted_at(text, read.date(), "8-K", now=read) == datetime.fromisoformat(text)
