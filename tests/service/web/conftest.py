"""One server process and one browser for all modules; no test shares a tab, and its faults fail the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.web_page import Site, chromium, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize


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
Handlers = dict[str, Callable[[Any], None]]


@dataclass
class Tabs:
    """Tabs that tests use one after the other: a new one starts a process, which takes a second of processor time."""

    browser: Browser
    unused: dict[str, list[Page]] = field(default_factory=dict)
    """Emptied tabs by the origin that they show."""

    def take(self, site: Site, size: ViewportSize, options: dict[str, Any]) -> Page:
        """Return a tab without storage, cookies, routes or handlers, in a context of its own."""
        unused = self.unused.get(site.origin)
        if unused and not options:
            page = unused.pop()
            page.set_viewport_size(size)
            return page
        context = self.browser.new_context(viewport=size, **options)
        context.set_default_timeout(45_000)
        return context.new_page()

    def give_back(self, site: Site, page: Page, options: dict[str, Any]) -> None:
        """Close a tab of a test, or empty it for the next one."""
        if options or page.is_closed() or len(page.context.pages) > 1:
            page.context.close()
            return
        page.unroute_all(behavior="ignoreErrors")
        page.goto(f"{site.origin}/static/no-such-file")  # of the origin, whose storage it may empty
        page.evaluate("localStorage.clear(); sessionStorage.clear();")
        page.context.clear_cookies()
        self.unused.setdefault(site.origin, []).append(page)


@pytest.fixture(scope="package")
def tabs(browser: Browser) -> Tabs:
    return Tabs(browser)


@pytest.fixture
def open_page(tabs: Tabs, site: Site) -> Iterator[OpenPage]:
    """Open tabs of the page; whatever leaves the origin, or fails in a script, fails the test."""
    faults: list[str] = []
    handlers: Handlers = {
        "request": lambda request: _from_elsewhere(request.url, site.origin, faults),
        "pageerror": lambda error: faults.append(f"script error: {error}"),
        "dialog": lambda dialog: faults.append(f"dialog: {dialog.message}"),
        "console": lambda message: _complaint(message.type, message.text, faults),
    }
    taken: list[tuple[Page, dict[str, Any]]] = []

    def opened(route: str = "", *, width: int = 1280, height: int = 900, **options: Any) -> Page:
        page = tabs.take(site, {"width": width, "height": height}, options)
        taken.append((page, options))
        for event, handler in handlers.items():
            page.on(event, handler)  # type: ignore[call-overload]
        page.goto(site.address)
        page.wait_for_selector("h1")
        if route:
            page.evaluate("route => { location.hash = route; }", route)
        return page

    yield opened
    for page, options in taken:
        for event, handler in handlers.items():
            page.remove_listener(event, handler)
        tabs.give_back(site, page, options)
    assert not faults


def _complaint(kind: str, text: str, faults: list[str]) -> None:
    if kind == "error" and not text.startswith("Failed to load resource"):  # answers that are errors are no faults
        faults.append(f"console: {text}")


def _from_elsewhere(address: str, origin: str, faults: list[str]) -> None:
    if not address.startswith((f"{origin}/", "data:", "blob:")):
        faults.append(f"request to {address}")
