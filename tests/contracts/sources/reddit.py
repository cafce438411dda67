"""Reddit through its API for the contract tests: a token, three posts, and poison posted after a day."""

from __future__ import annotations

from datetime import UTC, date, datetime

from tests.contracts.sources.source import SYMBOL, Source
from tests.dataflows.vendors.social_payloads import listing, submission
from tests.support.vendor_server import VendorServer
from tradingagents.dataflows.vendors.reddit.vendor import RedditVendor

WINDOW = (SYMBOL, datetime(2025, 3, 7, tzinfo=UTC), datetime(2025, 3, 14, 20, tzinfo=UTC))


def fill(server: VendorServer, poisoned_after: date | None) -> None:
    known = [submission(day, datetime(2025, 3, day, 15, tzinfo=UTC).timestamp()) for day in (13, 12, 11)]
    late = [submission(99, datetime(2025, 6, 12, 15, tzinfo=UTC).timestamp(), "ACMQ POISON")] if poisoned_after else []
    server.answer("/api/v1/access_token", {"access_token": "made-up-token", "expires_in": 86400})
    server.answer("/r/", listing([*late, *known]))


SOURCE = Source(
    kind=RedditVendor,
    fill=fill,
    asks={"get_social_posts": WINDOW},
    environ={"REDDIT_CLIENT_ID": "made-up-id-SECRET-1", "REDDIT_CLIENT_SECRET": "made-up-SECRET-2"},
)
