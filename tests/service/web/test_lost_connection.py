"""What the page says, and offers, while its server is killed or the connection is lost, and that it comes back."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.web_page import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TOKEN = "0123456789abcdef0123"  # noqa: S105 - of a server of these tests
VIEWS = (
    *("new", "history", "watchlist", "portfolio", "paper", "settings", "data", "data/get_news", "chat", "backtests"),
    *("company/VELQ", "run/20250101T000000Z-VELQ-2025-01-01-abcdef", "task/nosuch", "compare/a/b", "home"),
)
LOST = "The server cannot be reached"
WAYS_ON = """() => [...document.querySelectorAll("main button, main a[href], main summary")]
    .filter(one => one.checkVisibility()).length"""

READY = f"""view => location.hash === `#/${{view}}` && !document.querySelector("main .spinner") &&
    document.querySelector("main h1") && ({WAYS_ON})()"""


def say_what_is_wrong(page: Page, *views: str) -> None:
    """Check views: one heading, a sentence that is announced, something to press, and nothing that turns."""
    for view in views:
        page.evaluate("view => { location.hash = `#/${view}`; }", view)
        page.wait_for_function(f"() => document.querySelector('main').innerText.includes('{LOST}')")
        page.wait_for_function(f"() => !document.querySelector('main .spinner') && ({WAYS_ON})()")
        assert page.locator("h1").count() == 1, view
        assert page.locator("main [role=alert]").count(), view


def comes_back(page: Page) -> None:
    page.wait_for_selector("form.start, a.kind")
    assert page.locator(f"main :text('{LOST}')").count() == 0


def test_a_lost_connection_is_a_sentence_and_the_page_comes_back_by_itself(tmp_path: Path, browser: Browser) -> None:
    with serving(tmp_path, TRADINGAGENTS_SERVER_TOKEN=TOKEN) as site:
        page = browser.new_page()
        try:
            page.goto(f"{site.origin}/#token={TOKEN}")
            page.wait_for_selector("a.kind")
            page.context.set_offline(True)
            say_what_is_wrong(page, *VIEWS)
            page.evaluate("location.hash = '#/new'")
            page.wait_for_selector("h1:text-is('No connection')")
            page.context.set_offline(False)
            comes_back(page)
        finally:
            page.close()


def test_a_killed_server_is_a_sentence_and_a_new_one_is_used_on_demand(tmp_path: Path, browser: Browser) -> None:
    page = browser.new_page()
    try:
        with serving(tmp_path, TRADINGAGENTS_SERVER_TOKEN=TOKEN) as site:
            page.goto(f"{site.origin}/#token={TOKEN}")
            page.wait_for_selector("a.kind")
            os.kill(site.process.pid, signal.SIGKILL)
            site.process.wait(timeout=30)
            say_what_is_wrong(page, "company/VELQ", "home")
            page.evaluate("location.hash = '#/new'")
            page.wait_for_selector("h1:text-is('No connection')")
        port = site.origin.rpartition(":")[2]
        with serving(tmp_path, "--port", port, TRADINGAGENTS_SERVER_TOKEN=TOKEN):
            page.click("text=Try again")
            comes_back(page)
    finally:
        page.close()


def test_a_home_without_anything_says_so_and_where_to_begin(tmp_path: Path, browser: Browser) -> None:
    with serving(tmp_path, TRADINGAGENTS_SERVER_TOKEN=TOKEN) as site:
        page = browser.new_page()
        try:
            page.goto(f"{site.origin}/#token={TOKEN}")
            for view in ("history", "watchlist", "portfolio", "paper", "backtests", "chat", "settings"):
                page.evaluate("view => { location.hash = `#/${view}`; }", view)
                page.wait_for_function(READY, arg=view)
                said = page.inner_text("main")
                assert len(said) > len(page.inner_text("h1")) + 20, view
                assert page.locator("main [role=alert]").count() == 0, view
        finally:
            page.close()
