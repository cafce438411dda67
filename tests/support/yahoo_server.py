"""Yahoo Finance on this machine: an HTTP server that answers what yfinance asks, in Yahoo's shapes, and counts.

Only the network is replaced: `LocalSession` sends every request of the real client here, whatever host it names.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

from curl_cffi.requests import Response

from tests.support.vendor_server import HTML as HTML
from tests.support.vendor_server import Reply as Reply
from tradingagents.dataflows.vendors.yfinance.client import YahooSession

CRUMB = "fictional-crumb"
PATHS = {
    "/v8/finance/chart/": "chart",
    "/v10/finance/quoteSummary/": "quoteSummary",
    "/v7/finance/quote": "quote",
    "/ws/fundamentals-timeseries/v1/finance/timeseries/": "timeseries",
    "/xhr/ncp": "news",
    "/v1/finance/search": "search",
    "/v1/finance/screener/predefined/saved": "screen",
    "/v1/finance/sectors/": "sector",
    "/v1/finance/visualization": "calendar",
    "/v1/test/getcrumb": "crumb",
    "/consent": "consent",
}


@dataclass(frozen=True)
class Asked:
    """One request that arrived."""

    kind: str
    """A value of `PATHS`; `cookie` for everything else."""
    symbol: str
    """What is asked about: a symbol; a search's words, a screen's name, a sector's page, a calendar's kind."""
    query: Mapping[str, str]
    body: Any
    cookie: str
    """The `Cookie` header."""


COOKIE_PAGE = Reply(
    "<html><body>Edge: no such page</body></html>",
    status=502,
    headers={"Set-Cookie": "A3=d=fictional; Domain=.yahoo.com; Path=/; Max-Age=31536000"},
)
"""Yahoo gives its cookie with an error page."""


def failing(status: int, **headers: str) -> Reply:
    """Return a refusal with a page, as Yahoo's edge sends it."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply("<html><body>Edge: refused</body></html>", status=status, headers=names)


class YahooAnswers:
    """Answers by kind and symbol, as the test filled them; what they were not told of, Yahoo does not know (404)."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self._answers: dict[tuple[str, str], Any] = {}

    def answer(self, kind: str, answer: Any, symbol: str = "") -> None:
        """Answer requests of a kind (about a symbol, else about any) with a `Reply`, or a payload sent with 200.

        A chart made by `chart` is cut to the window asked for; time series to the types asked for; a calendar made
        by `earnings_calendar` or `economic_calendar` to its window and page.
        """
        self._answers[kind, symbol] = answer

    def given(self, kind: str, symbol: str = "") -> Any:
        """Return what a kind (about a symbol) is answered with, to be changed in place."""
        return self._answers[kind, symbol]

    def count(self, kind: str, symbol: str | None = None) -> int:
        """Return how often a kind (about a symbol) was asked."""
        return sum(asked.kind == kind and symbol in (None, asked.symbol) for asked in self.asked)

    def reply_to(self, asked: Asked) -> Reply:
        answer = self._answers.get((asked.kind, asked.symbol), self._answers.get((asked.kind, "")))
        if isinstance(answer, Reply):
            return answer
        if isinstance(answer, Mapping) and asked.kind == "chart":
            return Reply(_in_window(answer, asked.query))
        if isinstance(answer, Mapping) and asked.kind == "timeseries" and "timeseries" not in answer:
            return Reply(_of_types(answer, asked))
        if isinstance(answer, Mapping) and asked.kind == "calendar":
            return Reply(_page_of(answer, asked.body))
        return Reply(answer) if answer is not None else _default(asked)


class YahooServer(YahooAnswers):
    """Yahoo at an address of this machine."""

    def __init__(self) -> None:
        super().__init__()
        self._stopped = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True

    @property
    def address(self) -> str:
        host, port = self._http.server_address[:2]
        return f"{host!s}:{port}"

    def stop(self) -> None:
        self._stopped.set()
        self._http.shutdown()
        self._http.server_close()

    def start(self) -> None:
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def _handler(server) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - `self` is the handler's
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length)) if length else None
                asked = asked_of(self.path, body, self.headers.get("Cookie") or "")
                server.asked.append(asked)
                self._send(server.reply_to(asked))

            do_POST = do_GET  # noqa: N815 - the base class's spelling

            def _send(self, reply: Reply) -> None:
                if reply.silent:
                    server._stopped.wait()
                    return
                body = reply.bytes()
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[: len(body) // 2] if reply.truncated else body)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
                """Say nothing."""

        return Handler


class LocalSession(YahooSession):
    """The vendor's session with the local server for a proxy, so that it answers for every host."""

    def __init__(self, address: str) -> None:
        super().__init__(trust_env=False, proxies={"http": f"http://{address}", "https": f"http://{address}"})

    def request(self, method: Any, url: str, *args: Any, **options: Any) -> Response:
        return super().request(method, url.replace("https://", "http://", 1), *args, **options)


