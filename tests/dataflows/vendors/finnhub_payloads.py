"""Finnhub's answers about a fictional company, in its shapes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from tests.support.vendor_server import Request, VendorServer

KEY = "madeup-SECRET-finnhub-key-0123456789"
PROFILE = {
    "country": "US",
    "currency": "USD",
    "exchange": "NASDAQ NMS - GLOBAL MARKET",
    "finnhubIndustry": "Semiconductors",
    "ipo": "1999-01-22",
    "marketCapitalization": 1234.5,
    "name": "Acme Quark Devices Inc",
    "shareOutstanding": 100.0,
    "ticker": "ACMQ",
}
METRIC = {
    "metric": {
        "52WeekHigh": 120.5,
        "52WeekLow": 80.25,
        "beta": 1.25,
        "currentRatioQuarterly": 1.5,
        "dividendYieldIndicatedAnnual": 0.75,
        "epsTTM": 4.5,
        "marketCapitalization": 1234.5,
        "pb": 3.5,
        "peTTM": 22.5,
        "psTTM": "4.0",
        "roaTTM": float("nan"),
        "10DayAverageTradingVolume": 9.9,
    },
    "metricType": "all",
    "symbol": "ACMQ",
}


def article(headline: Any, at: str, **fields: Any) -> dict[str, Any]:
    """Return an article published at an ISO instant."""
    seconds = int(datetime.fromisoformat(at).timestamp())
    return {
        "category": "company",
        "datetime": seconds,
        "headline": headline,
        "id": seconds,
        "image": "",
        "related": "ACMQ",
        "source": "The Fictional Post",
        "summary": f"{headline}.",
        "url": f"https://news.example/{seconds}",
        **fields,
    }


def trade(name: Any, change: Any, traded: str, filed: str, code: str = "P", **fields: Any) -> dict[str, Any]:
    """Return an insider's trade."""
    return {
        "change": change,
        "currency": "USD",
        "filingDate": filed,
        "id": f"0001-{filed}",
        "isDerivative": False,
        "name": name,
        "share": 50_000,
        "source": "sec",
        "symbol": "ACMQ",
        "transactionCode": code,
        "transactionDate": traded,
        "transactionPrice": 10.5,
        **fields,
    }


def result(symbol: Any, day: str, eps: Any, hour: str = "amc", **fields: Any) -> dict[str, Any]:
    """Return a row of the earnings calendar."""
    return {
        "date": day,
        "epsActual": eps,
        "epsEstimate": 1.1,
        "hour": hour,
        "quarter": 4,
        "revenueActual": None if eps is None else 2_500_000_000,
        "revenueEstimate": 2_400_000_000,
        "symbol": symbol,
        "year": 2024,
        **fields,
    }


def release(name: Any, at: str, actual: Any, **fields: Any) -> dict[str, Any]:
    """Return a row of the economic calendar; `at` is UTC, `2025-03-12 12:30:00`."""
    return {
        "actual": actual,
        "country": "US",
        "estimate": 2.9,
        "event": name,
        "impact": "high",
        "prev": 3.0,
        "time": at,
        "unit": "%",
        **fields,
    }


def within_days(articles: list[dict[str, Any]], request: Request) -> list[dict[str, Any]]:
    """Return the articles of the days asked for, as Finnhub does."""
    days = [datetime.fromtimestamp(one["datetime"]).astimezone().strftime("%Y-%m-%d") for one in articles]
    return [one for one, day in zip(articles, days, strict=True) if request.query["from"] <= day <= request.query["to"]]


def cut_at(most: int, rows: list[dict[str, Any]], *, by: str, keep_last: bool = False) -> Callable[[Request], Any]:
    """Return what answers with the rows whose `by` lies within the days asked for, `most` of them: Finnhub's habit."""

    def within(request: Request) -> list[dict[str, Any]]:
        found = [row for row in rows if request.query["from"] <= row[by] <= request.query["to"]]
        return found[-most:] if keep_last else found[:most]

    return within


def fill(server: VendorServer, **answers: Any) -> None:
    """Answer every question there is about ACMQ; `answers` by path with underscores replace some."""
    usual: dict[str, Any] = {
        "/stock/profile2": PROFILE,
        "/stock/peers": ["ACMQ", "ELMQ", "BRK.B", "ELMQ", 7],
        "/stock/metric": METRIC,
        "/company-news": [article("Quarks sell well", "2025-03-13T14:00:00+00:00")],
        "/news": [article("Markets are calm", "2025-03-13T15:00:00+00:00", related="", category="top news")],
        "/stock/insider-transactions": {
            "data": [trade("Jane Quark", 1000, "2025-03-10", "2025-03-12")],
            "symbol": "ACMQ",
        },
        "/calendar/earnings": {"earningsCalendar": [result("ACMQ", "2025-03-13", 1.25)]},
        "/calendar/economic": {"economicCalendar": [release("CPI YoY", "2025-03-12 12:30:00", 2.8)]},
    }
    for path, answer in usual.items():
        server.answer(path, answers.get(path.strip("/").replace("/", "_").replace("-", "_"), answer))
