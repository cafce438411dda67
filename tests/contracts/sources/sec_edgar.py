"""EDGAR for the contract tests: a company's books of two years, filings and a trade, an investor, and later poison."""

from __future__ import annotations

from datetime import date

from tests.contracts.sources.source import SYMBOL, Source
from tests.dataflows.vendors.sec_payloads import (
    CIK,
    FACTS,
    IDENTITY,
    INVESTOR,
    INVESTOR_SUBMISSIONS,
    SUBMISSIONS,
    Facts,
    accession,
    complete_text,
    entry,
    folder,
    form4,
    form13f,
    holding,
    submissions,
    tickers,
    transaction,
)
from tests.support.vendor_server import Reply, VendorServer
from tradingagents.dataflows.vendors.sec_edgar import SecEdgarVendor

YEARS = ("2023", "2024")
WILD = 9.99e14


def fill(server: VendorServer, poisoned_after: date | None) -> None:
    facts, entries, number = Facts(), [], 0
    for year in YEARS:
        for quarter, (first, last, filed) in enumerate(_quarters(year), start=1):
            number += 1
            form = "10-K" if quarter == 4 else "10-Q"
            add_books(facts, number, form, filed, year, first, last, quarter, 1e9)
            entries.append(entry(number, form, f"{filed}T21:05:00.000Z", reportDate=last))
            _report(server, number, form, last, "Sales were good.")
    trades = form4(transaction("S", "2025-03-10", 1000, 50), transaction("P", "2025-02-10", 400, 49))
    entries.append(entry(50, "4", "2025-03-11T22:00:00.000Z", document="xslF345X05/form4.xml"))
    server.answer(f"{folder(50)}form4.xml", Reply(trades, content_type="text/xml"))
    if poisoned_after is not None:
        _poison(server, facts, entries)
    server.answer("/files/company_tickers.json", tickers(**{SYMBOL: CIK}))
    server.answer(SUBMISSIONS, submissions(*entries[::-1]))
    server.answer(FACTS, facts.page())
    _investor(server, poisoned_after is not None)


def _report(server: VendorServer, number: int, form: str, last: str, words: str) -> None:
    """The main document of a filing, with one item."""
    item = "<p><b>PART I</b></p><p><b>Item 2. Management's Discussion and Analysis</b></p>"
    page = f"<html><body><p>FORM {form}</p><p>Period to {last}</p>{item}<p>{words} See Item 1.</p></body></html>"
    server.answer(f"{folder(number)}main.htm", Reply(page.encode(), content_type="text/html"))


def _investor(server: VendorServer, poisoned: bool) -> None:
    """Two quarters of an investor; the poison replaces the newer one a second after the close of the day."""
    reports = {
        70: ("13F-HR", "2024-11-14T21:05:00.000Z", form13f(holding("ACME", 1e9, 2e7), period="09-30-2024")),
        71: ("13F-HR", "2025-02-14T21:05:00.000Z", form13f(holding("ACME", 1.2e9, 2.5e7), period="12-31-2024")),
    }
    if poisoned:
        wild = form13f(holding("POISON", WILD, 9e6), period="12-31-2024", amendment="RESTATEMENT")
        reports[72] = ("13F-HR/A", "2025-03-14T20:00:01.000Z", wild)
    for number, (_, _, body) in reports.items():
        server.answer(complete_text(number), Reply(body, content_type="text/plain"))
    lines = [entry(number, form, accepted) for number, (form, accepted, _) in reports.items()]
    server.answer(INVESTOR_SUBMISSIONS, submissions(*lines[::-1], name="LARKSPUR HILL CAPITAL LP"))


