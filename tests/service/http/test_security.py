"""The gate: what it refuses before anything else sees a request. Its app answers with what reached it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from tradingagents.dataflows.gateway.limits import Rate
from tradingagents.service.http.errors import Sanitizer
from tradingagents.service.http.limits import RequestLimit
from tradingagents.service.http.security import AccessPolicy, Gate, host_name, is_loopback

TOKEN = "a-long-token-of-the-server-1"  # noqa: S105 - made up for this test
OTHER = "https://pro.example.com"


async def inner(scope: Scope, receive: Receive, send: Send) -> None:
    request = Request(scope, receive)
    body = await request.body()
    if request.url.path == "/breaks":
        raise ValueError(f"{TOKEN} /etc/passwd")
    await JSONResponse({"path": request.url.path, "size": len(body)})(scope, receive, send)


def gate(**policy: Any) -> Gate:
    given: dict[str, Any] = {"token": TOKEN, "max_body": 1_000, "allowed_origins": frozenset({OTHER}), **policy}
    return Gate(inner, AccessPolicy(**given), Sanitizer(Path("/srv/home"), {}, {TOKEN}))


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    async with asking(gate()) as client:
        yield client


def asking(
    app: Gate, base: str = "http://127.0.0.1:8765", client: tuple[str, int] = ("127.0.0.1", 123)
) -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    return httpx.AsyncClient(transport=httpx.ASGITransport(app, client=client), base_url=base, headers=headers)


def code_of(response: httpx.Response) -> str:
    told = response.json()["error"]
    assert told["request_id"] == response.headers["x-request-id"]
    return str(told["code"])


async def test_a_request_with_the_token_passes_with_the_headers_of_every_answer(http: httpx.AsyncClient) -> None:
    response = await http.get("/v1/tasks")
    assert (response.status_code, response.json()["path"]) == (200, "/v1/tasks")
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize(
    "authorization", [None, "", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer \xff"]
)
async def test_a_wrong_or_missing_token_is_refused(authorization: str | None) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(gate()), base_url="http://localhost") as client:
        headers = {} if authorization is None else {"Authorization": authorization.encode("latin-1")}
        response = await client.get("/v1/tasks", headers=headers)
        assert (response.status_code, code_of(response)) == (401, "access_refused")
        assert response.headers["www-authenticate"] == "Bearer"
        assert (await client.get(f"/v1/tasks?token={TOKEN}")).status_code == 401, "never in an address"


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/v1/health"])
async def test_the_page_needs_no_token_and_only_to_be_read(path: str) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(gate()), base_url="http://localhost") as client:
        assert (await client.get(path)).status_code == 200
        assert (await client.post(path)).status_code == 401


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "192.168.0.7:8765", "", "[::1", "a b"]
)
async def test_another_host_name_is_refused(http: httpx.AsyncClient, host: str) -> None:
    response = await http.get("/v1/tasks", headers={"Host": host})
    assert (response.status_code, code_of(response)) == (421, "access_refused")


@pytest.mark.parametrize("host", ["localhost:8765", "127.0.0.1", "[::1]:8765", "LOCALHOST", "localhost.:80"])
async def test_names_of_this_machine_are_accepted(http: httpx.AsyncClient, host: str) -> None:
    assert (await http.get("/v1/tasks", headers={"Host": host})).status_code == 200


async def test_a_server_on_all_addresses_is_known_by_addresses_and_named_hosts() -> None:
    async with asking(gate(host="0.0.0.0", allowed_hosts=frozenset({"desk.example"}))) as client:  # noqa: S104 - nothing listens
        for host, status in {"192.168.0.7:80": 200, "desk.example": 200, "evil.example": 421}.items():
            assert (await client.get("/v1/tasks", headers={"Host": host})).status_code == status


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:9999", "file://", "http://"])
async def test_pages_of_other_origins_are_refused(http: httpx.AsyncClient, origin: str) -> None:
    response = await http.get("/v1/tasks", headers={"Origin": origin})
    assert (response.status_code, code_of(response)) == (403, "access_refused")
    assert "access-control-allow-origin" not in response.headers
    preflight = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    assert (await http.options("/v1/tasks", headers=preflight)).status_code == 403


async def test_an_allowed_origin_may_ask_and_our_own_page_too(http: httpx.AsyncClient) -> None:
    own = await http.get("/v1/tasks", headers={"Origin": "http://127.0.0.1:8765"})
    assert own.status_code == 200
    assert "access-control-allow-origin" not in own.headers
    allowed = await http.get("/v1/tasks", headers={"Origin": OTHER})
    assert allowed.headers["access-control-allow-origin"] == OTHER
    preflight = await http.options(
        "/v1/tasks", headers={"Origin": OTHER, "Access-Control-Request-Method": "POST", "Authorization": ""}
    )
    assert preflight.status_code == 204
    assert "authorization" in preflight.headers["access-control-allow-headers"]


async def test_large_bodies_are_refused_whether_or_not_their_length_is_told(http: httpx.AsyncClient) -> None:
    assert (await http.post("/v1/tasks", content=b"x" * 1_000)).json()["size"] == 1_000
    told = await http.post("/v1/tasks", content=b"x" * 1_001)

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(3):
            yield b"x" * 500

    untold = await http.post("/v1/tasks", content=pieces())
    for response in (told, untold):
        assert (response.status_code, code_of(response)) == (413, "request_too_large")
    for length in ("-1", "many"):
        assert (await http.post("/v1/tasks", headers={"Content-Length": length}, content=b"")).status_code == 413


@pytest.mark.parametrize(
    "body", [b"[" * 200 + b"]" * 200, b"{", b'{"a": NaN}', b'{"a": "\\ud800"}', b"\xff", b'{"a": ' + b"9" * 900 + b"}"]
)
async def test_json_that_no_file_can_hold_is_refused(http: httpx.AsyncClient, body: bytes) -> None:
    response = await http.post("/v1/tasks", content=body, headers={"Content-Type": "application/json; charset=utf-8"})
    assert (response.status_code, code_of(response)) == (400, "usage_error") if b"9" not in body else True


async def test_headers_and_addresses_are_bounded(http: httpx.AsyncClient) -> None:
    assert (await http.get("/v1/tasks", headers={"X-Long": "x" * 9_000})).status_code == 431
    assert (await http.get("/v1/tasks", headers={f"X-{n}": "x" for n in range(120)})).status_code == 431
    assert (await http.get("/v1/" + "x" * 5_000)).status_code == 414


async def test_what_nobody_expected_is_answered_without_details(
    http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    response = await http.get("/breaks")
    assert (response.status_code, code_of(response)) == (500, "server_failure")
    assert TOKEN not in response.text
    assert "passwd" not in response.text
    assert any(response.headers["x-request-id"] in record.getMessage() for record in caplog.records)


async def test_each_client_has_a_rate_and_is_told_when_to_ask_again() -> None:
    async with asking(gate(rates=(Rate(2, 60),))) as client:
        statuses = [(await client.get("/v1/tasks")).status_code for _ in range(3)]
        assert statuses == [200, 200, 429]
        refused = await client.get("/v1/tasks")
        assert 25 <= int(refused.headers["retry-after"]) <= 31
        assert refused.json()["error"]["details"]["retry_after"] > 20
        assert (await client.get("/v1/health")).status_code == 200


async def test_an_address_that_guesses_tokens_has_to_wait_with_the_right_one_too() -> None:
    app = gate()
    wrong = {"Authorization": "Bearer guess"}
    async with (
        asking(app, client=("127.0.0.1", 50_001)) as proven,
        asking(app, client=("127.0.0.1", 50_002)) as guessing,
    ):
        assert (await proven.get("/v1/tasks")).status_code == 200
        statuses = [(await guessing.get("/v1/tasks", headers=wrong)).status_code for _ in range(31)]
        assert statuses == [401] * 30 + [429]
        assert (await guessing.get("/v1/tasks")).status_code == 429  # a right guess does not stand out
        assert (await proven.get("/v1/tasks")).status_code == 200
    async with asking(app, client=("192.0.2.7", 50_003)) as other:
        assert (await other.get("/v1/tasks")).status_code == 200


async def test_an_origin_that_is_no_address_is_refused(http: httpx.AsyncClient) -> None:
    assert (await http.get("/v1/tasks", headers={"Origin": "http://["})).status_code == 403


def test_a_bucket_fills_at_its_rate_and_forgets_old_clients() -> None:
    now = [0.0]
    limit = RequestLimit((Rate(2, 1), Rate(3, 60)), clock=lambda: now[0])
    assert [limit.seconds_to_wait("a") for _ in range(3)] == [0.0, 0.0, 0.5]
    now[0] = 1.0
    assert limit.seconds_to_wait("a") == 0.0
    assert limit.seconds_to_wait("a") == pytest.approx(19.0)
    assert limit.seconds_to_wait("b") == 0.0


def test_host_names_and_loopback() -> None:
    assert host_name("[::1]:80") == "::1"
    assert host_name("a:port") is None
    assert [is_loopback(one) for one in ("127.0.0.9", "::1", "LOCALHOST", "0.0.0.0", "desk.example")] == [  # noqa: S104
        *(True, True, True),
        *(False, False),
    ]


def test_messages_lose_secrets_and_folders(tmp_path: Path) -> None:
    sanitizer = Sanitizer(tmp_path / "home", {"FINNHUB_API_KEY": "k3y-of-finnhub"}, {TOKEN})
    text = sanitizer.text(f"Cannot write {tmp_path}/home/runs/x with k3y-of-finnhub and {TOKEN} in {Path.home()}/y")
    assert json.dumps(text) == '"Cannot write <home>/runs/x with *** and *** in ~/y"'
