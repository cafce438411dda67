"""One server process and one browser for all modules; every test has a tab of its own, and its faults fail the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.web_page import Site, chromium, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="package")  # not the session: as long as it is open, no other test can run an event loop
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Site]:
    """A server; it depends on the browser, without which nothing is started."""
    with serving(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture(scope="package")
def run_id(site: Site) -> str:
    """A finished analysis of VELQ on 2025-03-14."""
    return site.analyzed("VELQ", "2025-03-14")


OpenPage = Callable[..., "Page"]


@pytest.fixture
def open_page(browser: Browser, site: Site) -> Iterator[OpenPage]:
    """Open tabs of the page; whatever leaves the origin, or fails in a script, fails the test."""
    faults: list[str] = []
    contexts = []

    def opened(route: str = "", *, width: int = 1280, height: int = 900, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        context.set_default_timeout(45_000)
        page = context.new_page()
        page.on("request", lambda request: _from_elsewhere(request.url, site.origin, faults))
        page.on("pageerror", lambda error: faults.append(f"script error: {error}"))
        page.on("dialog", lambda dialog: faults.append(f"dialog: {dialog.message}"))
        page.on("console", lambda message: _complaint(message.type, message.text, faults))
        page.goto(site.address)
        page.wait_for_selector("h1")
        if route:
            page.evaluate("route => { location.hash = route; }", route)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not faults


def _complaint(kind: str, text: str, faults: list[str]) -> None:
    if kind == "error" and not text.startswith("Failed to load resource"):  # answers that are errors are no faults
        faults.append(f"console: {text}")


def _from_elsewhere(address: str, origin: str, faults: list[str]) -> None:
    if not address.startswith((f"{origin}/", "data:", "blob:")):
        faults.append(f"request to {address}")
