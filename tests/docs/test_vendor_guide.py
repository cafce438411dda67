"""The vendor of the guide works: through the door, against a server that behaves and one that does not."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.docs.blocks import ROOT, python_blocks
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import AllVendorsFailed, NoData, RateLimited, VendorDown
from tradingagents.settings import load_settings

GUIDE = ROOT / "docs" / "guides" / "adding-a-vendor.md"
DAY = date(2025, 3, 14)
BARS = [
    {"d": "2025-03-13", "o": 10, "h": 12, "l": 9, "c": 11, "a": 11, "v": 100},
    {"d": "2025-03-14", "o": 11, "h": 13, "l": 10, "c": 12.5, "a": 12.5, "v": 200},
    {"d": "2025-03-17", "o": 99, "h": 99, "l": 99, "c": 99, "a": 99, "v": 999},
]
BODIES: dict[str, tuple[int, str]] = {
    "/daily/ZYXO": (200, json.dumps({"bars": BARS})),
    "/daily/EMPTY": (200, json.dumps({"bars": []})),
    "/daily/GARBLED": (200, "<html>"),
    "/daily/BUSY": (429, ""),
    "/daily/BROKEN": (500, ""),
}


class Acme(BaseHTTPRequestHandler):
    """Answers as Acme would; notes what it was asked."""

    asked: list[tuple[str, Any, str | None]]

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.asked.append((parts.path, parse_qs(parts.query), self.headers["X-Key"]))
        status, body = BODIES.get(parts.path, (404, ""))
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[tuple[str, list[tuple[str, Any, str | None]]]]:
    """The server's URL, and what it was asked."""
    asked: list[tuple[str, Any, str | None]] = []
    handler = type("Handler", (Acme,), {"asked": asked})
    with HTTPServer(("127.0.0.1", 0), handler) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}", asked
        http.shutdown()
        thread.join()


@pytest.fixture
def acme(server: tuple[str, list[Any]]) -> Iterator[Vendor]:
    """The vendor as the guide writes it."""
    vendor = acme_at(server[0])
    yield vendor
    vendor._client.close()  # type: ignore[attr-defined]


def acme_at(url: str) -> Vendor:
    (block,) = python_blocks(GUIDE)
    names: dict[str, Any] = {"__name__": "acme"}
    exec(compile(block.text, str(GUIDE), "exec"), names)  # noqa: S102 - the documented example
    made: Vendor = names["AcmeVendor"]("key-1", 5.0, url)
    return made


def market(vendor: Vendor) -> MarketData:
    settings = load_settings({"data_vendor": "acme"}, environ={})
    return MarketData(settings, DAY, vendors=Vendors(settings, {"acme": vendor}))


def test_its_prices_come_through_the_door_cut_at_the_day(acme: Vendor, server: tuple[str, list[Any]]) -> None:
    prices = market(acme).prices("zyxo")
    assert prices.close.tolist() == [11.0, 12.5]
    assert prices.volume.dtype == float
    ((path, window, key),) = server[1]
    assert (path, key, window["to"]) == ("/daily/ZYXO", "key-1", ["2025-03-14"])


@pytest.mark.parametrize(
    ("symbol", "error"),
    [
        ("UNKNOWN", NoData),
        ("EMPTY", NoData),
        ("GARBLED", VendorDown),
        ("BUSY", RateLimited),
        ("BROKEN", VendorDown),
    ],
)
def test_what_it_cannot_answer_it_raises(acme: Vendor, symbol: str, error: type[Exception]) -> None:
    with pytest.raises(error, match="acme"):
        acme.get_stock_data(symbol, DAY, DAY)


def test_a_server_that_is_gone_is_told_apart_from_one_that_has_nothing(acme: Vendor) -> None:
    gone = acme_at("http://127.0.0.1:1")
    with pytest.raises(AllVendorsFailed, match="acme does not answer"):
        market(gone).prices("ZYXO")
    gone._client.close()  # type: ignore[attr-defined]


def test_what_it_does_not_override_it_says_it_does_not_have(acme: Vendor) -> None:
    with pytest.raises(NoData, match="acme has no get_news"):
        market(acme).news("ZYXO", DAY, DAY)
