"""HTTP for vendors: every failure of a real server is one of our errors, and keys go to the vendor only."""

from __future__ import annotations

import gzip
import logging
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.support.vendor_server import HTML, Reply, VendorServer, vendor_server
from tradingagents.dataflows.gateway import http as module
from tradingagents.dataflows.gateway.http import Web, wait_asked
from tradingagents.dataflows.gateway.limits import RateLimiter
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.errors import (
    NoData,
    NotInPlan,
    RateLimited,
    TradingAgentsError,
    VendorDown,
    VendorNotConfigured,
)
from tradingagents.settings import load_settings

KEY = "SECRET-in-the-query-1234"
HEADER = "SECRET-in-a-header-5678"


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        yield running


def web(url: str, *, timeout: float = 5.0, limiter: RateLimiter | None = None, rates: str = "", **given: Any) -> Web:
    settings = load_settings({"vendor_timeout": timeout}, environ={})
    environ = {"ACME_API_KEY": KEY, "ACME_TOKEN": HEADER}
    access = Access("acme", settings=settings, environ=environ, url=url, limiter=limiter, rates=rates)
    keyed = {
        "headers": {"X-Token": access.key("ACME_TOKEN")},
        "secret_params": {"apikey": access.key("ACME_API_KEY")},
        "key_variable": "ACME_API_KEY",
    }
    return Web(access, **{**keyed, **given})


def test_what_is_asked_and_answered(server: VendorServer):
    server.answer("/prices", {"close": [1.5, None]})
    found = web(f"{server.url}/").get_json("prices/ACMQ", {"from": "2025-03-14", "to": None}, about="prices of ACMQ")
    assert found == {"close": [1.5, None]}
    (asked,) = server.asked
    assert (asked.method, asked.path) == ("GET", "/prices/ACMQ")
    assert asked.query == {"from": "2025-03-14", "apikey": KEY}
    assert asked.headers["x-token"] == HEADER


def test_a_body_and_a_form_are_sent(server: VendorServer):
    server.answer("/", {"ok": 1})
    asking = web(server.url)
    assert asking.post_json("search", {"q": "oil"}, about="oil", headers={"X-More": "1"}) == {"ok": 1}
    assert asking.post_form("token", {"grant": "x y"}, about="a token") == {"ok": 1}
    search, token = server.asked
    assert (search.json, search.headers["x-more"], search.query) == ({"q": "oil"}, "1", {"apikey": KEY})
    assert (token.body, token.headers["content-type"]) == (b"grant=x+y", "application/x-www-form-urlencoded")


