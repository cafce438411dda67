"""The recorded folder reads as the world was: known figures, known filing instants, and its defects handled."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest

from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.errors import NoData

pytestmark = pytest.mark.real_data

WINDOW = (date(2022, 1, 1), date(2025, 8, 15))
DOW = (
    *("AAPL", "AMGN", "AMZN", "AXP", "BA", "CAT", "CRM", "GS", "HD", "HON"),
    *("IBM", "JNJ", "JPM", "MCD", "MSFT", "PG", "SHW", "TRV", "UNH", "V"),
)


@pytest.fixture(scope="module")
def vendor(test_data: Path) -> SnapshotVendor:
    return SnapshotVendor(test_data / "snapshot")


def by_end(vendor: SnapshotVendor, symbol: str, kind: str, freq: str = "quarterly") -> dict[date, Statement]:
    return {row.period_end: row for row in vendor.get_statements(symbol, kind, freq)}  # type: ignore[arg-type]


def test_apple_closed_at_213_49_on_14_march_2025(vendor: SnapshotVendor) -> None:
    bars = vendor.get_stock_data("AAPL", date(2025, 3, 14), date(2025, 3, 14))
    shown = [getattr(bars, name).tolist() for name in ("open", "high", "low", "close", "adj_close", "volume")]
    assert shown == [[211.25], [213.95], [209.58], [213.49], [212.9687], [60107600.0]]
    assert bars.fetched_at == datetime(2025, 8, 15, 20, tzinfo=UTC)


def test_every_symbol_has_its_bars(vendor: SnapshotVendor) -> None:
    table = vendor._prices()
    assert len(table.symbols) == 540
    assert sum(len(table.bars(symbol, *WINDOW).days) for symbol in table.symbols) == 365_675
    assert Counter(table.bars(symbol, *WINDOW).basis for symbol in table.symbols) == {
        "fully_adjusted": 475,
        "split_adjusted": 59,
        "index": 6,
    }


@pytest.mark.parametrize(
    ("symbol", "before", "ratio", "as_traded"),
    [
        ("NVDA", date(2024, 6, 7), 10.0, 1208.88),
        ("AVGO", date(2024, 7, 12), 10.0, 1700.67),
        ("TSLA", date(2022, 8, 24), 3.0, 891.29),
        ("WMT", date(2024, 2, 23), 3.0, 175.56),
        ("DHR", date(2023, 9, 29), 1.128, 248.1),  # the Veralto spin-off, recorded as a split
    ],
)
def test_prices_are_split_adjusted_and_read_as_traded_before_the_split(
    vendor: SnapshotVendor, symbol: str, before: date, ratio: float, as_traded: float
) -> None:
    bars = vendor.get_stock_data(symbol, *WINDOW)
    assert [split.ratio for split in bars.splits] == [ratio]
    split_day = np.datetime64(bars.splits[0].day)
    index = int(np.searchsorted(bars.days, split_day))
    assert abs(bars.close[index] / bars.close[index - 1] - 1) < 0.05, "no jump on the morning of the split"
    assert bars.upto(before).as_traded(before).close[-1] == pytest.approx(as_traded, abs=0.005)


def test_apple_fiscal_2024_first_quarter(vendor: SnapshotVendor) -> None:
    end = date(2023, 12, 30)
    income, cash = by_end(vendor, "AAPL", "income")[end], by_end(vendor, "AAPL", "cashflow")[end]
    assert (income.fiscal_year, income.fiscal_period) == (2024, "Q1")
    assert income.items["revenue"] == 119.575e9
    assert (income.items["net_income"], income.items["eps_diluted"]) == (33.916e9, 2.18)
    assert cash.items["operating_cash_flow"] == 39.895e9
    assert income.known_at == datetime(2024, 2, 1, 23, 3, 38, tzinfo=UTC)


def test_apple_filed_its_fiscal_2025_first_quarter_at_11_01_27(vendor: SnapshotVendor) -> None:
    income = by_end(vendor, "AAPL", "income")[date(2024, 12, 28)]
    assert income.items["revenue"] == 124.3e9
    assert income.known_at == datetime(2025, 1, 31, 11, 1, 27, tzinfo=UTC)
    assert income.known_by == "accepted"


def test_cash_flows_are_of_the_single_quarter(vendor: SnapshotVendor) -> None:
    cash = by_end(vendor, "AAPL", "cashflow")
    year = [cash[end].items["operating_cash_flow"] for end in cash if date(2023, 12, 1) < end < date(2024, 10, 1)]
    assert len(year) == 4
    assert sum(year) == 118.254e9, "Apple's operating cash flow of fiscal 2024"


def test_fourth_quarters_are_known_with_the_annual_report_at_the_latest(vendor: SnapshotVendor) -> None:
    fourth = by_end(vendor, "AAPL", "income")[date(2024, 9, 28)]
    assert fourth.known_by == "assumed"
    assert fourth.known_at == datetime(2024, 12, 30, 14, 30, tzinfo=UTC)
    assert "shares_diluted" not in fourth.items, "a year's average less nine months' is no average"
    assert (fourth.items["revenue"], fourth.items["eps_diluted"]) == (94.93e9, 0.97)


def test_no_statement_is_known_within_two_weeks_of_its_period(vendor: SnapshotVendor) -> None:
    for symbol in DOW:
        for kind in ("income", "balance", "cashflow"):
            lags = [
                (row.known_at.date() - row.period_end).days for row in vendor.get_statements(symbol, kind, "quarterly")
            ]  # type: ignore[arg-type]
            assert min(lags) >= 14, (symbol, kind)
            assert max(lags) <= 97, (symbol, kind)


def test_average_shares_agree_with_income_per_share(vendor: SnapshotVendor) -> None:
    for symbol in DOW:
        for row in vendor.get_statements(symbol, "income", "quarterly"):
            items = row.items
            if "shares_diluted" in items and abs(items.get("eps_diluted", 0.0)) > 0.5:
                assert 0.1 < items["net_income"] / items["eps_diluted"] / items["shares_diluted"] < 10, (symbol, row)


def test_balances_balance(vendor: SnapshotVendor) -> None:
    checked = 0
    for symbol in DOW:
        for row in vendor.get_statements(symbol, "balance", "quarterly"):
            items = row.items
            if "total_liabilities" in items and "total_assets" in items:
                gap = items["total_assets"] - items["total_liabilities"] - items["equity"]
                assert abs(gap) < 0.06 * items["total_assets"], (
                    symbol,
                    row.period_end,
                )  # minority interests lie between
                checked += 1
    assert checked > 950


def test_banks_have_no_current_ratio(vendor: SnapshotVendor) -> None:
    for symbol in ("JPM", "GS", "AXP", "TRV"):
        newest = vendor.get_statements(symbol, "balance", "quarterly")[0].items
        assert "current_assets" not in newest
        assert "current_liabilities" not in newest


def test_procter_and_gamble_has_no_pretax_income_of_the_size_of_its_sales(vendor: SnapshotVendor) -> None:
    assert all("pretax_income" not in row.items for row in vendor.get_statements("PG", "income", "quarterly"))


def test_yahoo_statements_have_fiscal_quarters_and_assumed_days(vendor: SnapshotVendor) -> None:
    nvidia = by_end(vendor, "NVDA", "income")[date(2025, 1, 31)]
    assert (nvidia.fiscal_year, nvidia.fiscal_period, nvidia.items["revenue"]) == (2025, "Q4", 39.331e9)
    assert nvidia.known_by == "assumed"
    assert nvidia.known_at == datetime(2025, 5, 2, 13, 30, tzinfo=UTC)
    annual = by_end(vendor, "NVDA", "cashflow", "annual")[date(2025, 1, 31)]
    assert (annual.fiscal_period, annual.items["free_cash_flow"]) == ("FY", 60.853e9)
    assert date(2024, 6, 30) not in by_end(vendor, "ABBV", "income"), "a column of blanks"


def test_nameless_funds_that_are_companies_are_stocks(vendor: SnapshotVendor) -> None:
    assert {vendor.get_profile(symbol).kind for symbol in ("K", "PARA", "MTCH", "WBA", "FI")} == {"stock"}
    assert {vendor.get_profile(symbol).kind for symbol in ("SPY", "QQQ", "TLT", "HYG", "XLK", "RSP")} == {"etf"}
    assert {vendor.get_profile(symbol).kind for symbol in ("^VIX", "^GSPC")} == {"index"}
    assert vendor.get_profile("BRK-B").sector == "financials"


def test_news_of_apple_in_march_2025_are_timed(vendor: SnapshotVendor) -> None:
    found = vendor.get_news("AAPL", datetime(2025, 3, 1, tzinfo=UTC), datetime(2025, 3, 14, 20, tzinfo=UTC))
    assert len(found) == 41
    assert not any(item.day_only for item in found)
    assert len({item.url for item in found}) == 41


def test_market_news_exist_in_both_halves_of_the_window(vendor: SnapshotVendor) -> None:
    early = vendor.get_global_news(datetime(2023, 3, 1, tzinfo=UTC), datetime(2023, 3, 14, 20, tzinfo=UTC))
    late = vendor.get_global_news(datetime(2025, 3, 1, tzinfo=UTC), datetime(2025, 3, 14, 20, tzinfo=UTC))
    assert all(item.day_only and item.known_at > item.published_at for item in early)
    assert not any(item.day_only for item in late)
    assert len(early) > 50
    assert len(late) > 50


def test_insider_trades_of_apple(vendor: SnapshotVendor) -> None:
    trades = vendor.get_insider_transactions("AAPL")
    assert len(trades) == 109
    sale = next(row for row in trades if row.transaction_date == date(2023, 3, 22) and row.shares == 187730)
    assert (sale.kind, sale.value) == ("sell", 29991745.0)
    assert sale.known_at == datetime(2023, 3, 27, 13, 30, tzinfo=UTC)
    with pytest.raises(NoData):
        vendor.get_insider_transactions("KO")


def test_peers_of_apple_are_the_usual_ones(vendor: SnapshotVendor) -> None:
    peers = vendor.get_peers("AAPL", "technology")
    assert peers[:3] == ("MSFT", "NVDA", "AVGO")
    assert len(peers) == len(set(peers)) == 65  # all of the sector: `MarketData.peers` takes the first ten listed
    assert "AAPL" not in peers
