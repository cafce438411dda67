"""The finnhub vendor on answers that Finnhub gave in 2019 and 2020: news, peers, a company, served as they were.

Insiders, ratios and calendars are not among them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.finnhub import SOURCE
from tests.support.vendor_server import VendorServer, vendor_server
from tradingagents.dataflows.models import Profile

pytestmark = pytest.mark.real_data
Recorded = Callable[[str], Any]
START, END = datetime(2019, 1, 1, tzinfo=UTC), datetime(2020, 12, 31, tzinfo=UTC)


@pytest.fixture
def recorded(test_data: Path) -> Recorded:
    folder = test_data / "market" / "vendor_payloads" / "finnhub"
    return lambda name: json.loads((folder / name).read_text(encoding="utf-8"))


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        yield running


@pytest.mark.parametrize("path", ["/news", "/company-news"])
def test_every_recorded_article(recorded: Recorded, server: VendorServer, tmp_path: Path, path: str):
    articles = recorded("AlternativeData/news.json")
    server.answer(path, articles)
    vendor = SOURCE.open(server, tmp_path, now=lambda: END)
    symbol = None if path == "/news" else "AAPL"
    found = vendor.get_news(symbol, START, END) if symbol else vendor.get_global_news(START, END)
    assert len(found) == len(articles) > 1
    by_url = {item.url: item for item in found}
    for article in articles:
        item = by_url[article["url"]]
        assert item.published_at == item.known_at == datetime.fromtimestamp(article["datetime"], UTC)
        assert (item.title, item.summary) == (article["headline"].strip(), article["summary"].strip())
        assert (item.source, item.symbol) == (article["source"], symbol)


def test_recorded_peers(recorded: Recorded, server: VendorServer, tmp_path: Path):
    peers = recorded("Stock/peers.json")
    server.answer("/stock/peers", peers)
    assert peers[0] == "AAPL"
    assert SOURCE.open(server, tmp_path).get_peers("AAPL", "technology") == tuple(peers[1:])


def test_a_recorded_company(recorded: Recorded, server: VendorServer, tmp_path: Path):
    """It is of the older profile, which had no `finnhubIndustry`: the company has a name and no sector."""
    company = recorded("Stock/company.json")
    server.answer("/stock/profile2", company)
    found = SOURCE.open(server, tmp_path).get_profile("AAPL")
    assert found == Profile("AAPL", company["name"], "stock", None, None, "XNYS", company["currency"], "XNAS")
