"""Finnhub for the contract tests: a company, its news and insiders, the calendars, and poison of later."""

from __future__ import annotations

from datetime import UTC, date, datetime

from tests.contracts.sources.source import SYMBOL, Source
from tests.dataflows.vendors import finnhub_payloads as payloads
from tests.dataflows.vendors.finnhub_payloads import article, result, trade
from tests.support.vendor_server import VendorServer
from tradingagents.dataflows.vendors.finnhub.vendor import FinnhubVendor


def fill(server: VendorServer, poisoned_after: date | None) -> None:
    news = [article("Quarks sell well", "2025-03-13T14:00:00+00:00")]
    market = [
        article("Markets are calm", "2025-01-02T15:00:00+00:00"),
        article("Oil rises", "2025-03-13T15:00:00+00:00"),
    ]
    trades = [trade("Jane Quark", 1000, "2025-03-10", "2025-03-12")]
    results = [result("ACMQ", "2025-03-13", 1.25)]
    if poisoned_after:
        news.append(article("POISON of the evening", "2025-03-14T20:00:01+00:00"))
        market.append(article("POISON of June", "2025-06-12T15:00:00+00:00"))
        # Filed on the day: known by the next session. After the close: not known at it.
        trades.append(trade("POISON", 9_000_000, "2025-03-12", "2025-03-14"))
        results.append(result("POISON", "2025-03-14", 99.0, "amc"))
        results.append(result("POISON", "2025-03-14", 98.0, ""))
        results.append(result(SYMBOL, "2025-03-14", 97.0, "amc", quarter=1, year=2025))
    payloads.fill(
        server,
        company_news=news,
        news=market,
        stock_insider_transactions={"data": trades, "symbol": SYMBOL},
        calendar_earnings={"earningsCalendar": results},
    )


WINDOW = (datetime(2025, 3, 1, tzinfo=UTC), datetime(2025, 3, 14, 20, tzinfo=UTC))
DAYS = (date(2025, 3, 1), date(2025, 3, 31))
SOURCE = Source(
    kind=FinnhubVendor,
    fill=fill,
    asks={
        "get_profile": (SYMBOL,),
        "get_peers": (SYMBOL, "technology"),
        "get_fundamentals": (SYMBOL,),
        "get_news": (SYMBOL, *WINDOW),
        "get_global_news": WINDOW,
        "get_insider_transactions": (SYMBOL,),
        "get_earnings_calendar": DAYS,
        "get_economic_calendar": DAYS,
    },
    environ={"FINNHUB_API_KEY": payloads.KEY},
    # The first asks no remote vendor for a year of the calendar. The second asks for days on which only the poison
    # has rows, and by its rows Finnhub tells whether a plan reaches back to them.
    lacks=frozenset({"check_report", "book"}),
)
