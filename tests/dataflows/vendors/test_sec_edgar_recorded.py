"""EDGAR as recorded, served as it was: figures known by heart, and every quarter against another vendor's record."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.sec_edgar import SOURCE
from tests.dataflows.vendors.sec_payloads import entry, submissions, tickers
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tradingagents.dataflows.models import Frequency, Statement, StatementKind
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor

SHARED = Path(os.environ.get("TRADINGAGENTS_TEST_DATA") or Path(__file__).resolve().parents[4] / "shared")
RECORDED, OWNERSHIP = SHARED / "market" / "vendor_payloads" / "sec", SHARED / "market" / "filings" / "ownership"
pytestmark = [
    pytest.mark.real_data,
    pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded answers are not here"),
]
APPLE, NVIDIA, SNOWFLAKE, GOOGLE = 320193, 1045810, 1640147, 1652044
M = 1e6


def page(name: str) -> bytes:
    path = RECORDED / name
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


@pytest.fixture(scope="module")
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        running.answer(
            "/files/company_tickers.json", tickers(AAPL=APPLE, NVDA=NVIDIA, SNOW=SNOWFLAKE, GOOGL=GOOGLE, MSFT=789019)
        )
        for cik, name in (
            (APPLE, "CIK0000320193.json.gz"),
            (NVIDIA, "CIK0001045810.json.gz"),
            (GOOGLE, "CIK0001652044.json.gz"),
        ):
            body = Reply(page(f"companyfacts/{name}"), content_type="application/json")
            running.answer(f"/api/xbrl/companyfacts/CIK{cik:010d}.json", body)
        for cik in (APPLE, GOOGLE):  # their indices were not recorded: filings count from the open after their day
            running.answer(f"/submissions/CIK{cik:010d}.json", submissions())
        for cik in (NVIDIA, 789019):
            name = f"submissions/CIK{cik:010d}.json"
            running.answer(f"/{name}", Reply(page(f"{name}.gz"), content_type="application/json"))
        yield running


@pytest.fixture(scope="module")
def vendor(server: VendorServer, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return SOURCE.open(server, tmp_path_factory.mktemp("home"), now=lambda: datetime(2026, 3, 10, tzinfo=UTC))


def first_filed(rows: tuple[Statement, ...], end: date) -> Statement:
    return min((row for row in rows if row.period_end == end), key=lambda row: row.known_at)


def items(vendor: Any, symbol: str, kind: StatementKind, freq: Frequency, end: date) -> dict[str, float]:
    return dict(first_filed(vendor.get_statements(symbol, kind, freq), end).items)


def test_apple_s_fiscal_year_2023_to_the_million(vendor: Any):
    """Form 10-K for the year to 2023-09-30, pages 28 to 32."""
    end = date(2023, 9, 30)
    income = items(vendor, "AAPL", "income", "annual", end)
    assert {name: income[name] / M for name in ("revenue", "cost_of_revenue", "operating_income", "net_income")} == {
        "revenue": 383_285,
        "cost_of_revenue": 214_137,
        "operating_income": 114_301,
        "net_income": 96_995,
    }
    assert (income["eps_basic"], income["eps_diluted"]) == (6.16, 6.13)
    balance = items(vendor, "AAPL", "balance", "annual", end)
    assert (balance["total_assets"] / M, balance["total_liabilities"] / M, balance["equity"] / M) == (
        352_583,
        290_437,
        62_146,
    )
    assert balance["short_term_debt"] / M == 5_985 + 9_822  # commercial paper and term debt
    flows = items(vendor, "AAPL", "cashflow", "annual", end)
    assert {name: value / M for name, value in flows.items()} == {
        "operating_cash_flow": 110_543,
        "capital_expenditure": -10_959,
        "free_cash_flow": 99_584,
        "investing_cash_flow": 3_705,
        "financing_cash_flow": -108_488,
        "dividends_paid": -15_025,
        "share_repurchases": -77_550,
        "net_change_in_cash": 5_760,
    }


def test_apple_s_fourth_quarter_of_2023(vendor: Any):
    """As in its press release of 2023-11-02: net sales 89,498, net income 22,956 million, 1.46 a share."""
    quarter = items(vendor, "AAPL", "income", "quarterly", date(2023, 9, 30))
    assert (quarter["revenue"] / M, quarter["net_income"] / M) == (89_498, 22_956)
    assert quarter["eps_diluted"] == pytest.approx(1.46, abs=0.02)
    assert "shares_diluted" not in quarter


def test_nvidia_s_fiscal_years_and_when_they_were_known(vendor: Any):
    """Forms 10-K for the years to 2024-01-28 and 2025-01-26; shares split ten for one between them."""
    rows = vendor.get_statements("NVDA", "income", "annual")
    year = first_filed(rows, date(2025, 1, 26))
    assert (year.fiscal_year, year.fiscal_period) == (2025, "FY")
    assert (year.items["revenue"] / M, year.items["net_income"] / M, year.items["eps_diluted"]) == (
        130_497,
        72_880,
        2.94,
    )
    assert year.known_at == datetime(2025, 2, 26, 21, 48, 33, tzinfo=UTC)
    split = [(row.items["eps_diluted"], row.known_at.year) for row in rows if row.period_end == date(2024, 1, 28)]
    assert split == [(1.19, 2025), (11.93, 2024)], "restated for the split, in a row of its own"
    fourth = items(vendor, "NVDA", "income", "quarterly", date(2025, 1, 26))
    assert (fourth["revenue"] / M, fourth["net_income"] / M) == (39_331, 22_091)
    assert fourth["eps_diluted"] == pytest.approx(0.89, abs=0.02)


@pytest.mark.skipif(not (SHARED / "snapshot").is_dir(), reason="the recorded snapshot is not here")
@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("income", ("revenue", "gross_profit", "operating_income", "pretax_income", "income_tax", "net_income")),
        ("balance", ("total_assets", "current_assets", "current_liabilities", "total_liabilities", "equity")),
        ("cashflow", ("operating_cash_flow", "investing_cash_flow", "financing_cash_flow")),
    ],
)
def test_apple_s_quarters_agree_with_polygon_s_of_ten_years(vendor: Any, kind: StatementKind, names: tuple[str, ...]):
    ours: dict[date, Statement] = {}
    for row in sorted(vendor.get_statements("AAPL", kind, "quarterly"), key=lambda row: row.known_at):
        ours.setdefault(row.period_end, row)
    compared = 0
    for theirs in SnapshotVendor(SHARED / "snapshot").get_statements("AAPL", kind, "quarterly"):
        row = ours.get(theirs.period_end)
        if row is None:
            continue
        assert (row.fiscal_year, row.fiscal_period) == (theirs.fiscal_year, theirs.fiscal_period)
        for name in set(names) & row.items.keys() & theirs.items.keys():
            # Polygon takes some quarters from later filings; none of these figures moved by more.
            assert row.items[name] == pytest.approx(theirs.items[name], rel=0.002), (theirs.period_end, name)
            compared += 1
    assert compared > 100


def test_every_filing_of_a_recorded_index(vendor: Any):
    recent = json.loads(page("submissions/CIK0000789019.json.gz"))["filings"]["recent"]
    found = {filing.accession: filing for filing in vendor.get_filings("MSFT", date(2019, 9, 13), date(2026, 3, 1))}
    assert len(found) == len(recent["accessionNumber"]) == 1006
    for index, number in enumerate(recent["accessionNumber"]):
        filing = found[number]
        assert filing.form == recent["form"][index]
        marked = datetime.fromisoformat(recent["acceptanceDateTime"][index])
        assert filing.known_at in (marked, marked + timedelta(hours=4), marked + timedelta(hours=5))
        assert filing.known_at == marked or filing.form != "10-Q"  # its releases come after the close
        assert filing.filed_on.isoformat() == recent["filingDate"][index]
        assert ",".join(filing.items) == (recent["items"][index] if filing.form.startswith("8-K") else "")
        assert filing.url.endswith(f"{number.replace('-', '')}/{recent['primaryDocument'][index]}")
        assert (filing.period_end.isoformat() if filing.period_end else "") == recent["reportDate"][index]
    profile = vendor.get_profile("MSFT")
    assert (profile.name, profile.sector, profile.industry) == (
        "MICROSOFT CORP",
        "technology",
        "Services-Prepackaged Software",
    )


def test_a_recorded_form_4(server: VendorServer, tmp_path: Path):
    """Snowflake's finance chief exercised 200,000 options at 8.88 on 2022-12-13, and sold 200,000 shares."""
    index = submissions(entry(1, "4", "2022-12-15T22:00:00.000Z", document="xslF345X03/form4.xml"))
    server.answer(f"/submissions/CIK{SNOWFLAKE:010d}.json", index)
    body = gzip.decompress((OWNERSHIP / "form4.snow.xml.gz").read_bytes())
    server.answer(f"/Archives/edgar/data/{SNOWFLAKE}/", Reply(body, content_type="text/xml"))
    asked = SOURCE.open(server, tmp_path, now=lambda: datetime(2023, 3, 10, tzinfo=UTC))
    trades = asked.get_insider_transactions("SNOW")
    assert {(trade.insider, trade.relation) for trade in trades} == {("Scarpelli Michael", "Chief Financial Officer")}
    exercised = [(trade.shares, trade.value) for trade in trades if trade.kind == "exercise"]
    assert exercised == [(200_000.0, pytest.approx(1_776_000.0))]
    sold = [trade for trade in trades if trade.kind == "sell"]
    assert (sold[0].shares, sold[0].value) == (73_170.0, pytest.approx(73_170 * 150.841))
    assert all(trade.transaction_date == date(2022, 12, 13) for trade in trades)
