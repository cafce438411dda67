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

from benchmarks.openai_server import Answer, ToolCall
from tests.support.offline_server import OfflineServer
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
    asked = next(one for one in entries if one["type"] == "tool_call")
    named = asked["arguments"]["name"] if asked["name"] == "ask_capability" else asked["name"]
    assert site.ask("/v1/settings")["titles"][named] in call.inner_text()
    assert "_" not in call.locator("summary").inner_text()
    assert call.locator("table").count() == 0, "answers of tools are folded"
    call.locator("summary").click()
    assert result["data"]["shown"]["pe_ttm"] in call.locator("table").first.inner_text()
    _say(page, "Should I look at VELQ?")
    memos = [one for one in site.ask(f"/v1/sessions/{session_id}/transcript") if one["type"] == "memo"]
    assert page.locator(".memo").count() == len(memos) >= 1
    shown = page.locator(".memo").first.inner_text()
    assert memos[0]["data"]["stance"] in shown
    assert f"strength {memos[0]['data']['confidence']} of 100" in shown
    _say(page, "Show me a chart of VELQ")
    page.wait_for_selector(".in-place svg.price-chart", state="attached")
    _say(page, "Analyze VELQ")
    page.wait_for_selector(".notice-line .badge", timeout=60_000)
    assert page.locator(".task-card").count() == 1
    assert page.locator(".task-card .badge").inner_text() == page.locator(".notice-line .badge").inner_text()
    assert page.locator(".message.user").count() == 4
    page.reload()
    page.wait_for_selector(".notice-line .badge")
    assert page.locator(".message.user").count() == 4
    assert page.locator(".memo").count() == len(memos)


def test_day_and_company_of_the_page_are_those_of_the_conversation(open_page: OpenPage, site: Site) -> None:
    page = open_page("#/company/VELQ?day=2025-03-14")
    page.click("text=Ask about it")
    page.wait_for_selector("#chat-input")
    assert page.input_value("#chat-day") == "2025-03-14"
    _say(page, "What is its price?")
    price = site.ask(
        "/v1/capabilities/market_snapshot", {"arguments": {"ticker": "VELQ"}, "as_of": "2025-03-14", "files": False}
    )
    page.wait_for_selector(f".message.assistant:has-text('{price['shown']['price']}')")
    assert "About VELQ on 14 Mar 2025" in page.inner_text(".symbols")
    page.evaluate("location.hash = '#/home?day=2025-02-03'")
    page.wait_for_selector("#first")
    page.fill("#first", "What is the price of OMBZ?")
    page.press("#first", "Enter")
    page.wait_for_selector(".message.assistant:has-text('2025-02-03')")
    (session, *_) = site.ask("/v1/sessions")
    assert (session["defaults"]["as_of"], session["symbols"]) == ("2025-02-03", ["OMBZ"])
    page.click("text=New chat")
    page.click("button:text-is('What can you do?')")
    page.wait_for_selector(".message.assistant")
    assert page.locator("#chat-day").count() == 0


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


def test_what_a_model_starts_is_a_card_that_goes_on_by_itself(browser: Browser, tmp_path: Path) -> None:
    """The model asks for an analysis; a person allows it; the card counts its steps and says what came out."""
    said = "I have asked for the analysis."
    with OfflineServer(delay=0.05) as models:
        asked = ToolCall("start_analyze", {"ticker": "VELQ", "day": "2025-03-14"})
        models.answer(Answer(tool_calls=(asked,)), Answer(text=said))
        flags = ("--llm-provider", "openai_compatible", "--backend-url", models.url)
        named = (*("--quick-model", "bench-model"), *("--deep-model", "bench-model"))
        with serving(tmp_path, *flags, *named, OPENAI_API_KEY="sk-test") as served:
            page = browser.new_page()
            try:
                page.goto(served.address)
                page.evaluate("location.hash = '#/chat'")
                page.wait_for_selector("#chat-input")
                _say(page, "Please analyze VELQ for 2025-03-14")
                page.wait_for_selector(f".message.assistant:has-text('{said}')")
                page.click(".approval button:text-is('Approve')")
                page.wait_for_selector(".task-card progress")
                page.wait_for_function(
                    "() => /^[1-9]\\d* of 17 steps/.test(document.querySelector('.task-card p.muted')?.innerText ?? '')"
                )
                page.wait_for_selector(".task-card .status-done", timeout=60_000)
                (run,) = served.ask("/v1/runs")
                assert run["action"] in page.inner_text(".task-card .badge")
                page.wait_for_selector(".notice-line .badge")
                page.reload()
                page.wait_for_selector(".task-card .status-done")
                assert page.locator(".task-card").count() == 1
                page.click("text=Open the run")
                page.wait_for_url(f"**/#/run/{run['run_id']}")
            finally:
                page.close()