@contextmanager
def yahoo_server() -> Iterator[YahooServer]:
    """Run a server for the length of a test."""
    server = YahooServer()
    server.start()
    try:
        yield server
    finally:
        server.stop()


def asked_of(target: str, body: Any, cookie: str) -> Asked:
    """Read a request: its path with the query, its JSON, its cookie."""
    parts = urlsplit(target)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    prefix = next((path for path in PATHS if parts.path.startswith(path)), None)
    if prefix is None:
        return Asked("cookie", "", query, body, cookie)
    kind = PATHS[prefix]
    if prefix.endswith("/"):
        subject = parts.path.removeprefix(prefix).replace("%5E", "^")
    elif kind == "news":
        subject = body["serviceConfig"]["s"][0]
    elif kind == "calendar":
        subject = body["entityIdType"]
    else:
        subject = query.get({"search": "q", "screen": "scrIds"}.get(kind, "symbols"), "")
    return Asked(kind, subject, query, body, cookie)


def _default(asked: Asked) -> Reply:
    if asked.kind == "crumb":
        return Reply(CRUMB)
    if asked.kind == "cookie":
        return COOKIE_PAGE
    if asked.kind == "consent":
        return Reply("", status=404)
    if asked.kind == "news":
        return Reply(news_stream())
    if asked.kind == "search":
        return Reply({"quotes": [], "news": []})
    if asked.kind == "timeseries":
        return Reply(_of_types({}, asked))
    if asked.kind == "calendar":
        return Reply(_calendar([], []))
    if asked.kind in ("screen", "sector"):
        return Reply({"finance": {"result": None, "error": {"code": "Not Found"}}}, status=404)
    root = {"chart": "chart", "quoteSummary": "quoteSummary", "quote": "quoteResponse"}[asked.kind]
    error = {"code": "Not Found", "description": f"No data found, symbol may be delisted: {asked.symbol}"}
    return Reply({root: {"result": None, "error": error}}, status=404)


# Payloads in Yahoo's shapes


def chart(
    symbol: str,
    bars: Mapping[str, Sequence[float | None]],
    *,
    splits: Mapping[str, tuple[int, int]] | None = None,
    dividends: Mapping[str, float] | None = None,
    currency: str | None = "USD",
    zone: str = "America/New_York",
    opens: time = time(9, 30),
    kind: str = "EQUITY",
) -> dict[str, Any]:
    """Return a daily chart: bars are (open, high, low, close, adjusted close, volume) by day."""
    stamp = {day: _epoch(day, opens, zone) for day in [*bars, *(splits or {}), *(dividends or {})]}
    columns = list(zip(*bars.values(), strict=True))
    events: dict[str, Any] = {}
    if splits:
        events["splits"] = {
            str(stamp[day]): {"date": stamp[day], "numerator": up, "denominator": down, "splitRatio": f"{up}:{down}"}
            for day, (up, down) in splits.items()
        }
    if dividends:
        events["dividends"] = {
            str(stamp[day]): {"date": stamp[day], "amount": amount} for day, amount in dividends.items()
        }
    quote = dict(zip(("open", "high", "low", "close", "volume"), [*columns[:4], columns[5]], strict=True))
    result = {
        "meta": {
            "currency": currency,
            "symbol": symbol,
            "instrumentType": kind,
            "exchangeTimezoneName": zone,
            "validRanges": ["1d", "max"],
            "dataGranularity": "1d",
            "priceHint": 2,
        },
        "timestamp": [stamp[day] for day in bars],
        "indicators": {"quote": [quote], "adjclose": [{"adjclose": columns[4]}]},
        "events": events,
    }
    return {"chart": {"result": [result], "error": None}}


