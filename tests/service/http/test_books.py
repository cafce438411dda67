"""The book over HTTP: by a plain client, by ours and in this process; wrong files, wrong days, nothing said of them."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.service.http.test_routes import error_of
from tests.support.server_process import ServerProcess
from tradingagents.dataflows.portfolio_store import NoBook, book_days, book_on
from tradingagents.errors import UsageError
from tradingagents.service.client import Client

CSV = "ticker,quantity,average price,currency,account\nVELQ,100,80,USD,Main\nMODZ,-5,,,"
DAY = "2025-03-14"


@pytest.fixture(autouse=True)
def no_book(server: ServerProcess) -> Iterator[None]:
    yield
    for day in book_days(server.home):
        (server.home / "book" / f"{day}.json").unlink()


def test_a_file_is_read_then_stored_listed_shown_and_deleted(http: httpx.Client, server: ServerProcess) -> None:
    body = {"text": CSV, "day": DAY, "cash": {"USD": 1000}}
    read = http.post("/v1/books", json={**body, "store": False})
    assert (read.status_code, read.json()["stored"]) == (200, False)
    assert book_days(server.home) == ()
    stored = http.post("/v1/books", json=body)
    assert (stored.status_code, stored.json()["stored"]) == (201, True)
    assert read.json()["hash"] == stored.json()["hash"]
    (day,) = book_days(server.home)
    book = book_on(server.home, day)
    assert book is not None
    assert (book.quantity("VELQ"), book.quantity("MODZ"), book.cash) == (100, -5, {"USD": 1000})
    assert http.get("/v1/books").json() == [stored.json()]
    assert http.get("/v1/book", params={"day": "2025-04-01"}).json() == stored.json()
    valued = http.post("/v1/capabilities/book", json={"arguments": {}, "as_of": DAY}).json()["result"]
    assert {holding["symbol"]: holding["quantity"] for holding in valued["holdings"]} == {"VELQ": 100, "MODZ": -5}
    assert http.delete(f"/v1/books/{DAY}").status_code == 204
    gone = http.delete(f"/v1/books/{DAY}")
    assert (gone.status_code, error_of(gone)["code"]) == (404, "no_book")


def test_the_client_has_the_same_methods_and_errors(client: Client, server: ServerProcess) -> None:
    with pytest.raises(NoBook, match="import one with: tradingagents book import"):
        client.book()
    stored = client.store_book(CSV.encode(), day=DAY, cash={"EUR": 5})
    assert (stored.book.quantity("VELQ"), stored.book.cash) == (100, {"EUR": 5})
    assert client.books() == (stored,)
    assert client.book(DAY) == stored
    with pytest.raises(NoBook, match="the first is of 2025-03-14"):
        client.book("2025-03-13")
    with pytest.raises(UsageError, match="row 2, column quantity"):
        client.store_book(b"ticker,quantity\nVELQ,ten", day=DAY)
    client.remove_book(DAY)
    assert client.books() == ()
    assert oct((server.home / "book").stat().st_mode)[-2:] in ("00", "55")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "either as text or as base64"),
        ({"text": CSV, "base64": base64.b64encode(CSV.encode()).decode()}, "either as text or as base64"),
        ({"base64": "no base64!"}, "base64"),
        ({"text": ""}, "cannot be read as a portfolio"),
        ({"text": "ticker\nVELQ"}, "columns ticker and quantity"),
        ({"text": "ticker,quantity\nVELQ,ten"}, "row 2, column quantity"),
        ({"text": "ticker,quantity\n../../etc,1"}, "row 2, column ticker"),
        ({"text": CSV, "day": "../etc"}, "YYYY-MM-DD"),
        ({"text": CSV, "day": "x" * 50}, "day"),
        ({"text": CSV, "cash": {"ZZZ": 1}}, "ZZZ is no currency code"),
        ({"text": CSV, "cash": {"usd": 1}}, "cash"),
        ({"text": CSV, "cash": {"USD": "much"}}, "cash"),
        ({"text": '{"positions": [], "day": "2025-03-13"}', "day": DAY}, "of 2025-03-13 by their own word"),
        ({"text": CSV, "more": 1}, "more"),
    ],
)
def test_a_wrong_file_is_refused_in_words_and_nothing_is_stored(
    http: httpx.Client, server: ServerProcess, body: dict[str, Any], said: str
) -> None:
    answer = http.post("/v1/books", json=body)
    assert answer.status_code == 400
    assert said in error_of(answer)["message"]
    assert book_days(server.home) == ()


def test_a_workbook_that_unpacks_to_much_is_refused(http: httpx.Client) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 80_000_000)
    body = {"base64": base64.b64encode(packed.getvalue()).decode(), "day": DAY}
    answer = http.post("/v1/books", json=body)
    assert answer.status_code == 400
    assert "cannot be read as a portfolio" in error_of(answer)["message"]


@pytest.mark.parametrize("day", ["..", "2025-3-14", "2025-02-30", "main", "x" * 30])
def test_no_day_leads_elsewhere(http: httpx.Client, day: str) -> None:
    assert http.delete(f"/v1/books/{day}").status_code in (400, 404, 405)
    assert http.get("/v1/book", params={"day": day}).status_code == 400
