"""`get_financials` on recorded answers: EDGAR, Yahoo and the snapshot of the same years and quarters of Apple."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.contracts.sources.sec_edgar import SOURCE as SEC_EDGAR
from tests.dataflows.vendors.sec_payloads import submissions, tickers
from tests.support.vendor_server import Reply, vendor_server
from tests.support.yahoo_server import LocalSession, YahooServer, yahoo_server
from tradingagents.analytics.company.financials import Financials
from tradingagents.capabilities.filings import get_financials
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.settings import load_settings

pytestmark = pytest.mark.real_data
APPLE = 320193
NOW = datetime(2025, 6, 30, 22, tzinfo=UTC)
FLOWS = ("income", "cashflow")


def recorded(folder: Path, name: str) -> bytes:
    path = folder / "market" / "vendor_payloads" / name
    if not path.is_file():
        pytest.skip(f"{name} is not among the recorded data")
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


@dataclass(frozen=True)
class Records:
    """Three recorded sources."""

    vendors: Mapping[str, Vendor]
    yahoo: YahooServer
    folder: Path

    def ask(self, *order: str, period: str, years: int) -> Financials:
        name = f"fundamentalsTimeSeries-AAPL-all-{period}.json"
        self.yahoo.answer("timeseries", json.loads(recorded(self.folder, f"yahoo/fundamentals-timeseries/{name}")))
        settings = load_settings({"tool_vendors": {"get_financials": ",".join(order)}}, environ={})
        vendors = Vendors(settings, self.vendors, environ={})
        data = MarketData(settings, date(2025, 2, 19), vendors=vendors, now=lambda: NOW)
        result = get_financials.ask(data, ticker="AAPL", period=period, years=years)
        assert isinstance(result, Financials)
        return result


@pytest.fixture(scope="module")
def records(test_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Records]:
    home = tmp_path_factory.mktemp("home")
    with vendor_server() as edgar, yahoo_server() as yahoo:
        edgar.answer("/files/company_tickers.json", tickers(AAPL=APPLE))
        edgar.answer(f"/submissions/CIK{APPLE:010d}.json", submissions())  # not recorded: filings count by their day
        facts = recorded(test_data, "sec/companyfacts/CIK0000320193.json.gz")
        edgar.answer(f"/api/xbrl/companyfacts/CIK{APPLE:010d}.json", Reply(facts, content_type="application/json"))
        yahoo.answer(
            "quoteSummary", json.loads(recorded(test_data, "yahoo/quoteSummary/quoteSummary-all-AAPL.json.gz"))
        )
        yahoo.answer("quote", json.loads(recorded(test_data, "yahoo/quote/quote-AAPL.json")))
        vendors = {
            "sec_edgar": SEC_EDGAR.open(edgar, home),
            "yfinance": YFinanceVendor(cache_dir=home, session=LocalSession(yahoo.address), now=lambda: NOW),
            "snapshot": SnapshotVendor(test_data / "snapshot"),
        }
        yield Records(vendors, yahoo, test_data)


@pytest.mark.parametrize("order", [("sec_edgar", "yfinance"), ("yfinance", "sec_edgar")], ids=" ".join)
def test_edgar_and_yahoo_agree_on_apple_s_fiscal_years_2024_and_2023(records: Records, order: tuple[str, str]):
    """Form 10-K for the year to 2024-09-28, pages 29 to 33, in millions."""
    result = records.ask(*order, period="annual", years=2)
    assert result.source == order[0]
    for year, (revenue, net_income, assets, from_operations) in enumerate(
        [(391_035e6, 93_736e6, 364_980e6, 118_254e6), (383_285e6, 96_995e6, 352_583e6, 110_543e6)]
    ):
        income, balance, cashflow = (rows[year].items for rows in result.statements.values())
        assert (income["revenue"], income["net_income"]) == (revenue, net_income)
        assert (balance["total_assets"], cashflow["operating_cash_flow"]) == (assets, from_operations)
    (check,) = result.checks
    assert (check.source, check.periods, check.agreed) == (order[1], 2, 2)
    assert result.notes[0] == f"{order[0]} agrees with {order[1]} for 2 periods."


@pytest.mark.parametrize("first", ["sec_edgar", "yfinance", "snapshot"])
def test_all_three_agree_on_its_quarters_of_2024(records: Records, first: str):
    others = [name for name in ("sec_edgar", "yfinance", "snapshot") if name != first]
    result = records.ask(first, *others, period="quarterly", years=1)
    assert (result.source, result.period_end.year, result.period_end.month) == (first, 2024, 12)
    assert (result.revenue, result.net_income) == (124.3e9, 36.33e9)
    assert (result.total_assets, result.operating_cash_flow) == (344.085e9, 29.935e9)
    assert {check.source: (check.periods, check.agreed) for check in result.checks} == dict.fromkeys(others, (4, 4))
    assert not any(note.startswith("Warning") for note in result.notes)


def test_and_the_snapshot_s_quarters_add_up_to_the_year_2024(records: Records):
    year = records.ask("sec_edgar", period="annual", years=1)
    income, cashflow = (records.ask("snapshot", period="quarterly", years=2).statements[kind] for kind in FLOWS)
    for name, value, quarters in (
        ("revenue", year.revenue, income),
        ("net_income", year.net_income, income),
        ("operating_cash_flow", year.operating_cash_flow, cashflow),
    ):
        assert sum(one.items[name] for one in quarters if one.fiscal_year == 2024) == value