def quote_summary(**modules: Any) -> dict[str, Any]:
    """Return a `quoteSummary` answer of the modules given."""
    return {"quoteSummary": {"result": [modules], "error": None}}


def quote(**fields: Any) -> dict[str, Any]:
    """Return a `quote` answer about one symbol."""
    return {"quoteResponse": {"result": [fields], "error": None}}


def insiders(*trades: Mapping[str, Any]) -> dict[str, Any]:
    """Return the holders' modules with these trades; `day` stands for Yahoo's `startDate`."""
    rows = []
    for trade in trades:
        row = {"maxAge": 1, "filerUrl": "", "moneyText": "", "ownership": "D", **trade}
        row["startDate"] = _epoch(row.pop("day"), time(0), "UTC")
        rows.append(row)
    return quote_summary(insiderTransactions={"transactions": rows, "maxAge": 1})


def article(title: str, published: str | None, **fields: Any) -> dict[str, Any]:
    """Return an article as the company's stream nests it; `published` is ISO, UTC."""
    content = {"title": title, "provider": {"displayName": "The Fictional Post"}, **fields}
    if published:
        content["pubDate"] = published
    return {"id": title, "content": content}


def news_stream(*articles: Mapping[str, Any]) -> dict[str, Any]:
    """Return a company's stream of articles."""
    return {"data": {"tickerStream": {"stream": list(articles)}}}


