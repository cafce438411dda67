"""Alpha Vantage for the contract tests: a company with prices, books, news and insiders, and poison of later."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from tests.contracts.sources.source import LATER, SYMBOL, Source
from tests.dataflows.vendors import alpha_vantage_payloads as payloads
from tests.dataflows.vendors.alpha_vantage_payloads import (
    article,
    bar,
    daily,
    dividend,
    earnings,
    events,
    feed,
    report,
    reports,
    split,
    trade,
)
from tests.support.vendor_server import VendorServer
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendors.alpha_vantage import AlphaVantageVendor

SPLIT_DAY = date(2024, 6, 10)
QUARTERS = (
    "2024-12-31",
    "2024-09-30",
    "2024-06-30",
    "2024-03-31",
    "2023-12-31",
    "2023-09-30",
    "2023-06-30",
    "2023-03-31",
)


def fill(server: VendorServer, poisoned_after: date | None) -> None:
    bars: dict[str, Any] = {}
    for number, day in enumerate(sessions().between(date(2022, 1, 3), LATER)):
        close = 50 + abs(number % 80 - 40) + number / 20  # up and down: a fall by half in a day would be withheld
        close *= 2 if day < SPLIT_DAY else 1  # as traded
        wild = 9.0 + number % 2 if poisoned_after and day > poisoned_after else 1.0
        bars[day.isoformat()] = bar(
            *(wild * value for value in (close - 1, close + 2, close - 2, close, 1000 + number))
        )
    late: list[Any] = []
    news = [article("Quarks need no oil", "20250313T140000"), article("Oil before", "20250310T140000")]
    trades = [trade("2025-03-10", "A", "1000.0", "126.5")]
    splits, paid = [split(SPLIT_DAY.isoformat(), "2.0")], [dividend("2025-02-10", "0.5")]
    if poisoned_after:
        splits.append(split("2025-04-10", "10.0"))
        paid.append(dividend("2025-05-12", "9.0"))
        news += [article("POISON oil", "20250314T200001"), article("POISON oil of June", "20250612T140000")]
        trades.append(trade("2025-03-13", "A", "9000000.0", "99.0", executive="POISON"))
        late = [
            report("2025-03-31", totalRevenue="9e14", netIncome="9e14", totalAssets="9e14", operatingCashflow="9e14")
        ]
    quarters = [
        report(
            day,
            totalRevenue=str(1_000_000_000 - 10_000_000 * number),
            costOfRevenue="400000000",
            grossProfit="500000000",
            operatingIncome="200000000",
            netIncome=str(100_000_000 - 1_000_000 * number),
            totalAssets="5000000000",
            totalLiabilities="2000000000",
            totalShareholderEquity="3000000000",
            totalCurrentAssets="1500000000",
            totalCurrentLiabilities="1000000000",
            operatingCashflow="200000000",
            capitalExpenditures="50000000",
        )
        for number, day in enumerate(QUARTERS)
    ]
    books = reports(*late, *quarters, years=[_year(quarters[:4]), _year(quarters[4:])])
    payloads.fill(
        server,
        TIME_SERIES_DAILY=daily(bars),
        SPLITS=events(*splits),
        DIVIDENDS=events(*paid),
        INCOME_STATEMENT=books,
        BALANCE_SHEET=books,
        CASH_FLOW=books,
        EARNINGS=earnings(Q2025_03_31="2025-04-24", Q2024_12_31="2025-02-06", Q2024_09_30="2024-10-24"),
        NEWS_SENTIMENT=feed(*news),
        INSIDER_TRANSACTIONS={"data": trades},
    )


def _year(quarters: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the report of the year that ends with the first of four quarters: its flows are their sums."""
    flows = ("totalRevenue", "costOfRevenue", "grossProfit", "operatingIncome", "netIncome")
    flows += ("operatingCashflow", "capitalExpenditures")
    return {**quarters[0], **{name: str(sum(int(quarter[name]) for quarter in quarters)) for name in flows}}


WINDOW = (datetime(2025, 3, 1, tzinfo=UTC), datetime(2025, 3, 14, 20, tzinfo=UTC))
SOURCE = Source(
    kind=AlphaVantageVendor,
    fill=fill,
    asks={
        "get_stock_data": (SYMBOL, date(2024, 1, 2), date(2025, 3, 14)),
        "get_profile": (SYMBOL,),
        "get_statements": (SYMBOL, "income", "quarterly"),
        "get_fundamentals": (SYMBOL,),
        "get_news": (SYMBOL, *WINDOW),
        "get_global_news": WINDOW,
        "get_topic_news": ("oil", *WINDOW),
        "get_insider_transactions": (SYMBOL,),
        "get_market_movers": ("day_gainers", date(2025, 6, 30)),
        "get_industry_performance": ("energy",),
        "get_earnings_calendar": (date(2025, 3, 1), date(2025, 3, 31)),
    },
    # It has no indices, and its statements count no shares, so that it gives no multiple at all.
    lacks=frozenset(
        {
            *("get_macro_regime", "get_peer_multiples", "sp500_dcf"),
            *("build_valuation_inputs", "valuation", "sensitivity", "reverse_valuation"),  # no share counts
            *("trailing_forward_pe", "resolve"),  # no earnings per share; the recorded market resolves the ticker first
        }
    ),
    # its calendar, which it has for today only, is left out; companies are found in the recorded market
    unshown=frozenset({"watchlist", "find_instruments"}),
    environ={"ALPHA_VANTAGE_API_KEY": payloads.KEY},
)
