"""Conversations in a real browser, on the page and in the widget of another page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.web_page import Site, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.service.web.conftest import OpenPage


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Print nothing."""


@contextmanager
def _other_site(folder: Path) -> Iterator[str]:
    """Serve a web site of somebody else and return its origin."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def other_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A web site that the server allows: its origin, and its folder."""
    folder = tmp_path_factory.mktemp("other")
    with _other_site(folder) as origin:
        yield origin, folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, browser: Browser, other_site: tuple[str, Path]) -> Iterator[Site]:
    """A server that allows the other site."""
    with serving(tmp_path_factory.mktemp("home"), TRADINGAGENTS_SERVER_ALLOWED_ORIGINS=other_site[0]) as running:
        yield running


def _say(page: Page, text: str) -> None:
    page.fill("#chat-input", text)
    page.keyboard.press("Enter")
    page.wait_for_selector(f".message.user:has-text('{text}')")
    page.wait_for_selector("button:text-is('Send'):visible")


def test_turns_with_tool_calls_memos_charts_and_a_task(open_page: OpenPage, site: Site) -> None:
    page = open_page("#/chat")
    page.wait_for_selector("#chat-input")
    _say(page, "What is the P/E ratio of VELQ?")
    page.wait_for_url("**/#/chat/s-*")
    session_id = page.url.rpartition("/")[2]
    entries = site.ask(f"/v1/sessions/{session_id}/transcript")
    result = next(one for one in entries if one["type"] == "tool_result")
    call = page.locator(".tool-call").first
    assert result["name"] in call.inner_text()
    assert call.locator("table").count() == 0, "answers of tools are folded"
    call.locator("summary").click()
    assert result["data"]["shown"]["pe_ttm"] in call.locator("table").first.inner_text()
    _say(page, "Should I look at VELQ?")
    memos = [one for one in site.ask(f"/v1/sessions/{session_id}/transcript") if one["type"] == "memo"]
    assert page.locator(".memo").count() == len(memos) >= 1
    shown = page.locator(".memo").first.inner_text()
    assert memos[0]["data"]["stance"] in shown
    assert f"confidence {memos[0]['data']['confidence']} of 100" in shown
    _say(page, "Show me a chart of VELQ")
    page.wait_for_selector(".in-place svg.price-chart", state="attached")
    _say(page, "Analyze VELQ")
    page.wait_for_selector(".notice-line .badge", timeout=60_000)
    assert page.locator(".message.user").count() == 4
    page.reload()
    page.wait_for_selector(".notice-line .badge")
    assert page.locator(".message.user").count() == 4
    assert page.locator(".memo").count() == len(memos)


def test_a_second_tab_shows_the_same_conversation(open_page: OpenPage, site: Site) -> None:
    session = site.ask("/v1/sessions", {"title": "Two tabs"})
    site.ended(
        site.ask(f"/v1/sessions/{session['session_id']}/messages", {"text": "What is the price of VELQ?"})["task_id"]
    )
    for page in (open_page(f"#/chat/{session['session_id']}"), open_page(f"#/chat/{session['session_id']}")):
        page.wait_for_selector(".message.assistant")
        assert page.locator(".message.user").count() == 1


def test_the_widget_in_another_page(browser: Browser, site: Site, other_site: tuple[str, Path]) -> None:
    origin, folder = other_site
    script = f'<script type="module" src="{site.origin}/static/widget.js"></script>'
    element = f'<tradingagents-chat server="{site.origin}" title="Ask us" symbols="VELQ"></tradingagents-chat>'
    (folder / "index.html").write_text(f"<!doctype html><title>Mine</title><h1>My page</h1>{script}{element}")
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(f"{origin}/index.html")
        page.click("button:has-text('Ask us')")
        page.fill("#token", site.token)
        page.keyboard.press("Enter")
        page.wait_for_selector("#chat-input")
        _say(page, "What is the P/E ratio of VELQ?")
        assert "fixed rules" in page.locator(".message.assistant").last.inner_text()
        assert page.evaluate("getComputedStyle(document.querySelector('h1')).fontSize") == "32px"
    finally:
        context.close()


def test_a_page_that_is_not_allowed_gets_nothing(browser: Browser, site: Site, tmp_path: Path) -> None:
    context = browser.new_context()
    with _other_site(tmp_path) as origin:
        page = context.new_page()
        page.goto(f"{origin}/")
        asked = page.evaluate(
            "([address, token]) => fetch(`${address}/v1/runs`, { headers: { Authorization: `Bearer ${token}` } })"
            ".then(() => 'answered', () => 'refused')",
            [site.origin, site.token],
        )
        context.close()
    assert asked == "refused"
