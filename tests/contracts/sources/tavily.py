"""Tavily for the contract tests: a web that finds the same two articles whatever is searched, and poison of later."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from tests.contracts.sources.source import SYMBOL, Source
from tests.support.vendor_server import VendorServer
from tradingagents.dataflows.vendors.tavily import TavilyVendor

KEY = "tvly-madeup-SECRET-0123456789"


def found(title: Any, published: Any, **fields: Any) -> dict[str, Any]:
    """Return a result; `published` in the form of mails."""
    return {
        "title": title,
        "url": f"https://www.post.example/{str(title).replace(' ', '-')}",
        "content": f"{title}, it is said.",
        "score": 0.9,
        "published_date": published,
        **fields,
    }


def fill(server: VendorServer, poisoned_after: date | None) -> None:
    results = [found("Quarks sell well", "Thu, 13 Mar 2025 14:00:00 GMT")]
    if poisoned_after:
        results.append(found("POISON", "Mon, 30 Jun 2025 14:00:00 GMT"))
    server.answer("/search", {"query": "q", "results": results, "response_time": 0.5})


WINDOW = (datetime(2025, 3, 1, tzinfo=UTC), datetime(2025, 3, 14, 20, tzinfo=UTC))
SOURCE = Source(
    kind=TavilyVendor,
    fill=fill,
    asks={
        "get_news": (SYMBOL, *WINDOW),
        "get_global_news": WINDOW,
        "get_topic_news": ("oil", *WINDOW),
    },
    environ={"TAVILY_API_KEY": KEY},
)
