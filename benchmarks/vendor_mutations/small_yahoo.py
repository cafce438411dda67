"""What Yahoo sends beside its rows, added to the small made-up Yahoo: as in each of its recorded answers."""

from __future__ import annotations

from typing import Any

from tests.support.yahoo_server import YahooServer

YEAR = 252
HOURS = 23_400
"""Seconds from the open to the close."""
MORE = 100
"""Articles that a company's stream has beyond its first page."""


def beside_the_rows(server: YahooServer, symbol: str) -> None:
    """Add the head of the chart, its prices in cents, the stream's pages, ranges of the day, sums of insiders' sales.

    Args:
        server: Filled for the company.
        symbol: The company's.
    """
    _head(server.given("chart", symbol)["chart"]["result"][0])
    stream = server.given("news", symbol)["data"]["tickerStream"]
    stream["pagination"] = {"requestedCount": len(stream["stream"]), "remainingCount": MORE}
    for quote in server.given("screen")["finance"]["result"][0]["quotes"]:
        _range(quote)
    modules = server.given("quoteSummary", symbol)["quoteSummary"]["result"][0]
    trades = modules["insiderTransactions"]["transactions"]
    sales = [trade["shares"] for trade in trades if trade["transactionText"].startswith("Sale")]
    modules["netSharePurchaseActivity"] = {"sellInfoCount": len(sales), "sellInfoShares": sum(sales)}


def _head(result: dict[str, Any]) -> None:
    for columns in (result["indicators"]["quote"][0], result["indicators"]["adjclose"][0]):
        columns |= {name: [round(value, 2) for value in values] for name, values in columns.items()}
    quote = result["indicators"]["quote"][0]
    year = slice(-YEAR, None)
    result["meta"] |= {
        "exchangeName": "NMS",
        "regularMarketPrice": quote["close"][-1],
        "regularMarketTime": result["timestamp"][-1] + HOURS,
        "fiftyTwoWeekHigh": max(quote["high"][year]),
        "fiftyTwoWeekLow": min(quote["low"][year]),
    }


def _range(quote: dict[str, Any]) -> None:
    price = quote["regularMarketPrice"]
    low, high = round(0.97 * price, 2), round(1.01 * price, 2)
    quote["regularMarketDayLow"], quote["regularMarketDayHigh"] = low, high
    quote["regularMarketDayRange"] = f"{low} - {high}"
