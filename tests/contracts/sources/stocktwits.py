"""StockTwits for the contract tests: three posts, and poison posted after a day."""

from __future__ import annotations

from datetime import UTC, date, datetime

from tests.contracts.sources.source import SYMBOL, Source
from tests.dataflows.vendors.social_payloads import message, stream
from tests.support.vendor_server import VendorServer
from tradingagents.dataflows.vendors.stocktwits import StockTwitsVendor


def fill(server: VendorServer, poisoned_after: date | None) -> None:
    known = [message(number, f"2025-03-{10 + number}T15:00:00Z") for number in (3, 2, 1)]
    late = [message(9, "2025-06-12T15:00:00Z", "$ACMQ POISON")] if poisoned_after else []
    server.answer(f"/streams/symbol/{SYMBOL}.json", stream([*late, *known]))


SOURCE = Source(
    kind=StockTwitsVendor,
    fill=fill,
    asks={
        "get_social_posts": (SYMBOL, datetime(2025, 3, 7, tzinfo=UTC), datetime(2025, 3, 14, 20, tzinfo=UTC)),
    },
)
