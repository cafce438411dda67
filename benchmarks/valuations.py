"""What large companies are worth by the defaults: `python -m benchmarks.valuations --data-dir DIR`.

Builds the inputs of each company without a hand from recorded data, and prints a Markdown table of value, price and
what the price implies. Banks and insurers are valued by excess returns; a company that cannot be valued says why. A
star marks a value on figures whose successors were due by the day and are not recorded, accepted by `base_period`.
"""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from benchmarks.valuation_range import asked
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import TradingAgentsError
from tradingagents.settings import load_settings
from tradingagents.valuation.company.results import CompanyValuation

DAY = date(2025, 3, 14)
COMPANIES = (
    *("AAPL", "MSFT", "AMZN", "NVDA", "GOOGL", "META", "TSLA", "JNJ", "PG", "HD", "WMT", "UNH", "AMGN", "CRM", "IBM"),
    *("MCD", "HON", "SHW", "BA", "XOM", "CAT", "V", "JPM", "BAC", "GS", "AXP", "TRV"),
)


def row(company: CompanyValuation, *, is_older: bool) -> str:
    """Return one line of the table, with a star where it rests on older figures."""
    star = "\\*" if is_older else ""
    implied = "none" if company.implied is None else f"{company.implied:.1%} {company.implied_name.replace('_', ' ')}"
    return (
        f"| {company.symbol}{star} | {company.model} | {company.price:.2f} | {company.value_per_share:.2f} | "
        f"{company.upside:+.0%} | {implied} |"
    )


def main() -> None:
    """Value every company and print the table, then the refusals."""
    parser = argparse.ArgumentParser(description="What large companies are worth by the defaults.")
    parser.add_argument("--data-dir", type=Path, required=True, help="folder of recorded data")
    parser.add_argument("--day", type=date.fromisoformat, default=DAY, help="day to value at")
    given = parser.parse_args()
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(given.data_dir)}, environ={})
    vendors, refused = Vendors(settings), []
    print("| Company | Model | Price | Value | Value over price | The price implies |\n|---|---|--:|--:|--:|---|")
    for symbol in COMPANIES:
        try:
            found, is_older = asked(MarketData(settings, given.day, vendors=vendors), symbol, older=True)
        except TradingAgentsError as error:
            refused.append(f"{symbol}: {error}")
        else:
            print(row(found, is_older=is_older), flush=True)
    print("\n\\* On the newest figures recorded, whose successors were due by the day.\n")
    for line in refused:
        print(f"- {line}")


if __name__ == "__main__":
    main()
