"""The plug-in of the guide works: installed as a package, found by its entry point, asked through `MarketData`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT
from tests.support.installed import example_of, installed
from tests.support.vendor_server import HTML, Reply, Request, VendorServer, vendor_server
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import (
    AllVendorsFailed,
    DataError,
    NoData,
    RateLimited,
    VendorDown,
    VendorNotConfigured,
)
from tradingagents.settings import load_settings

GUIDE = ROOT / "docs" / "guides" / "adding-a-vendor.md"
DAY = date(2025, 3, 14)
KEY = "SECRET-of-acme-1234"
BARS = [
    {"d": "2025-03-13", "o": 10, "h": 12, "l": 9, "c": 11, "a": 11, "v": 100},
    {"d": "2025-03-14", "o": 11, "h": 13, "l": 10, "c": 12.5, "a": 12.5, "v": 200},
    {"d": "2025-03-17", "o": 99, "h": 99, "l": 99, "c": 99, "a": 99, "v": 999},
]
ANSWERS = {
    "/daily/ZYXO": {"bars": BARS},
    "/daily/EMPTY": {"bars": []},
    "/daily/ODD": {"bars": [{"d": "2025-03-14"}]},
    "/daily/GARBLED": HTML,
    "/daily/BUSY": Reply({}, status=429, headers={"Retry-After": "600"}),
    "/daily/BROKEN": Reply({}, status=500),
}


@pytest.fixture
def acme(tmp_path: Path) -> Iterator[VendorServer]:
    """The guide's package, installed as pip would leave it, and its server."""
    code, points = example_of(GUIDE)
    assert len(code.splitlines()) < 60
    with installed(tmp_path / "site", "tradingagents_acme", code, points), vendor_server() as server:
        for path, answer in ANSWERS.items():
            server.answer(path, answer)
        yield server


def market(acme: VendorServer, home: Path, *, key: str | None = KEY) -> MarketData:
    settings = load_settings(
        {"data_vendor": "acme", "vendor_urls": {"acme": acme.url}, "home": home, "vendor_max_retries": 0}, environ={}
    )
    environ = {"ACME_API_KEY": key} if key else {}
    return MarketData(settings, DAY, vendors=Vendors(settings, environ=environ))


def test_its_prices_come_through_market_data_cut_at_the_day(acme: VendorServer, tmp_path: Path) -> None:
    prices = market(acme, tmp_path).prices("zyxo")
    assert (prices.close.tolist(), prices.open.tolist(), prices.vendor) == ([11.0, 12.5], [10.0, 11.0], "acme")
    (asked,) = acme.asked
    assert isinstance(asked, Request)
    assert (asked.path, asked.headers["x-key"], asked.query["to"]) == ("/daily/ZYXO", KEY, "2025-03-14")


@pytest.mark.parametrize(
    ("symbol", "error", "cause"),
    [
        ("UNKNOWN", NoData, None),
        ("EMPTY", NoData, None),
        ("ODD", AllVendorsFailed, VendorDown),
        ("GARBLED", AllVendorsFailed, VendorDown),
        ("BUSY", AllVendorsFailed, RateLimited),
        ("BROKEN", AllVendorsFailed, VendorDown),
    ],
)
def test_what_it_cannot_answer_it_raises_without_the_key(
    acme: VendorServer,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    symbol: str,
    error: type[DataError],
    cause: type[DataError] | None,
) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(error, match="acme") as caught:
        market(acme, tmp_path).prices(symbol)
    assert cause is None or isinstance(caught.value.__cause__, cause)
    assert KEY not in str(caught.value) + caplog.text


def test_without_its_key_it_names_the_variable_and_where_to_get_one(acme: VendorServer, tmp_path: Path) -> None:
    with pytest.raises(VendorNotConfigured, match=r"acme needs ACME_API_KEY: .* https://acme.example/keys"):
        market(acme, tmp_path, key=None).prices("ZYXO")
    assert acme.asked == []


def test_what_it_does_not_override_it_says_it_does_not_have(acme: VendorServer, tmp_path: Path) -> None:
    with pytest.raises(NoData, match="acme has no get_news"):
        market(acme, tmp_path).news("ZYXO", DAY, DAY)
