"""Whatever a vendor's server does, every method ends in the error that says what to do, and shows no key."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.all import every_source
from tests.contracts.sources.source import Source
from tests.support.tiers import sampled
from tests.support.vendor_server import HTML, Reply, VendorServer, vendor_server
from tradingagents.errors import (
    DataError,
    NotForPastDate,
    RateLimited,
    TradingAgentsError,
    VendorDown,
    VendorNotConfigured,
)

PAGE = "<html><body>refused</body></html>"
FAILURES: dict[str, tuple[Reply, tuple[type[Exception], ...]]] = {
    "html": (HTML, (VendorDown,)),
    "rate_limited": (Reply({"error": "limit"}, status=429, headers={"Retry-After": "7"}), (RateLimited,)),
    "unauthorised": (Reply({"error": "key"}, status=401), (VendorNotConfigured, VendorDown)),
    "forbidden": (Reply(PAGE, status=403), (VendorNotConfigured, VendorDown)),
    "failed": (Reply(PAGE, status=500), (VendorDown,)),
    "unavailable": (Reply(PAGE, status=503), (VendorDown,)),
    "truncated": (Reply({"data": "x" * 400}, truncated=True), (VendorDown,)),
    "silent": (Reply(silent=True), (VendorDown,)),
    "null": (Reply("null", content_type="application/json"), (DataError,)),
    "a_number": (Reply("7", content_type="application/json"), (DataError,)),
}
SOURCES = every_source()
CASES = sampled(
    [(source, method, failure) for source in SOURCES for method in source.asks for failure in FAILURES],
    every=3,
    name=lambda case: f"{case[0].name}-{case[1]}-{case[2]}",
)
"""Ten failures a method: each time runs another three of each, and every failure with several vendors."""


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        yield running


def _ask(source: Source, server: VendorServer, tmp_path: Path, method: str, *, timeout: float) -> Any:
    return getattr(source.open(server, tmp_path, timeout=timeout), method)(*source.asks[method])


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_every_method_that_a_vendor_can_is_asked(source: Source):
    from tradingagents.dataflows.vendor import Vendor

    own = {name for name in vars(Vendor) if name.startswith("get_") and name in _methods(source.kind)}
    assert own == set(source.asks)


def _methods(kind: type) -> set[str]:
    from tradingagents.dataflows.vendor import Vendor

    return {name for name in dir(kind) if getattr(kind, name) is not getattr(Vendor, name, None)}


@pytest.mark.parametrize(
    ("source", "method"),
    [pytest.param(source, method, id=f"{source.name}-{method}") for source in SOURCES for method in source.asks],
)
def test_and_answers_from_the_filled_server(source: Source, method: str, server: VendorServer, tmp_path: Path):
    source.fill(server, None)
    answer = _ask(source, server, tmp_path, method, timeout=5.0)
    assert not hasattr(answer, "__len__") or len(answer)


@pytest.mark.parametrize(("source", "method", "failure"), CASES)
def test_a_failure_is_told_apart_and_shows_no_key(
    source: Source,
    method: str,
    failure: str,
    server: VendorServer,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
):
    reply, expected = FAILURES[failure]
    if failure in ("unauthorised", "forbidden") and method in source.silent_on_refusal:
        expected = (TradingAgentsError,)
    source.fill(server, None)
    server.failing = reply
    timeout = 0.4 if failure == "silent" else 5.0
    for name in ("httpx", "httpcore", "urllib3"):  # the command line hushes some of them
        caplog.set_level(logging.DEBUG, logger=name)
    with caplog.at_level(logging.DEBUG), pytest.raises(expected) as caught:
        _ask(source, server, tmp_path, method, timeout=timeout)
    assert not isinstance(caught.value, NotForPastDate)
    if isinstance(caught.value, RateLimited):
        assert caught.value.retry_after == 7.0
    shown = "".join(traceback.format_exception(caught.value)) + caplog.text + repr(caught.value.__dict__)
    for value in source.environ.values():
        assert value not in shown
    assert str(caught.value).endswith("."), "a message ends with the way out"