def screen(*quotes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a screen's answer with these quotes."""
    found = {"id": "fictional", "start": 0, "count": len(quotes), "total": len(quotes), "quotes": list(quotes)}
    return {"finance": {"result": [found], "error": None}}


def screened(symbol: str, price: float, change: float, stamp: datetime, **fields: Any) -> dict[str, Any]:
    """Return a screen's quote: price, change in percent, and when it was taken."""
    return {
        "symbol": symbol,
        "quoteType": "EQUITY",
        "currency": "USD",
        "regularMarketPrice": price,
        "regularMarketChangePercent": change,
        "regularMarketVolume": 5_000_000,
        "regularMarketTime": int(stamp.timestamp()),
        **fields,
    }


def sector(name: str, *companies: tuple[str, str, str | None, float | None]) -> dict[str, Any]:
    """Return a sector page with companies of (symbol, name, rating, market weight as a fraction)."""
    listed = [
        {
            "symbol": symbol,
            "name": title,
            **({"rating": rating} if rating else {}),
            "marketWeight": {} if weight is None else {"raw": weight, "fmt": f"{weight:.2%}"},
        }
        for symbol, title, rating, weight in companies
    ]
    return {"data": {"name": name, "symbol": "^YH000", "overview": {"companiesCount": 9}, "topCompanies": listed}}


EARNINGS_COLUMNS = (
    ("Symbol", "STRING"),
    ("Company Name", "STRING"),
    ("Market Cap (Intraday)", "NUMBER"),
    ("Event Name", "STRING"),
    ("Event Start Date", "DATE"),
    ("Event Start Date", "STRING"),
    ("EPS Estimate", "NUMBER"),
    ("Reported EPS", "NUMBER"),
    ("Surprise (%)", "NUMBER"),
)
ECONOMIC_COLUMNS = (
    ("Event", "STRING"),
    ("Country Code", "STRING"),
    ("Event Time", "DATE"),
    ("For", "STRING"),
    ("Actual", "NUMBER"),
    ("Market Expectation", "NUMBER"),
    ("Prior to This", "NUMBER"),
    ("Revised from", "NUMBER"),
)


def earnings_calendar(*events: Mapping[str, Any]) -> dict[str, Any]:
    """Return an earnings calendar; an event has `symbol`, `at` (ISO, UTC) and perhaps more."""
    return _calendar(
        EARNINGS_COLUMNS,
        [
            [
                event["symbol"],
                event.get("company"),
                event.get("value", 1e9),
                event.get("event"),
                event["at"],
                event.get("timing", "TNS"),
                event.get("estimate"),
                event.get("eps"),
                event.get("surprise"),
            ]
            for event in events
        ],
    )


def economic_calendar(*events: Mapping[str, Any]) -> dict[str, Any]:
    """Return an economic calendar; an event has `name`, `at` (ISO, UTC) and perhaps more."""
    return _calendar(
        ECONOMIC_COLUMNS,
        [
            [
                event["name"],
                event.get("country", "US"),
                event["at"],
                event.get("period"),
                event.get("actual"),
                event.get("expected"),
                event.get("last"),
                None,
            ]
            for event in events
        ],
    )


def _calendar(columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    named = [{"label": label, "type": kind} for label, kind in columns]
    return {
        "finance": {"result": [{"total": len(rows), "documents": [{"columns": named, "rows": rows}]}], "error": None}
    }


def search_news(*articles: tuple[str, str]) -> dict[str, Any]:
    """Return a search answer with flat articles of (title, ISO instant)."""
    flat = [
        {
            "uuid": title,
            "title": title,
            "publisher": "The Fictional Post",
            "link": "https://news.example/1",
            "providerPublishTime": int(datetime.fromisoformat(published).timestamp()),
        }
        for title, published in articles
    ]
    return {"quotes": [], "news": flat}


@cache
def _epoch(day: str, clock: time, zone: str) -> int:
    return int(datetime.combine(date.fromisoformat(day), clock, ZoneInfo(zone)).timestamp())


def _in_window(answer: Mapping[str, Any], query: Mapping[str, str]) -> dict[str, Any]:
    """Cut a chart to `period1` ≤ stamp < `period2`, as Yahoo does; a window without bars has no `timestamp`."""
    found = answer["chart"]["result"][0]
    first, last = float(query.get("period1", "-inf")), float(query.get("period2", "inf"))
    kept = [index for index, stamp in enumerate(found.get("timestamp", ())) if first <= stamp < last]
    quote = found["indicators"]["quote"][0]
    cut: dict[str, Any] = {"meta": found["meta"], "indicators": {"quote": [{}], "adjclose": [{}]}}
    if kept:
        cut["timestamp"] = [found["timestamp"][index] for index in kept]
        adjusted = found["indicators"]["adjclose"][0]["adjclose"]
        cut["indicators"] = {
            "quote": [{name: [column[index] for index in kept] for name, column in quote.items()}],
            "adjclose": [{"adjclose": [adjusted[index] for index in kept]}],
        }
    cut["events"] = {
        name: {stamp: event for stamp, event in events.items() if first <= event["date"] < last}
        for name, events in found.get("events", {}).items()
    }
    return {"chart": {"result": [cut], "error": None}}


def _page_of(answer: Mapping[str, Any], body: Any) -> dict[str, Any]:
    """Cut a calendar to the days asked for, both bounds a midnight (UTC), and to the page asked for."""
    document = answer["finance"]["result"][0]["documents"][0]
    labels = [(column["label"], column["type"]) for column in document["columns"]]
    when = next(index for index, (_, kind) in enumerate(labels) if kind == "DATE")
    bounds = {item["operator"]: item["operands"][1] for item in body["query"]["operands"] if len(item["operands"]) == 2}
    first, last = f"{bounds['GTE']}T00:00:00", f"{bounds['LTE']}T00:00:00.000Z"
    found = [row for row in document["rows"] if row[when] is None or first <= row[when] <= last]
    return _calendar(labels, found[body["offset"] : body["offset"] + body["size"]])


def _of_types(series: Mapping[str, Any], asked: Asked) -> dict[str, Any]:
    """Return the series asked for by type, each value by its period end; a type Yahoo lacks has its meta only.

    Amounts are in dollars, or in the currency that `currencyCode` names.
    """
    results = []
    for name in asked.query["type"].split(","):
        entry: dict[str, Any] = {"meta": {"symbol": [asked.symbol], "type": [name]}}
        if values := series.get(name):
            entry["timestamp"] = [int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) for day in values]
            entry[name] = [
                {"asOfDate": day, "currencyCode": series.get("currencyCode", "USD"), "reportedValue": {"raw": value}}
                for day, value in values.items()
            ]
        results.append(entry)
    return {"timeseries": {"result": results, "error": None}}
