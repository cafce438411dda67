"""Reddit without an app, by its feed, for the contract tests."""

from __future__ import annotations

from datetime import date

from tests.contracts.sources.reddit import WINDOW
from tests.contracts.sources.source import Source
from tests.dataflows.vendors.social_payloads import entry, feed
from tests.support.vendor_server import Reply, VendorServer
from tradingagents.dataflows.vendors.reddit.vendor import RedditVendor


def fill(server: VendorServer, poisoned_after: date | None) -> None:
    known = [entry(day, f"2025-03-{day}T15:00:00+00:00") for day in (13, 12, 11)]
    late = [entry(99, "2025-06-12T15:00:00+00:00", "ACMQ POISON")] if poisoned_after else []
    server.answer("/r/", Reply(feed(*late, *known), content_type="application/atom+xml; charset=UTF-8"))


SOURCE = Source(kind=RedditVendor, fill=fill, asks={"get_social_posts": WINDOW})
