"""What the data gate takes from clean data: companies and days of a recorded market that lose a figure, and why.

    python -m benchmarks.clean_losses --data ../shared/snapshot --out losses.jsonl

Every share with prices is asked for its prices and its six kinds of statements on twelve days. A company-day has a loss
where bars, volumes or items are withheld from it. At most 0.5 % may, and each of them is to be explained.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import get_args

from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Frequency, StatementKind
from tradingagents.dataflows.vendors.snapshot.vendor import SnapshotVendor
from tradingagents.errors import DataError
from tradingagents.settings import load_settings

FOLDER = Path(os.environ.get("TRADINGAGENTS_TEST_DATA") or Path(__file__).parents[2] / "shared") / "snapshot"
DAYS = (
    *(date(2022, 9, 14), date(2022, 12, 14), date(2023, 3, 15), date(2023, 6, 14), date(2023, 9, 13)),
    *(date(2023, 12, 13), date(2024, 3, 13), date(2024, 6, 12), date(2024, 9, 11), date(2024, 12, 11)),
    *(date(2025, 3, 12), date(2025, 6, 11)),
)


def losses(market: MarketData, symbol: str) -> Iterator[str]:
    """Yield the reasons why something of a company is withheld on a market's day."""
    try:
        yield from (note for note in market.prices(symbol).notes if "withheld" in note)
    except DataError as error:
        yield f"no prices: {error}"
    for kind in get_args(StatementKind):
        for label in get_args(Frequency):
            try:
                rows = market.statements(symbol, kind, label)
            except DataError:
                continue
            yield from dict.fromkeys(why for row in rows for why in row.withheld.values())


def main() -> None:
    """Read the folder from the command line and print the companies and days with a loss."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clean_losses", description=__doc__)
    parser.add_argument("--data", type=Path, default=FOLDER, help="the recorded market")
    parser.add_argument("--out", type=Path, help="where the losses go, as JSON lines")
    given = parser.parse_args()
    vendor = SnapshotVendor(given.data)
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(given.data)}, environ={})
    vendors, memo = Vendors(settings, {"snapshot": vendor}, environ={}), Memo(20_000)
    symbols = [one for one in vendor._prices().symbols if vendor.get_profile(one).kind == "stock"]
    asked, found = 0, []
    for symbol in symbols:
        for day in DAYS:
            if not vendor.was_listed(symbol, day):
                continue
            asked += 1
            market = MarketData(settings, day, vendors=vendors, memo=memo)
            reasons = list(dict.fromkeys(losses(market, symbol)))
            if reasons:
                found.append({"symbol": symbol, "day": day.isoformat(), "reasons": reasons})
    lines = "".join(f"{json.dumps(one)}\n" for one in found)
    print(lines, end="")
    by_symbol = Counter(str(one["symbol"]) for one in found)
    print(f"{len(found)} of {asked} company-days lose something ({100 * len(found) / asked:.2f} %): {dict(by_symbol)}")
    if given.out:
        given.out.write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()