FAILURES = {
    "bad_request": (Reply({}, status=400), NoData, "acme has no prices of ACMQ"),
    "missing": (Reply({}, status=404), NoData, "acme has no prices of ACMQ"),
    "unauthorised": (Reply({}, status=401), VendorNotConfigured, "check the value of ACME_API_KEY"),
    "payment": (Reply({}, status=402), NotInPlan, "does not include prices of ACMQ"),
    "forbidden": (Reply({}, status=403), VendorNotConfigured, "check the value of ACME_API_KEY"),
    "rate_limited": (Reply({}, status=429), RateLimited, "limits the rate"),
    "failed": (Reply({}, status=500), VendorDown, "HTTP 500"),
    "html": (HTML, VendorDown, "cannot be read"),
    "empty": (Reply(""), VendorDown, "cannot be read"),
    "deep": (Reply("[" * 200_000, content_type="application/json"), VendorDown, "cannot be read"),
    "truncated": (Reply({"x": "y" * 500}, truncated=True), VendorDown, "could not be reached"),
    "not_gzip": (Reply("plain", headers={"Content-Encoding": "gzip"}), VendorDown, "astray"),
    "silent": (Reply(silent=True), VendorDown, r"could not be reached within 0\.3 s"),
    "redirects_for_ever": (Reply({}, status=302, headers={"Location": "/again"}), VendorDown, "astray"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_is_told_apart_and_shows_no_key(server: VendorServer, failure: str, caplog: pytest.LogCaptureFixture):
    reply, kind, words = FAILURES[failure]
    server.failing = reply
    timeout = 0.3 if failure == "silent" else 5.0
    with caplog.at_level(logging.DEBUG), pytest.raises(TradingAgentsError, match=words) as caught:
        web(server.url, timeout=timeout).get_json("prices", about="prices of ACMQ")
    assert type(caught.value) is kind
    shown = "".join(traceback.format_exception(caught.value)) + caplog.text
    assert "SECRET" not in shown
    assert str(caught.value).endswith(".")


def test_nobody_listening_is_told(caplog: pytest.LogCaptureFixture):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with caplog.at_level(logging.DEBUG), pytest.raises(VendorDown, match="ConnectError") as caught:
        web(f"http://127.0.0.1:{port}").get_json("prices", about="prices")
    assert "SECRET" not in "".join(traceback.format_exception(caught.value)) + caplog.text


def test_without_a_key_a_refusal_is_the_vendor_s_own(server: VendorServer):
    server.failing = Reply({}, status=403)
    with pytest.raises(VendorDown, match="refused prices"):
        web(server.url, key_variable=None).get_json("prices", about="prices")


def test_a_vendor_may_explain_its_refusals(server: VendorServer):
    server.failing = Reply({"why": "no such series"}, status=500)

    def explain(status: int, body: bytes, about: str) -> Exception | None:
        return NoData(f"{about}: {status}.") if b"no such" in body else None

    with pytest.raises(NoData, match=r"prices: 500\."):
        web(server.url, explain=explain).get_json("prices", about="prices")
    server.failing = Reply({}, status=500)
    with pytest.raises(VendorDown, match="HTTP 500"):
        web(server.url, explain=explain).get_json("prices", about="prices")


def test_an_answer_that_is_too_long_is_given_up(server: VendorServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MAX_BYTES", 10_000)
    server.answer("/", Reply(gzip.compress(b"0" * 5_000_000), headers={"Content-Encoding": "gzip"}))
    with pytest.raises(VendorDown, match="too long to be one"):
        web(server.url).get("page", about="page")


def test_an_answer_that_drips_is_given_up_at_the_time_limit():
    with _dripping() as url:
        began = time.monotonic()
        with pytest.raises(VendorDown, match="answer too slow"):
            web(url, timeout=0.6).get("page", about="page")
        assert time.monotonic() - began < 3


@contextmanager
def _dripping() -> Iterator[str]:
    """Run a server that sends a byte each 0.1 s, for ever."""
    stopped = threading.Event()

    class Drip(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            while not stopped.wait(0.1):
                try:
                    self.wfile.write(b".")
                except OSError:
                    return

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
            """Say nothing."""

    from http.server import ThreadingHTTPServer

    with ThreadingHTTPServer(("127.0.0.1", 0), Drip) as http:
        http.daemon_threads = True
        threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_address[1]}"
        stopped.set()
        http.shutdown()


def test_a_redirect_within_the_vendor_is_followed_with_the_key_and_logged_without(
    server: VendorServer, caplog: pytest.LogCaptureFixture
):
    server.answer(
        "/old", lambda request: Reply({}, 301, {"Location": f"/new?apikey={request.query['apikey']}&moved=1"})
    )
    server.answer("/new", {"ok": 1})
    with caplog.at_level(logging.DEBUG):
        assert web(server.url).get_json("old", about="x") == {"ok": 1}
    assert server.asked[-1].query == {"apikey": KEY, "moved": "1"}
    assert server.asked[-1].headers["x-token"] == HEADER
    assert "SECRET" not in caplog.text


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("ask", ["get", "post"])
def test_a_redirect_to_another_host_is_not_followed_at_all(server: VendorServer, status: int, ask: str):
    calls: dict[str, Callable[[Web], Any]] = {
        "get": lambda web: web.get_json("page", about="page"),
        "post": lambda web: web.post_json("page", {"token": HEADER}, about="page"),
    }
    with vendor_server() as thief:
        server.answer("/", Reply({}, status, {"Location": f"{thief.url}/steal"}))
        with pytest.raises(VendorDown, match="to another host, which is not asked"):
            calls[ask](web(server.url))
        assert thief.asked == []


def test_an_address_of_another_host_in_an_answer_is_not_asked(server: VendorServer):
    with vendor_server() as thief:
        with pytest.raises(VendorDown, match="another host"):
            web(server.url).get_json(f"{thief.url}/next?page=2", about="page 2")
        assert thief.asked == []
    server.answer("/next", {"page": 2})
    assert web(server.url).get_json(f"{server.url}/next?page=2", about="page 2") == {"page": 2}
    assert server.asked[-1].query == {"page": "2", "apikey": KEY}


@pytest.mark.parametrize(
    ("home", "url", "same"),
    [
        ("https://data.sec.gov", "https://www.sec.gov/Archives/x", True),
        ("https://www.reddit.com", "https://oauth.reddit.com/r/stocks", True),
        ("https://api.acme.co.uk", "https://www.acme.co.uk/", True),
        ("https://api.acme.co.uk", "https://thief.co.uk/", False),
        ("https://api.acme.com", "https://acme.com.thief.example/", False),
        ("https://api.acme.com", "https://thiefacme.com/", False),
        ("https://api.acme.com", "http://api.acme.com/", False),
        ("https://api.acme.com", "https://api.acme.com:8443/", False),
        ("http://127.0.0.1:80", "http://128.0.0.1:80/", False),
        ("http://[::1]:80", "http://[::2]:80/", False),
    ],
)
def test_what_counts_as_the_vendor_s_own(home: str, url: str, same: bool):
    assert module._same_site(module.httpx.URL(url), module.httpx.URL(home)) is same


def test_each_request_takes_a_turn_a_redirected_one_too(server: VendorServer, tmp_path: Path):
    limiter = RateLimiter(tmp_path / "limits.sqlite", clock=lambda: 1000.0)
    server.answer("/old", Reply({}, 302, {"Location": "/new"}))
    server.answer("/new", {})
    asking = web(server.url, limiter=limiter, rates="3/day")
    asking.get_json("old", about="x")
    assert limiter.used("acme:", 60) == 2
    with pytest.raises(RateLimited, match="3/day and this is used up"):
        asking.get_json("old", about="x")
    assert [request.path for request in server.asked] == ["/old", "/new", "/old"]


def test_the_proxy_of_the_environment_is_asked_and_exceptions_are_not(
    server: VendorServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("http_proxy", server.url)
    server.answer("/", {"through": "proxy"})
    assert web("http://acme.example").get_json("page", about="page") == {"through": "proxy"}
    assert server.asked[-1].headers["host"] == "acme.example"
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert web(server.url).get_json("page", about="page") == {"through": "proxy"}
    monkeypatch.setenv("http_proxy", "socks5://me:SECRET@127.0.0.1:1")
    with pytest.raises(VendorNotConfigured, match=r"\(socks5\)") as caught:
        web("http://acme.example")
    assert "SECRET" not in str(caught.value)


def test_a_wait_is_read_as_seconds_or_as_a_date(server: VendorServer):
    assert (wait_asked("7"), wait_asked(" 120 ")) == (7.0, 120.0)
    soon = wait_asked(format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True))
    assert soon is not None
    assert 50 < soon <= 60
    assert wait_asked("Fri, 14 Mar 2025 10:00:00 GMT") == 0.0
    assert [wait_asked(odd) for odd in (None, "", "soon", "-5", "1.5", "Fri, 14 Mar 2025 10:00:00 -0000")] == [None] * 6
    server.failing = Reply({}, status=429, headers={"Retry-After": "9"})
    with pytest.raises(RateLimited) as caught:
        web(server.url).get("x", about="x")
    assert (caught.value.retry_after, caught.value.asked) == (9.0, True)
