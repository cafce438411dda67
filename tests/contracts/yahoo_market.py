"""A small Yahoo for the leak test: one made-up company, the symbols the tools ask for, and poison for after a day."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from typing import Any

from tests.support import yahoo_server as yahoo
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.sectors import MACRO_SYMBOLS, PEERS, SECTOR_ETF

FIRST, LAST = date(2023, 1, 3), date(2025, 6, 30)
INDICES = ("^GSPC", "^DJI", "^IXIC", "^VIX", "^RUT")
ITEMS = {
    "TotalRevenue": 900.0,
    "CostOfRevenue": 500.0,
    "GrossProfit": 400.0,
    "OperatingIncome": 200.0,
    "NetIncome": 150.0,
    "DilutedEPS": 1.5,
    "DilutedAverageShares": 100.0,
    "TotalAssets": 4000.0,
    "StockholdersEquity": 2000.0,
    "TotalDebt": 600.0,
    "CurrentAssets": 900.0,
    "CurrentLiabilities": 450.0,
    "OperatingCashFlow": 180.0,
    "CapitalExpenditure": -40.0,
    "FreeCashFlow": 140.0,
}
QUARTERS = [
    date(2023, 6, 30),
    date(2023, 9, 30),
    date(2023, 12, 31),
    date(2024, 3, 31),
    date(2024, 6, 30),
    date(2024, 9, 30),
]


def fill_yahoo(server: yahoo.YahooServer, symbol: str, *, poisoned_after: date | None) -> None:
    """Fill a server with a market around `symbol`, of the technology sector."""
    charted = (symbol, "SPY", "XLK", *MACRO_SYMBOLS, *PEERS["technology"], *INDICES, *SECTOR_ETF.values())
    for number, name in enumerate(dict.fromkeys(charted)):
        server.answer("chart", yahoo.chart(name, _bars(20.0 + 7 * number, number, poisoned_after)), name)
    server.answer("chart", yahoo.chart("^TNX", _bars(2.0, 0, poisoned_after)), "^TNX")  # a yield, in percent
    modules: dict[str, dict[str, Any]] = {
        "quoteType": {"quoteType": "EQUITY", "longName": "Zyxolar Instruments, Inc."},
        "assetProfile": {"sector": "Technology", "industry": "Instruments"},
        "summaryDetail": {"currency": "USD"},
        "financialData": {"financialCurrency": "USD"},
        "defaultKeyStatistics": {"lastFiscalYearEnd": 1703980800},
    }
    trades = [trade("2025-02-10", 1000), trade("2025-01-20", -500)]
    articles = [yahoo.article(f"Zyxolar ships unit {n}", f"2025-03-{n:02d}T14:00:00Z") for n in range(3, 14)]
    headlines = [(f"Markets calm on day {n}", f"2025-03-{n:02d}T12:00:00+00:00") for n in range(1, 14)]
    # The feed must reach back beyond the windows asked for, or it answers "not for a past date".
    articles.append(yahoo.article("Zyxolar opens a plant", "2024-01-02T14:00:00Z"))
    headlines.append(("Markets open the year", "2024-01-02T12:00:00+00:00"))
    quarters = list(QUARTERS)
    if poisoned_after:
        # Today's words on a company carry no date: they reach no past day.
        modules["assetProfile"]["longBusinessSummary"] = "POISON: sold its plants in June."
        # Known at the open after 90 days, for the fourth quarter: after the cut-off.
        quarters.append(date(2024, 12, 31))
        trades.append(trade((poisoned_after - timedelta(days=1)).isoformat(), 9_000_000))
        stamp = sessions().close_of(poisoned_after) + timedelta(minutes=1)
        articles.insert(0, yahoo.article("POISON: Zyxolar doubles", stamp.strftime("%Y-%m-%dT%H:%M:%SZ")))
        articles.insert(0, yahoo.article("POISON again", "2025-06-12T12:00:00Z"))
        headlines += [("POISON everywhere", stamp.isoformat()), ("POISON in June", "2025-06-12T12:00:00+00:00")]
    insiders = yahoo.insiders(*trades)["quoteSummary"]["result"][0]
    server.answer("quoteSummary", yahoo.quote_summary(**modules, **insiders), symbol)
    server.answer("quote", yahoo.quote(symbol=symbol), symbol)
    server.answer("timeseries", series(quarters), symbol)
    server.answer("news", yahoo.news_stream(*articles), symbol)
    server.answer("search", yahoo.search_news(*headlines))
    _fill_scan(server, symbol, name="POISON" if poisoned_after else "Zyxolar Instruments, Inc.")


def _fill_scan(server: yahoo.YahooServer, symbol: str, *, name: str) -> None:
    """Fill in the screens, sector pages and calendars, which tell of the last day only, under a name."""
    close = sessions().close_of(LAST)
    quotes = [yahoo.screened(symbol, 40.0, 12.5, close, longName=name)]
    quotes += [yahoo.screened(peer, 50.0, 4.0, close, shortName=name) for peer in PEERS["technology"]]
    server.answer("screen", yahoo.screen(*quotes))
    companies = [(peer, name, "Buy", 0.1) for peer in (symbol, *PEERS["technology"])]
    server.answer("sector", yahoo.sector("Technology", *companies))
    days = [day.isoformat() for day in sessions().between(date(2025, 3, 3), LAST)]
    results = [{"symbol": symbol, "company": name, "at": f"{day}T12:00:00.000Z", "eps": 1.5} for day in days]
    releases = [{"name": f"CPI {name}", "at": f"{day}T12:30:00.000Z", "actual": 2.5} for day in days]
    server.answer("calendar", yahoo.earnings_calendar(*results), "sp_earnings")
    server.answer("calendar", yahoo.economic_calendar(*releases), "economic_event")


@cache  # the benchmark of changed answers fills a hundred servers alike
def _bars(start: float, phase: int, poisoned_after: date | None) -> Mapping[str, tuple[float, ...]]:
    bars = {}
    for number, day in enumerate(sessions().between(FIRST, LAST)):
        close = start + 0.02 * number + math.sin(number / 9 + phase)
        wild = 9.0 if poisoned_after and day > poisoned_after else 1.0
        bars[day.isoformat()] = (
            wild * close,
            wild * (close * 1.01 + 0.05),
            wild * close * 0.99,
            wild * (close + 0.05),
            wild * (close + 0.04),
            1e6 * wild + number,
        )
    return bars


def series(quarters: list[date]) -> dict[str, dict[str, float]]:
    growing = {end: 1 + 0.05 * number for number, end in enumerate(quarters)}
    quarterly = {
        f"quarterly{name}": {end.isoformat(): value * growth for end, growth in growing.items()}
        for name, value in ITEMS.items()
    }
    annual = {f"annual{name}": {"2023-12-31": 4 * value} for name, value in ITEMS.items()}
    return {**quarterly, **annual}


def trade(day: str, shares: int) -> dict[str, object]:
    word = "Purchase" if shares > 0 else "Sale"
    return {
        "day": day,
        "filerName": "A. Person",
        "filerRelation": "Officer",
        "transactionText": f"{word} at price 20.00 per share.",
        "shares": abs(shares),
        "value": abs(shares) * 20,
    }