def _poison(server: VendorServer, facts: Facts, entries: list[dict[str, str]]) -> None:
    """After the close of the day: the year restated, a quarter more, an 8-K and a purchase called POISON."""
    first, last, _ = _quarters("2024")[3]
    add_books(facts, 60, "10-K/A", "2025-03-14", "2024", first, last, 4, WILD)
    add_books(facts, 61, "10-Q", "2025-05-01", "2025", "2025-01-01", "2025-03-31", 1, WILD)
    purchase = form4(transaction("P", "2025-03-14", 9e6, 100), owner="POISON")
    server.answer(f"{folder(62)}form4.xml", Reply(purchase, content_type="text/xml"))
    _report(server, 61, "10-Q", "2025-03-31", "POISON")
    entries += [
        entry(60, "10-K/A", "2025-03-14T20:00:01.000Z", reportDate="2024-12-31", primaryDocDescription="POISON"),
        entry(63, "8-K", "2025-03-14", items="2.02", primaryDocDescription="POISON"),
        entry(61, "10-Q", "2025-05-01T21:05:00.000Z", reportDate="2025-03-31", primaryDocDescription="POISON"),
        entry(62, "4", "2025-03-14T22:00:00.000Z", document="xslF345X05/form4.xml"),
    ]


def _quarters(year: str) -> tuple[tuple[str, str, str], ...]:
    """Return first day, last day and day of filing."""
    return (
        (f"{year}-01-01", f"{year}-03-31", f"{year}-05-01"),
        (f"{year}-04-01", f"{year}-06-30", f"{year}-08-01"),
        (f"{year}-07-01", f"{year}-09-30", f"{year}-11-01"),
        (f"{year}-10-01", f"{year}-12-31", f"{int(year) + 1}-02-10"),
    )


def add_books(
    facts: Facts, number: int, form: str, filed: str, year: str, first: str, last: str, quarter: int, size: float
) -> None:
    """Add one filing: a 10-Q with its quarter and the year to date, a 10-K with the year."""
    spans = [((f"{year}-01-01", last), quarter)] + ([((first, last), 1)] if 1 < quarter < 4 else [])
    for span, quarters in spans:
        revenue = size * quarters
        flows = {"Revenues": revenue, "CostOfRevenue": 0.6 * revenue, "OperatingIncomeLoss": 0.2 * revenue}
        facts.add(
            number, form, filed, span, **flows, NetIncomeLoss=0.15 * revenue, IncomeTaxExpenseBenefit=0.04 * revenue
        )
        facts.add(number, form, filed, span, "USD/shares", EarningsPerShareDiluted=1.5 * quarters)
        facts.add(number, form, filed, span, "shares", WeightedAverageNumberOfDilutedSharesOutstanding=1e8)
    year_to_date = size * quarter
    facts.add(
        number,
        form,
        filed,
        (f"{year}-01-01", last),
        NetCashProvidedByUsedInOperatingActivities=0.22 * year_to_date,
        NetCashProvidedByUsedInInvestingActivities=-0.1 * year_to_date,
        PaymentsToAcquirePropertyPlantAndEquipment=0.06 * year_to_date,
    )
    sheet = {"Assets": 6 * size, "Liabilities": 3 * size, "StockholdersEquity": 3 * size, "AssetsCurrent": 2 * size}
    facts.add(number, form, filed, last, **sheet, LiabilitiesCurrent=size, LongTermDebtNoncurrent=size)


SOURCE = Source(
    kind=SecEdgarVendor,
    fill=fill,
    asks={
        "get_profile": (SYMBOL,),
        "get_statements": (SYMBOL, "income", "quarterly"),
        "get_filings": (SYMBOL, date(2024, 9, 1), date(2025, 6, 13)),
        "get_filing_document": (SYMBOL, accession(7)),
        "get_reported_facts": (SYMBOL,),
        "get_insider_transactions": (SYMBOL,),
        "get_holdings": (str(INVESTOR), date(2024, 9, 1), date(2025, 6, 13)),
    },
    # The recorded 10-K has no statements for `answer_from_filings` to read; results come from the recorded calendar,
    # beside which remote statements are not asked what tells against them.
    unshown=frozenset(
        {"top_companies", "calculate_factors", "run_factor_regression", "answer_from_filings", "earnings"}
    ),
    environ={"EDGAR_IDENTITY": IDENTITY},
)
