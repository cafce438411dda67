"""Alpha Vantage's answers about a fictional company, in its shapes: one address, told apart by `function`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.support.vendor_server import Reply, Request, VendorServer

KEY = "MADEUPSECRETKEY42"
PREMIUM = {
    "Information": "Thank you for using Alpha Vantage! This is a premium endpoint. You may subscribe to any of the "
    "premium plans at https://www.alphavantage.co/premium/ to instantly unlock all premium endpoints"
}
PREMIUM_FULL = {
    "Information": "Thank you for using Alpha Vantage! The outputsize=full parameter value is a premium feature for "
    "the TIME_SERIES_DAILY endpoint. You may subscribe to any of the premium plans to unlock all premium features"
}
DAILY_LIMIT = {
    "Information": f"We have detected your API key as {KEY} and our standard API rate limit is 25 requests per day. "
    "Please subscribe to any of the premium plans to instantly remove all daily rate limits."
}
SECOND_LIMIT = {
    "Information": "Thank you for using Alpha Vantage! Please consider spreading out your free API requests more "
    "sparingly (1 request per second). You may subscribe to any of the premium plans to lift the free key rate limit "
    "(25 requests per day), raise the per-second burst limit, and instantly unlock all premium endpoints"
}
MINUTE_LIMIT = {"Note": "Our standard API call frequency is 5 calls per minute. Please visit the premium page."}
BAD_KEY = {"Error Message": f"the parameter apikey is invalid or missing: {KEY}. Please claim your free API key."}
DEMO_KEY = {"Information": "The **demo** API key is for demo purposes only. Please claim your free API key."}
BAD_SYMBOL = {"Error Message": "Invalid API call. Please retry or visit the documentation for TIME_SERIES_DAILY."}

OVERVIEW = {
    "Symbol": "ACMQ",
    "AssetType": "Common Stock",
    "Name": "Acme Quark Devices Inc",
    "Exchange": "NASDAQ",
    "Currency": "USD",
    "Sector": "TECHNOLOGY",
    "Industry": "QUARK DEVICES",
    "MarketCapitalization": "5000000000",
    "PERatio": "20.5",
    "PEGRatio": "None",
    "DividendYield": "0.0125",
    "Beta": "-",
    "ReturnOnAssetsTTM": "0.081",
    "52WeekHigh": "120.5",
    "50DayMovingAverage": "101.25",
    "ForwardPE": 16,
}


def bar(*numbers: float) -> dict[str, str]:
    """Return a bar of open, high, low, close, volume."""
    names = ("1. open", "2. high", "3. low", "4. close", "5. volume")
    return {name: str(value) for name, value in zip(names, numbers, strict=True)}


def daily(bars: Mapping[str, Any]) -> dict[str, Any]:
    """Return the daily series."""
    meta = {"1. Information": "Daily Prices", "2. Symbol": "ACMQ", "5. Time Zone": "US/Eastern"}
    return {"Meta Data": meta, "Time Series (Daily)": dict(bars)}


def events(*rows: Mapping[str, str]) -> dict[str, Any]:
    """Return splits or dividends."""
    return {"symbol": "ACMQ", "data": list(rows)}


def split(day: str, factor: str) -> dict[str, str]:
    return {"effective_date": day, "split_factor": factor}


def dividend(day: str, amount: str) -> dict[str, str]:
    return {"ex_dividend_date": day, "declaration_date": "None", "payment_date": day, "amount": amount}


def reports(*quarters: Mapping[str, Any], years: Any = ()) -> dict[str, Any]:
    """Return statements: quarters, and years."""
    return {"symbol": "ACMQ", "annualReports": list(years), "quarterlyReports": list(quarters)}


def report(day: str, **items: Any) -> dict[str, Any]:
    return {"fiscalDateEnding": day, "reportedCurrency": "USD", **items}


def earnings(**reported: str) -> dict[str, Any]:
    """Return results: the day of publication by period end, written `Q2024_12_31`."""
    rows = [
        {
            "fiscalDateEnding": period[1:].replace("_", "-"),
            "reportedDate": day,
            "reportedEPS": "1.5",
            "surprise": "None",
        }
        for period, day in reported.items()
    ]
    return {"symbol": "ACMQ", "annualEarnings": [], "quarterlyEarnings": rows}


def article(title: Any, published: Any, **fields: Any) -> dict[str, Any]:
    return {
        "title": title,
        "url": f"https://news.example/{published}",
        "time_published": published,
        "summary": f"{title}.",
        "source": "The Fictional Post",
        "overall_sentiment_score": 0.1,
        **fields,
    }


def feed(*articles: Any) -> dict[str, Any]:
    return {"items": str(len(articles)), "sentiment_score_definition": "…", "feed": list(articles)}


def trade(day: str, side: str, shares: str, price: str, **fields: Any) -> dict[str, Any]:
    return {
        "transaction_date": day,
        "ticker": "ACMQ",
        "executive": "QUARK, JANE",
        "executive_title": "CEO",
        "security_type": "Common Stock",
        "acquisition_or_disposal": side,
        "shares": shares,
        "share_price": price,
        **fields,
    }


def mover(ticker: str, price: str, change: str, volume: str) -> dict[str, str]:
    part = float(change.rstrip("%")) / 100
    moved = "None" if price == "None" else f"{float(price) * part / (1 + part):.4f}"
    return {"ticker": ticker, "price": price, "change_amount": moved, "change_percentage": change, "volume": volume}


CALENDAR = "symbol,name,reportDate,fiscalDateEnding,estimate,currency,timeOfTheDay\r\n"
USUAL: Mapping[str, Any] = {
    "TIME_SERIES_DAILY": daily({"2025-03-13": bar(10, 12, 9, 11, 1000), "2025-03-14": bar(11, 13, 10, 12, 2000)}),
    "SPLITS": events(),
    "DIVIDENDS": events(),
    "OVERVIEW": OVERVIEW,
    "INCOME_STATEMENT": reports(report("2024-12-31", totalRevenue="1000", netIncome="100")),
    "BALANCE_SHEET": reports(report("2024-12-31", totalAssets="5000")),
    "CASH_FLOW": reports(report("2024-12-31", operatingCashflow="200", capitalExpenditures="50")),
    "EARNINGS": earnings(Q2024_12_31="2025-02-06"),
    "NEWS_SENTIMENT": feed(article("Quarks sell well", "20250313T140000")),
    "INSIDER_TRANSACTIONS": {"data": [trade("2025-03-10", "A", "1000.0", "10.5")]},
    "TOP_GAINERS_LOSERS": {
        "metadata": "Top gainers",
        "last_updated": "2025-06-30 16:15:59 US/Eastern",
        "top_gainers": [mover("ACMQ", "12.5", "9.5%", "1000000")],
        "top_losers": [mover("ELMQ", "2.5", "-9.5%", "2000000")],
        "most_actively_traded": [mover("CRGQ", "7.5", "0.5%", "9000000")],
    },
    "ETF_PROFILE": {"holdings": [{"symbol": "ACMQ", "description": "ACME QUARK DEVICES INC", "weight": "0.25"}]},
    "EARNINGS_CALENDAR": Reply(
        CALENDAR + "ACMQ,Acme Quark Devices,2025-03-20,2025-01-31,1.25,USD,post-market\r\n", content_type="text/csv"
    ),
}


def fill(server: VendorServer, **answers: Any) -> None:
    """Answer every function; `answers` replace some."""
    known = {**USUAL, **answers}

    def reply(request: Request) -> Any:
        if request.query.get("apikey") != KEY:
            return BAD_KEY
        return known.get(request.query["function"], BAD_SYMBOL)

    server.answer("/query", reply)
