"""The watch list over HTTP, by a plain client and by ours."""

from __future__ import annotations

import httpx
import pytest

from tests.service.http.test_routes import error_of
from tests.support.server_process import ServerProcess
from tradingagents.errors import BadSymbol
from tradingagents.runtime.runs.watch_list import WatchList
from tradingagents.service.client import Client


def test_tickers_are_added_in_order_once_and_removed(http: httpx.Client, client: Client, server: ServerProcess) -> None:
    listed = WatchList(server.home)
    listed.remove(listed.tickers)
    assert http.get("/v1/watchlist").json() == {"tickers": []}
    added = http.post("/v1/watchlist", json={"tickers": ["velq", "MODZ", "VELQ"]})
    assert (added.status_code, added.json()) == (200, {"tickers": ["VELQ", "MODZ"]})
    assert client.watch(["BRK.B"]).tickers == ("VELQ", "MODZ", "BRK-B")
    assert http.delete("/v1/watchlist/modz").json() == {"tickers": ["VELQ", "BRK-B"]}
    assert client.unwatch("NODQ") == client.watch_list()
    assert client.unwatch("BRK-B").tickers == listed.tickers == ("VELQ",)
    listed.remove(listed.tickers)


def test_what_is_no_ticker_is_refused_and_nothing_is_added(http: httpx.Client, client: Client) -> None:
    before = client.watch_list()
    refused = http.post("/v1/watchlist", json={"tickers": ["OMBZ", "../../etc"]})
    assert (refused.status_code, error_of(refused)["code"]) == (400, "bad_symbol")
    assert http.post("/v1/watchlist", json={"tickers": []}).status_code == 400
    assert http.delete("/v1/watchlist/..%2F..").status_code in (400, 404)
    with pytest.raises(BadSymbol):
        client.unwatch("a b c")
    assert client.watch_list() == before
