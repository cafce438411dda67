"""How long each capability takes to answer, with data warm: `python -m benchmarks.capabilities [DATA_DIR]`.

Each is asked its example about one company, on the simulated market or on a folder of recorded data: once to read the
data, then five times with the answers of the vendors and the stocks at hand in memory, but never from the store of
finished answers. The median processor time of a call is printed.
"""

from __future__ import annotations

import statistics
import sys
import time
from datetime import date
from typing import Any

from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import built_in
from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import TradingAgentsError
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)
TIMES = 5
LIMIT_MS = 50.0
"""On a machine of full speed."""


def main() -> None:
    """Print a line for each capability."""
    folder = sys.argv[1] if len(sys.argv) > 1 else None
    given: dict[str, Any] = {"data_vendor": "snapshot", "data_dir": folder} if folder else {"data_vendor": "simulated"}
    settings = load_settings(given, environ={})
    vendors, symbol = Vendors(settings), "AAPL" if folder else "VELQ"
    print(f"{'capability':28} {'first ms':>9} {'warm ms':>9}")
    for one in built_in().values():
        memo = Memo(64)
        try:
            first = _asked(one, MarketData(settings, DAY, vendors=vendors, memo=memo), symbol)
            warm = [_asked(one, MarketData(settings, DAY, vendors=vendors, memo=memo), symbol) for _ in range(TIMES)]
        except TradingAgentsError as error:
            print(f"{one.name:28} {type(error).__name__}: {error}")
            continue
        slow = "  over the limit" if statistics.median(warm) > LIMIT_MS else ""
        print(f"{one.name:28} {first:9.1f} {statistics.median(warm):9.1f}{slow}", flush=True)


def _asked(one: Capability, data: MarketData, symbol: str) -> float:
    """Answer a capability past the store of finished answers; return the processor time in milliseconds."""
    given = one.arguments.model_validate(one.example_arguments(symbol, DAY))
    started = time.process_time()
    result = one.answer(data.with_new_sheet(), **{name: getattr(given, name) for name in one.arguments.model_fields})
    result.to_markdown()
    return 1000 * (time.process_time() - started)


if __name__ == "__main__":
    main()
