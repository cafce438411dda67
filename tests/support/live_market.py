"""Yahoo and EDGAR on this machine, with a clock: each serves what it knew at the moment the test sets.

The real clients run against them. One made-up company reports a quarter:

| moment (UTC) | what happens |
|---|---|
| Thu 2025-05-01 20:00 | New York closes |
| 20:30 | the release is out, and with it articles; Yahoo serves the quarter from 20:45 on |
| Fri 2025-05-02 20:05 | five minutes after the close EDGAR accepts the 10-Q |
| 20:10 | EDGAR accepts a Form 4 on a sale of Wednesday; Yahoo lists the sale from 20:12 on |
| Sat 2025-05-03 14:00 | an article of the weekend |
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.contracts.sources.sec_edgar import SOURCE as EDGAR
from tests.contracts.sources.sec_edgar import add_books
from tests.contracts.yahoo_market import INDICES, ITEMS
from tests.dataflows.vendors.sec_payloads import CIK, FACTS, SUBMISSIONS, Facts, entry, folder, submissions, tickers
from tests.support import yahoo_server as yahoo
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tests.support.yahoo_server import LocalSession, YahooServer, yahoo_server
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.sectors import MACRO_SYMBOLS, PEERS, SECTOR_ETF
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.settings import Settings

SYMBOL = "ZYXO"
FIRST = date(2023, 6, 1)
RELEASE_DAY, FILING_DAY = date(2025, 5, 1), date(2025, 5, 2)
RELEASED, SERVED = datetime(2025, 5, 1, 20, 30, tzinfo=UTC), datetime(2025, 5, 1, 20, 45, tzinfo=UTC)
ACCEPTED = datetime(2025, 5, 2, 20, 5, tzinfo=UTC)
NEW_QUARTER, QUARTER_BEFORE = date(2025, 3, 31), date(2024, 12, 31)
RELEASE_NEWS, WEEKEND_NEWS = "Zyxolar reports record growth, raises outlook", "Zyxolar wins a contract at the weekend"
WEEKEND = datetime(2025, 5, 3, 14, tzinfo=UTC)
SOLD, SALE_ACCEPTED = date(2025, 4, 30), datetime(2025, 5, 2, 20, 10, tzinfo=UTC)
SALE_SERVED = datetime(2025, 5, 2, 20, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Quarter:
    """One quarter: its end, since when Yahoo serves it, and when EDGAR accepted its report."""

    end: date
    served: datetime
    accepted: datetime

    @property
    def form(self) -> str:
        return "10-K" if self.end.month == 12 else "10-Q"


def _reported(end: date, days: int) -> Quarter:
    accepted = datetime(end.year, end.month, end.day, 21, 5, tzinfo=UTC) + timedelta(days=days)
    return Quarter(end, accepted, accepted)


QUARTERS = (
    *(_reported(date(2023, month, day), 32) for month, day in ((6, 30), (9, 30))),
    _reported(date(2023, 12, 31), 50),
    *(_reported(date(2024, month, day), 32) for month, day in ((3, 31), (6, 30), (9, 30))),
    _reported(QUARTER_BEFORE, 50),
    Quarter(NEW_QUARTER, SERVED, ACCEPTED),
)
ARTICLES = (
    (datetime(2024, 1, 2, 14, tzinfo=UTC), "Zyxolar opens a plant"),
    *((datetime(2025, 4, day, 14, tzinfo=UTC), f"Zyxolar ships unit {day}") for day in range(14, 31)),
    (RELEASED, RELEASE_NEWS),
    (WEEKEND, WEEKEND_NEWS),
)


class LiveMarket:
    """Both services. Their clock stands where the test sets it."""

    def __init__(self, yahoo_: YahooServer, edgar: VendorServer, home: Path) -> None:
        self.yahoo, self.edgar, self._home = yahoo_, edgar, home
        self.now = SERVED

    def at(self, now: datetime) -> None:
        """Set the clock."""
        self.now = now
        self._fill_yahoo()
        self._fill_edgar()

    def vendors(self, settings: Settings) -> Vendors:
        """Return the real vendors of both."""
        session = LocalSession(self.yahoo.address)
        yahoo_ = YFinanceVendor(cache_dir=self._home, session=session, now=lambda: self.now, timeout=5.0)
        edgar = EDGAR.open(self.edgar, self._home, now=lambda: self.now)
        return Vendors(settings, {"yfinance": yahoo_, "sec_edgar": edgar}, environ={})

    def _fill_yahoo(self) -> None:
        charted = (SYMBOL, "SPY", "XLK", *MACRO_SYMBOLS, *PEERS["technology"], *INDICES, *SECTOR_ETF.values())
        for number, name in enumerate(dict.fromkeys(charted)):
            self.yahoo.answer("chart", yahoo.chart(name, self._bars(20.0 + 7 * number, number)), name)
        self.yahoo.answer("chart", yahoo.chart("^TNX", self._bars(2.0, 0)), "^TNX")  # a yield, in percent
        modules: dict[str, dict[str, Any]] = {
            "quoteType": {"quoteType": "EQUITY", "longName": "Zyxolar Instruments, Inc."},
            "assetProfile": {"sector": "Technology", "industry": "Instruments"},
            "summaryDetail": {"currency": "USD"},
            "financialData": {"financialCurrency": "USD"},
            "defaultKeyStatistics": {"lastFiscalYearEnd": 1703980800},  # 2023-12-31
        }
        insiders = yahoo.insiders(*self._trades())["quoteSummary"]["result"][0]
        self.yahoo.answer("quoteSummary", yahoo.quote_summary(**modules, **insiders), SYMBOL)
        self.yahoo.answer("quote", yahoo.quote(symbol=SYMBOL), SYMBOL)
        self.yahoo.answer("timeseries", self._series(), SYMBOL)
        known = [(at, title) for at, title in ARTICLES if at <= self.now]
        stream = [yahoo.article(title, _instant(at)) for at, title in reversed(known)]
        self.yahoo.answer("news", yahoo.news_stream(*stream), SYMBOL)
        self.yahoo.answer("search", yahoo.search_news(*((f"Markets: {title}", at.isoformat()) for at, title in known)))

    def _trades(self) -> list[dict[str, Any]]:
        if self.now < SALE_SERVED:
            return []
        text = "Sale at price 29.50 per share."
        sale = {"day": SOLD.isoformat(), "filerName": "A. Person", "filerRelation": "Officer", "transactionText": text}
        return [{**sale, "shares": 1000, "value": 29_500}]

    def _bars(self, start: float, phase: int) -> dict[str, tuple[float, ...]]:
        """Return the bars of the sessions that have closed."""
        bars = {}
        for number, day in enumerate(sessions().between(FIRST, sessions().last_closed(self.now))):
            close = start + 0.02 * number + math.sin(number / 9 + phase)
            bars[day.isoformat()] = (close, close * 1.01 + 0.05, close * 0.99, close + 0.05, close + 0.04, 1e6 + number)
        return bars

    def _series(self) -> dict[str, dict[str, float]]:
        served = [(quarter.end, 1 + 0.05 * n) for n, quarter in enumerate(QUARTERS) if quarter.served <= self.now]
        quarterly = {
            f"quarterly{name}": {end.isoformat(): value * growth for end, growth in served}
            for name, value in ITEMS.items()
        }
        years = ("2023-12-31", "2024-12-31")
        return quarterly | {f"annual{name}": dict.fromkeys(years, 4 * value) for name, value in ITEMS.items()}

    def _fill_edgar(self) -> None:
        entries, facts = [], Facts()
        for number, quarter in enumerate(QUARTERS, start=1):
            if quarter.accepted > self.now:
                continue
            end, filed = quarter.end.isoformat(), quarter.accepted.date().isoformat()
            entries.append(entry(number, quarter.form, _instant(quarter.accepted), filed=filed, reportDate=end))
            year, quarter_of_year = end[:4], quarter.end.month // 3
            first = quarter.end.replace(month=quarter.end.month - 2, day=1).isoformat()
            add_books(facts, number, quarter.form, filed, year, first, end, quarter_of_year, 900.0)
            self.edgar.answer(f"{folder(number)}main.htm", Reply(b"<p>FORM 10-Q</p>", content_type="text/html"))
        if self.now >= SALE_ACCEPTED:
            entries.append(entry(50, "4", _instant(SALE_ACCEPTED), reportDate=SOLD.isoformat()))
        self.edgar.answer("/files/company_tickers.json", tickers(**{SYMBOL: CIK}))
        self.edgar.answer(SUBMISSIONS, submissions(*entries[::-1], name="ZYXOLAR INSTRUMENTS INC"))
        self.edgar.answer(FACTS, facts.page())


def _instant(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")


@contextmanager
def live_market(home: Path) -> Iterator[LiveMarket]:
    """Run both services for the length of a test."""
    with yahoo_server() as yahoos, vendor_server() as edgars:
        yield LiveMarket(yahoos, edgars, home)
